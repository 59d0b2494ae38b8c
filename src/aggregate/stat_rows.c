/* SPDX-License-Identifier: BSD-3-Clause */
/* stat_rows: see stat_rows.h. */
#include "aggregate/stat_rows.h"

#include "aggregate/stat_sheet.h"
#include "base/clock.h"
#include "base/str.h"

#include <string.h>

#define VALUE_WIDTH 18
#define UNIT_WIDTH  4
#define NAME_WIDTH  32
#define RATE_WIDTH  20

/* A program that did not run in that time did nothing, which is not the same as not counted. */
static enum wp_cell_kind kind_of_cell(const struct wp_event *event, const struct wp_count *count)
{
	enum wp_cell_kind kind = wp_count_kind(event, count);

	return kind == WP_CELL_NOT_COUNTED && count->present && !count->enabled_ns ? WP_CELL_COUNT
										   : kind;
}

static void set_value(struct wp_stat_row *row)
{
	const struct wp_event *event = row->event;

	row->value = row->count;
	row->unit = "";
	if (event->is_clock) {
		row->value = row->count / WP_NS_PER_MS;
		row->unit = "msec";
	} else if (event->scale > 0) {
		row->value = row->count * event->scale;
		row->unit = event->measure ? event->measure : "";
	}
}

/* True for the event of one of those names, whatever :u or :k is behind it. */
static bool is_event_named(const struct wp_event *event, const char *name, const char *alias)
{
	size_t n = strcspn(event->name, ":");

	return (n == strlen(name) && strncmp(event->name, name, n) == 0) ||
	       (n == strlen(alias) && strncmp(event->name, alias, n) == 0);
}

/* Both are of one cgroup in one place, and this one has a value. */
static bool is_beside(const struct wp_stat_row *row, const struct wp_stat_row *other)
{
	return row->kind == WP_CELL_COUNT && row->event->cgroup == other->event->cgroup &&
	       wp_stat_place_compare(&row->place, &other->place) == 0;
}

/* The count of the first such event beside a row, or 0. */
static double count_named(const struct wp_stat_rows *rows, const struct wp_stat_row *beside,
			  const char *name, const char *alias)
{
	wp_vec_each (const struct wp_stat_row, row, &rows->v)
		if (is_event_named(row->event, name, alias) && is_beside(row, beside))
			return row->count;
	return 0;
}

static double clock_ns(const struct wp_stat_rows *rows, const struct wp_stat_row *beside)
{
	wp_vec_each (const struct wp_stat_row, row, &rows->v)
		if (row->event->is_clock && is_beside(row, beside))
			return row->count;
	return 0;
}

static void set_ratio(struct wp_stat_row *row, double part, double whole, const char *unit)
{
	if (whole <= 0)
		return;
	row->rate = part / whole;
	row->rate_unit = unit;
}

/* A second of the clock, not of the wall: what a program does while it runs. */
static void set_rate(struct wp_stat_row *row, double ns)
{
	static const char *const units[] = {"/sec", "K/sec", "M/sec", "G/sec"};
	size_t unit = 0;

	set_ratio(row, row->count * WP_NS_PER_S, ns, units[0]);
	while (row->rate_unit && row->rate >= 1000 && unit + 1 < WP_ARRAY_LEN(units)) {
		row->rate /= 1000;
		row->rate_unit = units[++unit];
	}
}

void wp_stat_rows_rate(struct wp_stat_rows *rows, double elapsed_ns)
{
	wp_vec_each (struct wp_stat_row, row, &rows->v) {
		const struct wp_event *event = row->event;
		double clock = clock_ns(rows, row),
		       cycles = count_named(rows, row, "cycles", "cpu-cycles"),
		       branches = count_named(rows, row, "branches", "branch-instructions");

		set_value(row);
		if (row->kind != WP_CELL_COUNT || event->unit)
			continue;
		if (event->is_clock)
			set_ratio(row, row->count, elapsed_ns, "CPUs utilized");
		else if (is_event_named(event, "cycles", "cpu-cycles"))
			set_ratio(row, row->count, clock, "GHz");
		else if (is_event_named(event, "instructions", "inst_retired") && cycles > 0)
			set_ratio(row, row->count, cycles, "insn per cycle");
		else if (is_event_named(event, "branch-misses", "br_mis_pred_retired") &&
			 branches > 0)
			set_ratio(row, row->count * 100, branches, "% of all branches");
		else
			set_rate(row, clock);
	}
}

