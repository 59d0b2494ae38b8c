/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_owners: the users whose Python code was met in a run.
 *
 * Session stage. In: code objects as they are captured, with the user at that instant where the
 * kernel told it, and processes when their interpreter is found; /proc is asked while they live,
 * again now and then since a process may change its user, and at the end. Out: whose rights the
 * sources that they name are read with.
 */
#ifndef WP_PYTHON_OWNERS_H
#define WP_PYTHON_OWNERS_H

#include "base/map.h"
#include "core/owner.h"
#include "core/record.h"

/* All-zero has met nobody. */
struct wp_python_owners {
	struct wp_owners met;
	struct wp_map due_of; /* pid -> when to ask again (CLOCK_MONOTONIC) */
};

/* Asks for the user of a process, unless it did a moment ago. */
void wp_python_owners_look(struct wp_python_owners *owners, uint32_t pid, uint64_t now_ns);
/* The process has ended: nobody is there to be asked any more. */
void wp_python_owners_end(struct wp_python_owners *owners, uint32_t pid);
/* A code object was captured. */
void wp_python_owners_code(struct wp_python_owners *owners, const struct wp_record *record);
/* The end of the run: whoever is there still. */
void wp_python_owners_finish(struct wp_python_owners *owners);
void wp_python_owners_deinit(struct wp_python_owners *owners);

#endif
