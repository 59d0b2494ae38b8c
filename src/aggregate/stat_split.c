/* SPDX-License-Identifier: BSD-3-Clause */
/* stat_split: see stat_split.h. */
#include "aggregate/stat_split.h"

#include "aggregate/stat_sheet.h"

#include <stdlib.h>

struct places {
	WP_VEC(struct wp_stat_place) v;
};

static struct wp_stat_place locate_row(const struct wp_stat_split *split, uint32_t key)
{
	static const struct wp_cpu_place unknown = {-1, -1, -1, -1, 0};
	struct wp_stat_place place = {.split = split->by};
	struct wp_cpu_place at = key < split->n_places ? split->places[key] : unknown;

	switch (split->by) {
	case WP_SPLIT_NONE: break;
	case WP_SPLIT_THREAD:
		place.comm = split->names ? wp_thread_names_comm(split->names, key) : NULL;
		place.id = key;
		break;
	case WP_SPLIT_CPU: place.id = key; break;
	case WP_SPLIT_CORE: place.at.core = at.core; /* fall through */
	case WP_SPLIT_DIE: place.at.die = at.die;    /* fall through */
	case WP_SPLIT_SOCKET: place.at.socket = at.socket; break;
	case WP_SPLIT_NODE: place.at.node = at.node; break;
	}
	return place;
}

static int compare_places(const void *a, const void *b)
{
	return wp_stat_place_compare(a, b);
}

/* The place of each row of the counts, and, sorted, each of these once. */
static void list_split_places(const struct wp_counts *counts, const struct wp_stat_split *split,
			      struct places *of_rows, struct places *distinct)
{
	size_t n = 0;

	for (size_t row = 0; row < counts->cpus.n; row++) {
		wp_vec_push(&of_rows->v, locate_row(split, counts->cpus.v[row]));
		if (counts->cpus.v[row] != WP_ANY_CPU)
			wp_vec_push(&distinct->v, of_rows->v.v[row]);
	}
	if (distinct->v.n)
		qsort(distinct->v.v, distinct->v.n, sizeof(*distinct->v.v), compare_places);
	for (size_t i = 0; i < distinct->v.n; i++)
		if (!n || compare_places(&distinct->v.v[n - 1], &distinct->v.v[i]) != 0)
			distinct->v.v[n++] = distinct->v.v[i];
	distinct->v.n = n;
}

/* The rows of the counts that are of one place. */
static struct wp_counts split_part_of(const struct wp_counts *counts, const struct places *of_rows,
				      const struct wp_stat_place *place)
{
	struct wp_counts part;

	wp_counts_init(&part, counts->n_events);
	part.of_threads = counts->of_threads;
	part.elapsed_ns = counts->elapsed_ns;
	for (size_t row = 0; row < counts->cpus.n; row++) {
		if (wp_stat_place_compare(&of_rows->v.v[row], place) != 0)
			continue;
		wp_vec_push(&part.cpus, counts->cpus.v[row]);
		for (size_t event = 0; event < counts->n_events; event++)
			wp_vec_push(&part.cells, *wp_counts_at(counts, row, event));
	}
	return part;
}

static bool is_present(const struct wp_event_set *events, const struct wp_counts *counts, size_t i)
{
	struct wp_count sum;
	uint64_t scaled;

	wp_stat_sum_units(events, counts, i, &sum, &scaled);
	return sum.present;
}

/* On how many of these CPUs it was open, or any unit of it. */
static size_t cpus_of(const struct wp_event_set *events, const struct wp_counts *part, size_t first)
{
	size_t n = 0;

	for (size_t row = 0; row < part->cpus.n; row++) {
		bool present = false;
		size_t i = first;

		do
			present |= wp_counts_at(part, row, i++)->present;
		while (i < part->n_events && events->events.v[i].is_copy);
		n += present;
	}
	return n;
}

/* What is read on other CPUs only is left out. */
static void add_split_part(struct wp_stat_rows *rows, const struct wp_event_set *events,
			   const struct wp_counts *counts, const struct wp_counts *part,
			   const struct wp_stat_split *split, struct wp_stat_place place)
{
	struct wp_stat_rows own = {0};

	wp_stat_rows_of_counts(&own, events, part);
	wp_vec_each (struct wp_stat_row, row, &own.v) {
		size_t i = (size_t)(row->event - events->events.v);

		if (!is_present(events, part, i) && is_present(events, counts, i))
			continue;
		if (split->omits_zero && row->count == 0)
			continue;
		place.cpus = cpus_of(events, part, i);
		row->place = place;
		wp_vec_push(&rows->v, *row);
	}
	wp_stat_rows_deinit(&own);
}

static int compare_rows(const void *left, const void *right)
{
	const struct wp_stat_row *a = left, *b = right;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (a->place.split == WP_SPLIT_THREAD && a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return wp_stat_place_compare(&a->place, &b->place);
}

void wp_stat_split_rows(struct wp_stat_rows *rows, const struct wp_event_set *events,
			const struct wp_counts *counts, const struct wp_stat_split *split)
{
	struct places of_rows = {0}, distinct = {0};
	size_t before = rows->v.n;

	if (split->by == WP_SPLIT_NONE) {
		wp_stat_rows_of_counts(rows, events, counts);
		return;
	}
	list_split_places(counts, split, &of_rows, &distinct);
	wp_vec_each (const struct wp_stat_place, place, &distinct.v) {
		struct wp_counts part = split_part_of(counts, &of_rows, place);

		add_split_part(rows, events, counts, &part, split, *place);
		wp_counts_deinit(&part);
	}
	if ((split->by == WP_SPLIT_CPU || split->by == WP_SPLIT_THREAD) && rows->v.n > before)
		qsort(rows->v.v + before, rows->v.n - before, sizeof(*rows->v.v), compare_rows);
	wp_vec_deinit(&of_rows.v);
	wp_vec_deinit(&distinct.v);
}
