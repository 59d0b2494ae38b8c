/* SPDX-License-Identifier: BSD-3-Clause */
/* spots: see spots.h. */
#include "aggregate/spots.h"

#include "aggregate/python_own.h"
#include "base/keyed.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

static struct wp_spots_event *spots_event_of(struct wp_spots *spots, uint32_t event)
{
	while (spots->events.n <= event)
		wp_vec_push(&spots->events, (struct wp_spots_event){0});
	return &spots->events.v[event];
}

static void count_spot(struct wp_spot_row *row, const struct wp_spot_sample *sample, uint64_t mark)
{
	if (row->mark == mark)
		return; /* recursion */
	row->mark = mark;
	row->total++;
	row->total_weight += sample->period;
	row->gil_known += sample->gil != WP_SPOT_GIL_UNKNOWN;
	row->gil_held += sample->gil == WP_SPOT_GIL_HELD;
}

/* "" when it is not known. */
static const char *file_of_spot(const struct wp_spots *spots, uint32_t symbol)
{
	const struct wp_symbol_set *set = spots->symbols;
	uint32_t module;

	if (!set || symbol >= set->symbols.n)
		return "";
	module = set->symbols.v[symbol].module;
	return module == WP_NO_MODULE ? "" : set->modules.v[module].path;
}

static bool is_string(const char *file)
{
	return strcmp(file, "<string>") == 0;
}

static bool is_own(const struct wp_spots *spots, const struct wp_spots_event *event,
		   uint32_t symbol)
{
	const char *file = file_of_spot(spots, symbol);

	return is_string(file) ? event->is_typed : wp_python_own(file);
}

static bool is_packaged(const struct wp_spots *spots, const struct wp_spots_event *event,
			uint32_t symbol)
{
	const char *file = file_of_spot(spots, symbol);
	size_t n = event->package_bytes;

	return n && wp_python_own_package(file) == n && memcmp(file, event->package, n) == 0;
}

