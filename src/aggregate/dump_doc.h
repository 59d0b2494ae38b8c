/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dump_doc: the document of `wperf dump`: what every thread of some processes is doing now.
 *
 * Aggregate stage. In: processes, and behind each its threads with their named frames. Out: JSON
 * with everything that is known, and a text that reads like a traceback, the innermost frame first.
 */
#ifndef WP_DUMP_DOC_H
#define WP_DUMP_DOC_H

#include "aggregate/dump_frame.h"
#include "core/instant.h"
#include "core/stack.h"

/* Strings are borrowed until the call returns; NULL: not known. */
struct wp_dump_process {
	uint32_t pid;
	const char *name; /* as the kernel has it; never NULL */
	const char *exe;
	const char *command;	 /* the words of its command line */
	const char *python;	 /* versions of its CPythons */
	const char *core;	 /* the file that it is read from; NULL: it runs */
	uint32_t signal;	 /* that ended it; 0: none */
	const uint64_t *address; /* that it was for */
};

/* When a recording has seen a thread last. */
struct wp_dump_seen {
	const char *event;
	uint64_t before_end_ns; /* of the recording */
	uint64_t waited_ns;	/* it had waited for so long; 0: it ran */
};

struct wp_dump_thread {
	const struct wp_dump_seen *seen; /* NULL: it is dumped as it stands; else at has no more
					    than its numbers and its name */
	const struct wp_instant *at;
	const char *name;		    /* in Python (Thread.name) */
	const struct wp_dump_frame *frames; /* innermost first */
	size_t n;
	bool has_kernel;       /* kernel frames were asked for, and are permitted */
	bool has_native;       /* native frames were asked for */
	enum wp_stack_end end; /* of them, when at->has_place */
	uint32_t python;       /* as the id of a THREAD slot: the worst end, all flags */
	const char *no_locals; /* why there are no variables; NULL: these are all, or none asked */
	const char *left_out;  /* why there are no frames; NULL: they are there */
};

struct wp_dump_doc {
	struct wp_doc *doc;
	struct wp_node *dump;
	struct wp_node *processes; /* an array */
	struct wp_node *process;   /* the one at hand */
	struct wp_node *threads;   /* its threads */
	struct wp_node *unread;	   /* an array; NULL: all were read */
	size_t n_processes, n_threads, n_proven, n_unread;
	bool recorded; /* its threads were seen in a recording */
};

/* An empty document, which the caller frees (wp_doc_free(ret->doc)). */
void wp_dump_doc_init(struct wp_dump_doc *ret);
/* The threads that follow are its. */
void wp_dump_doc_process(struct wp_dump_doc *dump, const struct wp_dump_process *process);
/* A process that was to be dumped, and is not. name may be NULL. */
void wp_dump_doc_unread(struct wp_dump_doc *dump, uint32_t pid, const char *name, const char *why);
void wp_dump_doc_thread(struct wp_dump_doc *dump, const struct wp_dump_thread *thread);
/* Behind the last thread: how many there were, how many stacks are proven, and how many processes
 * could not be read. */
void wp_dump_doc_end(struct wp_dump_doc *dump);
/* How sure it is that what was read is of one instant: in JSON, in words. */
const char *wp_dump_proof_word(enum wp_instant_proof proof);
const char *wp_dump_proof_text(enum wp_instant_proof proof);

#endif
