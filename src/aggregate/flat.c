/* SPDX-License-Identifier: BSD-3-Clause */
/* flat: see flat.h. */
#include "aggregate/flat.h"

#include <stdlib.h>

void wp_flat_add(struct wp_flat *flat, uint32_t event, uint32_t symbol, uint64_t period)
{
	struct wp_flat_event *e;
	struct wp_flat_sum *sum;

	while (flat->events.n <= event)
		wp_vec_push(&flat->events, (struct wp_flat_event){0});
	e = &flat->events.v[event];
	while (e->sums.n <= symbol)
		wp_vec_push(&e->sums, (struct wp_flat_sum){0});
	sum = &e->sums.v[symbol];
	sum->samples++;
	sum->weight += period;
	e->samples++;
	e->weight += period;
	e->powers[period ? 64 - __builtin_clzll(period) : 0]++;
}

static void count_sample(struct wp_sink *sink, const struct wp_sample *sample)
{
	const struct wp_record *record = sample->record;

	wp_flat_add((struct wp_flat *)sink, record->sample.event, sample->symbol,
		    record->sample.period);
}

struct wp_sink *wp_flat_sink(struct wp_flat *flat)
{
	static const struct wp_sink_ops ops = {.sample = count_sample};

	flat->sink = (struct wp_sink){.ops = &ops};
	return &flat->sink;
}

static int compare_flat_rows(const void *a, const void *b)
{
	const struct wp_flat_row *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

static void make_flat_rows(struct wp_flat_event *event)
{
	event->rows.n = 0;
	for (uint32_t i = 0; i < event->sums.n; i++) {
		const struct wp_flat_sum *sum = &event->sums.v[i];

		if (sum->samples)
			wp_vec_push(&event->rows,
				    (struct wp_flat_row){i, sum->samples, sum->weight});
	}
}

void wp_flat_sort(struct wp_flat *flat)
{
	wp_vec_each (struct wp_flat_event, event, &flat->events) {
		make_flat_rows(event);
		if (event->rows.n)
			qsort(event->rows.v, event->rows.n, sizeof(*event->rows.v),
			      compare_flat_rows);
	}
}

void wp_flat_deinit(struct wp_flat *flat)
{
	wp_vec_each (struct wp_flat_event, event, &flat->events) {
		wp_vec_deinit(&event->sums);
		wp_vec_deinit(&event->rows);
	}
	wp_vec_deinit(&flat->events);
}
