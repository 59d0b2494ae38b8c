/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counting: everything between the options of `stat` and the counts of one period.
 *
 * Session stage. Owns the events, the target, the source, and the command that was launched.
 */
#ifndef WP_COUNTING_H
#define WP_COUNTING_H

#include "aggregate/counts.h"
#include "aggregate/stat_doc.h"
#include "aggregate/stat_split.h"
#include "core/event.h"
#include "core/source.h"
#include "event/topdown.h"
#include "session/progress.h"
#include "session/session.h"
#include "session/setup.h"
#include "session/targeting.h"
#include "source/proc/launch.h"

struct wp_counting {
	const struct wp_session_options *options;
	struct wp_session_io *io;
	struct wp_setup setup;
	struct wp_event_set events;
	struct wp_metric_plan metrics;
	struct wp_topdown topdown;
	struct wp_targeting targeting;
	struct wp_stat_info info;
	char *cpus_text;		    /* of info */
	WP_VEC(struct wp_cpu_place) places; /* by number of CPU; empty unless counts are split */
	struct wp_thread_names names;	    /* of threads that are told apart */
	struct wp_stat_split split;
	struct wp_source *source;
	struct wp_launch launch; /* its pid is 0: there is no command of ours */
	bool let_go;		 /* it runs */
	bool delayed;		 /* the time of -D has passed */
	bool ended;		 /* the target is gone, or the script at its end */
	bool noted;		 /* what is to be said once about the counts was said */
	bool unnamed;		 /* neither events nor metrics were named: a default set */
	struct wp_progress progress;
};

/*
 * Parses, checks and opens everything; a command is launched but held. It points into itself: not
 * to be copied. The caller deinits, also after a failure.
 */
struct wp_err *wp_counting_init(struct wp_counting *counting,
				const struct wp_session_options *options,
				struct wp_session_io *io) WP_MUST_CHECK;
void wp_counting_deinit(struct wp_counting *counting);
#define wp_autocounting WP_CLEANUP(wp_counting_deinit)

/* Counts until limit_ns have passed (0: no limit), the target ends or Ctrl-C. The caller deinits
 * *ret. */
struct wp_err *wp_counting_period(struct wp_counting *counting, uint64_t limit_ns,
				  struct wp_counts *ret) WP_MUST_CHECK;
/* A first lap may begin. */
struct wp_err *wp_counting_begin(struct wp_counting *counting) WP_MUST_CHECK;
/* As a period, but events run on behind it, unless it is over. */
struct wp_err *wp_counting_lap(struct wp_counting *counting, uint64_t limit_ns,
			       struct wp_counts *ret) WP_MUST_CHECK;
/* True when the target ended, or after Ctrl-C. */
bool wp_counting_over(const struct wp_counting *counting);
/* Starts the command anew, held; the last one has been finished. */
struct wp_err *wp_counting_again(struct wp_counting *counting) WP_MUST_CHECK;
/* False when what ended cannot run again. */
bool wp_counting_has_more(const struct wp_counting *counting);
/* CPU time of the command, once it is finished. */
struct wp_stat_times wp_counting_times(struct wp_counting *counting);
/* Waits between two periods, or shorter when the command ends or Ctrl-C is pressed. */
void wp_counting_pause(struct wp_counting *counting, uint64_t ns);
bool wp_counting_interrupted(const struct wp_counting *counting);
/*
 * Ends the command if it still runs, and returns the status to pass on: the command's own, or 0
 * when it was ended because the time was up, or when there is none.
 */
int wp_counting_finish(struct wp_counting *counting);

#endif
