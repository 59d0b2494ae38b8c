/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait_kinds: what threads wait for: how often, how long, on which descriptor, from which Python
 * line.
 *
 * Aggregate stage. In: samples of offcpu-time (core/wait.h). Out: a row for each kind, descriptor,
 * its name and Python line, sorted by nanoseconds. Sums, counts and the longest are exact;
 * durations are kept as counts by value, so that percentiles are exact up to 1023 ns and within
 * 1/512 (below) above. 262,144 rows are kept, and as many waits as have 1,048,576 durations; what
 * comes then is in a row "(others)", or in no percentile, which is told.
 */
#ifndef WP_WAIT_KINDS_H
#define WP_WAIT_KINDS_H

#include "base/map.h"
#include "base/strpool.h"
#include "base/vec.h"
#include "core/sink.h"

#define WP_WAIT_KIND_NOWHERE UINT32_MAX

struct wp_wait_kind_row {
	uint32_t kind;	       /* as in texts */
	uint32_t on;	       /* its name, in texts: "" where that is not known */
	int32_t fd;	       /* -1: it is on none */
	uint32_t symbol, line; /* of Python; WP_WAIT_KIND_NOWHERE: none was there */
	uint64_t waits, ns, longest_ns;
	uint64_t p50_ns, p90_ns, p99_ns; /* when finished; 0: of sums of short waits */
	uint64_t measured;		 /* of the waits, those that are no part of such a sum */
	uint32_t number;		 /* before they were sorted */
};

/* All-zero is empty. */
struct wp_wait_kinds {
	struct wp_sink sink;
	struct wp_strpool texts;
	WP_VEC(struct wp_wait_kind_row) rows;
	struct wp_map of_kind, of_place, of_row; /* halves of a row's key, and the key */
	uint64_t numbers;
	uint64_t unranked;	 /* waits whose duration found no room: they are in no percentile */
	struct wp_map durations; /* row and duration -> waits */
	uint64_t ns;
};

/* Takes samples from then on. */
struct wp_sink *wp_wait_kinds_sink(struct wp_wait_kinds *kinds);
/* After the last sample: finds percentiles, and sorts the rows, the most nanoseconds first. */
void wp_wait_kinds_finish(struct wp_wait_kinds *kinds);
void wp_wait_kinds_deinit(struct wp_wait_kinds *kinds);

#endif
