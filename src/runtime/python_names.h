/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_names: what the threads of a process are called in Python (threading.Thread.name).
 *
 * Runtime stage, pure: structures in another process's memory in, names out. From an interpreter
 * sys.modules leads to the module threading, and its dict _active from threads' identifiers
 * (pthread_self()) to Thread objects. The process runs on meanwhile and is not to be trusted: a
 * name counts when the thread state, the dict and the Thread object agree on whose it is and it was
 * still the same afterwards; everything is bounded. Sources: Objects/dictobject.c,
 * Include/internal/pycore_dict.h, Include/internal/pycore_object.h, Lib/threading.py.
 */
#ifndef WP_PYTHON_NAMES_H
#define WP_PYTHON_NAMES_H

#include "core/memory.h"
#include "core/python_plan.h"

/* How a version keeps its dicts and the attributes of objects. */
enum wp_python_dicts {
	WP_PYTHON_DICTS_UNKNOWN, /* no names are read */
	WP_PYTHON_DICTS_OPEN,	 /* 2.7: one table, a part of which is empty */
	WP_PYTHON_DICTS_INDEXED, /* 3.6 to 3.10: entries behind a table of indices */
	WP_PYTHON_DICTS_VALUES,	 /* 3.11: an object points at its dict or its values */
	WP_PYTHON_DICTS_TAGGED,	 /* 3.12: the same, in one word */
	WP_PYTHON_DICTS_INLINE,	 /* 3.13 and newer: values lie behind their object */
};

/* What the plan does not have, since walks do not need it. */
struct wp_python_names {
	enum wp_python_dicts dicts;
	uint16_t interp_modules; /* modules; 3.12 and newer: imports.modules */
	uint16_t cached_keys;	 /* PyHeapTypeObject.ht_cached_keys, from ob_type on */
};

/* Who asks. Ids of threads are those of the process's own PID namespace. */
struct wp_python_names_asker {
	bool (*wants)(void *arg, uint32_t tid);
	/* The name is UTF-8 without control characters; at most once per interpreter. */
	void (*take)(void *arg, uint32_t tid, const char *name);
	void *arg;
};

void wp_python_names_read(const struct wp_python_names *names, const struct wp_python_plan *plan,
			  const struct wp_memory *memory,
			  const struct wp_python_names_asker *asker);

#endif