/* The index of a frame's function among the rows. */
static uint32_t function_row(const struct wp_spots *spots, struct wp_spots_event *event,
			     const struct wp_spot_frame *frame, uint32_t thread)
{
	uint64_t *at = wp_map_put(&event->function_of, (uint64_t)thread << 32 | frame->symbol);

	if (!*at) {
		struct wp_spot_row row = {
			.symbol = frame->symbol,
			.thread = thread,
			.is_own = is_own(spots, event, frame->symbol),
			.is_packaged = is_packaged(spots, event, frame->symbol),
		};

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
			.is_own = event->functions.v[function].is_own,
			.is_packaged = event->functions.v[function].is_packaged,
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

/* Returns the frame's line. */
static struct wp_spot_row *add_frame(const struct wp_spots *spots, struct wp_spots_event *event,
				     const struct wp_spot_sample *sample, size_t i)
{
	uint32_t at = function_row(spots, event, &sample->frames[i], sample->thread);
	struct wp_spot_row *line = line_row(event, at, sample->frames[i].line);
	struct wp_spot_row *function = &event->functions.v[at];

	count_spot(function, sample, spots->n_added);
	count_spot(line, sample, spots->n_added);
	if (i > 0)
		return line;
	function->self++;
	function->self_weight += sample->period;
	line->self++;
	line->self_weight += sample->period;
	return line;
}

static void set_whose(const struct wp_spots *spots, const struct wp_spots_event *event,
		      struct wp_spot_row *row)
{
	row->is_own = is_own(spots, event, row->symbol);
	row->is_packaged = is_packaged(spots, event, row->symbol);
}

/* What ran before, when Python started, may have rows in common with the program: <module>. */
static void set_own_rows(const struct wp_spots *spots, struct wp_spots_event *event)
{
	wp_vec_each (struct wp_spot_row, row, &event->functions)
		set_whose(spots, event, row);
	wp_vec_each (struct wp_spot_row, row, &event->lines)
		set_whose(spots, event, row);
}

/* Outermost frames up to a package's: runpy's (-m), and a script that starts it. */
#define STARTING 6

static bool starts_packages(const char *file)
{
	return wp_python_own_is_starter(file) || strcmp(file, "<frozen runpy>") == 0 ||
	       wp_str_has_suffix(file, "/runpy.py");
}

static void find_package(const struct wp_spots *spots, struct wp_spots_event *event,
			 const struct wp_spot_sample *sample)
{
	for (size_t i = 0; i < STARTING && i < sample->n; i++) {
		const char *file = file_of_spot(spots, sample->frames[sample->n - 1 - i].symbol);

		if (starts_packages(file))
			continue;
		event->package_bytes = wp_python_own_package(file);
		if (!event->package_bytes)
			return;
		event->package = file;
		set_own_rows(spots, event);
		return;
	}
}

/* The innermost line of the user's own code, and that of the package, once each. */
static void credit(const struct wp_spots *spots, struct wp_spots_event *event,
		   const struct wp_spot_sample *sample, struct wp_spot_row *line, bool *own,
		   bool *packaged)
{
	if (line->is_own && !*own) {
		*own = true;
		line->own++;
		line->own_weight += sample->period;
		event->has_own |= !wp_python_own_is_starter(file_of_spot(spots, line->symbol));
	}
	if (line->is_packaged && !*packaged) {
		*packaged = true;
		line->packaged++;
		line->packaged_weight += sample->period;
	}
}

/* Deep stacks are mostly recursion, which need not be looked up again. */
static void add_spot_frames(const struct wp_spots *spots, struct wp_spots_event *event,
			    const struct wp_spot_sample *sample)
{
	bool own = false, packaged = false;

	if (!event->is_typed && sample->n &&
	    is_string(file_of_spot(spots, sample->frames[sample->n - 1].symbol))) {
		event->is_typed = true;
		set_own_rows(spots, event);
	}
	if (!event->has_own && !event->package)
		find_package(spots, event, sample);
	for (size_t i = 0; i < sample->n; i++) {
		struct wp_spot_row *line;

		if (i && same(&sample->frames[i], &sample->frames[i - 1]))
			continue;
		line = add_frame(spots, event, sample, i);
		credit(spots, event, sample, line, &own, &packaged);
	}
}

static void add_thread(struct wp_spots_event *event, const struct wp_spot_sample *sample)
{
	struct wp_spot_thread *thread =
		wp_keyed_put(&event->threads, &event->thread_of, sample->thread,
			     (struct wp_spot_thread){.thread = sample->thread});

	thread->samples++;
	thread->weight += sample->period;
	thread->python += sample->n > 0;
	thread->gil_known += sample->gil != WP_SPOT_GIL_UNKNOWN;
	thread->gil_held += sample->gil == WP_SPOT_GIL_HELD;
}

void wp_spots_add(struct wp_spots *spots, const struct wp_spot_sample *sample)
{
	struct wp_spots_event *event = spots_event_of(spots, sample->event);

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
	add_spot_frames(spots, event, sample);
}

static int falling(uint64_t x, uint64_t y)
{
	return (x < y) - (x > y);
}

static int rising(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

/* The first difference, in the order of the weights. */
static int by_weights(const uint64_t (*weights)[2], size_t n, const struct wp_spot_row *x,
		      const struct wp_spot_row *y)
{
	for (size_t i = 0; i < n; i++)
		if (weights[i][0] != weights[i][1])
			return falling(weights[i][0], weights[i][1]);
	if (x->symbol != y->symbol)
		return rising(x->symbol, y->symbol);
	return x->line != y->line ? rising(x->line, y->line) : rising(x->thread, y->thread);
}

static int compare_spot_self(const void *a, const void *b)
{
	const struct wp_spot_row *x = a, *y = b;
	const uint64_t weights[][2] = {
		{x->self_weight, y->self_weight},
		{x->self, y->self},
		{x->total_weight, y->total_weight},
		{x->total, y->total},
	};

	return by_weights(weights, WP_ARRAY_LEN(weights), x, y);
}

/* Of lines that call one another the innermost own one comes first. */
static int compare_spot_totals(const void *a, const void *b)
{
	const struct wp_spot_row *x = a, *y = b;
	const uint64_t weights[][2] = {
		{x->total_weight, y->total_weight},
		{x->total, y->total},
		{x->own_weight, y->own_weight},
		{x->self_weight, y->self_weight},
		{x->self, y->self},
	};

	return by_weights(weights, WP_ARRAY_LEN(weights), x, y);
}

static int by_own(const void *a, const void *b)
{
	const struct wp_spot_row *x = a, *y = b;
	const uint64_t weights[][2] = {{x->own_weight, y->own_weight}, {x->own, y->own}};

	if (x->own_weight != y->own_weight || x->own != y->own)
		return by_weights(weights, WP_ARRAY_LEN(weights), x, y);
	return compare_spot_totals(a, b);
}

static int compare_spot_threads(const void *a, const void *b)
{
	const struct wp_spot_thread *x = a, *y = b;
	int order = falling(x->weight, y->weight);

	return order ? order : rising(x->thread, y->thread);
}

static void sort_spot_rows(struct wp_spots_event *event, enum wp_spots_by by)
{
	int (*order)(const void *, const void *) =
		by == WP_SPOTS_BY_TOTAL ? compare_spot_totals : compare_spot_self;

	bool packaged = wp_spots_package(event, NULL) > 0;

	wp_vec_each (struct wp_spot_row, line, &event->lines) {
		if (packaged) {
			line->own = line->packaged;
			line->own_weight = line->packaged_weight;
		}
		if (packaged ? line->is_packaged : line->is_own)
			wp_vec_push(&event->own, *line);
	}
	if (event->functions.n) {
		qsort(event->functions.v, event->functions.n, sizeof(*event->functions.v), order);
		qsort(event->lines.v, event->lines.n, sizeof(*event->lines.v), order);
	}
	if (event->own.n)
		qsort(event->own.v, event->own.n, sizeof(*event->own.v),
		      by == WP_SPOTS_BY_DEFAULT ? by_own : order);
}

size_t wp_spots_package(const struct wp_spots_event *event, const char **ret)
{
	size_t at = event->package_bytes, end = at;

	if (event->has_own || !event->package)
		return 0;
	if (end > 3 && strncmp(event->package + end - 3, ".py", 3) == 0)
		end -= 3;
	while (at && event->package[at - 1] != '/' && event->package[at - 1] != '\\')
		at--;
	if (ret)
		*ret = event->package + at;
	return end > at ? end - at : 0;
}

void wp_spots_sort(struct wp_spots *spots, enum wp_spots_by by)
{
	wp_vec_each (struct wp_spots_event, event, &spots->events) {
		sort_spot_rows(event, by);
		if (event->threads.n)
			qsort(event->threads.v, event->threads.n, sizeof(*event->threads.v),
			      compare_spot_threads);
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
		wp_vec_deinit(&event->own);
		wp_vec_deinit(&event->threads);
	}
	wp_vec_deinit(&spots->events);
}
