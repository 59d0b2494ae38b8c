/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dump_locals: the variables of a thread's Python functions, read while the thread is looked at.
 *
 * Session stage. In: an instant whose proof is still to come. Out: variables by slot, or why there
 * are none.
 */
#ifndef WP_DUMP_LOCALS_H
#define WP_DUMP_LOCALS_H

#include "core/instant.h"
#include "runtime/python_locals.h"
#include "session/follow/python_feed.h"

struct wp_dump_locals {
	struct wp_python_feed *python; /* NULL: nobody asks for variables */
	struct wp_python_locals found; /* of the instant that was looked at last */
	bool has_frames;	       /* that thread runs Python code */
	const char *why;	       /* there are none; NULL: these are all */
};

/* For wp_instant_reader_look(). arg: a struct wp_dump_locals. */
void wp_dump_locals_look(void *arg, const struct wp_instant *at);
/* What was read counts only with its proof, which the instant has by now. */
void wp_dump_locals_settle(struct wp_dump_locals *locals, const struct wp_instant *at);
/* The variables of a frame. */
const struct wp_python_local *wp_dump_locals_of(const struct wp_dump_locals *locals, uint32_t slot,
						size_t *ret_n);
void wp_dump_locals_deinit(struct wp_dump_locals *locals);

#endif
