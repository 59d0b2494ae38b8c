/* SPDX-License-Identifier: BSD-3-Clause */
/* gil_waits: see gil_waits.h. */
#include "aggregate/gil_waits.h"

#include "base/clock.h"
#include "base/keyed.h"
#include "core/python_plan.h"
#include "core/wait.h"

#include <stdlib.h>
#include <string.h>

/* So many spans are settled at once, so that memory stays bounded. */
#define SETTLED_SPANS (1u << 17)
/* Waits are told at their end: what came up to then may still be missing of the last second. */
#define LATE_NS WP_NS_PER_S
/* Who had the GIL is remembered for so long; of a longer wait the beginning is nobody's. */
#define KEPT_NS (10 * WP_NS_PER_S)

static uint32_t find_place(struct wp_gil_waits *waits, uint32_t symbol, uint32_t line, uint32_t tid)
{
	uint64_t *at = wp_map_put(&waits->line_of, (uint64_t)symbol << 32 | line);
	struct wp_gil_place place = {symbol, line, waits->by_thread ? tid : 0};

	if (!*at)
		*at = waits->line_of.n;
	return (uint32_t)(wp_keyed_put(&waits->places, &waits->place_of, *at << 32 | place.tid,
				       place) -
			  waits->places.v);
}

static void add_ns(struct wp_gil_waits *waits, uint32_t waiter, uint32_t holder, uint64_t ns)
{
	struct wp_gil_row row = {waiter, holder, 0};

	wp_keyed_put(&waits->rows, &waits->row_of, (uint64_t)waiter << 32 | holder, row)->ns += ns;
}

static int compare_ends(const void *a, const void *b)
{
	const struct wp_gil_span *x = a, *y = b;

	return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

/* The first that ends behind the time; they are sorted. */
static size_t find_held(const struct wp_gil_waits *waits, uint64_t time_ns)
{
	size_t low = 0, high = waits->held.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (waits->held.v[middle].end_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void settle_wait(struct wp_gil_waits *waits, const struct wp_gil_span *wait)
{
	uint64_t left = wait->end_ns - wait->begin_ns;

	waits->ns += left;
	for (size_t i = find_held(waits, wait->begin_ns); left && i < waits->held.n; i++) {
		const struct wp_gil_span *held = &waits->held.v[i];
		uint64_t from = held->begin_ns, to = held->end_ns;

		if (to >= wait->end_ns + waits->longest_ns)
			break; /* all that follow begin later */
		from = from > wait->begin_ns ? from : wait->begin_ns;
		to = to < wait->end_ns ? to : wait->end_ns;
		if (held->pid != wait->pid || from >= to)
			continue;
		to = to - from < left ? to - from : left;
		add_ns(waits, wait->place, held->place, to);
		left -= to;
	}
	if (left)
		add_ns(waits, wait->place, find_place(waits, WP_GIL_NOBODY, 0, 0), left);
}

/* Drops what ended before; those that stay are at the front. */
static size_t drop_before(struct wp_gil_span *v, size_t n, uint64_t time_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (v[i].end_ns > time_ns)
			v[kept++] = v[i];
	return kept;
}

/* The waits that ended up to then. */
static void settle_gil_waits(struct wp_gil_waits *waits, uint64_t horizon_ns)
{
	if (waits->held.n)
		qsort(waits->held.v, waits->held.n, sizeof(*waits->held.v), compare_ends);
	wp_vec_each (struct wp_gil_span, wait, &waits->waits)
		if (wait->end_ns <= horizon_ns)
			settle_wait(waits, wait);
	waits->waits.n = drop_before(waits->waits.v, waits->waits.n, horizon_ns);
	waits->held.n = drop_before(waits->held.v, waits->held.n,
				    horizon_ns > KEPT_NS ? horizon_ns - KEPT_NS : 0);
}

/* Nanoseconds that the sample stands for, up to its time; 0: it is of something else. */
static uint64_t span_of(const struct wp_gil_waits *waits, const struct wp_sample *sample)
{
	const struct wp_record_sample *record = &sample->record->sample;
	const struct wp_event *event = &waits->events->events.v[record->event];

	return sample->is_wait || event->is_clock || event->is_wall ? record->period : 0;
}

static bool is_gil_wait(const struct wp_sample *sample)
{
	enum wp_wait_state state;
	uint32_t n;

	return wp_wait_read(&sample->record->sample, &state, &n) && state == WP_WAIT_GIL;
}

static void take_gil_sample(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_gil_waits *waits = (struct wp_gil_waits *)sink;
	const struct wp_record *record = sample->record;
	bool is_wait = is_gil_wait(sample), is_held = sample->thread & WP_PYTHON_GIL_HELD;
	uint64_t ns = is_wait || is_held ? span_of(waits, sample) : 0;
	struct wp_gil_span span = {
		.begin_ns = record->time_ns - ns, .end_ns = record->time_ns, .pid = record->pid};

	if (!ns || !sample->n_python || ns > record->time_ns)
		return;
	span.place =
		find_place(waits, sample->python[0].symbol, sample->python[0].line, record->tid);
	if (is_wait) {
		wp_vec_push(&waits->waits, span);
	} else {
		wp_vec_push(&waits->held, span);
		waits->longest_ns = waits->longest_ns > ns ? waits->longest_ns : ns;
	}
	if (waits->latest_ns < record->time_ns)
		waits->latest_ns = record->time_ns;
	if (waits->waits.n + waits->held.n >= SETTLED_SPANS && waits->latest_ns > LATE_NS)
		settle_gil_waits(waits, waits->latest_ns - LATE_NS);
}

struct wp_sink *wp_gil_waits_sink(struct wp_gil_waits *waits)
{
	static const struct wp_sink_ops ops = {.sample = take_gil_sample};

	waits->sink = (struct wp_sink){.ops = &ops, .wants = WP_SAMPLE_PAYLOAD | WP_SAMPLE_IDLE};
	return &waits->sink;
}

static int compare_gil_rows(const void *a, const void *b)
{
	const struct wp_gil_row *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	if (x->waiter != y->waiter)
		return x->waiter < y->waiter ? -1 : 1;
	return (x->holder > y->holder) - (x->holder < y->holder);
}

void wp_gil_waits_finish(struct wp_gil_waits *waits)
{
	settle_gil_waits(waits, UINT64_MAX);
	if (waits->rows.n)
		qsort(waits->rows.v, waits->rows.n, sizeof(*waits->rows.v), compare_gil_rows);
	wp_map_deinit(&waits->row_of); /* its indexes are those before */
}

void wp_gil_waits_deinit(struct wp_gil_waits *waits)
{
	wp_vec_deinit(&waits->places);
	wp_vec_deinit(&waits->waits);
	wp_vec_deinit(&waits->held);
	wp_vec_deinit(&waits->rows);
	wp_map_deinit(&waits->line_of);
	wp_map_deinit(&waits->place_of);
	wp_map_deinit(&waits->row_of);
}
