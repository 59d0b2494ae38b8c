/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread_names: what the threads of a run are called, as the kernel and their programs last said.
 *
 * Aggregate stage. In: what threads are called, and who made them. For the kernel a new thread has
 * the name of the one that made it until it is given its own. A name that the program uses
 * (Python's Thread.name) is nobody else's: neither a new thread's nor that of the program that
 * comes with an exec.
 */
#ifndef WP_THREAD_NAMES_H
#define WP_THREAD_NAMES_H

#include "base/arena.h"
#include "base/strpool.h"
#include "core/process.h"

/* All-zero is empty. */
struct wp_thread_names {
	struct wp_map comm_of, name_of; /* tid -> string id + 1, or 0 */
	struct wp_strpool strings;
};

/* Listens to the table of processes. arg: a struct wp_thread_names. */
void wp_thread_names_changed(void *arg, const struct wp_process_change *change);
/* A record by itself, where no table is. */
void wp_thread_names_record(struct wp_thread_names *names, const struct wp_record *record);
/* The last name of a thread, its program's if there is one; NULL when it is not known. Lives as
 * long as the set. */
const char *wp_thread_names_get(const struct wp_thread_names *names, uint32_t tid);
/* The last one that the kernel has. Of a process's first thread: the process's. */
const char *wp_thread_names_comm(const struct wp_thread_names *names, uint32_t tid);
/* "NAME TID" for text, the name cut where it is long; "TID" when it is not known. From the arena.
 */
const char *wp_thread_names_text(const struct wp_thread_names *names, uint32_t tid,
				 struct wp_arena *arena);
void wp_thread_names_deinit(struct wp_thread_names *names);

#endif
