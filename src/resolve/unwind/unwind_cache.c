/* SPDX-License-Identifier: BSD-3-Clause */
/* unwind_cache: see unwind_cache.h. A file is a header and the rows; little-endian like them. */
#include "resolve/unwind/unwind_cache.h"

#include "base/cache_dir.h"
#include "base/dir.h"
#include "base/hash.h"
#include "base/str.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER	 "unwind"
#define MAGIC	 0x57554657u /* "WFUW" */
#define VERSION	 7	     /* of the file, of the rules' meaning and of what is laid over them */
#define MAX_ROWS (64u << 20)
/* Small tables are compiled as fast as they are read. */
#define MIN_ROWS 2048
/* A machine that builds all day must not fill its disk. */
#define MAX_FILES 1024

struct header {
	uint32_t magic, version;
	uint64_t digest, base, n, rows_digest;
};

uint64_t wp_unwind_digest(uint64_t digest, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	uint64_t word;

	digest ^= n;
	for (; n >= sizeof(word); p += sizeof(word), n -= sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		digest = wp_hash_spread(digest ^ word);
		digest ^= digest >> 29;
	}
	word = 0;
	memcpy(&word, p, n);
	digest = wp_hash_spread(digest ^ word);
	return digest ^ digest >> 32;
}

static char *cache_name_of(const struct wp_unwind_key *key)
{
	struct wp_str name = {0};

	for (size_t i = 0; i < key->build_id_len; i++)
		wp_str_printf(&name, "%02x", key->build_id[i]);
	return name.s;
}

static bool is_sorted(const struct wp_unwind_rows *rows)
{
	for (size_t i = 1; i < rows->rows.n; i++)
		if (rows->rows.v[i].pc <= rows->rows.v[i - 1].pc)
			return false;
	return true;
}

static bool read_cached_rows(int fd, uint64_t digest, struct wp_unwind_rows *ret)
{
	struct wp_unwind_rows rows = {0};
	struct header h;
	struct stat st;

	if (fstat(fd, &st) != 0 || !wp_cache_dir_read(fd, &h, sizeof(h)) || h.magic != MAGIC ||
	    h.version != VERSION || h.digest != digest || h.n > MAX_ROWS ||
	    (uint64_t)st.st_size != sizeof(h) + h.n * sizeof(*rows.rows.v))
		return false;
	rows.base = h.base;
	rows.rows.v = wp_calloc(h.n ? h.n : 1, sizeof(*rows.rows.v));
	rows.rows.n = rows.rows.cap = h.n;
	if (wp_cache_dir_read(fd, rows.rows.v, h.n * sizeof(*rows.rows.v)) && is_sorted(&rows) &&
	    wp_unwind_digest(0, rows.rows.v, h.n * sizeof(*rows.rows.v)) == h.rows_digest) {
		*ret = rows;
		return true;
	}
	wp_unwind_rows_deinit(&rows);
	return false;
}

bool wp_unwind_cache_load(const struct wp_unwind_key *key, struct wp_unwind_rows *ret)
{
	wp_autofree char *name = cache_name_of(key);

	if (!name)
		return false;
	wp_autoclose int folder = wp_cache_dir_open(FOLDER, false);
	if (folder < 0)
		return false;
	wp_autoclose int fd = wp_cache_dir_file(folder, name);
	return fd >= 0 && read_cached_rows(fd, key->digest, ret);
}

static void limit_files(int folder)
{
	wp_autodir struct wp_dir dir = {0};
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", folder);
	wp_dir_list(path, &dir);
	/* Which one does not matter much: build-ids are in no order. */
	for (size_t i = 0; dir.names.n - i >= MAX_FILES && i < dir.names.n; i++)
		unlinkat(folder, dir.names.v[i], 0);
}

void wp_unwind_cache_store(const struct wp_unwind_key *key, const struct wp_unwind_rows *rows)
{
	wp_autofree char *name = cache_name_of(key);
	size_t bytes = rows->rows.n * sizeof(*rows->rows.v);
	struct header h = {
		.magic = MAGIC,
		.version = VERSION,
		.digest = key->digest,
		.base = rows->base,
		.n = rows->rows.n,
		.rows_digest = wp_unwind_digest(0, rows->rows.v, bytes),
	};
	const struct iovec parts[] = {{&h, sizeof(h)}, {rows->rows.v, bytes}};

	if (!name || rows->rows.n < MIN_ROWS || rows->rows.n > MAX_ROWS)
		return;
	wp_autoclose int folder = wp_cache_dir_open(FOLDER, true);
	if (folder < 0)
		return;
	limit_files(folder);
	wp_cache_dir_replace(folder, name, parts, WP_ARRAY_LEN(parts));
}
