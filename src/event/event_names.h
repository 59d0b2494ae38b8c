/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_names: the events that every Linux knows by name: generic hardware, cache and software
 * events, with perf's spellings. Fixed facts of include/uapi/linux/perf_event.h; which of them this
 * machine can count is not known here.
 */
#ifndef WP_EVENT_NAMES_H
#define WP_EVENT_NAMES_H

#include "base/arena.h"
#include "core/event.h"

struct wp_event_name {
	const char *name, *alias; /* alias may be NULL */
	uint64_t config;
	const char *description; /* one sentence */
	bool in_kernel, is_clock;
};

extern const struct wp_event_name wp_event_hardware[], wp_event_software[];
extern const size_t wp_event_hardware_n, wp_event_software_n;

/* By name or alias, lower case; NULL when there is none. */
const struct wp_event_name *wp_event_hardware_find(const char *name);
const struct wp_event_name *wp_event_software_find(const char *name);
/* The software event of that PERF_COUNT_SW_ number, or NULL. */
const struct wp_event_name *wp_event_software_of(uint64_t config);

/*
 * Cache events: `cache[-operation][-result]` in perf's spellings ("l1-dcache-load-misses", "llc",
 * "dtlb-store-misses"), any case. False when the name is none of them.
 */
bool wp_event_cache_find(const char *name, uint64_t *ret_config);
#define WP_EVENT_CACHES 42
/* The spelling that `list` shows for the i-th (0 <= i < WP_EVENT_CACHES) combination that exists;
 * NULL for those that do not. */
const char *wp_event_cache_name(struct wp_arena *arena, unsigned int i, uint64_t *ret_config);

/* One sentence about a cache event's config, in arena. */
const char *wp_event_cache_text(struct wp_arena *arena, uint64_t config);

/*
 * As perf calls an event of one of the types that every Linux has (PERF_TYPE_*), which a recording
 * may not name: "cycles", "LLC-load-misses", "r1c2"; NULL for tracepoints, PMUs and numbers that
 * are no known event's. In arena.
 */
const char *wp_event_generic_name(struct wp_arena *arena, uint32_t type, uint64_t config);

/* One sentence about a CPU event that PMUs of several makers know by this name, or NULL. */
const char *wp_event_text(const char *name);

#endif
