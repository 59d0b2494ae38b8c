/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dumping: the threads of a process as they stand now, with their names: what `dump` connects.
 *
 * Session stage. In: processes that run. Out: a document. A thread's instant becomes a SAMPLE
 * record with registers, a copy of the stack and Python slots, so that everything behind it is that
 * of any live sample.
 */
#ifndef WP_DUMPING_H
#define WP_DUMPING_H

#include "aggregate/dump_doc.h"
#include "aggregate/thread_names.h"
#include "session/live/core_image.h"
#include "session/live/dump_asyncio.h"
#include "session/live/dump_locals.h"
#include "session/live/sample_live.h"
#include "session/recorded/frame_places.h"
#include "session/follow/windows_maps.h"
#include "session/setup.h"
#include "session/targeting.h"
#include "source/instant/instant_reader.h"
#include "source/proc/procfs.h"

struct wp_dumping {
	const struct wp_session_options *options;
	struct wp_session_io *io;
	struct wp_setup setup;
	struct wp_targeting targeting;
	struct wp_patience patience;
	struct wp_worker *worker;
	struct wp_budget *budget;
	struct wp_processes processes;
	struct wp_resolver *resolver;
	struct wp_windows_maps windows;
	struct wp_walk_feed walk; /* does nothing */
	struct wp_python_feed python;
	struct wp_sample_live live;
	struct wp_sampling_stack *stack;
	struct wp_instant_reader *reader;
	struct wp_core_image core;    /* of --core */
	bool native, with_python;     /* which frames are wanted */
	bool kernel;		      /* kernel stacks, too */
	bool begun;		      /* a thread of the process at hand is in the document */
	struct wp_map seen;	      /* processes that were asked for */
	struct wp_thread_names names; /* what threads are called in Python */
	struct wp_procfs_ids only;    /* the threads of -t; empty: all */
	struct wp_dump_locals locals;
	struct wp_dump_asyncio asyncio;
	struct wp_frame_places places;
	WP_VEC(struct wp_dump_frame) frames; /* of the thread at hand */
	uint64_t n_frames;		     /* of all threads */
	struct wp_dump_doc dump;
};

/* The frames that --frames names, NULL being all. */
struct wp_err *wp_dumping_frames(const char *word, bool *ret_native,
				 bool *ret_python) WP_MUST_CHECK;
/* The processes of -p or --all, or the core of --core. *ret must not move. The caller deinits, also
 * after a failure. */
struct wp_err *wp_dumping_init(const struct wp_session_options *options, struct wp_session_io *io,
			       struct wp_dumping *ret) WP_MUST_CHECK;
/*
 * All threads of a process become a part of dumping->dump, once; of --all only where it runs a
 * CPython. An error: it may not be read, or has ended.
 */
struct wp_err *wp_dumping_process(struct wp_dumping *dumping, uint32_t pid) WP_MUST_CHECK;
/* All threads of the core. */
struct wp_err *wp_dumping_core(struct wp_dumping *dumping) WP_MUST_CHECK;
void wp_dumping_deinit(struct wp_dumping *dumping);
#define wp_autodumping WP_CLEANUP(wp_dumping_deinit)

#endif
