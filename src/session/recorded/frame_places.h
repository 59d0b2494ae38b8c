/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frame_places: what stands at the addresses of a recording's frames: functions and source lines.
 *
 * Session stage. In: frames with their symbols (sampling_recorded). Out: at each place the function
 * and those inlined there, with the lines that they run. An address is asked for once.
 */
#ifndef WP_FRAME_PLACES_H
#define WP_FRAME_PLACES_H

#include "core/profile.h"
#include "core/sample.h"
#include "session/live/sampling.h"

#define WP_FRAME_PLACES_MAX (1u << 21)

/* A symbol at an address or line, and what stands there: a range of points. */
struct wp_frame_place {
	uint32_t symbol, line;
	struct wp_rva rva;
	uint32_t first, n;
	uint32_t next; /* place with the same hash + 1, or 0 */
};

/* A function there; the outermost one first. Its names are those of its symbol. */
struct wp_frame_point {
	struct wp_profile_frame frame;
	uint32_t owner; /* free for the owner of the places; 0 at first */
};

/* All-zero is empty. */
struct wp_frame_places {
	struct wp_map place_of; /* hash -> index of the first place + 1 */
	WP_VEC(struct wp_frame_place) places;
	WP_VEC(struct wp_frame_point) points;
	WP_VEC(uint32_t) at; /* places of the sample at hand, innermost first */
};

#define WP_ALL_EVENTS UINT32_MAX

/* Which of the samples that recorded.filter keeps are taken. */
struct wp_frame_filter {
	uint32_t event;	    /* or WP_ALL_EVENTS */
	const char *symbol; /* a function on the stack must match (wp_hot_matches()); NULL: any */
	bool gil_only;	    /* only of threads that held the GIL */
};

/* --event, --symbol, --gil. */
struct wp_err *wp_frame_filter_parse(const struct wp_sampling *s,
				     struct wp_frame_filter *ret) WP_MUST_CHECK;

enum wp_frames_found {
	WP_FRAMES_FOUND,
	WP_FRAMES_FILTERED, /* the sample is not to be taken */
	WP_FRAMES_NO_ROOM,  /* there are too many places */
};

/* Finds the places of a sample's stack: p->at. */
enum wp_frames_found wp_frame_places_find(struct wp_frame_places *p, struct wp_resolver *resolver,
					  const struct wp_frame_filter *filter,
					  const struct wp_sample *sample);
void wp_frame_places_deinit(struct wp_frame_places *p);

#endif
