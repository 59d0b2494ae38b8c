/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kept_laps: the intervals of the last minutes that `top` showed on screens, for who looks back.
 *
 * Session stage. In: the document of an interval, and what was counted in it. Out: moments for
 * screens, whose rows can be opened. What is too old, or more than memory is for, is let go, but
 * for the interval that is being looked at.
 */
#ifndef WP_KEPT_LAPS_H
#define WP_KEPT_LAPS_H

#include "base/clock.h"
#include "session/live/sampling_data.h"
#include "session/report/results.h"
#include "view/screen/screen_moments.h"

/* What screens can go back to, and write as a recording. */
#define WP_KEPT_LAPS_NS	   (300 * WP_NS_PER_S)
#define WP_KEPT_LAPS_BYTES (UINT64_C(64) << 20) /* of memory, for each of the two */

struct wp_kept_lap {
	struct wp_doc *doc;
	struct wp_results results;
	struct wp_screen_opener
		*opener;   /* of its rows; owned, also what it is the first member of */
	uint64_t ended_ns; /* on the clock of the source */
	uint64_t bytes;
};

/* All-zero is empty. */
struct wp_kept_laps {
	struct wp_screen_moments moments;
	struct wp_sampling_data *data;	  /* what the records of the last minutes are in */
	WP_VEC(struct wp_kept_lap *) all; /* oldest first */
	size_t at;			  /* what is looked at */
	bool is_looked_at;		  /* something is */
	uint64_t bytes;			  /* of all */
};

/* Before the first is added. Borrows the data. */
void wp_kept_laps_begin(struct wp_kept_laps *laps, struct wp_sampling_data *data);
/* Takes the document, and the results, which are empty then. The caller gives it an opener. */
struct wp_kept_lap *wp_kept_laps_add(struct wp_kept_laps *laps, struct wp_doc *doc,
				     struct wp_results *results, uint64_t ended_ns);
void wp_kept_laps_deinit(struct wp_kept_laps *laps);

#endif
