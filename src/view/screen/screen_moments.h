/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen_moments: what documents that are looked at can be asked for.
 *
 * View stage: interfaces that who made the documents fills in. Nothing here knows a verb.
 */
#ifndef WP_SCREEN_MOMENTS_H
#define WP_SCREEN_MOMENTS_H

#include "base/err.h"
#include "core/doc.h"

#include <limits.h>

/* What the document at hand does not have, and another one may. */
enum wp_screen_more {
	WP_SCREEN_TREE,	   /* of calls */
	WP_SCREEN_THREADS, /* tables that tell them apart */
};
#define WP_SCREEN_MORES 2

struct wp_screen_opener {
	/* More about a subject, as a document that the caller frees. */
	struct wp_err *(*open)(void *arg, const struct wp_subject *subject, struct wp_doc **ret);
	/* Takes its time. The document is the caller's, who is told who opens its rows. NULL: there
	 * is none. */
	struct wp_err *(*more)(void *arg, enum wp_screen_more what, struct wp_doc **ret,
			       const struct wp_screen_opener **ret_opener);
	void *arg;
};

/* How something was at a time; both are there while no other moment was asked for. */
struct wp_screen_moment {
	const struct wp_doc *doc;
	const struct wp_screen_opener *opener;
};

#define WP_SCREEN_NEWEST LONG_MAX

/* The last moments of something that goes on. */
struct wp_screen_moments {
	/* So many after the one asked for last (before it, if negative), or as many as there are;
	 * false: it is the same one, and stays as it is. */
	bool (*go)(void *arg, long by, struct wp_screen_moment *ret);
	size_t (*count_newer)(void *arg);
	/* All of them, as a file; *ret is what to say of it, for the caller to free. */
	struct wp_err *(*write)(void *arg, const char *path, char **ret);
	void *arg;
};

#endif
