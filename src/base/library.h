/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library: a shared library that is loaded only when it is needed.
 *
 * In: the names it may have and the functions wanted; out: their addresses. What is loaded stays
 * loaded: libraries start threads and register handlers that do not bear to be unloaded.
 * A program that is linked statically as a whole loads nothing (library_none.c).
 */
#ifndef WP_LIBRARY_H
#define WP_LIBRARY_H

#include "base/err.h"

#include <stddef.h>

struct wp_library_function {
	const char *name;
	void *at; /* a pointer to a function, which is set */
};

struct wp_library {
	const char *const *sonames; /* ended by NULL; the first is the usual one */
	const char *packages;	    /* that have it, for the error */
	const struct wp_library_function *wanted;
	size_t n_wanted;
};

/* Takes the first name that is here and has all functions, or sets none of them. */
struct wp_err *wp_library_load(const struct wp_library *library) WP_MUST_CHECK;

#endif
