/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waker_pairs: who ended whose waits: for each pair of places how often and for how long one waited
 * until the other woke it.
 *
 * Aggregate stage. In: samples of `wakers` (core/waker.h), and of offcpu-time, each of which comes
 * behind that of who ended it. Out: a row for each kind of wait, the line that waited, who ended it
 * and on which line, sorted by nanoseconds. A place is the innermost Python line, or of a thread
 * without Python the innermost function that is none of libc's. Waits that nobody ends (preempted
 * threads, sums of short ones) are left out. 65,536 rows are kept; what comes then is in one more.
 */
#ifndef WP_WAKER_PAIRS_H
#define WP_WAKER_PAIRS_H

#include "base/map.h"
#include "base/strpool.h"
#include "base/vec.h"
#include "core/sink.h"
#include "core/symbol.h"

#define WP_WAKER_NOWHERE UINT32_MAX
/* Samples of wakers whose waits may still come: the wait is the next sample, or nearly so. */
#define WP_WAKER_PENDING 64

struct wp_waker_place {
	uint32_t symbol; /* WP_WAKER_NOWHERE: none is known */
	uint32_t line;	 /* of Python; 0: not known */
	uint32_t tid;	 /* 0: not told apart */
};

struct wp_waker_row {
	uint32_t waiter, ender; /* indexes of places */
	uint32_t kind, name;	/* as in texts: of the wait; of who ended it */
	uint64_t waits, ns;
	uint64_t delayed, delay_ns; /* of the waits those whose wakers are known; their delays */
};

struct wp_waker_pending {
	uint64_t wake;	   /* its number; 0: none */
	uint64_t delay_ns; /* from the wake-up until the thread ran */
	uint32_t place;
};

/* All-zero but for symbols and by_thread is empty. */
struct wp_waker_pairs {
	struct wp_sink sink;
	const struct wp_symbol_set *symbols;
	bool by_thread;
	struct wp_strpool texts;
	WP_VEC(struct wp_waker_place) places;
	struct wp_map line_of, place_of;
	WP_VEC(struct wp_waker_row) rows;
	struct wp_map pair_of, word_of, row_of; /* halves of a row's key, and the key */
	struct wp_waker_pending pending[WP_WAKER_PENDING];
	uint64_t ns, waits; /* of all rows */
};

/* Takes samples from then on. stacks: samples have native frames, too. */
struct wp_sink *wp_waker_pairs_sink(struct wp_waker_pairs *pairs, bool stacks);
/* After the last sample: sorts the rows, longest first. */
void wp_waker_pairs_finish(struct wp_waker_pairs *pairs);
void wp_waker_pairs_deinit(struct wp_waker_pairs *pairs);

#endif
