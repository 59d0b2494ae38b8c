/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_unwind_cache: a file of the cache of unwind rules. An odd first byte: its digests are made
 * right, so that what lies behind them is reached; the rest is the file.
 */
#include "resolve/unwind/unwind_cache.h"

#include "scratch.h"

#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEADER_BYTES 40
#define DIGEST_AT    32 /* of the rows */
#define NAME	     "/wperf/unwind/abcd"

static int open_file(void)
{
	char path[128];

	setenv("XDG_CACHE_HOME", scratch_folder(), 1);
	snprintf(path, sizeof(path), "%s/wperf", scratch_folder());
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/wperf/unwind", scratch_folder());
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s" NAME, scratch_folder());
	return open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t id[] = {0xab, 0xcd};
	static int fd = -1;
	struct wp_unwind_rows rows = {0};
	struct wp_unwind_key key = {id, sizeof(id), 0};
	uint64_t digest;

	if (fd < 0)
		fd = open_file();
	if (!size)
		return 0;
	scratch_fill(fd, data + 1, size - 1);
	if (data[0] & 1 && size - 1 >= HEADER_BYTES) {
		memcpy(&key.digest, data + 9, sizeof(key.digest));
		digest = wp_unwind_digest(0, data + 1 + HEADER_BYTES, size - 1 - HEADER_BYTES);
		if (pwrite(fd, &digest, sizeof(digest), DIGEST_AT) != sizeof(digest))
			abort();
	}
	if (wp_unwind_cache_load(&key, &rows))
		for (size_t i = 1; i < rows.rows.n; i++)
			if (rows.rows.v[i].pc <= rows.rows.v[i - 1].pc)
				abort();
	wp_unwind_rule_find(rows.rows.v, rows.rows.n, 0x40);
	wp_unwind_rows_deinit(&rows);
	return 0;
}
