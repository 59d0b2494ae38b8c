/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_index: a module's rules laid out for the BPF walker: rows in parts, and buckets over them.
 *
 * Source stage; pure. A bucket is a piece of 2^shift bytes of the module and names the rows that
 * may be in force there, so a search looks at a handful of rows. All rows of a bucket lie in one
 * part, and a part in one chunk: where a bucket is cut off, its rows are repeated in the next part.
 */
#ifndef WP_BPF_INDEX_H
#define WP_BPF_INDEX_H

#include "bpf/wire.h"

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows of a part, unless a single bucket has more. */
#define WP_BPF_PART_ROWS 8192u

struct wp_bpf_part {
	uint32_t first, n;		  /* rows of the table */
	uint32_t first_bucket, n_buckets; /* whose rows they are */
};

struct wp_bpf_index {
	uint32_t shift;
	WP_VEC(struct wp_walk_bucket) buckets; /* rows by index in the table */
	WP_VEC(struct wp_bpf_part) parts;
};

/*
 * Indexes rows sorted by pc. False when they are not in order or cover more than fits. The caller
 * deinits *ret, which is all zero before.
 */
bool wp_bpf_index_build(const struct wp_unwind_rule *rules, size_t n, struct wp_bpf_index *ret);
void wp_bpf_index_deinit(struct wp_bpf_index *index);

#endif
