/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording_head: what a recording says of itself: its events, how their records look, build-ids.
 *
 * Source stage; read once, when the recording is opened. A file has it in sections around the data;
 * a recording that went through a pipe has it in records anywhere among the others, so that all of
 * it is looked through first.
 */
#ifndef WP_RECORDING_HEAD_H
#define WP_RECORDING_HEAD_H

#include "base/map.h"
#include "base/strpool.h"
#include "core/event.h"
#include "format/perf/perf_record.h"
#include "recording/recording_file.h"

struct wp_recording_head {
	struct wp_perfdata_section data; /* where the records are */
	struct wp_event_set events;	 /* in the order of the attributes */
	WP_VEC(struct wp_perfdata_attr) attrs;
	/* One per attribute, or the first for all when they have one layout (`alike`). */
	WP_VEC(struct wp_perf_layout) layouts;
	WP_VEC(struct wp_perf_layout) bare; /* the same without stacks */
	bool alike;
	struct wp_map event_of_id;		       /* kernel id -> index in events */
	struct wp_perf_stack *stack;		       /* the layouts' */
	struct wp_perf_data *more;		       /* the same */
	struct wp_strpool paths;		       /* of what has a build-id */
	WP_VEC(struct wp_perfdata_build_id) build_ids; /* by the path's id; path itself NULL */
	/* NULL: it does not say. */
	char *release; /* of the kernel */
	char *host;
	char *cpuid;   /* of Arm: MIDR_EL1 in hexadecimal */
	char *command; /* what was run, words with blanks between; the recorder's own, if it does
			  not say where that ends */
	uint8_t *tracepoints; /* what it says of them (format/trace/trace_data.h) */
	size_t tracepoints_bytes;
	struct wp_perfdata_clock clock; /* zero: it does not say */
	const char *arch;		/* "x86_64", "aarch64", "i686" or "arm" */
	bool arm;			/* else x86 */
	bool bits32;
	bool cut; /* the end is missing, and with it what features say */
};

/*
 * Reads it all. Refuses recordings of machines other than x86 and Arm, of 64 or 32 bits, and those
 * whose events cannot be told apart. The caller deinits *ret, which must not move.
 */
struct wp_err *wp_recording_head_read(struct wp_recording_file *file,
				      struct wp_recording_head *ret) WP_MUST_CHECK;
/* The layout of a record when not all are alike. */
const struct wp_perf_layout *wp_recording_head_find(const struct wp_recording_head *head,
						    const uint8_t *bytes);
/* How this kernel record, which is whole, is laid out; as one of the first event where it does not
 * say whose it is. */
static inline const struct wp_perf_layout *wp_recording_head_layout(
	const struct wp_recording_head *head, const uint8_t *bytes)
{
	return head->alike ? head->layouts.v : wp_recording_head_find(head, bytes);
}
/* The layout that is read of a sample whose stack nobody needs. */
static inline const struct wp_perf_layout *wp_recording_head_bare(
	const struct wp_recording_head *head, const struct wp_perf_layout *layout)
{
	return &head->bare.v[layout - head->layouts.v];
}
/* Whether samples are to have what else they carry; of groups they have what was counted anyway. */
void wp_recording_head_want_data(struct wp_recording_head *head, bool wanted);
/* Gives a mapping the build-id that the recording has for its path, when it has none itself. */
void wp_recording_head_identify(struct wp_recording_head *head, struct wp_record_map *map);
void wp_recording_head_deinit(struct wp_recording_head *head);

#endif
