/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_kinds: see wait_kinds.h. */
#include "aggregate/wait_kinds.h"

#include "base/keyed.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "core/wait.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MAX      (1u << 18) /* what comes then is one row more */
#define OTHERS	      "(others)"
#define DURATIONS_MAX (1u << 20)
#define KEPT_BITS     9 /* of a duration, behind its highest one */

/* A number that grows with the duration, of less than 32 bits. */
static uint32_t pack_duration(uint64_t ns)
{
	unsigned int shift;

	if (ns < UINT64_C(2) << KEPT_BITS)
		return (uint32_t)ns;
	shift = 63 - (unsigned int)__builtin_clzll(ns) - KEPT_BITS;
	return (uint32_t)(((uint64_t)shift << KEPT_BITS) + (ns >> shift));
}

/* The shortest of those that have the number. */
static uint64_t unpack_duration(uint32_t packed)
{
	uint32_t shift = packed >> KEPT_BITS;

	if (shift < 2)
		return packed;
	return ((UINT64_C(1) << KEPT_BITS) + (packed & ((1u << KEPT_BITS) - 1))) << (shift - 1);
}

static bool is_full(const struct wp_wait_kinds *kinds)
{
	return kinds->rows.n >= ROWS_MAX;
}

/* Small numbers, from 1, in the order in which keys come; 0: it is new, and there is no room. */
static uint64_t number_key(struct wp_wait_kinds *kinds, struct wp_map *map, uint64_t key)
{
	uint64_t *number = is_full(kinds) ? wp_map_get(map, key) : wp_map_put(map, key);

	if (number && !*number)
		*number = ++kinds->numbers;
	return number ? *number : 0;
}

/* What is waited for, and the line; a file may have many lines, a line many descriptors. */
static uint64_t key_of_row(struct wp_wait_kinds *kinds, const struct wp_wait_kind_row *want)
{
	uint64_t place =
		number_key(kinds, &kinds->of_place, (uint64_t)want->symbol << 32 | want->line);
	uint64_t named = number_key(kinds, &kinds->of_kind, (uint64_t)want->kind << 32 | want->on);
	uint64_t object =
		number_key(kinds, &kinds->of_kind, 1ull << 63 | named << 32 | (uint32_t)want->fd);

	return place && named && object ? place << 32 | object : 0;
}

static struct wp_wait_kind_row *find_kind_row(struct wp_wait_kinds *kinds,
					      struct wp_wait_kind_row *want)
{
	uint64_t key = key_of_row(kinds, want);

	if (!is_full(kinds) || (key && wp_map_get(&kinds->of_row, key)))
		return wp_keyed_put(&kinds->rows, &kinds->of_row, key, *want);
	*want = (struct wp_wait_kind_row){.kind = wp_strpool_id(&kinds->texts, OTHERS),
					  .on = wp_strpool_id(&kinds->texts, ""),
					  .fd = -1,
					  .symbol = WP_WAIT_KIND_NOWHERE,
					  .number = (uint32_t)kinds->rows.n};
	return wp_keyed_put(&kinds->rows, &kinds->of_row, 0, *want);
}

static void count_duration(struct wp_wait_kinds *kinds, struct wp_wait_kind_row *row, uint64_t ns)
{
	uint64_t key = (uint64_t)row->number << 32 | pack_duration(ns);
	uint64_t *waits = kinds->durations.n < DURATIONS_MAX ? wp_map_put(&kinds->durations, key)
							     : wp_map_get(&kinds->durations, key);

	row->longest_ns = row->longest_ns > ns ? row->longest_ns : ns;
	if (!waits) {
		kinds->unranked++;
		return;
	}
	row->measured++;
	++*waits;
}

/* A wait of perf's own says nothing. */
static bool read_wait(const struct wp_sample *sample, struct wp_wait_payload *ret)
{
	if (wp_wait_read_all(&sample->record->sample, ret))
		return true;
	wp_wait_fill(WP_WAIT_INTERRUPTIBLE, 1, 0, ret);
	return sample->is_wait;
}

