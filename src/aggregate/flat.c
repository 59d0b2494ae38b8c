/* flat: see flat.h. */
#include "aggregate/flat.h"

#include <stdlib.h>

void wp_flat_add(struct wp_flat *flat, uint32_t event, uint32_t symbol, uint64_t period)
{
	struct wp_flat_event *e;
	uint32_t *at;

	while (flat->events.n <= event)
		wp_vec_push(&flat->events, (struct wp_flat_event){0});
	e = &flat->events.v[event];
	while (e->row_of.n <= symbol)
		wp_vec_push(&e->row_of, 0);
	at = &e->row_of.v[symbol];
	if (*at == 0) {
		wp_vec_push(&e->rows, (struct wp_flat_row){.symbol = symbol});
		*at = (uint32_t)e->rows.n;
	}
	e->rows.v[*at - 1].samples++;
	e->rows.v[*at - 1].weight += period;
	e->samples++;
	e->weight += period;
}

static int by_weight(const void *a, const void *b)
{
	const struct wp_flat_row *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

void wp_flat_sort(struct wp_flat *flat)
{
	wp_vec_each (struct wp_flat_event, event, &flat->events)
		if (event->rows.n)
			qsort(event->rows.v, event->rows.n, sizeof(*event->rows.v), by_weight);
}

void wp_flat_deinit(struct wp_flat *flat)
{
	wp_vec_each (struct wp_flat_event, event, &flat->events) {
		wp_vec_deinit(&event->row_of);
		wp_vec_deinit(&event->rows);
	}
	wp_vec_deinit(&flat->events);
}
