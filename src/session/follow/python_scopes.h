/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_scopes: by what code objects are kept: forks share plans, but not what they make
 * afterwards, and processes of one build share a generation.
 *
 * Session stage. A scope is one generation in one life of a process; what a process that is gone
 * had is forgotten with it.
 */
#ifndef WP_PYTHON_SCOPES_H
#define WP_PYTHON_SCOPES_H

#include "runtime/python_code.h"
#include "session/follow/python_processes.h"

struct wp_python_scope {
	uint32_t pid, life, generation, number;
};

/* All-zero has none. */
struct wp_python_scopes {
	WP_VEC(struct wp_python_scope) all;
	struct wp_map number_of; /* life and generation -> number */
	uint32_t last;		 /* number */
	size_t sweep_at;	 /* processes and code objects */
};

/* The number of a scope, for wp_record_code.generation and wp_python_codes. */
uint32_t wp_python_scopes_number(struct wp_python_scopes *scopes,
				 struct wp_python_processes *processes, uint32_t pid,
				 uint32_t generation);
/*
 * Forgets processes that have ended, and their code objects, when there is twice as much as the
 * last time left. Pointers to either are not valid afterwards.
 */
void wp_python_scopes_sweep(struct wp_python_scopes *scopes, struct wp_python_processes *processes,
			    struct wp_python_codes *codes);
void wp_python_scopes_deinit(struct wp_python_scopes *scopes);

#endif
