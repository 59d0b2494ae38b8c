/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source: where records come from, as everything downstream sees it.
 *
 * A world opens one (core/world.h), then: start, next ..., stop, close; `start` may follow a `stop`
 * again (timeline). One thread. Every source knows the machine it describes.
 */
#ifndef WP_SOURCE_H
#define WP_SOURCE_H

#include "base/err.h"
#include "base/log.h"
#include "core/event.h"
#include "core/machine.h"
#include "core/record.h"
#include "core/sample_data.h"
#include "core/target.h"

/* How the stack of a sample is taken. */
enum wp_stacks {
	WP_STACKS_NONE,
	WP_STACKS_FP,	/* the kernel follows frame pointers */
	WP_STACKS_BPF,	/* the walker's program walks the user stack */
	WP_STACKS_DUMP, /* the user registers and a copy of the user stack come with the sample */
};

#define WP_STACK_BYTES 8192u /* of a copy, unless asked for otherwise */
#define WP_STACK_BYTES_MAX \
	65528u /* the kernel's limit; a record is never longer than 65535 bytes */

struct wp_bpf_walker;
struct wp_perf_aux_clock;
struct wp_pinned;

/* What a source is asked for. */
struct wp_source_options {
	const struct wp_event_set *events; /* borrowed until close */
	const struct wp_target *target;	   /* borrowed until close */
	const struct wp_machine *machine;  /* borrowed until close */
	const struct wp_log *log;
	bool sampling;
	bool per_thread;   /* counts of processes come thread by thread */
	bool no_inherit;   /* only the threads that are there when it is opened */
	bool delayed;	   /* a launched child runs before `start`, not by it */
	bool payloads;	   /* samples of tracepoints bring what their fields are of */
	bool keeps_traces; /* what was traced is delivered as it is, too: WP_RECORD_AUX, _RUNS */
	/* What timestamps of Arm SPE mean, as the recording says; borrowed until close. NULL: not
	 * known. */
	const struct wp_perf_aux_clock *trace_clock;
	uint32_t carried;     /* enum wp_data_part: samples bring these, where the event has them */
	uint64_t branch_type; /* which branches they bring (perf_event_open(2)); 0: none */
	/* Walks native stacks (WP_STACKS_BPF), Python frames or both; for this run only, borrowed
	 * until close. */
	struct wp_bpf_walker *walker;
	/* Reads Python frames, whatever the stacks are; for this run only, borrowed until close. */
	struct wp_pinned *pinned;
	enum wp_stacks stacks; /* when sampling; kernel stacks too when the target has `kernel` */
	uint64_t stack_bytes; /* WP_STACKS_DUMP: of each copy, a multiple of 8; 0: WP_STACK_BYTES */
	uint64_t count_period_ms; /* of taking turns, where that is not the kernel's; 0: its own */
	uint64_t ring_bytes;	  /* per CPU; 0: chosen from the events' rates */
};

struct wp_source;

struct wp_source_ops {
	const char *name;
	/* Zeroes the counts, lets events run and a held child go. */
	struct wp_err *(*start)(struct wp_source *source);
	/*
	 * Waits for records or until the given time, whichever is first; the batch may be empty.
	 * Counting sources never return COUNT records here, they only wait and notice the end of
	 * the target.
	 */
	struct wp_err *(*next)(struct wp_source *source, uint64_t until_ns, struct wp_batch *ret);
	/* One COUNT record per event and CPU (or per event, or event and thread, with WP_ANY_CPU)
	 * since `start` or `lap`. */
	struct wp_err *(*counts)(struct wp_source *source, struct wp_batch *ret);
	/* Counting only: counts and time begin anew where `counts` was read; events run on. */
	void (*lap)(struct wp_source *source);
	/*
	 * What is watched has stood still since then: true once `next` has delivered all that it
	 * did before. NULL: it never has to be asked.
	 */
	bool (*settled)(struct wp_source *source, uint64_t still_ns);
	/* Events stop; what was recorded before is still delivered by `next` until it returns an
	 * empty batch. */
	struct wp_err *(*stop)(struct wp_source *source);
	/* Nanoseconds the events have been running for since `start` or `lap`. */
	uint64_t (*elapsed_ns)(struct wp_source *source);
	void (*close)(struct wp_source *source);
};

/* The first member of every source's own struct. */
struct wp_source {
	const struct wp_source_ops *ops;
};

#endif
