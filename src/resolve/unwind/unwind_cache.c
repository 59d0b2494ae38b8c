/* SPDX-License-Identifier: BSD-3-Clause */
/* unwind_cache: see unwind_cache.h. A file is a header and the rows; little-endian like them. */
#include "resolve/unwind/unwind_cache.h"

#include "base/hash.h"
#include "base/dir.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Ours, and for nobody else to write. */
static bool is_ours(int fd, mode_t kind)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == kind && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Opens a folder in a folder; made when `make`. -1 unless it is ours. Closes the outer one. */
static int enter(int outer, const char *name, bool make)
{
	int fd = -1;

	if (outer < 0)
		return -1;
	if (make)
		mkdirat(outer, name, 0700);
	fd = openat(outer, name, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	close(outer);
	if (fd >= 0 && !is_ours(fd, S_IFDIR)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int open_top(bool make)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	wp_autofree char *path = NULL;

	if (xdg && xdg[0] == '/')
		path = wp_strdup(xdg);
	else if (geteuid() == 0)
		path = wp_strdup("/var/cache");
	else if (home && home[0] == '/')
		path = wp_asprintf("%s/.cache", home);
	else
		return -1;
	if (make)
		mkdir(path, 0700);
	return open(path, O_DIRECTORY | O_CLOEXEC);
}

static int open_folder(bool make)
{
	return enter(enter(open_top(make), "wperf", make), "unwind", make);
}

static char *name_of(const struct wp_unwind_key *key)
{
	struct wp_str name = {0};

	for (size_t i = 0; i < key->build_id_len; i++)
		wp_str_printf(&name, "%02x", key->build_id[i]);
	return name.s;
}

static bool read_all(int fd, void *buf, size_t n)
{
	uint8_t *p = buf;

	while (n) {
		ssize_t got = read(fd, p, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		n -= (size_t)got;
	}
	return true;
}

static bool write_all(int fd, const void *buf, size_t n)
{
	const uint8_t *p = buf;

	while (n) {
		ssize_t put = write(fd, p, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		p += put;
		n -= (size_t)put;
	}
	return true;
}

static bool is_sorted(const struct wp_unwind_rows *rows)
{
	for (size_t i = 1; i < rows->rows.n; i++)
		if (rows->rows.v[i].pc <= rows->rows.v[i - 1].pc)
			return false;
	return true;
}

static bool read_file(int fd, uint64_t digest, struct wp_unwind_rows *ret)
{
	struct wp_unwind_rows rows = {0};
	struct header h;
	struct stat st;

	if (!is_ours(fd, S_IFREG) || fstat(fd, &st) != 0 || !read_all(fd, &h, sizeof(h)) ||
	    h.magic != MAGIC || h.version != VERSION || h.digest != digest || h.n > MAX_ROWS ||
	    (uint64_t)st.st_size != sizeof(h) + h.n * sizeof(*rows.rows.v))
		return false;
	rows.base = h.base;
	rows.rows.v = wp_calloc(h.n ? h.n : 1, sizeof(*rows.rows.v));
	rows.rows.n = rows.rows.cap = h.n;
	if (read_all(fd, rows.rows.v, h.n * sizeof(*rows.rows.v)) && is_sorted(&rows) &&
	    wp_unwind_digest(0, rows.rows.v, h.n * sizeof(*rows.rows.v)) == h.rows_digest) {
		*ret = rows;
		return true;
	}
	wp_unwind_rows_deinit(&rows);
	return false;
}

bool wp_unwind_cache_load(const struct wp_unwind_key *key, struct wp_unwind_rows *ret)
{
	wp_autofree char *name = name_of(key);

	if (!name)
		return false;
	wp_autoclose int folder = open_folder(false);
	if (folder < 0)
		return false;
	wp_autoclose int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return fd >= 0 && read_file(fd, key->digest, ret);
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
	wp_autofree char *name = name_of(key);
	wp_autofree char *draft = name ? wp_asprintf(".%s.%d", name, (int)getpid()) : NULL;
	size_t bytes = rows->rows.n * sizeof(*rows->rows.v);
	struct header h = {
		.magic = MAGIC,
		.version = VERSION,
		.digest = key->digest,
		.base = rows->base,
		.n = rows->rows.n,
		.rows_digest = wp_unwind_digest(0, rows->rows.v, bytes),
	};

	if (!name || rows->rows.n < MIN_ROWS || rows->rows.n > MAX_ROWS)
		return;
	wp_autoclose int folder = open_folder(true);
	if (folder < 0)
		return;
	limit_files(folder);
	wp_autoclose int fd =
		openat(folder, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (!write_all(fd, &h, sizeof(h)) || !write_all(fd, rows->rows.v, bytes) ||
	    renameat(folder, draft, folder, name) != 0)
		unlinkat(folder, draft, 0);
}
