/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * debug_places: where files and what was split from them may be, besides where the system has them.
 *
 * Resolve stage, plain data; NULL, for programs that run, is the system's places alone.
 */
#ifndef WP_DEBUG_PLACES_H
#define WP_DEBUG_PLACES_H

#include "resolve/find/debuginfod.h"

struct wp_debug_places {
	const char *symfs;			  /* the root that paths begin in; NULL: ours */
	struct wp_debuginfod *debuginfod;	  /* NULL: nobody is asked */
	const volatile sig_atomic_t *interrupted; /* not 0: we are to end; NULL: nobody says so */
};

#endif
