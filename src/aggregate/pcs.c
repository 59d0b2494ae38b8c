/* SPDX-License-Identifier: BSD-3-Clause */
/* pcs: see pcs.h. */
#include "aggregate/pcs.h"

#include "base/hash.h"

#include <stdlib.h>

static uint64_t hash(uint32_t event, uint32_t symbol, uint64_t address)
{
	return address ^ wp_hash_spread((uint64_t)symbol << 32 | event);
}

static bool is(const struct wp_pc *pc, uint32_t event, uint32_t symbol, struct wp_rva rva,
	       struct wp_va va)
{
	return pc->event == event && pc->symbol == symbol && pc->rva.v == rva.v &&
	       (rva.v || pc->va.v == va.v);
}

void wp_pcs_add(struct wp_pcs *pcs, uint32_t event, uint32_t symbol, struct wp_rva rva,
		struct wp_va va)
{
	uint64_t *head = wp_map_put(&pcs->by_hash, hash(event, symbol, rva.v ? rva.v : va.v));
	struct wp_pc pc = {event, symbol, rva, va, 1, (uint32_t)*head};

	for (uint64_t at = *head; at; at = pcs->pcs.v[at - 1].next)
		if (is(&pcs->pcs.v[at - 1], event, symbol, rva, va)) {
			pcs->pcs.v[at - 1].samples++;
			return;
		}
	wp_vec_push(&pcs->pcs, pc);
	*head = pcs->pcs.n;
}

static void count_address(struct wp_sink *sink, const struct wp_sample *sample)
{
	const struct wp_record *record = sample->record;

	wp_pcs_add((struct wp_pcs *)sink, record->sample.event, sample->symbol, sample->rva,
		   record->sample.ip);
}

struct wp_sink *wp_pcs_sink(struct wp_pcs *pcs)
{
	static const struct wp_sink_ops ops = {.sample = count_address};

	pcs->sink = (struct wp_sink){.ops = &ops, .wants = WP_SAMPLE_RVA};
	return &pcs->sink;
}

static int compare_pc_places(uint32_t event_a, uint32_t symbol_a, uint32_t event_b,
			     uint32_t symbol_b)
{
	if (event_a != event_b)
		return event_a < event_b ? -1 : 1;
	return (symbol_a > symbol_b) - (symbol_a < symbol_b);
}

static int compare_pc_hits(const void *a, const void *b)
{
	const struct wp_pc *x = a, *y = b;
	int place = compare_pc_places(x->event, x->symbol, y->event, y->symbol);

	if (place)
		return place;
	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	if (x->rva.v != y->rva.v)
		return x->rva.v < y->rva.v ? -1 : 1;
	return (x->va.v > y->va.v) - (x->va.v < y->va.v);
}

void wp_pcs_sort(struct wp_pcs *pcs)
{
	if (pcs->pcs.n)
		qsort(pcs->pcs.v, pcs->pcs.n, sizeof(*pcs->pcs.v), compare_pc_hits);
}

const struct wp_pc *wp_pcs_of(const struct wp_pcs *pcs, uint32_t event, uint32_t symbol,
			      size_t *ret_n)
{
	size_t low = 0, high = pcs->pcs.n;
	const struct wp_pc *first;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct wp_pc *pc = &pcs->pcs.v[middle];

		if (compare_pc_places(pc->event, pc->symbol, event, symbol) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	first = pcs->pcs.v + low;
	for (*ret_n = 0; low + *ret_n < pcs->pcs.n; (*ret_n)++)
		if (first[*ret_n].event != event || first[*ret_n].symbol != symbol)
			break;
	return first;
}

void wp_pcs_deinit(struct wp_pcs *pcs)
{
	wp_map_deinit(&pcs->by_hash);
	wp_vec_deinit(&pcs->pcs);
}