static void take_wait_kind(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_wait_kinds *kinds = (struct wp_wait_kinds *)sink;
	uint64_t ns = sample->record->sample.period;
	struct wp_wait_payload wait;
	struct wp_wait_kind_row *row, want = {.symbol = WP_WAIT_KIND_NOWHERE};

	if (!read_wait(sample, &wait))
		return;
	wp_utf8_hide_controls(wait.kind, "");
	wp_utf8_hide_controls(wait.on, "");
	want.kind = wp_strpool_id(&kinds->texts, wait.kind);
	want.on = wp_strpool_id(&kinds->texts, wait.on);
	want.fd = wait.fd;
	want.number = (uint32_t)kinds->rows.n;
	if (sample->n_python) {
		want.symbol = sample->python[0].symbol;
		want.line = sample->python[0].line;
	}
	row = find_kind_row(kinds, &want);
	row->waits += wait.waits;
	row->ns += ns;
	kinds->ns += ns;
	if (strcmp(wait.kind, wp_wait_state_name(WP_WAIT_SHORT)) == 0)
		return;
	count_duration(kinds, row, ns);
}

struct wp_sink *wp_wait_kinds_sink(struct wp_wait_kinds *kinds)
{
	static const struct wp_sink_ops ops = {.sample = take_wait_kind};

	kinds->sink = (struct wp_sink){.ops = &ops, .wants = WP_SAMPLE_PAYLOAD};
	return &kinds->sink;
}

static int compare_duration_slots(const void *a, const void *b)
{
	const struct wp_map_slot *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static void take_rank(struct wp_wait_kind_row *row, uint64_t ns, uint64_t before, uint64_t below,
		      bool whole)
{
	static const unsigned int percents[] = {50, 90, 99};
	uint64_t *const at[] = {&row->p50_ns, &row->p90_ns, &row->p99_ns};

	for (size_t i = 0; i < WP_ARRAY_LEN(percents); i++) {
		uint64_t rank = (row->measured * percents[i] + 99) / 100;

		if (before < rank && rank <= below)
			*at[i] = whole && rank == row->measured ? row->longest_ns : ns;
	}
}

/* The rows are in the order of their numbers yet. */
static void find_percentiles(struct wp_wait_kinds *kinds)
{
	const struct wp_map *map = &kinds->durations;
	wp_autofree struct wp_map_slot *slots = wp_calloc(map->n + 1, sizeof(*slots));
	uint64_t before = 0;
	size_t n = 0;

	for (size_t i = 0; i < map->cap; i++)
		if (map->slots[i].used)
			slots[n++] = map->slots[i];
	qsort(slots, n, sizeof(*slots), compare_duration_slots);
	for (size_t i = 0; i < n; i++) {
		struct wp_wait_kind_row *row = &kinds->rows.v[slots[i].key >> 32];

		before = i && slots[i - 1].key >> 32 == slots[i].key >> 32 ? before : 0;
		take_rank(row, unpack_duration((uint32_t)slots[i].key), before,
			  before + slots[i].value, !kinds->unranked);
		before += slots[i].value;
	}
}

static int compare_kind_rows(const void *a, const void *b)
{
	const struct wp_wait_kind_row *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

void wp_wait_kinds_finish(struct wp_wait_kinds *kinds)
{
	find_percentiles(kinds);
	if (kinds->rows.n)
		qsort(kinds->rows.v, kinds->rows.n, sizeof(*kinds->rows.v), compare_kind_rows);
}

void wp_wait_kinds_deinit(struct wp_wait_kinds *kinds)
{
	wp_strpool_deinit(&kinds->texts);
	wp_vec_deinit(&kinds->rows);
	wp_map_deinit(&kinds->of_kind);
	wp_map_deinit(&kinds->of_place);
	wp_map_deinit(&kinds->of_row);
	wp_map_deinit(&kinds->durations);
}
