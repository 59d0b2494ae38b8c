/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source: where records come from, as everything downstream sees it.
 *
 * A session makes one (source/perf/perf_source.h, replay/replay.h), then: start, next ..., stop,
 * close; `start` may follow a `stop` again (timeline). One thread. Every source knows the machine
 * it describes.
 */
#ifndef WP_SOURCE_H
#define WP_SOURCE_H

#include "base/err.h"
#include "core/record.h"

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
	/* One COUNT record per event and CPU (or per event, with WP_ANY_CPU) since `start` or
	 * `lap`.
	 */
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
