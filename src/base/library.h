/*
 * library: a shared library that is loaded only when it is needed.
 *
 * In: the names it may have and the functions wanted; out: their addresses. What is loaded stays
 * loaded: libraries start threads and register handlers that do not bear to be unloaded.
 */
#ifndef WP_LIBRARY_H
#define WP_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct wp_library_function {
	const char *name;
	void *at; /* a pointer to a function, which is set */
};

/* Takes the first of sonames (ended by NULL) that is here and has all n functions, or none. */
bool wp_library_load(const char *const sonames[], const struct wp_library_function *wanted,
		     size_t n);

#endif
