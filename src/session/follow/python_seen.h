/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_seen: the programs that earlier runs met a CPython in, so that it is known from its first
 * instruction on when something starts it again.
 *
 * Session stage. wperf/python/seen of base/cache_dir.h: a path on each line, the last one met
 * first. A path is no more than a hint: what it names is opened as any file that a stranger names.
 */
#ifndef WP_PYTHON_SEEN_H
#define WP_PYTHON_SEEN_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define WP_PYTHONS_SEEN 8 /* that are remembered */

/* All-zero remembers nothing. */
struct wp_python_seen {
	bool on;
	bool changed;
	WP_VEC(char *) paths; /* the last one met first */
};

/* Reads what is remembered; from then on what is met is added. */
void wp_python_seen_read(struct wp_python_seen *seen);
/* A process of our own file system has an interpreter. */
void wp_python_seen_meet(struct wp_python_seen *seen, uint32_t pid);
/* Leaves it to later runs, when something changed. */
void wp_python_seen_write(const struct wp_python_seen *seen);
void wp_python_seen_deinit(struct wp_python_seen *seen);

#endif
