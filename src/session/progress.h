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

#endif
