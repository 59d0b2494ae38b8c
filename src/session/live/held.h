/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * held: records that wait, in order, because a module that the first of them is in is still being
 * loaded.
 *
 * Session stage, between source and resolver. All that comes behind a record that waits waits too,
 * so that every sample meets the mappings of its time. Copies, since a source lends its records
 * until the next batch only.
 */
#ifndef WP_HELD_H
#define WP_HELD_H

#include "base/vec.h"
#include "core/record_keep.h"

/* Records of about a MiB, freed together. */
struct wp_held_block {
	WP_VEC(struct wp_record) records;
	struct wp_arena arena;
	size_t bytes;
};

/* All-zero is empty. */
struct wp_held {
	WP_VEC(struct wp_held_block) blocks; /* the first `gone` are freed */
	size_t gone, at;		     /* at: of the first block's records, those taken */
	size_t n, bytes;		     /* of all */
};

void wp_held_add(struct wp_held *held, const struct wp_record *record);
/* The oldest, until it is dropped; NULL: there is none. */
const struct wp_record *wp_held_first(const struct wp_held *held);
void wp_held_drop(struct wp_held *held);
void wp_held_deinit(struct wp_held *held);

#endif
