/* SPDX-License-Identifier: BSD-3-Clause */
/* stat_sheet: see stat_sheet.h. */
#include "aggregate/stat_sheet.h"

#include "base/clock.h"

#define MAX_COLUMNS 9

static const char *idx_text(struct wp_stat_sheet *sheet, const struct wp_event *event)
{
	if (event->is_fixed)
		return "fixed";
	return wp_arena_printf(&sheet->doc->arena,
			       sheet->sum || event->unit ? "0x%04llx" : "0x%02llx",
			       (unsigned long long)event->config);
}

static const char *note_text(struct wp_stat_sheet *sheet, const struct wp_event *event)
{
	struct wp_arena *arena = &sheet->doc->arena;
	const char *metric = event->metric ? event->metric : "";
	const char *comma = *metric ? "," : "";

	if (event->group == WP_EVENT_NO_GROUP)
		return wp_arena_printf(arena, "e%s%s", comma, metric);
	return wp_arena_printf(arena, "g%d%s%s", event->group, comma, metric);
}

static const char *multiplexed_text(struct wp_stat_sheet *sheet, const struct wp_count *count)
{
	return wp_arena_printf(&sheet->doc->arena, "%llu/%llu",
			       (unsigned long long)(count->running_ns / WP_NS_PER_MS),
			       (unsigned long long)(count->enabled_ns / WP_NS_PER_MS));
}

void wp_stat_sheet_columns(struct wp_stat_sheet *sheet)
{
	if (sheet->pmu_id)
		wp_table_column(sheet->table, "pmu id", WP_ALIGN_LEFT);
	wp_table_column(sheet->table, "counter value", WP_ALIGN_RIGHT);
	wp_table_column(sheet->table, "event name", WP_ALIGN_LEFT);
	wp_table_column(sheet->table, "event idx", WP_ALIGN_LEFT);
	wp_table_column(sheet->table, "event note", WP_ALIGN_LEFT);
	if (sheet->multiplexed && !sheet->sum)
		wp_table_column(sheet->table, "multiplexed", WP_ALIGN_RIGHT);
	if (sheet->multiplexed)
		wp_table_column(sheet->table, "scaled value", WP_ALIGN_RIGHT);
	if (!sheet->measured && !sheet->clocks)
		return;
	wp_table_column(sheet->table, "value", WP_ALIGN_RIGHT)->text_only = sheet->clocks;
	wp_table_column(sheet->table, "unit", WP_ALIGN_LEFT)->text_only = sheet->clocks;
}

static struct wp_cell value_cell(const struct wp_event *event, const struct wp_count *count,
				 uint64_t value)
{
	return (struct wp_cell){.kind = wp_count_kind(event, count), .number = value};
}

/* What a count stands for, in the unit that the PMU tells. */
static void measure_cells(struct wp_stat_sheet *sheet, const struct wp_event *event,
			  const struct wp_count *count, uint64_t scaled, struct wp_cell *ret)
{
	double scale = event->is_clock ? 1.0 / WP_NS_PER_MS : event->scale;
	const char *measure = event->is_clock ? "msec" : event->measure;

	ret[0] = ret[1] = (struct wp_cell){.kind = WP_CELL_EMPTY};
	if (scale == 0)
		return;
	ret[0] = wp_count_ran(count) ? wp_cell_real((double)scaled * scale, 2)
				     : value_cell(event, count, 0);
	if (measure)
		ret[1] = wp_cell_str(wp_arena_strdup(&sheet->doc->arena, measure));
}

void wp_stat_sheet_row(struct wp_stat_sheet *sheet, const struct wp_event *event,
		       const char *pmu_id, const struct wp_count *count, uint64_t scaled)
{
	struct wp_cell cells[MAX_COLUMNS];
	size_t n = 0;

	if (sheet->pmu_id)
		cells[n++] = wp_cell_str(wp_arena_strdup(&sheet->doc->arena, pmu_id));
	cells[n++] = value_cell(event, count, count->value);
	cells[n++] = wp_cell_str(wp_arena_strdup(&sheet->doc->arena, event->name));
	cells[n++] = wp_cell_str(idx_text(sheet, event));
	cells[n++] = wp_cell_str(note_text(sheet, event));
	if (sheet->multiplexed && !sheet->sum)
		cells[n++] = wp_cell_str(multiplexed_text(sheet, count));
	if (sheet->multiplexed)
		cells[n++] = value_cell(event, count, scaled);
	if (sheet->measured || sheet->clocks)
		measure_cells(sheet, event, count, scaled, cells + n);
	wp_table_add(sheet->table, cells);
}

const char *wp_stat_multiplexing_text(bool multiplexed)
{
	return multiplexed ? "multiplexed" : "no multiplexing";
}

void wp_stat_sum_units(const struct wp_event_set *events, const struct wp_counts *counts,
		       size_t first, struct wp_count *ret, uint64_t *ret_scaled)
{
	size_t i = first;

	*ret = (struct wp_count){0};
	*ret_scaled = 0;
	do {
		struct wp_count sum = wp_counts_sum(counts, i);

		ret->value += sum.value;
		ret->enabled_ns += sum.enabled_ns;
		ret->running_ns += sum.running_ns;
		ret->present |= sum.present;
		*ret_scaled += wp_counts_scaled(counts, i);
		i++;
	} while (i < counts->n_events && events->events.v[i].is_copy);
}
