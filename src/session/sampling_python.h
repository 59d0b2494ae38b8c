/*
 * sampling_python: the Python frames of samples, counted by function and line and put between the
 * native ones.
 */
#ifndef WP_SAMPLING_PYTHON_H
#define WP_SAMPLING_PYTHON_H

#include "aggregate/python_doc.h"
#include "session/python_feed.h"
#include "session/python_source.h"

struct wp_sampling;

struct wp_sampling_python {
	struct wp_python_feed feed;
	char *refusal; /* why the better way to read frames was refused, until it is told; or NULL
			*/
	struct wp_spots spots;
	struct wp_python_counts counts; /* a sample counts by the worst of its interpreters */
	struct wp_thread_names threads;
	struct wp_python_source source;
	uint64_t unbound, missing; /* see struct wp_woven */
	/* Of the sample at hand. */
	WP_VEC(struct wp_python_frame) frames; /* one per slot */
	WP_VEC(struct wp_spot_frame) spot_frames;
	struct wp_woven woven;
	uint32_t thread;		  /* as the id of a THREAD slot: the worst end, all flags */
	enum wp_python_expected expected; /* of a sample without a walker's word */
	WP_VEC(uint32_t) places;
};

void wp_sampling_python_deinit(struct wp_sampling_python *python);
/* Resolves and counts the Python frames of a sample. */
void wp_sampling_add_python(struct wp_sampling *s, const struct wp_record *sample);
/* Is slot i of the sample at hand a frame that is shown? */
bool wp_sampling_shows_frame(const struct wp_sampling_python *python,
			     const struct wp_stack_raw *raw, size_t i);
/* Counts the frames of python.spot_frames; id as of a THREAD slot. */
void wp_sampling_count_spots(struct wp_sampling *s, const struct wp_record *sample, uint32_t id);
/* Counts how the chains of tasks end; thread as of a THREAD slot. */
void wp_sampling_count_tasks(struct wp_sampling_python *python, uint32_t thread);
/*
 * Adds the sample's stack to the call graph: its native frames (as places, one for each of stack's)
 * woven with its Python frames, which wp_sampling_add_python() resolved.
 */
void wp_sampling_weave(struct wp_sampling *s, const struct wp_record *sample,
		       const struct wp_stack *stack, const uint32_t *places);
/* What was found, for the report; false when no interpreter was met. Sorts the spots. */
bool wp_sampling_python_report(struct wp_sampling *s, struct wp_python_report *ret);

#endif
