/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_keep: what a record points at, copied, so that the record may stay longer than its batch.
 *
 * Core. The copies live in the caller's arena; strings end with their NUL.
 */
#ifndef WP_RECORD_KEEP_H
#define WP_RECORD_KEEP_H

#include "base/arena.h"
#include "core/record.h"

/* Makes everything that *record points at the arena's; returns how many bytes that took. */
size_t wp_record_keep(struct wp_arena *arena, struct wp_record *record);

#endif