void wp_stat_rows_of_counts(struct wp_stat_rows *rows, const struct wp_event_set *events,
			    const struct wp_counts *counts)
{
	for (size_t i = 0; i < counts->n_events; i++) {
		struct wp_stat_row row = {.event = &events->events.v[i]};
		struct wp_count sum;
		uint64_t scaled;

		if (row.event->is_copy)
			continue;
		wp_stat_sum_units(events, counts, i, &sum, &scaled);
		row.kind = kind_of_cell(row.event, &sum);
		row.count = (double)scaled;
		row.enabled_ns = sum.enabled_ns;
		row.running_ns = sum.running_ns;
		wp_vec_push(&rows->v, row);
	}
	wp_stat_rows_rate(rows, (double)counts->elapsed_ns);
}

void wp_stat_rows_deinit(struct wp_stat_rows *rows)
{
	wp_vec_deinit(&rows->v);
}

void wp_stat_rows_heading(struct wp_doc *doc, const struct wp_stat_info *info, size_t runs)
{
	wp_autofree char *times =
		runs ? wp_asprintf(" (%zu run%s)", runs, runs == 1 ? "" : "s") : wp_strdup("");

	wp_doc_prose(doc, doc->root, "\nPerformance counter stats for %s%s:\n\n",
		     info->label ? info->label : info->cpus, times);
}

static const char *missing_text(enum wp_cell_kind kind)
{
	return kind == WP_CELL_NOT_SUPPORTED	 ? "<not supported>"
	       : kind == WP_CELL_NOT_IMPLEMENTED ? "<not implemented>"
						 : "<not counted>";
}

/* "12.34" of what has a unit, "1,234" or "1234" of a number. */
static void put_row_value(struct wp_str *out, const struct wp_stat_row *row, bool commas)
{
	if (row->kind != WP_CELL_COUNT)
		wp_str_puts(out, missing_text(row->kind));
	else if (*row->unit)
		wp_str_printf(out, "%.2f", row->value);
	else if (commas)
		wp_str_commas(out, (uint64_t)(row->value + 0.5));
	else
		wp_str_printf(out, "%.0f", row->value);
}

/* Percent of the time that the event was on a counter. */
static double running_pct(const struct wp_stat_row *row)
{
	return row->running_ns < row->enabled_ns
		       ? 100.0 * (double)row->running_ns / (double)row->enabled_ns
		       : 100.0;
}

static void put_rate(struct wp_str *out, const struct wp_stat_row *row)
{
	if (row->rate_unit)
		wp_str_printf(out, " # %8.3f %-*s", row->rate, RATE_WIDTH, row->rate_unit);
	else
		wp_str_pad(out, ' ', 3 + 8 + 1 + RATE_WIDTH);
}

static void put_stat_line(struct wp_str *out, const struct wp_stat_row *row,
			  const struct wp_stat_style *style)
{
	wp_autostr struct wp_str value = {0};

	put_row_value(&value, row, true);
	wp_stat_place_text(out, &row->place);
	wp_str_printf(out, "%*s %-*s %-*s", VALUE_WIDTH, value.s, UNIT_WIDTH, row->unit, NAME_WIDTH,
		      row->event->name);
	if (row->event->cgroup)
		wp_str_printf(out, " %s", row->event->cgroup_name);
	put_rate(out, row);
	if (style->deviates && row->kind == WP_CELL_COUNT && row->deviation_pct > 0)
		wp_str_printf(out, " ( +- %5.2f%% )", row->deviation_pct);
	if (row->kind == WP_CELL_COUNT && row->running_ns < row->enabled_ns)
		wp_str_printf(out, "  (%.2f%%)", running_pct(row));
	while (out->s[out->len - 1] == ' ')
		out->len--;
	wp_str_putc(out, '\n');
}

static void put_row_time(struct wp_str *out, const struct wp_stat_style *style, const char *after)
{
	if (style->timed)
		wp_str_printf(out, "%6llu.%09llu%s",
			      (unsigned long long)(style->time_ns / WP_NS_PER_S),
			      (unsigned long long)(style->time_ns % WP_NS_PER_S), after);
}

void wp_stat_rows_text(struct wp_doc *doc, const struct wp_stat_rows *rows,
		       const struct wp_stat_style *style)
{
	wp_autostr struct wp_str text = {0};

	wp_vec_each (const struct wp_stat_row, row, &rows->v) {
		put_row_time(&text, style, " ");
		put_stat_line(&text, row, style);
	}
	wp_doc_prose(doc, doc->root, "%s", text.s ? text.s : "");
}

