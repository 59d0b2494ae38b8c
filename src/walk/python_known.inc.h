/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_known: when a code object that was met before need not be looked at again.
 *
 * Walk, shared with BPF: part of walk/python_walk.inc.h. What lies at the address of a code object
 * that was met may be another one by now: that was freed, this one made in its place. But
 * CPython 3.12 and newer count the code objects they make (co_version; init_code() in
 * Objects/codeobject.c). While the count stands, none was made, and what a frame names is what it
 * was. The count is one interpreter's, so there must be no other; where it ran over it stays 0 and
 * says nothing; and an interpreter that is finalised and begun anew counts from the start, but
 * takes longer for it than is waited here.
 */
#ifndef WP_PYTHON_KNOWN_H
#define WP_PYTHON_KNOWN_H

#include "walk/python_state.inc.h"

/* Py_FinalizeEx() and Py_InitializeEx() take some milliseconds each. */
#define WP_PYTHON_KNOWN_NS 2000000

/*
 * {head, main} of struct pyinterpreters; new interpreters become the head. 3.6 has its
 * autoInterpreterState there at best, 2.7 something that is none. Equal when they cannot be read.
 */
WP_PYTHON_FN void wp_python_read_heads(struct wp_python_walk *w)
{
	__u64 at = w->in.plan.interpreters;
	int status;

	if (w->in.words)
		status = wp_python_read_word(w, at, &w->heads[0]) ||
			 wp_python_read_word(w, at + 8, &w->heads[1]);
	else
		status = !wp_python_sane(at) || wp_python_read(w, w->heads, sizeof(w->heads), at);
	if (status)
		w->heads[0] = w->heads[1] = 0;
}

WP_PYTHON_FN int wp_python_is_single(const struct wp_python_walk *w)
{
	return w->heads[0] == w->heads[1];
}

/* The count; 0: it says nothing now. */
WP_PYTHON_FN __u32 wp_python_code_count(struct wp_python_walk *w)
{
	__u64 at = w->in.plan.code_count, word;

	if (!at || !w->in.now || !w->in.audience || !w->heads[0] || !wp_python_is_single(w) ||
	    wp_python_read_word(w, at & ~7ull, &word))
		return 0;
	return wp_python_part(word, (__u32)at);
}

/* Once in a walk, before the first code object: what was known holds if the count does. */
WP_PYTHON_FN void wp_python_ask_count(struct wp_python_walk *w)
{
	struct wp_python_known *known = &w->known;
	__u32 count = wp_python_code_count(w);

	if (!count || count != known->count || w->in.audience != known->audience ||
	    w->in.now - known->now > WP_PYTHON_KNOWN_NS)
		known->since = w->walk;
	known->count = count;
	known->audience = w->in.audience;
	known->now = w->in.now;
}

/* Read in this walk, or since none was made; in that case the audience must know of it, too. */
WP_PYTHON_FN int wp_python_is_known(const struct wp_python_walk *w,
				    const struct wp_python_recent *recent)
{
	return recent->walk == w->walk || (w->walk - recent->walk <= w->walk - w->known.since &&
					   w->in.audience && recent->told == w->in.audience);
}

#endif
