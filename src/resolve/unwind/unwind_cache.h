/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_cache: unwind rules on disk, by build-id, so that each module is compiled once.
 *
 * In wperf/unwind/ of base/cache_dir.h. Files are checked in full and tied to a digest of what they
 * were made of, since anyone can give a program another one's build-id.
 */
#ifndef WP_UNWIND_CACHE_H
#define WP_UNWIND_CACHE_H

#include "core/unwind_rows.h"

struct wp_unwind_key {
	const uint8_t *build_id;
	size_t build_id_len; /* 0: not cached */
	uint64_t digest;     /* of everything else that the rules depend on */
};

/* Continues a digest (begin with 0) with bytes. */
uint64_t wp_unwind_digest(uint64_t digest, const void *bytes, size_t n);

/* False when there is no sound file for the key. The caller deinits *ret. */
bool wp_unwind_cache_load(const struct wp_unwind_key *key, struct wp_unwind_rows *ret);
/* Failures are silent: it is only a cache. */
void wp_unwind_cache_store(const struct wp_unwind_key *key, const struct wp_unwind_rows *rows);

#endif
