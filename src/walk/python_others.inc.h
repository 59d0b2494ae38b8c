/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_others: the further thread states of a thread, for interpreters that run within each
 * other.
 *
 * Walk, shared with BPF: part of walk/python_walk.inc.h. A thread has a state in each interpreter
 * that it has been in. In: w->out.found, walked (or to be walked last: w->outermost); out: phase
 * ENTER with w->thread once for each other one that runs something. Nothing says how they are
 * nested: newer interpreters, which come first in the list, are taken to be inside of older ones.
 */
#ifndef WP_PYTHON_OTHERS_H
#define WP_PYTHON_OTHERS_H

#include "walk/python_thread.inc.h"

/* There are no others. */
WP_PYTHON_FN int wp_python_others_end(struct wp_python_walk *w)
{
	w->after = WP_PYTHON_ENDED;
	w->phase = w->outermost ? WP_PYTHON_ENTER : WP_PYTHON_ENDED;
	w->thread = w->outermost;
	return w->phase == WP_PYTHON_ENDED;
}

WP_PYTHON_FN int wp_python_others(struct wp_python_walk *w)
{
	__u64 next;

	if (wp_python_is_single(w) ||
	    wp_python_read_word(w, w->heads[0] + w->in.plan.interp_next, &next) || !next ||
	    wp_python_read_word(w, w->heads[0] + w->in.plan.interp_threads, &w->next_thread))
		return wp_python_others_end(w);
	w->interpreter = w->heads[0];
	w->listed = 0;
	w->phase = w->after = WP_PYTHON_OTHERS_LIST;
	return 0;
}

/* One thread state, or on to the next interpreter. */
WP_PYTHON_FN int wp_python_others_step(struct wp_python_walk *w)
{
	__u64 thread = w->next_thread;

	if (++w->listed > WP_PYTHON_OTHERS_MAX || w->chains >= WP_PYTHON_CHAINS - 1)
		return wp_python_others_end(w);
	if (!thread) {
		if (wp_python_read_word(w, w->interpreter + w->in.plan.interp_next,
					&w->interpreter) ||
		    !w->interpreter ||
		    wp_python_read_word(w, w->interpreter + w->in.plan.interp_threads,
					&w->next_thread))
			return wp_python_others_end(w);
		return 0;
	}
	if (wp_python_load_thread(w, thread))
		return wp_python_others_end(w);
	w->next_thread = wp_python_thread_word(w, w->in.plan.ts_next);
	if (thread == w->out.found || !wp_python_is_running(w, thread))
		return 0;
	w->thread = thread;
	w->phase = WP_PYTHON_ENTER;
	return 0;
}

#endif
