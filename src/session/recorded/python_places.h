/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_places: where the bytecode of code objects lay in the processes of a recording, and what
 * an address in it stands for.
 *
 * Session stage. In: what the recording says at its end (format/perf/perfdata_notes.h). A place
 * counts from the first to the last time at which its code object was seen there, as its memory
 * may have been another's before and after. Two that were seen in one place in times that overlap
 * took turns there, so that neither is believed.
 */
#ifndef WP_PYTHON_PLACES_H
#define WP_PYTHON_PLACES_H

#include "base/map.h"
#include "base/vec.h"
#include "format/python/python_lines.h"
#include "recording/recording.h"

struct wp_python_place {
	struct wp_perfdata_place of;
	uint64_t furthest; /* end of any place of the process up to this one */
	bool doubtful;
};

struct wp_python_places {
	const struct wp_recording_notes *notes; /* borrowed; NULL: there are none */
	WP_VEC(struct wp_python_place) all;	/* by process, then by start */
	struct wp_map function_at;		/* number -> index in notes->told + 1 */
	struct wp_map processes;		/* pid -> 1: it has some */
};

/* A code unit. */
struct wp_python_unit {
	struct wp_stack_instruction at;
	const struct wp_recording_function *function;
	uint32_t line; /* 0: none is known */
};

/* notes: as wp_recording_read_ahead() gives them. The caller deinits. */
void wp_python_places_init(struct wp_python_places *places, const struct wp_recording_notes *notes);
void wp_python_places_deinit(struct wp_python_places *places);
/* What lay at an address of a process at that time; false: nothing that is known for sure. */
bool wp_python_places_find(const struct wp_python_places *places, uint32_t pid, uint64_t addr,
			   uint64_t time_ns, struct wp_python_unit *ret);
/* The process has a place. */
static inline bool wp_python_places_has(const struct wp_python_places *places, uint32_t pid)
{
	return wp_map_get(&places->processes, pid) != NULL;
}

#endif
