/* SPDX-License-Identifier: BSD-3-Clause */
/* python_sink: see python_sink.h. */
#include "aggregate/python_sink.h"

static enum wp_spot_gil gil_of(uint32_t thread)
{
	if (!(thread & WP_PYTHON_GIL_KNOWN))
		return WP_SPOT_GIL_UNKNOWN;
	return thread & WP_PYTHON_GIL_HELD ? WP_SPOT_GIL_HELD : WP_SPOT_GIL_RELEASED;
}

static void count_walk(struct wp_python_counts *counts, const struct wp_sample *sample)
{
	uint32_t end = WP_PYTHON_THREAD_END(sample->thread);

	counts->samples++;
	counts->ends[end < WP_PYTHON_ENDS ? end : WP_PYTHON_NO_THREAD]++;
	counts->with_frames += sample->n_python > 0;
	counts->tasks_unknown += (sample->thread & WP_PYTHON_TASKS_UNKNOWN) != 0;
	counts->tasks_cut += (sample->thread & WP_PYTHON_TASKS_CUT) != 0;
}

static void count_python(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_python_sink *own = (struct wp_python_sink *)sink;
	const struct wp_record *record = sample->record;
	struct wp_spot_sample add = {
		.event = record->sample.event,
		.thread = own->by_thread ? record->tid : 0,
		.gil = gil_of(sample->thread),
		.period = record->sample.period,
		.frames = sample->python,
		.n = sample->n_python,
	};

	if (sample->word == WP_PYTHON_WALKED)
		count_walk(&own->counts, sample);
	own->counts.early += sample->word == WP_PYTHON_EARLY;
	own->counts.lost += sample->word == WP_PYTHON_LOST;
	wp_spots_add(&own->spots, &add);
}

struct wp_sink *wp_python_sink(struct wp_python_sink *sink)
{
	static const struct wp_sink_ops ops = {.sample = count_python};

	sink->sink = (struct wp_sink){.ops = &ops};
	return &sink->sink;
}

void wp_python_sink_deinit(struct wp_python_sink *sink)
{
	wp_spots_deinit(&sink->spots);
}
