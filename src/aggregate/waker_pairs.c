/* SPDX-License-Identifier: BSD-3-Clause */
/* waker_pairs: see waker_pairs.h. */
#include "aggregate/waker_pairs.h"

#include "base/keyed.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/waker.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MAX (1u << 16)
#define OTHERS	 "(others)"

/* Where every thread waits that uses it. */
static bool is_libc(const struct wp_symbol_set *symbols, uint32_t symbol)
{
	static const char *const names[] = {"libc.so", "libc-", "libpthread", "ld-linux",
					    "ld-musl"};
	const struct wp_symbol *at =
		symbol < symbols->symbols.n ? &symbols->symbols.v[symbol] : NULL;

	if (!at || at->module >= symbols->modules.n)
		return false;
	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++)
		if (wp_str_has_prefix(symbols->modules.v[at->module].name, names[i]))
			return true;
	return false;
}

/* The innermost user frame that says something; libc's where there is no other one. */
static uint32_t find_native_symbol(const struct wp_waker_pairs *pairs,
				   const struct wp_sample *sample)
{
	for (size_t i = sample->n_kernel; i < sample->n; i++)
		if (!is_libc(pairs->symbols, sample->frames[i].symbol) && sample->frames[i].ip.v)
			return sample->frames[i].symbol;
	if (sample->n > sample->n_kernel && sample->frames[sample->n_kernel].ip.v)
		return sample->frames[sample->n_kernel].symbol;
	return WP_WAKER_NOWHERE;
}

/* Of who has no stack, what the kernel did, if that is known. */
static uint32_t find_kernel_symbol_of(const struct wp_waker_pairs *pairs,
				      const struct wp_sample *sample)
{
	const struct wp_symbol_set *symbols = pairs->symbols;

	return sample->symbol < symbols->symbols.n &&
			       symbols->symbols.v[sample->symbol].kind == WP_SYMBOL_KERNEL &&
			       symbols->symbols.v[sample->symbol].reason == WP_SYMBOL_KNOWN
		       ? sample->symbol
		       : WP_WAKER_NOWHERE;
}

static uint32_t number_place(struct wp_waker_pairs *pairs, struct wp_waker_place place)
{
	uint64_t *at = wp_map_put(&pairs->line_of, (uint64_t)place.symbol << 32 | place.line);

	if (!*at)
		*at = pairs->line_of.n;
	return (uint32_t)(wp_keyed_put(&pairs->places, &pairs->place_of, *at << 32 | place.tid,
				       place) -
			  pairs->places.v);
}

static uint32_t find_ended_place(struct wp_waker_pairs *pairs, const struct wp_sample *sample,
				 bool walked)
{
	struct wp_waker_place place = {.tid = pairs->by_thread ? sample->record->tid : 0};

	if (walked && sample->n_python) {
		place.symbol = sample->python[0].symbol;
		place.line = sample->python[0].line;
	} else {
		place.symbol = walked ? find_native_symbol(pairs, sample)
				      : find_kernel_symbol_of(pairs, sample);
	}
	return number_place(pairs, place);
}

static void keep_pending(struct wp_waker_pairs *pairs, const struct wp_sample *sample,
			 const struct wp_waker_payload *waker)
{
	pairs->pending[waker->wake % WP_WAKER_PENDING] = (struct wp_waker_pending){
		.wake = waker->wake,
		.delay_ns = waker->delay_ns,
		.place = find_ended_place(pairs, sample, waker->walked),
	};
}

/* Of a wait whose waker is not among the samples (it may have been left out) nothing but a name. */
static struct wp_waker_pending take_pending(struct wp_waker_pairs *pairs, uint64_t wake)
{
	struct wp_waker_pending *pending = &pairs->pending[wake % WP_WAKER_PENDING];
	struct wp_waker_place nowhere = {.symbol = WP_WAKER_NOWHERE};

	if (wake && pending->wake == wake)
		return *pending;
	return (struct wp_waker_pending){.place = number_place(pairs, nowhere)};
}

static struct wp_waker_row *find_waker_row(struct wp_waker_pairs *pairs, struct wp_waker_row want)
{
	uint64_t *pair, *word, key;

	if (pairs->rows.n >= ROWS_MAX) {
		want.kind = want.name = wp_strpool_id(&pairs->texts, OTHERS);
		want.waiter = want.ender = take_pending(pairs, 0).place;
	}
	pair = wp_map_put(&pairs->pair_of, (uint64_t)want.waiter << 32 | want.ender);
	*pair = *pair ? *pair : pairs->pair_of.n;
	key = *pair << 32;
	word = wp_map_put(&pairs->word_of, (uint64_t)want.kind << 32 | want.name);
	*word = *word ? *word : pairs->word_of.n;
	return wp_keyed_put(&pairs->rows, &pairs->row_of, key | *word, want);
}

static void add_ended_wait(struct wp_waker_pairs *pairs, const struct wp_sample *sample,
			   struct wp_wait_payload *wait)
{
	struct wp_waker_pending ender = take_pending(pairs, wait->wake);
	struct wp_waker_row *row, want = {.ender = ender.place};
	uint64_t ns = sample->record->sample.period;

	wp_utf8_hide_controls(wait->kind, "");
	wp_utf8_hide_controls(wait->waker, "");
	want.waiter = find_ended_place(pairs, sample, true);
	want.kind = wp_strpool_id(&pairs->texts, wait->kind);
	want.name = wp_strpool_id(&pairs->texts, wait->waker);
	row = find_waker_row(pairs, want);
	row->waits++;
	row->ns += ns;
	row->delayed += ender.wake != 0;
	row->delay_ns += ender.delay_ns;
	pairs->waits++;
	pairs->ns += ns;
}

static void take_ended(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_waker_pairs *pairs = (struct wp_waker_pairs *)sink;
	struct wp_waker_payload waker;
	struct wp_wait_payload wait;

	if (wp_waker_read(&sample->record->sample, &waker))
		keep_pending(pairs, sample, &waker);
	else if (wp_wait_read_all(&sample->record->sample, &wait) && *wait.waker)
		add_ended_wait(pairs, sample, &wait);
}

struct wp_sink *wp_waker_pairs_sink(struct wp_waker_pairs *pairs, bool stacks)
{
	static const struct wp_sink_ops ops = {.sample = take_ended};

	pairs->sink = (struct wp_sink){.ops = &ops,
				       .wants = WP_SAMPLE_PAYLOAD | (stacks ? WP_SAMPLE_STACK : 0)};
	return &pairs->sink;
}

static int compare_waker_rows(const void *a, const void *b)
{
	const struct wp_waker_row *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	if (x->waiter != y->waiter)
		return x->waiter < y->waiter ? -1 : 1;
	if (x->ender != y->ender)
		return x->ender < y->ender ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

void wp_waker_pairs_finish(struct wp_waker_pairs *pairs)
{
	if (pairs->rows.n)
		qsort(pairs->rows.v, pairs->rows.n, sizeof(*pairs->rows.v), compare_waker_rows);
	wp_map_deinit(&pairs->row_of); /* its indexes are those before */
}

void wp_waker_pairs_deinit(struct wp_waker_pairs *pairs)
{
	wp_strpool_deinit(&pairs->texts);
	wp_vec_deinit(&pairs->places);
	wp_vec_deinit(&pairs->rows);
	wp_map_deinit(&pairs->line_of);
	wp_map_deinit(&pairs->place_of);
	wp_map_deinit(&pairs->pair_of);
	wp_map_deinit(&pairs->word_of);
	wp_map_deinit(&pairs->row_of);
}
