/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * process: the table of processes. It alone knows what a FORK, COMM, EXIT or MAP record means, and
 * tells whoever listens.
 *
 * Core. In: records in order. Out: changes, to the listeners in the order in which they were added.
 * The table has an entry for each process that something was said about, with its mappings; it is
 * kept for late samples and reports when the process has ended. Memory is bounded: the oldest
 * ended ones that nobody uses are forgotten. Listeners keep what is theirs by pid, until a change
 * tells that it is void.
 */
#ifndef WP_PROCESS_H
#define WP_PROCESS_H

#include "base/map.h"
#include "base/vec.h"
#include "core/mappings.h"
#include "core/record.h"

enum wp_process_change_kind {
	WP_PROCESS_UNCHANGED,
	WP_PROCESS_BEGAN,  /* another process (fork.parent_pid) was copied, not a thread made; what
			      was known of the pid is void */
	WP_PROCESS_EXECED, /* it became another program: nothing is mapped; comm is its name */
	WP_PROCESS_MAPPED, /* a file, or memory for code; not the kernel's */
	WP_PROCESS_ENDED,  /* its last thread ended; follows that WP_THREAD_ENDED */
	WP_THREAD_BEGAN,   /* one more in its process */
	WP_THREAD_NAMED,   /* comm, without an exec */
	WP_THREAD_CALLED,  /* by its program: named */
	WP_THREAD_ENDED,
};

struct wp_process_change {
	enum wp_process_change_kind kind;
	const struct wp_record *record; /* that told of it: whose, when and what */
};

/* What a record says of processes by itself; it cannot tell WP_PROCESS_ENDED. */
enum wp_process_change_kind wp_process_change_of(const struct wp_record *record);

/* Is told of a change when the table has it already; may ask the table, but tell it nothing. */
struct wp_process_listener {
	void (*changed)(void *arg, const struct wp_process_change *change);
	void *arg;
};

struct wp_process {
	uint32_t pid;
	bool headless; /* its first thread has ended, others run (pthread_exit() in main) */
	bool ended;
	bool used; /* looked at since it was queued to be forgotten */
	/* The resolver's words: its own JIT code, and that of the process it was forked from; 0:
	 * none. An exec clears both. */
	uint32_t jit, inherited_jit;
	uint64_t began_ns; /* when it was forked or became its program; 0: not known */
	struct wp_mappings *maps;
	/* The resolver's, too: what lies where, data and code, as far as a recording says it. */
	struct wp_mappings *areas;
};

/* All-zero is empty. Pointers to a process live until the next record. */
struct wp_processes {
	/* Processes run now: whether one has ended is asked of the system, which knows of threads
	 * that no record told of. Else it ends with its first thread. */
	bool live;
	/* Nobody asks for entries: none is kept, but of processes that are headless. */
	bool changes_only;
	struct wp_map by_pid;		 /* pid -> index in all + 1 */
	WP_VEC(struct wp_process) all;	 /* forgotten ones have no maps and are reused */
	WP_VEC(uint32_t) unused;	 /* indexes of them */
	WP_VEC(uint32_t) ended;		 /* indexes, in the order they ended, from ended_first */
	size_t ended_first, ended_limit; /* limit 0: the default */
	WP_VEC(struct wp_process_listener) listeners;
};

/* Before the first record. arg is borrowed. */
void wp_processes_listen(struct wp_processes *set,
			 void (*changed)(void *arg, const struct wp_process_change *change),
			 void *arg);
/* A record of any kind: changes the table and tells the listeners what it means, if anything. */
void wp_processes_take(struct wp_processes *set, const struct wp_record *record);
/* NULL when nothing was said about the process. */
struct wp_process *wp_processes_find(struct wp_processes *set, uint32_t pid);
/* Made when it is new; marked as living. */
struct wp_process *wp_processes_get(struct wp_processes *set, uint32_t pid);
void wp_processes_deinit(struct wp_processes *set);

#endif
