/*
 * spots: samples by Python function and by Python line, with what was called from there.
 *
 * Aggregate stage. A spot is a function, or a line of it. A sample counts once as `self` for its
 * innermost Python frame (whatever native code that called) and once as `total` for every function
 * (and every line) on its stack, however often it is there.
 */
#ifndef WP_SPOTS_H
#define WP_SPOTS_H

#include "base/map.h"
#include "base/vec.h"

#include <stdint.h>

/* A frame of the sample at hand. */
struct wp_spot_frame {
	uint32_t symbol;
	uint32_t line; /* 0: none known */
};

struct wp_spot_row {
	uint32_t symbol, line; /* line 0 in rows of functions, and of lines that are not known */
	uint32_t thread;       /* 0, or the caller's word for the thread */
	uint64_t self, total;  /* samples */
	uint64_t self_weight, total_weight; /* periods */
	uint64_t mark;	       /* the last sample that counted here */
};

struct wp_spots_event {
	struct wp_map function_of, line_of; /* key -> index + 1 */
	WP_VEC(struct wp_spot_row) functions, lines;
	uint64_t samples, weight; /* all that were added, with and without Python frames */
	uint64_t python;	  /* of them, those with Python frames */
};

/* All-zero is empty. */
struct wp_spots {
	WP_VEC(struct wp_spots_event) events;
	uint64_t n_added;
};

/* One sample; n frames, innermost first, n 0 for a sample without Python frames. */
void wp_spots_add(struct wp_spots *spots, uint32_t event, uint32_t thread,
		  const struct wp_spot_frame *frames, size_t n, uint64_t period);
/* Rows by falling self, then total. */
void wp_spots_sort(struct wp_spots *spots);
void wp_spots_deinit(struct wp_spots *spots);

#endif
