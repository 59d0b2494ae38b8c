/* spots: see spots.h. */
#include "aggregate/spots.h"

#include <stdlib.h>

static struct wp_spots_event *event_of(struct wp_spots *spots, uint32_t event)
{
	while (spots->events.n <= event)
		wp_vec_push(&spots->events, (struct wp_spots_event){0});
	return &spots->events.v[event];
}

static void count(struct wp_spot_row *row, const struct wp_spot_sample *sample, uint64_t mark)
{
	if (row->mark == mark)
		return; /* recursion */
	row->mark = mark;
	row->total++;
	row->total_weight += sample->period;
	row->gil_known += sample->gil != WP_SPOT_GIL_UNKNOWN;
	row->gil_held += sample->gil == WP_SPOT_GIL_HELD;
}

/* The index of a frame's function among the rows. */
static uint32_t function_row(struct wp_spots_event *event, const struct wp_spot_frame *frame,
			     uint32_t thread)
{
	uint64_t *at = wp_map_put(&event->function_of, (uint64_t)thread << 32 | frame->symbol);

	if (!*at) {
		struct wp_spot_row row = {.symbol = frame->symbol, .thread = thread};

		wp_vec_push(&event->functions, row);
		*at = event->functions.n;
	}
	return (uint32_t)(*at - 1);
}

static struct wp_spot_row *line_row(struct wp_spots_event *event, uint32_t function, uint32_t line)
{
	uint64_t *at = wp_map_put(&event->line_of, (uint64_t)function << 32 | line);

	if (!*at) {
		struct wp_spot_row row = {
			.symbol = event->functions.v[function].symbol,
			.line = line,
			.thread = event->functions.v[function].thread,
		};

		wp_vec_push(&event->lines, row);
		*at = event->lines.n;
	}
	return &event->lines.v[*at - 1];
}

static bool same(const struct wp_spot_frame *a, const struct wp_spot_frame *b)
{
	return a->symbol == b->symbol && a->line == b->line;
}

static void add_frame(struct wp_spots_event *event, const struct wp_spot_sample *sample, size_t i,
		      uint64_t mark)
{
	uint32_t at = function_row(event, &sample->frames[i], sample->thread);
	struct wp_spot_row *line = line_row(event, at, sample->frames[i].line);
	struct wp_spot_row *function = &event->functions.v[at];

	count(function, sample, mark);
	count(line, sample, mark);
	if (i > 0)
		return;
	function->self++;
	function->self_weight += sample->period;
	line->self++;
	line->self_weight += sample->period;
}

static void add_thread(struct wp_spots_event *event, const struct wp_spot_sample *sample)
{
	uint64_t *at = wp_map_put(&event->thread_of, sample->thread);
	struct wp_spot_thread *thread;

	if (!*at) {
		wp_vec_push(&event->threads, (struct wp_spot_thread){.thread = sample->thread});
		*at = event->threads.n;
	}
	thread = &event->threads.v[*at - 1];
	thread->samples++;
	thread->weight += sample->period;
	thread->python += sample->n > 0;
	thread->gil_known += sample->gil != WP_SPOT_GIL_UNKNOWN;
	thread->gil_held += sample->gil == WP_SPOT_GIL_HELD;
}

void wp_spots_add(struct wp_spots *spots, const struct wp_spot_sample *sample)
{
	struct wp_spots_event *event = event_of(spots, sample->event);

	if (spots->gil_only && sample->gil != WP_SPOT_GIL_HELD) {
		spots->left_out++;
		return;
	}
	spots->n_added++;
	event->samples++;
	event->weight += sample->period;
	event->python += sample->n > 0;
	if (sample->thread)
		add_thread(event, sample);
	/* Deep stacks are mostly recursion, which need not be looked up again. */
	for (size_t i = 0; i < sample->n; i++)
		if (!i || !same(&sample->frames[i], &sample->frames[i - 1]))
			add_frame(event, sample, i, spots->n_added);
}

static int falling(uint64_t x, uint64_t y)
{
	return (x < y) - (x > y);
}

static int rising(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

static int by_self(const void *a, const void *b)
{
	const struct wp_spot_row *x = a, *y = b;
	const int order[] = {
		falling(x->self_weight, y->self_weight),
		falling(x->self, y->self),
		falling(x->total_weight, y->total_weight),
		falling(x->total, y->total),
		rising(x->symbol, y->symbol),
		rising(x->line, y->line),
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(order); i++)
		if (order[i])
			return order[i];
	return rising(x->thread, y->thread);
}

static int by_weight(const void *a, const void *b)
{
	const struct wp_spot_thread *x = a, *y = b;
	int order = falling(x->weight, y->weight);

	return order ? order : rising(x->thread, y->thread);
}

void wp_spots_sort(struct wp_spots *spots)
{
	wp_vec_each (struct wp_spots_event, event, &spots->events) {
		if (event->functions.n) {
			qsort(event->functions.v, event->functions.n, sizeof(*event->functions.v),
			      by_self);
			qsort(event->lines.v, event->lines.n, sizeof(*event->lines.v), by_self);
		}
		if (event->threads.n)
			qsort(event->threads.v, event->threads.n, sizeof(*event->threads.v),
			      by_weight);
	}
}

void wp_spots_deinit(struct wp_spots *spots)
{
	wp_vec_each (struct wp_spots_event, event, &spots->events) {
		wp_map_deinit(&event->function_of);
		wp_map_deinit(&event->line_of);
		wp_map_deinit(&event->thread_of);
		wp_vec_deinit(&event->functions);
		wp_vec_deinit(&event->lines);
		wp_vec_deinit(&event->threads);
	}
	wp_vec_deinit(&spots->events);
}
