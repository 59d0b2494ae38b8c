/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_debug_file: a program and what could be its debug file: the size of the program (u16), the
 * program, the other file, which lies wherever it is looked for. It is found only when its build-id
 * or checksum is right, and nothing else ever is.
 */
#include "resolve/find/debug_file.h"

#include "base/bytes.h"
#include "base/str.h"
#include "scratch.h"

#include <lzma.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Where the seeds' program (/srv/app; build-id 00010203...; x.debug) says that it is. */
static const char *const folders[] = {
	"/srv",
	"/srv/.debug",
	"/usr",
	"/usr/lib",
	"/usr/lib/debug",
	"/usr/lib/debug/.build-id",
	"/usr/lib/debug/.build-id/00",
	"/usr/lib/debug/srv",
};
static const char *const names[] = {
	"/srv/x.debug",
	"/srv/.debug/x.debug",
	"/usr/lib/debug/srv/x.debug",
	"/usr/lib/debug/.build-id/00/01020304050607.debug",
};

static int make_places(void)
{
	wp_autofree char *first = wp_asprintf("%s/file", scratch_folder());
	int fd = open(first, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	setenv("HOME", scratch_folder(), 1);
	for (size_t i = 0; i < WP_ARRAY_LEN(folders); i++) {
		wp_autofree char *path = wp_asprintf("%s%s", scratch_folder(), folders[i]);

		mkdir(path, 0700);
	}
	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++) {
		wp_autofree char *path = wp_asprintf("%s%s", scratch_folder(), names[i]);

		if (link(first, path) != 0)
			abort();
	}
	return fd;
}

static bool has_id(int fd, const struct wp_elf_image *program)
{
	struct wp_elf_image image;
	Elf *elf = wp_elf_open(fd);
	wp_autoerr struct wp_err *err = wp_elf_image_read(elf, &image);
	bool same = !err && image.build_id_len == program->build_id_len &&
		    memcmp(image.build_id, program->build_id, image.build_id_len) == 0;

	if (!err)
		wp_elf_image_deinit(&image);
	elf_end(elf);
	return same;
}

static void search(const struct wp_elf_image *program, int fd, uint32_t crc)
{
	struct wp_debug_places places = {.symfs = scratch_folder()};
	wp_autoclose int found = wp_debug_file_open(&places, 0, "/srv/app", program);
	wp_autoclose int by_id =
		wp_debug_file_program(&places, 0, program->build_id, program->build_id_len);
	struct stat want, got;

	if (by_id >= 0 && !has_id(by_id, program))
		abort();
	if (found < 0)
		return;
	if (fstat(fd, &want) != 0 || fstat(found, &got) != 0 || want.st_ino != got.st_ino)
		abort();
	if (program->debuglink_crc != crc && !has_id(found, program))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct wp_bytes in = wp_bytes_of(data, size);
	size_t n = wp_bytes_u16(&in);
	struct wp_elf_image program;

	if (fd < 0)
		fd = make_places();
	if (in.failed || n > wp_bytes_left(&in))
		return 0;
	wp_autofree uint8_t *copy = wp_calloc(n ? n : 1, 1);
	memcpy(copy, data + in.pos, n);
	Elf *elf = wp_elf_open_memory(copy, n);
	wp_autoerr struct wp_err *err = wp_elf_image_read(elf, &program);
	if (!err) {
		const uint8_t *other = data + in.pos + n;
		size_t left = size - in.pos - n;

		scratch_fill(fd, other, left);
		search(&program, fd, lzma_crc32(other, left, 0));
		wp_elf_image_deinit(&program);
	}
	elf_end(elf);
	return 0;
}