/* One of the events is of a cgroup: then all of them have that column. */
static bool has_cgroups(const struct wp_stat_rows *rows)
{
	wp_vec_each (const struct wp_stat_row, row, &rows->v)
		if (row->event->cgroup)
			return true;
	return false;
}

static void put_row_fields(struct wp_str *out, const struct wp_stat_row *row, bool cgroups,
			   const struct wp_stat_style *style)
{
	const char *s = style->separator;

	wp_stat_place_csv(out, &row->place, s);
	put_row_value(out, row, false);
	wp_str_printf(out, "%s%s%s%s%s", s, row->unit, s, row->event->name, s);
	if (cgroups)
		wp_str_printf(out, "%s%s", row->event->cgroup ? row->event->cgroup_name : "", s);
	if (style->deviates)
		wp_str_printf(out, "%.2f%%%s", row->deviation_pct, s);
	wp_str_printf(out, "%llu%s%.2f%s", (unsigned long long)row->running_ns, s, running_pct(row),
		      s);
	if (row->rate_unit)
		wp_str_printf(out, "%.3f", row->rate);
	wp_str_printf(out, "%s%s\n", s, row->rate_unit ? row->rate_unit : "");
}

void wp_stat_rows_csv(struct wp_doc *doc, const struct wp_stat_rows *rows,
		      const struct wp_stat_style *style)
{
	wp_autostr struct wp_str text = {0};
	bool cgroups = has_cgroups(rows);

	wp_vec_each (const struct wp_stat_row, row, &rows->v) {
		put_row_time(&text, style, style->separator);
		put_row_fields(&text, row, cgroups, style);
	}
	wp_doc_prose(doc, doc->root, "%s", text.s ? text.s : "");
}

static struct wp_cell text_or_empty(const char *text)
{
	return text && *text ? wp_cell_str(text) : (struct wp_cell){.kind = WP_CELL_EMPTY};
}

static struct wp_cell real_cell(bool given, double value)
{
	return given ? wp_cell_real(value, 3) : (struct wp_cell){.kind = WP_CELL_EMPTY};
}

static void add_headings(struct wp_table *table, const struct wp_stat_rows *rows)
{
	const struct wp_stat_row *first = rows->v.n ? &rows->v.v[0] : NULL;
	static const char *const headings[] = {"counter value", "event name", "value",
					       "unit",		"running ns", "running pct",
					       "rate",		"rate unit"};

	if (first && first->place.split)
		wp_table_column(table, wp_stat_place_key(first->place.split), WP_ALIGN_LEFT);
	if (first && wp_stat_place_is_many(&first->place))
		wp_table_column(table, "cpus", WP_ALIGN_LEFT);
	for (size_t i = 0; i < WP_ARRAY_LEN(headings); i++)
		wp_table_column(table, headings[i], WP_ALIGN_LEFT);
	if (has_cgroups(rows))
		wp_table_column(table, "cgroup", WP_ALIGN_LEFT);
}

static size_t place_cells(struct wp_doc *doc, const struct wp_stat_place *place,
			  struct wp_cell *ret)
{
	wp_autostr struct wp_str name = {0};
	size_t n = 0;

	if (!place->split)
		return 0;
	wp_stat_place_name(&name, place);
	ret[n++] = place->split == WP_SPLIT_CPU ? wp_cell_number(place->id)
						: wp_cell_str(wp_arena_strdup(&doc->arena, name.s));
	if (wp_stat_place_is_many(place))
		ret[n++] = wp_cell_number(place->cpus);
	return n;
}

void wp_stat_rows_json(struct wp_doc *doc, const struct wp_stat_rows *rows)
{
	struct wp_table *table = wp_doc_table(doc, doc->root, "events");

	add_headings(table, rows);
	wp_vec_each (const struct wp_stat_row, row, &rows->v) {
		bool counted = row->kind == WP_CELL_COUNT;
		const struct wp_cell values[] = {
			{.kind = counted ? WP_CELL_NUMBER : row->kind,
			 .number = (uint64_t)(row->count + 0.5)},
			wp_cell_str(wp_arena_strdup(&doc->arena, row->event->name)),
			real_cell(counted && *row->unit, row->value),
			text_or_empty(row->unit),
			wp_cell_number(row->running_ns),
			real_cell(true, running_pct(row)),
			real_cell(row->rate_unit, row->rate),
			text_or_empty(row->rate_unit),
			text_or_empty(row->event->cgroup_name),
		};
		struct wp_cell cells[2 + WP_ARRAY_LEN(values)];
		size_t n = place_cells(doc, &row->place, cells);

		memcpy(cells + n, values, sizeof(values));
		wp_table_add(table, cells);
	}
}
