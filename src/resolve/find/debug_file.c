/* SPDX-License-Identifier: BSD-3-Clause */
/* debug_file: see debug_file.h. */
#include "resolve/find/debug_file.h"

#include "base/str.h"
#include "resolve/find/mapped_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOT "/usr/lib/debug"

static bool has_build_id(int fd, const uint8_t *id, size_t len)
{
	struct wp_file_id want = {0};

	if (!len || len > sizeof(want.build_id))
		return false;
	memcpy(want.build_id, id, len);
	want.build_id_len = (uint8_t)len;
	return wp_mapped_file_is(fd, &want);
}

static int keep_if_build_id(int fd, const uint8_t *id, size_t len)
{
	if (fd < 0 || has_build_id(fd, id, len))
		return fd;
	close(fd);
	return -1;
}

/* path: PLACE/.build-id/ab/cdef..., then the suffix. */
static int in_folder(const struct wp_debug_places *places, uint32_t pid, const char *folder,
		     const char *suffix, const uint8_t *id, size_t len)
{
	wp_autostr struct wp_str path = {0};

	if (places && places->symfs)
		wp_str_puts(&path, places->symfs);
	wp_str_printf(&path, "%s/.build-id/%02x/", folder, id[0]);
	for (size_t i = 1; i < len; i++)
		wp_str_printf(&path, "%02x", id[i]);
	wp_str_puts(&path, suffix);
	return keep_if_build_id(wp_mapped_file_path(pid, path.s), id, len);
}

/* What `perf buildid-cache` and `perf record` have kept: it is the user's, never below --symfs. */
static int in_perf_cache(const char *suffix, const uint8_t *id, size_t len)
{
	const char *home = getenv("HOME");
	wp_autofree char *folder = wp_asprintf("%s/.debug", home ? home : "");

	return home ? in_folder(NULL, 0, folder, suffix, id, len) : -1;
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

static bool is_debug_file_of(int fd, const struct wp_elf_image *program)
{
	if (program->build_id_len && has_build_id(fd, program->build_id, program->build_id_len))
		return true;
	return crc_matches(fd, program->debuglink_crc);
}

static int by_link(const struct wp_debug_places *from, uint32_t pid, const char *path,
		   const struct wp_elf_image *program)
{
	static const struct {
		const char *root, *sub;
	} places[] = {{"", ""}, {"", ".debug/"}, {ROOT, ""}};
	int dir_len = (int)(wp_str_basename(path) - path);

	for (size_t i = 0; i < WP_ARRAY_LEN(places); i++) {
		wp_autofree char *candidate = wp_asprintf(
			"%s%s%.*s%s%s", from && from->symfs ? from->symfs : "", places[i].root,
			dir_len, path, places[i].sub, program->debuglink);
		int fd = wp_str_has_suffix(candidate, path) ? -1
							    : wp_mapped_file_path(pid, candidate);

		if (fd >= 0 && is_debug_file_of(fd, program))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

static int from_server(const struct wp_debug_places *places, enum wp_debuginfod_kind kind,
		       const uint8_t *id, size_t len)
{
	return places ? keep_if_build_id(wp_debuginfod_fetch(places->debuginfod, kind, id, len), id,
					 len)
		      : -1;
}

/* What was split off, from the user's cache or a server. */
static int from_elsewhere(const struct wp_debug_places *places, const uint8_t *id, size_t len)
{
	int fd = in_perf_cache("/debug", id, len);

	if (fd < 0)
		fd = in_perf_cache("/elf", id, len);
	return fd < 0 ? from_server(places, WP_DEBUGINFOD_DEBUG, id, len) : fd;
}

static bool is_usable(size_t len)
{
	return len >= 2 && len <= WP_BUILD_ID_MAX;
}

int wp_debug_file_open(const struct wp_debug_places *places, uint32_t pid, const char *path,
		       const struct wp_elf_image *program)
{
	const uint32_t roots[] = {pid, 0};
	const uint8_t *id = program->build_id;
	size_t len = program->build_id_len;
	int fd = -1;

	for (size_t i = 0; i < WP_ARRAY_LEN(roots) && fd < 0; i++) {
		if (is_usable(len))
			fd = in_folder(places, roots[i], ROOT, ".debug", id, len);
		if (fd < 0 && program->debuglink[0])
			fd = by_link(places, roots[i], path, program);
	}
	return fd < 0 && is_usable(len) ? from_elsewhere(places, id, len) : fd;
}

int wp_debug_file_program(const struct wp_debug_places *places, uint32_t pid, const uint8_t *id,
			  size_t len)
{
	int fd;

	if (!is_usable(len))
		return -1;
	fd = in_perf_cache("/elf", id, len);
	if (fd < 0)
		fd = from_server(places, WP_DEBUGINFOD_PROGRAM, id, len);
	if (fd < 0)
		fd = in_folder(places, pid, ROOT, ".debug", id, len);
	return fd < 0 ? from_elsewhere(places, id, len) : fd;
}
