/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * last_stacks: where each thread of a recording was sampled last, for `wperf dump -i`.
 *
 * Session stage. In: samples that the filters keep (sampling_recorded); a recording is in the order
 * of time. Out: the document of dump, in which a process has the threads that were sampled and had
 * not ended before the last sample of all.
 */
#ifndef WP_LAST_STACKS_H
#define WP_LAST_STACKS_H

#include "aggregate/dump_doc.h"
#include "session/recorded/frame_places.h"

/* A frame: its place, and what a place does not tell. */
struct wp_last_frame {
	uint32_t place;
	enum wp_frame_kind kind;
	struct wp_va ip;
};

struct wp_last_stack {
	uint32_t pid, tid, event;
	bool is_wait, has_stack;
	uint64_t time_ns, weight;
	uint64_t exit_ns; /* it ended; 0: not that the recording knows */
	enum wp_stack_end end;
	uint32_t python;		     /* as sample.thread */
	WP_VEC(struct wp_last_frame) frames; /* innermost first */
};

/* All-zero but for the filter and which frames are wanted. */
struct wp_last_stacks {
	struct wp_sink sink;
	struct wp_sampling *s; /* whose samples it takes */
	struct wp_frame_filter filter;
	bool native, python;
	uint64_t end_ns, left_out;
	struct wp_frame_places places;
	struct wp_map thread_of; /* (pid, tid) -> index in threads + 1 */
	WP_VEC(struct wp_last_stack) threads;
	WP_VEC(struct wp_dump_frame) frames; /* of the thread at hand */
};

/* Makes it a sink of the run. */
void wp_last_stacks_attach(struct wp_last_stacks *last, struct wp_sampling *s);
/* After the last sample: adds all to an empty document. */
void wp_last_stacks_put(struct wp_last_stacks *last, struct wp_dump_doc *dump);
void wp_last_stacks_deinit(struct wp_last_stacks *last);
#define wp_autolast_stacks WP_CLEANUP(wp_last_stacks_deinit)

#endif
