/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gil_waits: which Python line kept which waiting for the GIL.
 *
 * Aggregate stage. In: waits for the GIL (core/wait.h), and what tells of those who had it
 * meanwhile: samples of a clock, each for its period up to its time, and waits of a thread that
 * holds the GIL, each from begin to end. Out: for each pair of lines how long one waited while the
 * other had it. Waits are exact, and so is who holds the GIL while it does not run; while it runs
 * that is as exact as the clock's samples are many.
 */
#ifndef WP_GIL_WAITS_H
#define WP_GIL_WAITS_H

#include "base/map.h"
#include "base/vec.h"
#include "core/event.h"
#include "core/sink.h"

#define WP_GIL_NOBODY UINT32_MAX

/* A Python line; symbol WP_GIL_NOBODY: of a thread that was not seen. */
struct wp_gil_place {
	uint32_t symbol, line;
	uint32_t tid; /* 0: not told apart */
};

struct wp_gil_row {
	uint32_t waiter, holder; /* indexes of places */
	uint64_t ns;
};

/* A time in which a thread waited for the GIL, or had it, and where it was. */
struct wp_gil_span {
	uint64_t begin_ns, end_ns;
	uint32_t pid, place;
};

/* All-zero but for events and by_thread is empty. */
struct wp_gil_waits {
	struct wp_sink sink;
	const struct wp_event_set *events; /* as samples know them */
	bool by_thread;
	WP_VEC(struct wp_gil_place) places;
	struct wp_map line_of, place_of;
	WP_VEC(struct wp_gil_span) waits, held; /* not settled yet */
	WP_VEC(struct wp_gil_row) rows;
	struct wp_map row_of;
	uint64_t latest_ns, longest_ns; /* time of a sample; of a span of who had it */
	uint64_t ns;			/* of all waits that are settled */
};

/* Takes samples from then on. */
struct wp_sink *wp_gil_waits_sink(struct wp_gil_waits *waits);
/* After the last sample: settles what is left, and sorts the rows, longest first. */
void wp_gil_waits_finish(struct wp_gil_waits *waits);
void wp_gil_waits_deinit(struct wp_gil_waits *waits);

#endif
