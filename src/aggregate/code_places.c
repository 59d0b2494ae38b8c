/* SPDX-License-Identifier: BSD-3-Clause */
/* code_places: see code_places.h. */
#include "aggregate/code_places.h"

#include "base/hash.h"

#include <stdlib.h>

static uint64_t hash_place(const struct wp_code_place *place)
{
	return ((uint64_t)place->at.code << 32 | (uint32_t)place->at.lasti) ^
	       wp_hash_spread((uint64_t)place->symbol << 32 | place->event) ^
	       wp_hash_spread(place->line);
}

static bool is_code_place(const struct wp_code_place *a, const struct wp_code_place *b)
{
	return a->event == b->event && a->symbol == b->symbol && a->line == b->line &&
	       a->at.code == b->at.code && a->at.lasti == b->at.lasti;
}

static void count_place(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_code_places *places = (struct wp_code_places *)sink;
	struct wp_code_place add = {
		.event = sample->record->sample.event, .at = sample->instruction, .samples = 1};
	uint64_t *head;

	if (!sample->n_python)
		return;
	add.symbol = sample->python[0].symbol;
	add.line = sample->python[0].line;
	head = wp_map_put(&places->by_hash, hash_place(&add));
	for (uint64_t i = *head; i; i = places->all.v[i - 1].next)
		if (is_code_place(&places->all.v[i - 1], &add)) {
			places->all.v[i - 1].samples++;
			return;
		}
	add.next = (uint32_t)*head;
	wp_vec_push(&places->all, add);
	*head = places->all.n;
}

struct wp_sink *wp_code_places_sink(struct wp_code_places *places)
{
	static const struct wp_sink_ops ops = {.sample = count_place};

	places->sink = (struct wp_sink){.ops = &ops};
	return &places->sink;
}

static int compare_code_places(const void *a, const void *b)
{
	const struct wp_code_place *x = a, *y = b;

	if (x->symbol != y->symbol)
		return x->symbol < y->symbol ? -1 : 1;
	if (x->at.code != y->at.code)
		return x->at.code < y->at.code ? -1 : 1;
	if (x->at.lasti != y->at.lasti)
		return x->at.lasti < y->at.lasti ? -1 : 1;
	return (x->event > y->event) - (x->event < y->event);
}

void wp_code_places_sort(struct wp_code_places *places)
{
	if (places->all.n)
		qsort(places->all.v, places->all.n, sizeof(*places->all.v), compare_code_places);
}

const struct wp_code_place *wp_code_places_of(const struct wp_code_places *places, uint32_t symbol,
					      size_t *ret_n)
{
	size_t low = 0, high = places->all.n, first;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (places->all.v[mid].symbol < symbol)
			low = mid + 1;
		else
			high = mid;
	}
	for (first = low; low < places->all.n && places->all.v[low].symbol == symbol;)
		low++;
	*ret_n = low - first;
	return places->all.v + first;
}

void wp_code_places_deinit(struct wp_code_places *places)
{
	wp_vec_deinit(&places->all);
	wp_map_deinit(&places->by_hash);
}
