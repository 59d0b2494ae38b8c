/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk_feed: tells the BPF walker what the resolver knows: which rules hold where in each process.
 *
 * When processes are watched, a module's rules are loaded as soon as it is mapped. When whole
 * CPUs are watched, only those that a walk has missed are: the copy of the stack that such a
 * sample brings names all modules of its frames.
 */
#ifndef WP_WALK_FEED_H
#define WP_WALK_FEED_H

#include "core/process.h"
#include "core/target.h"
#include "resolve/resolver.h"
#include "session/follow/walk_jit.h"
#include "source/bpf/bpf_walker.h"

struct wp_walk_feed_options {
	const struct wp_target *target;
	const struct wp_log *log;
	bool native;	     /* walk native stacks; else the walker is there for Python's alone */
	bool gil;	     /* find out who holds the GIL */
	bool calls;	     /* find out what system call each thread is in */
	bool files;	     /* and the file of its descriptor */
	bool wakers;	     /* who wakes threads that stopped */
	bool no_tracepoints; /* no event is one */
	bool no_probes;
	bool tasks; /* look for asyncio's tasks */
	enum wp_bpf_python python;
};

struct wp_walk_feed_mapping {
	uint32_t pid;
	struct wp_va start;
};

/* All-zero does nothing. */
struct wp_walk_feed {
	struct wp_bpf_walker *walker;
	const struct wp_log *log;
	struct wp_resolver *resolver; /* borrowed */
	bool native, eager;
	struct wp_map table_of_image; /* pointer -> table id + 1 */
	uint32_t tables;
	struct wp_walk_jit jit;
	/* What was mapped since the last commit, or missed by a walk, and its rules are not loaded.
	 */
	WP_VEC(struct wp_walk_feed_mapping) mapped;
	/* Without `native`: what is mapped in processes that may be wanted yet, and those that are.
	 */
	WP_VEC(struct wp_walk_feed_mapping) kept;
	struct wp_map wanted; /* pid -> 1 */
};

/* Loads the walker; with a failure there is nothing to undo. */
struct wp_err *wp_walk_feed_open(struct wp_walk_feed *feed, struct wp_resolver *resolver,
				 const struct wp_walk_feed_options *options) WP_MUST_CHECK;
/* After the source that it was handed to. */
void wp_walk_feed_close(struct wp_walk_feed *feed);

/* Listens to the table of processes, after the resolver. arg: a struct wp_walk_feed. */
void wp_walk_feed_changed(void *arg, const struct wp_process_change *change);
/* A sample and its frames: what its walk missed is there for the next one. */
void wp_walk_feed_sample(struct wp_walk_feed *feed, const struct wp_record *sample,
			 const struct wp_stack *stack);
/*
 * Rules of this process are needed, though nobody asks for native stacks: 3.11 and 3.12 cannot be
 * walked exactly without when the evaluation loop is just being entered.
 */
void wp_walk_feed_want(struct wp_walk_feed *feed, uint32_t pid);
/* Shows the program all that it was told since; after each batch. */
void wp_walk_feed_commit(struct wp_walk_feed *feed);

#endif
