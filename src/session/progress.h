/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress: the line that says what is going on: "counting ... done", on a terminal with a spinner
 * before the "done".
 *
 * Session stage. WindowsPerf's words; files get no backspaces. A launched command writes to the
 * same terminal, so nothing is printed while it runs and the whole line afterwards. A terminal
 * shows ^C where the line stands, so after a Ctrl-C the line is written anew below it.
 */
#ifndef WP_PROGRESS_H
#define WP_PROGRESS_H

#include "base/watch.h"
#include "base/writer.h"

#include <stdbool.h>
#include <stdint.h>

struct wp_progress {
	struct wp_writer *out; /* NULL: nothing is printed */
	bool on_terminal;      /* turns, one step each 100 ms */
	bool deferred;	       /* everything at the end */
	const char *what;      /* between begin and done */
	unsigned int step;
	uint64_t stepped_ns;
};

/* "counting", "sleeping". */
void wp_progress_begin(struct wp_progress *progress, const char *what);
/* The phase has lasted that long. */
void wp_progress_tick(struct wp_progress *progress, uint64_t elapsed_ns);
void wp_progress_done(struct wp_progress *progress, bool interrupted);

/*
 * How far long work is: "reading perf.data ... 42%", "12 MB" where nobody knows of how many, on a
 * terminal, from its first second on, one line that is written anew and goes away at the end. An
 * all-zero one shows nothing.
 */
struct wp_progress_share {
	struct wp_writer *out; /* NULL: nothing is printed */
	const char *what;
	uint64_t next_ns; /* when it is written again; 0: not begun */
	int64_t shown;	  /* percent, or MB; -1: nothing is */
};

void wp_progress_share_begin(struct wp_progress_share *share, struct wp_writer *out,
			     const char *what, uint64_t now_ns);
/* `all` is 0 when nobody knows: `done` is bytes then. */
void wp_progress_share_tick(struct wp_progress_share *share, uint64_t now_ns, uint64_t done,
			    uint64_t all);
/* Ticks of a share that does not move. */
struct wp_watch wp_progress_share_watch(struct wp_progress_share *share);
/* True when something was shown: the line of the terminal is empty now, whatever was on it. */
bool wp_progress_share_end(struct wp_progress_share *share);

#endif
