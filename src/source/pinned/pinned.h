/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned: Python frames for whoever may not load BPF programs: readers that take the CPU from each
 * sampled thread and read its memory while it stands still.
 *
 * Source stage. Needs the right to trace the processes (the same user; kernel.yama.ptrace_scope may
 * forbid more), nothing else. Whoever makes one tells it the plans of processes and hands it to the
 * perf source, which runs the readers, joins what they read to the samples (sample.stack->python)
 * and delivers CODE records. Samples without proof that the frames are of their instant say
 * WP_PYTHON_LATE.
 */
#ifndef WP_PINNED_H
#define WP_PINNED_H

#include "base/err.h"
#include "base/log.h"
#include "core/python_like.h"
#include "core/python_plan.h"
#include "source/perf/perf_merge.h"
#include "source/perf/perf_set.h"
#include "source/pinned/pinned_proof.h"

#include <sys/stat.h>

struct wp_pinned;

struct wp_pinned_options {
	const struct wp_log *log;
	bool tasks; /* look for asyncio's tasks, which costs many */
	bool gil;   /* THREAD slots say who held the GIL, which costs a few more reads */
};

struct wp_err *wp_pinned_open(const struct wp_pinned_options *options,
			      struct wp_pinned **ret) WP_MUST_CHECK;
/* After the perf source it was handed to is closed. NULL is fine. */
void wp_pinned_close(struct wp_pinned *pinned);

/*
 * The interpreters of a process, whose Python frames are read from now on; n 0: none. Copied. Main
 * thread; readers may run. Forks have their parent's until they are told otherwise, and an exec
 * ends them. A process whose memory may not be read has none: one line, once, says what would
 * allow it.
 */
void wp_pinned_set_python(struct wp_pinned *pinned, uint32_t pid,
			  const struct wp_python_plan *plans, size_t n);
/*
 * A program that may begin, whose processes have that interpreter until they are told of: plan and
 * code as linked (core/python_like.h). Copied. Before readers run.
 */
void wp_pinned_expect(struct wp_pinned *pinned, const struct stat *program, uint64_t code,
		      const struct wp_python_plan *plan, const struct wp_python_like *like);
/* An error with that line when the memory of a process may not be read. Gone: no error. */
struct wp_err *wp_pinned_allowed(uint32_t pid) WP_MUST_CHECK;

/* ---- for the perf source; main thread ---- */

/* Starts a reader for each ring of the set, and stops them, when they have read all there is. The
 * set stays as it is in between. */
struct wp_err *wp_pinned_start(struct wp_pinned *pinned, const struct wp_perf_set *set,
			       const struct wp_perf_layout *layout) WP_MUST_CHECK;
void wp_pinned_stop(struct wp_pinned *pinned);
/* Readable when the rings should be drained. */
int wp_pinned_full_fd(const struct wp_pinned *pinned);

/*
 * Begins a drain of the rings: what the batch before pointed at is gone; what the readers have is
 * taken, CODE records going to the merge.
 */
void wp_pinned_collect(struct wp_pinned *pinned, struct wp_perf_merge *merge);
/* Before each ring is drained. */
void wp_pinned_ring(struct wp_pinned *pinned, const struct wp_perf_ring *ring);
/* True when the record at that position of a ring is to stay there: its reader may still see it. */
bool wp_pinned_leaves(const struct wp_pinned *pinned, size_t ring, uint64_t at, uint64_t time_ns);
/* A record that is drained: what it was parsed to, or NULL when it is none of those. */
void wp_pinned_take(struct wp_pinned *pinned, const void *bytes, size_t size,
		    const struct wp_record *parsed);
/* The time up to which a batch may be settled, when all records up to the horizon are in. */
uint64_t wp_pinned_horizon(const struct wp_pinned *pinned, uint64_t horizon_ns);
/* Gives the samples of a batch, all up to the horizon, their frames. */
void wp_pinned_settle(struct wp_pinned *pinned, const struct wp_batch *batch, uint64_t horizon_ns);

/* ---- what it was like ---- */

struct wp_pinned_report {
	struct wp_pinned_tally samples;
	size_t readers, real_time, not_allowed;
	uint64_t walks, calls, searches, codes, refused;
	uint64_t read_ns; /* of all walks */
};

/* When the readers do not run. */
struct wp_pinned_report wp_pinned_report(const struct wp_pinned *pinned);

#endif
