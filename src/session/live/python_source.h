/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_source: the text of Python source lines, for the lines that a report shows.
 *
 * Session stage. A file is opened when a line of it is first asked for, as the watched process sees
 * it, or as we do where that is the same, and with the rights of the users that its code runs as
 * (resolve/find/owner_file.h): any code object can say that any file is its source. What was
 * changed after the process began is not shown: its lines may be others. Never wrong rather than
 * always there.
 */
#ifndef WP_PYTHON_SOURCE_H
#define WP_PYTHON_SOURCE_H

#include "base/arena.h"
#include "base/strpool.h"
#include "core/budget.h"
#include "core/target.h"
#include "resolve/find/owner_file.h"

#include <time.h>

/* Lines of one file. */
struct wp_python_text {
	char *text;		/* NULL: not to be had */
	WP_VEC(uint32_t) lines; /* where each begins */
};

/* All-zero has no lines. */
struct wp_python_source {
	bool usable;
	uint32_t pid;			/* whose root paths are looked up in; 0: ours */
	char *cwd;			/* for relative paths */
	const struct wp_owners *owners; /* borrowed; NULL: nobody's, nothing is read */
	time_t began;
	struct wp_strpool paths;
	WP_VEC(struct wp_python_text) files; /* by id of the path */
	struct wp_budget *budget;	     /* texts are taken from it */
	size_t forbidden;		     /* files that were not read ... */
	struct wp_owner_file_found first;    /* ... and why the first one was not */
	struct wp_arena arena;
};

/* While the processes live, before the run. A launched command sees what we see. */
void wp_python_source_init(struct wp_python_source *source, const struct wp_target *target);
/* A line as it is, of *ret_n bytes, without its end; NULL when it cannot be had. Borrowed. */
const char *wp_python_source_text(struct wp_python_source *source, const char *file, uint32_t line,
				  size_t *ret_n);
/* A line without its indentation; NULL when it cannot be had or is empty. Lives as long as the
 * source. */
const char *wp_python_source_line(struct wp_python_source *source, const char *file, uint32_t line);
/* What to say of files that were not read; NULL: nothing. The caller frees. */
char *wp_python_source_note(const struct wp_python_source *source);
void wp_python_source_deinit(struct wp_python_source *source);

#endif
