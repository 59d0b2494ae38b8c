/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_touches: which of Python's objects the address of a recorded sample is in.
 *
 * Session stage. In: what the recording says at its end of the blocks that its samples touched
 * (format/perf/perfdata_notes.h). A block counts from its first sample to its last one: before and
 * after, and between them for what is not sampled, its memory may have been another object's.
 */
#ifndef WP_PYTHON_TOUCHES_H
#define WP_PYTHON_TOUCHES_H

#include "base/map.h"
#include "base/str.h"
#include "recording/recording.h"

struct wp_python_touches {
	const struct wp_recording_notes *notes; /* borrowed; NULL: there are none */
	struct wp_perfdata_block *sorted; /* by process, start, time; notes->blocks.n of them */
	struct wp_map type_at;		  /* number -> index in notes->types + 1 */
	uint64_t found, late_ns; /* samples that had a block; how late one was read at most */
};

/* notes: as wp_recording_touched() gives them. The caller deinits. */
void wp_python_touches_init(struct wp_python_touches *touches,
			    const struct wp_recording_notes *notes);
void wp_python_touches_deinit(struct wp_python_touches *touches);
#define wp_autopython_touches WP_CLEANUP(wp_python_touches_deinit)
/* Appends what an address of a process was in at that time; false: in nothing that is known. */
bool wp_python_touches_put(struct wp_python_touches *touches, uint32_t pid, uint64_t addr,
			   uint64_t time_ns, struct wp_str *out);

#endif
