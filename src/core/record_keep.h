/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_keep: what a record points at, copied, so that the record may stay longer than its batch.
 *
 * Core. The copies live in the caller's arena; strings end with their NUL.
 */
#ifndef WP_RECORD_KEEP_H
#define WP_RECORD_KEEP_H

#include "base/arena.h"
#include "base/vec.h"
#include "core/record.h"

struct wp_records {
	struct wp_arena arena; /* the records' strings */
	WP_VEC(struct wp_record) records;
};

void wp_records_deinit(struct wp_records *records);

/* Makes everything that *record points at the arena's; returns how many bytes that took. */
size_t wp_record_keep(struct wp_arena *arena, struct wp_record *record);

#endif
