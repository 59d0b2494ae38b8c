/* debug_file: see debug_file.h. */
#include "resolve/debug_file.h"

#include "base/str.h"
#include "resolve/mapped_file.h"

#include <string.h>
#include <unistd.h>

#define ROOT "/usr/lib/debug"

static bool has_id(int fd, const uint8_t *id, size_t len)
{
	struct wp_file_id want = {0};

	if (!len || len > sizeof(want.build_id))
		return false;
	memcpy(want.build_id, id, len);
	want.build_id_len = (uint8_t)len;
	return wp_mapped_file_is(fd, &want);
}

int wp_debug_file_by_id(uint32_t pid, const uint8_t *id, size_t len)
{
	wp_autostr struct wp_str path = {0};

	if (len < 2 || len > WP_BUILD_ID_MAX)
		return -1;
	wp_str_printf(&path, ROOT "/.build-id/%02x/", id[0]);
	for (size_t i = 1; i < len; i++)
		wp_str_printf(&path, "%02x", id[i]);
	wp_str_puts(&path, ".debug");
	int fd = wp_mapped_file_path(pid, path.s);
	if (fd >= 0 && !has_id(fd, id, len)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* CRC-32 as in zlib, bit by bit through a table made on the way. */
static bool crc_matches(int fd, uint32_t want)
{
	uint32_t table[256], crc = UINT32_MAX;
	static const size_t chunk = 1 << 16;
	wp_autofree uint8_t *buf = wp_calloc(chunk, 1);
	off_t pos = 0;
	ssize_t n;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
	}
	while ((n = pread(fd, buf, chunk, pos)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			crc = table[(crc ^ buf[i]) & 0xff] ^ crc >> 8;
		pos += n;
	}
	return n == 0 && (crc ^ UINT32_MAX) == want;
}

static bool fits(int fd, const struct wp_elf_image *program)
{
	if (program->build_id_len && has_id(fd, program->build_id, program->build_id_len))
		return true;
	return crc_matches(fd, program->debuglink_crc);
}

static int by_link(uint32_t pid, const char *path, const struct wp_elf_image *program)
{
	static const struct {
		const char *root, *sub;
	} places[] = {{"", ""}, {"", ".debug/"}, {ROOT, ""}};
	int dir_len = (int)(wp_str_basename(path) - path);

	for (size_t i = 0; i < WP_ARRAY_LEN(places); i++) {
		wp_autofree char *candidate = wp_asprintf("%s%.*s%s%s", places[i].root, dir_len,
							  path, places[i].sub, program->debuglink);
		int fd = strcmp(candidate, path) == 0 ? -1 : wp_mapped_file_path(pid, candidate);

		if (fd >= 0 && fits(fd, program))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

int wp_debug_file_open(uint32_t pid, const char *path, const struct wp_elf_image *program)
{
	const uint32_t roots[] = {pid, 0};
	int fd = -1;

	for (size_t i = 0; i < WP_ARRAY_LEN(roots) && fd < 0; i++) {
		if (program->build_id_len)
			fd = wp_debug_file_by_id(roots[i], program->build_id,
						 program->build_id_len);
		if (fd < 0 && program->debuglink[0])
			fd = by_link(roots[i], path, program);
	}
	return fd;
}
