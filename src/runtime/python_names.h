/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_names: what the threads of a process are called in Python (threading.Thread.name).
 *
 * Runtime stage, pure: structures in another process's memory in, names out. From an interpreter
 * sys.modules leads to the module threading, and its dict _active from threads' identifiers
 * (pthread_self()) to Thread objects. The process runs on meanwhile and is not to be trusted: a
 * name counts when the thread state, the dict and the Thread object agree on whose it is and it was
 * still the same afterwards; everything is bounded. Source: Lib/threading.py.
 */
#ifndef WP_PYTHON_NAMES_H
#define WP_PYTHON_NAMES_H

#include "runtime/python_dict.h"

/* Who asks. Ids of threads are those of the process's own PID namespace. */
struct wp_python_names_asker {
	bool (*wants)(void *arg, uint32_t tid);
	/* The name is UTF-8 without control characters; at most once per interpreter. */
	void (*take)(void *arg, uint32_t tid, const char *name);
	void *arg;
};

void wp_python_names_read(const struct wp_python_dict_layout *layout,
			  const struct wp_python_plan *plan, const struct wp_memory *memory,
			  const struct wp_python_names_asker *asker);

#endif
