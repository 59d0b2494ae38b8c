/* SPDX-License-Identifier: BSD-3-Clause */
/* counts: see counts.h. */
#include "aggregate/counts.h"

#include "base/invariant.h"

#include <string.h>

void wp_counts_init(struct wp_counts *counts, size_t n_events)
{
	*counts = (struct wp_counts){.n_events = n_events};
}

void wp_counts_deinit(struct wp_counts *counts)
{
	wp_vec_deinit(&counts->cpus);
	wp_vec_deinit(&counts->cells);
}

/* The row of a CPU, which is made in its place when it is new. */
static struct wp_count *make_cpu_row(struct wp_counts *counts, uint32_t cpu)
{
	size_t row = counts->cpus.n, n = counts->n_events;

	while (row > 0 && counts->cpus.v[row - 1] > cpu)
		row--;
	if (row > 0 && counts->cpus.v[row - 1] == cpu)
		return counts->cells.v + (row - 1) * n;
	wp_vec_push(&counts->cpus, cpu);
	memmove(counts->cpus.v + row + 1, counts->cpus.v + row,
		(counts->cpus.n - 1 - row) * sizeof(*counts->cpus.v));
	counts->cpus.v[row] = cpu;
	for (size_t i = 0; i < n; i++)
		wp_vec_push(&counts->cells, (struct wp_count){0});
	memmove(counts->cells.v + (row + 1) * n, counts->cells.v + row * n,
		(counts->cpus.n - 1 - row) * n * sizeof(*counts->cells.v));
	memset(counts->cells.v + row * n, 0, n * sizeof(*counts->cells.v));
	return counts->cells.v + row * n;
}

static void accumulate(struct wp_count *sum, const struct wp_count *more)
{
	sum->value += more->value;
	sum->enabled_ns += more->enabled_ns;
	sum->running_ns += more->running_ns;
	sum->present |= more->present;
}

void wp_counts_add(struct wp_counts *counts, const struct wp_batch *batch)
{
	for (size_t i = 0; i < batch->n; i++) {
		const struct wp_record *record = &batch->records[i];

		if (record->kind != WP_RECORD_COUNT || record->count.event >= counts->n_events)
			continue;
		accumulate(make_cpu_row(counts, counts->of_threads ? record->tid : record->cpu) +
				   record->count.event,
			   &(struct wp_count){.value = record->count.value,
					      .enabled_ns = record->count.enabled_ns,
					      .running_ns = record->count.running_ns,
					      .present = true});
	}
}

const struct wp_count *wp_counts_at(const struct wp_counts *counts, size_t row, size_t event)
{
	wp_assert(row < counts->cpus.n && event < counts->n_events);
	return &counts->cells.v[row * counts->n_events + event];
}

struct wp_count wp_counts_sum(const struct wp_counts *counts, size_t event)
{
	struct wp_count sum = {0};

	for (size_t row = 0; row < counts->cpus.n; row++)
		accumulate(&sum, wp_counts_at(counts, row, event));
	return sum;
}

enum wp_cell_kind wp_count_kind(const struct wp_event *event, const struct wp_count *count)
{
	if (event->presence == WP_EVENT_REFUSED)
		return WP_CELL_NOT_SUPPORTED;
	if (event->presence == WP_EVENT_ABSENT ||
	    (event->presence == WP_EVENT_DOUBTFUL && count->value == 0))
		return WP_CELL_NOT_IMPLEMENTED;
	return wp_count_ran(count) ? WP_CELL_COUNT : WP_CELL_NOT_COUNTED;
}

bool wp_count_ran(const struct wp_count *count)
{
	return count->running_ns > 0;
}

uint64_t wp_count_scaled(const struct wp_count *count)
{
	if (!wp_count_ran(count))
		return 0;
	if (count->running_ns >= count->enabled_ns)
		return count->value;
	unsigned __int128 scaled =
		(unsigned __int128)count->value * count->enabled_ns / count->running_ns;
	return scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
}

uint64_t wp_counts_scaled(const struct wp_counts *counts, size_t event)
{
	uint64_t sum = 0;

	for (size_t row = 0; row < counts->cpus.n; row++)
		sum += wp_count_scaled(wp_counts_at(counts, row, event));
	return sum;
}

bool wp_counts_multiplexed(const struct wp_counts *counts, const struct wp_event_set *events,
			   enum wp_event_class class)
{
	for (size_t event = 0; event < counts->n_events; event++) {
		if (events->events.v[event].class != class)
			continue;
		for (size_t row = 0; row < counts->cpus.n; row++) {
			const struct wp_count *count = wp_counts_at(counts, row, event);

			if (count->running_ns < count->enabled_ns)
				return true;
		}
	}
	return false;
}

bool wp_counts_has_core(const struct wp_counts *counts, const struct wp_event_set *events,
			size_t row)
{
	for (size_t event = 0; event < counts->n_events; event++)
		if (events->events.v[event].class == WP_EVENT_CORE &&
		    wp_counts_at(counts, row, event)->present)
			return true;
	return false;
}
