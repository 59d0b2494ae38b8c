/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pfm_events: what libpfm4 knows of this computer's CPU: names as its users type them
 * ("MEM_LOAD_RETIRED:L1_MISS"), numbers and descriptions.
 *
 * Only the computer wperf runs on is known this way, not one of a script. Built without libpfm4,
 * nothing is known. libpfm4 keeps its state itself: one thread at a time.
 */
#ifndef WP_PFM_EVENTS_H
#define WP_PFM_EVENTS_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct wp_pfm_event {
	const char *name; /* lower case: "mem_load_retired:l1_miss" */
	uint64_t config, config1;
	const char *text; /* one sentence of libpfm4's */
};

struct wp_pfm_events {
	WP_VEC(struct wp_pfm_event) v;
};

/* Appends every event of the CPU's own PMU; strings in arena. The caller deinits the vec. */
void wp_pfm_list(struct wp_arena *arena, struct wp_pfm_events *ret);
/* The event of that name, any case; false when there is none or it lacks a part. */
bool wp_pfm_find(struct wp_arena *arena, const char *name, struct wp_pfm_event *ret);

#endif
