/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder_window: the last seconds of a run in memory, to be written as a recording whenever one
 * is asked for (--snapshot).
 *
 * Store stage. In: what a recorder is given, in order of time. Memory: what the window holds, at
 * most `limit_bytes` of it, and what recorder_living keeps of the moment at which it begins. What
 * falls out of the window is let go a block at a time; records that fall out are told to
 * recorder_living, so that a process which ended inside the window still has its mappings and
 * names.
 */
#ifndef WP_RECORDER_WINDOW_H
#define WP_RECORDER_WINDOW_H

#include "base/map.h"
#include "base/vec.h"
#include "core/symbol.h"
#include "store/recorder_living.h"

struct wp_recorder;
struct wp_recorder_stack;
struct wp_recorder_window_block;

/* 65536 lines of a Python function; its number here is its index + 1. */
struct wp_recorder_window_function {
	uint32_t symbol, chunk;
};

/* All-zero but for the first two, which the owner sets. */
struct wp_recorder_window {
	uint64_t span_ns;     /* how long ago it begins; 0: only memory bounds it */
	uint64_t limit_bytes; /* of memory */
	struct wp_recorder_living living;
	struct wp_recorder_window_block *oldest, *newest;
	uint64_t bytes;	      /* that the blocks take */
	uint64_t samples;     /* in the window */
	uint64_t newest_ns;   /* the time of the last record; 0: none came */
	uint64_t squeezed_ns; /* of the last sample that fell out for want of room */
	struct wp_map number_of;
	WP_VEC(struct wp_recorder_window_function) functions;
};

void wp_recorder_window_add(struct wp_recorder_window *window, const struct wp_record *record);
/* As wp_recorder_python_frame(), for the sample that is added next. */
uint64_t wp_recorder_window_python_frame(struct wp_recorder_window *window, uint32_t symbol,
					 uint32_t line);
/* The stack is copied; the note's `rest` is what of the frames a sample has no room for. */
void wp_recorder_window_add_sample(struct wp_recorder_window *window,
				   const struct wp_record *sample,
				   const struct wp_recorder_stack *stack);
/* Lets go what is too old at that time, or too much. */
void wp_recorder_window_pass(struct wp_recorder_window *window, uint64_t now_ns);
/* Adds to a new recording what the window holds, and before it what is needed to read it. The
 * window stays as it is. */
void wp_recorder_window_write(const struct wp_recorder_window *window,
			      const struct wp_symbol_set *set, struct wp_recorder *recorder);
/* The time of the oldest sample that it holds; 0: none. */
uint64_t wp_recorder_window_oldest_ns(const struct wp_recorder_window *window);
void wp_recorder_window_deinit(struct wp_recorder_window *window);

#endif
