/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_feed: keeps whoever walks Python frames informed of interpreters, and gives the frames
 * that come back their names.
 *
 * Session stage. When processes are watched, an interpreter is looked for as soon as something is
 * mapped; when whole CPUs are, only in processes that are sampled, but for the first one of what is
 * called as a CPython is: it tells of the others (core/python_like.h).
 */
#ifndef WP_PYTHON_FEED_H
#define WP_PYTHON_FEED_H

#include "core/sample.h"
#include "core/target.h"
#include "format/replay/replay_python.h"
#include "resolve/resolver.h"
#include "runtime/python_code.h"
#include "session/follow/python_bytecodes.h"
#include "session/follow/python_mode.h"
#include "session/follow/python_namer.h"
#include "session/follow/python_owners.h"
#include "session/follow/python_processes.h"
#include "session/follow/python_scopes.h"
#include "session/follow/python_seen.h"
#include "session/follow/python_touched.h"

/*
 * Who walks: is told the plans of a process; n 0: it has none. like: by what the only one is found
 * in other processes; or NULL.
 */
struct wp_python_walker {
	void (*set)(void *arg, uint32_t pid, const struct wp_python_plan *plans, size_t n,
		    const struct wp_python_like *like);
	/* It finds interpreters by `like`. */
	bool finds;
	/* Is told of a program that may begin, see wp_bpf_walker_expect(); NULL: it need not know.
	 */
	void (*expect)(void *arg, const struct stat *program, uint64_t code,
		       const struct wp_python_plan *plan, const struct wp_python_like *like);
	/* Since when it walks at all (CLOCK_MONOTONIC), 0: not yet; NULL: from the beginning. */
	uint64_t (*since_ns)(void *arg);
	void *arg;
};

/* A Python frame of the sample at hand. */
struct wp_python_frame {
	uint32_t symbol; /* or WP_PYTHON_UNRESOLVED, WP_PYTHON_HIDDEN */
	uint32_t line;	 /* 0: none known */
};

#define WP_PYTHON_UNRESOLVED UINT32_MAX	      /* its code object is not known */
#define WP_PYTHON_HIDDEN     (UINT32_MAX - 1) /* the interpreter's own: no traceback shows it */

/* All-zero does nothing. */
struct wp_python_feed {
	struct wp_python_mode mode;
	bool eager;
	bool met;		      /* a process had an interpreter */
	struct wp_resolver *resolver; /* borrowed */
	struct wp_python_walker walker;
	struct wp_python_processes processes;
	struct wp_python_namer namer;	      /* on: names of threads are wanted */
	struct wp_python_bytecodes bytecodes; /* on: they are wanted */
	struct wp_python_touched touched;     /* on: it is wanted */
	struct wp_python_owners owners;
	WP_VEC(uint32_t) due; /* processes that mapped something */
	struct wp_python_codes codes;
	struct wp_python_scopes scopes;
	struct wp_python_seen seen;
	uint64_t unresolved; /* frames whose code object is not known */
};

void wp_python_feed_init(struct wp_python_feed *feed, struct wp_python_mode mode,
			 struct wp_resolver *resolver, const struct wp_target *target,
			 const struct wp_log *log);
void wp_python_feed_deinit(struct wp_python_feed *feed);
/* From now on the walker is told, first of what is known already. */
void wp_python_feed_connect(struct wp_python_feed *feed, const struct wp_python_walker *walker);

/* Takes the interpreters of a script, in its order. */
void wp_python_feed_script(struct wp_python_feed *feed, const struct wp_replay_python *pythons,
			   size_t n);

/* Listens to the table of processes, after walk_feed. arg: a struct wp_python_feed. */
void wp_python_feed_changed(void *arg, const struct wp_process_change *change);
/* A CODE record. */
void wp_python_feed_code(struct wp_python_feed *feed, const struct wp_record *record);
/* A sample of a process: its interpreters are known for the next one; what it touched is looked at.
 */
void wp_python_feed_sample(struct wp_python_feed *feed, const struct wp_record *sample);
/* Tells the walker all that is new; after each batch. */
void wp_python_feed_commit(struct wp_python_feed *feed);
/* After that: NAME records of threads, see wp_python_namer_read(). */
void wp_python_feed_names(struct wp_python_feed *feed, bool all, struct wp_records *ret);

/*
 * The frame that a FRAME slot of a sample is; plan is that of the THREAD slot before it. A code
 * object that no record came for is read from the process while that lives.
 */
struct wp_python_frame wp_python_feed_frame(struct wp_python_feed *feed, uint32_t pid,
					    uint32_t plan, const struct wp_python_slot *slot);
/*
 * The instruction of the frame of that slot, which is the innermost one of the sample: where it is
 * kept, its bytecode will be read. Nothing unless bytecodes.on.
 */
struct wp_stack_instruction wp_python_feed_instruction(struct wp_python_feed *feed,
						       const struct wp_record *sample,
						       uint32_t plan,
						       const struct wp_python_slot *slot);
/* A frame of a chain that is whole, of that function: its code object was there at that instant.
 * Nothing unless bytecodes.places. */
void wp_python_feed_see(struct wp_python_feed *feed, const struct wp_record *sample, uint32_t plan,
			const struct wp_python_slot *slot, uint32_t symbol);
/* After each batch, or at the end of a run: reads bytecode that is due. */
void wp_python_feed_bytecodes(struct wp_python_feed *feed, bool all);
/* Why a sample came without a walker's word. */
enum wp_python_word wp_python_feed_silence(struct wp_python_feed *feed,
					   const struct wp_record *sample);
/* Nothing of an interpreter has run in the process up to that time (CLOCK_MONOTONIC). */
void wp_python_feed_stands(struct wp_python_feed *feed, uint32_t pid, uint64_t now_ns);
/* The evaluation loops of a process; empty when it has none. */
struct wp_python_evals wp_python_feed_evals(struct wp_python_feed *feed, uint32_t pid);

#endif
