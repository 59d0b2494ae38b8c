/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * process: which executable memory every process has mapped, as told by MAP, COMM, FORK and EXIT.
 *
 * A process's mappings are sorted and never overlap. A fork shares its parent's until one of the
 * two changes them, so that a build that forks ten thousand times costs little. Memory is bounded:
 * mappings per process, and processes that have ended (the oldest unused are forgotten).
 */
#ifndef WP_PROCESS_H
#define WP_PROCESS_H

#include "base/map.h"
#include "base/vec.h"
#include "core/addr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_mapping {
	struct wp_va start;
	uint64_t len;
	struct wp_off pgoff;
	/* The owner's words: what is mapped, and run-time address minus linked address once
	 * `placed`. */
	uint32_t image;
	bool placed;
	uint64_t delta;
};

struct wp_mappings; /* shared between a process and its forks */

struct wp_process {
	uint32_t pid;
	bool ended; /* its first thread ended; others may still run */
	bool used;  /* looked at since it was queued to be forgotten */
	/* The owner's words: its own JIT code, and that of the process it was forked from; 0: none.
	 * An exec clears both. */
	uint32_t jit, inherited_jit;
	uint64_t began_ns; /* the owner's: when it was forked or became its program; 0: not known */
	struct wp_mappings *maps;
};

/* All-zero is empty. Pointers to a process live until the next call with the set. */
struct wp_processes {
	struct wp_map by_pid;		 /* pid -> index in all + 1 */
	WP_VEC(struct wp_process) all;	 /* forgotten ones have no maps and are reused */
	WP_VEC(uint32_t) unused;	 /* indexes of them */
	WP_VEC(uint32_t) ended;		 /* indexes, in the order they ended, from ended_first */
	size_t ended_first, ended_limit; /* limit 0: the default */
};

/* NULL when nothing was said about the process. */
struct wp_process *wp_processes_find(struct wp_processes *set, uint32_t pid);
/* Made when it is new; marked as living. */
struct wp_process *wp_processes_get(struct wp_processes *set, uint32_t pid);
/* A new process (not thread) with its parent's mappings; what was known of the pid is forgotten. */
void wp_processes_fork(struct wp_processes *set, uint32_t parent, uint32_t child);
/* A process became another program: all mappings are gone. */
void wp_processes_exec(struct wp_processes *set, uint32_t pid);
/* The first thread of a process ended. Its mappings are kept for samples that come late and for
 * reports. */
void wp_processes_exit(struct wp_processes *set, uint32_t pid);
void wp_processes_deinit(struct wp_processes *set);

/* A new mapping replaces what it overlaps, which is cut or split. Empty ones are ignored; false
 * when the process has too many. */
bool wp_process_map(struct wp_process *process, const struct wp_mapping *mapping);
/* The mapping at the address, or NULL. Valid until the process's mappings change. */
struct wp_mapping *wp_process_at(const struct wp_process *process, struct wp_va va);
/* All of them in address order; *ret_n may be 0. */
struct wp_mapping *wp_process_mappings(const struct wp_process *process, size_t *ret_n);

#endif
