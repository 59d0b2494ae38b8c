/* SPDX-License-Identifier: BSD-3-Clause */
/* uncore_doc: see uncore_doc.h. */
#include "aggregate/uncore_doc.h"

#include "aggregate/stat_sheet.h"
#include "base/str.h"

#include <string.h>

/* Bytes of one access to the L3 cache, and of one transfer of a memory controller. */
#define L3_LINE	     64
#define DDR_TRANSFER 128

/* An event is shown for a unit when it was open there, or nowhere. */
static bool class_present(const struct wp_stat_sheet *sheet, enum wp_event_class class, int unit)
{
	for (size_t i = 0; i < sheet->counts->n_events; i++) {
		const struct wp_event *event = &sheet->events->events.v[i];

		if (event->class == class && (unit < 0 || event->unit_index == unit) &&
		    wp_counts_sum(sheet->counts, i).present)
			return true;
	}
	return false;
}

static bool shows_unit(const struct wp_stat_sheet *sheet, enum wp_event_class class, int unit)
{
	return class_present(sheet, class, unit) || !class_present(sheet, class, -1);
}

static int units_of(const struct wp_event_set *events, enum wp_event_class class)
{
	int n = 0;

	wp_vec_each (const struct wp_event, event, &events->events)
		if (event->class == class && event->unit_index >= n)
			n = event->unit_index + 1;
	return n;
}

/* One unit's rows of the sheet's class. */
static void add_unit_rows(struct wp_stat_sheet *sheet, int unit, const char *pmu_id)
{
	for (size_t i = 0; i < sheet->counts->n_events; i++) {
		const struct wp_event *event = &sheet->events->events.v[i];
		struct wp_count sum = wp_counts_sum(sheet->counts, i);

		if (event->class == sheet->class && event->unit_index == unit)
			wp_stat_sheet_row(sheet, event, pmu_id, &sum,
					  wp_counts_scaled(sheet->counts, i));
	}
}

static void add_overall_rows(struct wp_stat_sheet *sheet)
{
	for (size_t i = 0; i < sheet->counts->n_events; i++) {
		const struct wp_event *event = &sheet->events->events.v[i];
		struct wp_count sum;
		uint64_t scaled;

		if (event->class != sheet->class || event->is_copy)
			continue;
		wp_stat_sum_units(sheet->events, sheet->counts, i, &sum, &scaled);
		wp_stat_sheet_row(sheet, event, "overall", &sum, scaled);
	}
}

/*
 * The scaled counts of a metric's event on a unit (-1: on all of them). False when it is not
 * counted there.
 */
static bool metric_count(const struct wp_stat_sheet *sheet, const char *metric, const char *name,
			 int unit, double *ret)
{
	bool ran = false;

	*ret = 0;
	for (size_t i = 0; i < sheet->counts->n_events; i++) {
		const struct wp_event *event = &sheet->events->events.v[i];
		struct wp_count sum = wp_counts_sum(sheet->counts, i);

		if (!event->metric || strcmp(event->metric, metric) != 0 ||
		    strcmp(event->name, name) != 0 || (unit >= 0 && event->unit_index != unit))
			continue;
		ran |= wp_count_ran(&sum);
		*ret += (double)wp_counts_scaled(sheet->counts, i);
	}
	return ran;
}

static bool asks_for(const struct wp_event_set *events, const char *metric)
{
	wp_vec_each (const struct wp_event, event, &events->events)
		if (event->metric && strcmp(event->metric, metric) == 0)
			return true;
	return false;
}

/* "0, 1, 2, 3": whose unit the cluster's is. */
static const char *cores_text(const struct wp_stat_sheet *sheet, const struct wp_stat_info *info,
			      int unit)
{
	const struct wp_machine_pmu *pmu = NULL;
	wp_autostr struct wp_str text = {0};

	wp_vec_each (const struct wp_event, event, &sheet->events->events)
		if (event->class == WP_EVENT_DSU && event->unit_index == unit && info->machine)
			pmu = wp_machine_pmu_find(info->machine, event->unit);
	if (!pmu)
		return "";
	wp_vec_each (const uint32_t, cpu, &pmu->shared_by.cpus)
		wp_str_printf(&text, "%s%u", text.len ? ", " : "", *cpu);
	return text.s ? wp_arena_strdup(&sheet->doc->arena, text.s) : "";
}

static const char *measured_text(struct wp_stat_sheet *sheet, bool counted, double value,
				 const char *unit)
{
	return counted ? wp_arena_printf(&sheet->doc->arena, "%.2f%s", value, unit)
		       : "<not counted>";
}

/* unit -1: the sum over all clusters. */
static void add_l3_row(struct wp_stat_sheet *sheet, const struct wp_stat_info *info, int unit)
{
	struct wp_arena *arena = &sheet->doc->arena;
	double accesses, refills;
	bool counted = metric_count(sheet, "l3_cache", "l3d_cache", unit, &accesses);
	bool missed = metric_count(sheet, "l3_cache", "l3d_cache_refill", unit, &refills);
	double rate = accesses > 0 ? refills / accesses * 100 : 100;

	wp_table_add(sheet->table,
		     (struct wp_cell[]){
			     wp_cell_str(unit < 0 ? "all" : wp_arena_printf(arena, "%d", unit)),
			     wp_cell_str(unit < 0 ? "all" : cores_text(sheet, info, unit)),
			     wp_cell_str(measured_text(sheet, counted,
						       accesses * L3_LINE / 1024 / 1024, "MB")),
			     wp_cell_str(measured_text(sheet, counted && missed, rate, "%")),
		     });
}

static void add_l3(struct wp_node *parent, const struct wp_stat_info *info,
		   struct wp_stat_sheet sheet, bool overall)
{
	static const char *const headings[] = {"cluster", "cores", "read_bandwidth", "miss_rate"};
	int units = units_of(sheet.events, WP_EVENT_DSU);

	if (!asks_for(sheet.events, "l3_cache"))
		return;
	wp_doc_prose(sheet.doc, parent, "\nL3 cache metrics:\n");
	sheet.table = wp_doc_table(sheet.doc, parent, "L3_Cache_Metrics");
	for (size_t i = 0; i < WP_ARRAY_LEN(headings); i++)
		wp_table_column(sheet.table, headings[i], WP_ALIGN_RIGHT);
	for (int unit = 0; unit < units; unit++)
		if (shows_unit(&sheet, WP_EVENT_DSU, unit))
			add_l3_row(&sheet, info, unit);
	if (overall && info->cores > 1)
		add_l3_row(&sheet, info, -1);
}

static void add_cluster(struct wp_node *dsu, const struct wp_stat_info *info,
			struct wp_stat_sheet sheet, int unit)
{
	const char *key = wp_arena_printf(&sheet.doc->arena, "%d", unit);
	struct wp_node *cluster = wp_doc_object(sheet.doc, dsu, key);

	wp_doc_prose(sheet.doc, cluster,
		     "\nPerformance counter stats for DSU cluster %d, %s, on %s core"
		     " implementation:\n" WP_STAT_NOTE,
		     unit, wp_stat_multiplexing_text(sheet.multiplexed), info->vendor);
	sheet.table = wp_doc_table(sheet.doc, cluster, "Performance_counter");
	wp_stat_sheet_columns(&sheet);
	add_unit_rows(&sheet, unit, NULL);
}

static void add_dsu(struct wp_node *parent, const struct wp_stat_info *info,
		    struct wp_stat_sheet sheet, bool overall)
{
	struct wp_node *dsu = wp_doc_object(sheet.doc, parent, "dsu"), *l3, *sum;
	int units = units_of(sheet.events, WP_EVENT_DSU);

	sheet.class = WP_EVENT_DSU;
	sheet.multiplexed = wp_counts_multiplexed(sheet.counts, sheet.events, WP_EVENT_DSU);
	for (int unit = 0; unit < units; unit++)
		if (shows_unit(&sheet, WP_EVENT_DSU, unit))
			add_cluster(dsu, info, sheet, unit);
	/* Data has the summary in front of the sum, text behind it. */
	l3 = wp_doc_object(sheet.doc, dsu, "l3metric");
	l3->only = WP_DATA_ONLY;
	add_l3(l3, info, sheet, overall);
	sum = wp_doc_object(sheet.doc, dsu, "overall");
	if (units && overall && info->cores > 1) {
		struct wp_stat_sheet all = sheet;

		wp_doc_prose(sheet.doc, sum, "\nSystem-wide Overall:\n");
		all.table = wp_doc_table(sheet.doc, sum, "Systemwide_Overall_Performance_Counters");
		all.sum = true;
		wp_stat_sheet_columns(&all);
		add_overall_rows(&all);
	}
	l3 = wp_doc_object(sheet.doc, dsu, "l3text");
	l3->only = WP_TEXT_ONLY;
	add_l3(l3, info, sheet, overall);
}

static void add_ddr(struct wp_node *parent, struct wp_stat_sheet sheet)
{
	int units = units_of(sheet.events, WP_EVENT_DMC_CLKDIV2);

	if (!asks_for(sheet.events, "ddr_bw"))
		return;
	wp_doc_prose(sheet.doc, parent, "\nddr metrics:\n");
	sheet.table = wp_doc_table(sheet.doc, parent, "DDR_Metrics");
	wp_table_column(sheet.table, "channel", WP_ALIGN_RIGHT);
	wp_table_column(sheet.table, "rw_bandwidth", WP_ALIGN_RIGHT);
	for (int unit = 0; unit <= units; unit++) {
		bool all = unit == units;
		double transfers;
		bool counted = metric_count(&sheet, "ddr_bw", "rdwr", all ? -1 : unit, &transfers);

		if (!all && !shows_unit(&sheet, WP_EVENT_DMC_CLKDIV2, unit))
			continue;
		wp_table_add(
			sheet.table,
			(struct wp_cell[]){
				wp_cell_str(all ? "all"
						: wp_arena_printf(&sheet.doc->arena, "%d", unit)),
				wp_cell_str(measured_text(&sheet, counted,
							  transfers * DDR_TRANSFER / 1e6, "MB")),
			});
	}
}

static const enum wp_event_class dmc_classes[] = {WP_EVENT_DMC_CLK, WP_EVENT_DMC_CLKDIV2};

static void add_dmc_rows(struct wp_stat_sheet *sheet)
{
	int units = 0;

	for (size_t i = 0; i < WP_ARRAY_LEN(dmc_classes); i++)
		if (units_of(sheet->events, dmc_classes[i]) > units)
			units = units_of(sheet->events, dmc_classes[i]);
	for (int unit = 0; unit < units; unit++)
		for (size_t i = 0; i < WP_ARRAY_LEN(dmc_classes); i++) {
			sheet->class = dmc_classes[i];
			if (shows_unit(sheet, sheet->class, unit))
				add_unit_rows(sheet, unit,
					      wp_arena_printf(&sheet->doc->arena, "dmc %d", unit));
		}
	for (size_t i = 0; i < WP_ARRAY_LEN(dmc_classes); i++) {
		sheet->class = dmc_classes[i];
		add_overall_rows(sheet);
	}
}

static void add_dmc(struct wp_node *parent, struct wp_stat_sheet sheet)
{
	struct wp_node *dmc = wp_doc_object(sheet.doc, parent, "dmc");
	struct wp_node *pmu = wp_doc_object(sheet.doc, dmc, "pmu");
	struct wp_node *ddr = wp_doc_object(sheet.doc, dmc, "ddr");

	if (!wp_event_set_has_class(sheet.events, WP_EVENT_DMC_CLK) &&
	    !wp_event_set_has_class(sheet.events, WP_EVENT_DMC_CLKDIV2))
		return;
	for (size_t i = 0; i < WP_ARRAY_LEN(dmc_classes); i++)
		sheet.multiplexed |=
			wp_counts_multiplexed(sheet.counts, sheet.events, dmc_classes[i]);
	wp_doc_prose(sheet.doc, pmu, "\n");
	sheet.table = wp_doc_table(sheet.doc, pmu, "PMU_Performance_Counters");
	sheet.pmu_id = true;
	wp_stat_sheet_columns(&sheet);
	add_dmc_rows(&sheet);
	add_ddr(ddr, sheet);
}

/* Units of any other kind: one row for each CPU that a unit is read on (a socket has its own). */
static void add_shared_rows(struct wp_stat_sheet *sheet, size_t event_index)
{
	const struct wp_event *event = &sheet->events->events.v[event_index];
	const struct wp_counts *counts = sheet->counts;
	size_t places = 0;

	for (size_t row = 0; row < counts->cpus.n; row++)
		places += wp_counts_at(counts, row, event_index)->present;
	for (size_t row = 0; row < counts->cpus.n; row++) {
		const struct wp_count *count = wp_counts_at(counts, row, event_index);
		const char *id = event->unit;

		if (!count->present)
			continue;
		if (places > 1)
			id = wp_arena_printf(&sheet->doc->arena, "%s cpu %u", id,
					     counts->cpus.v[row]);
		wp_stat_sheet_row(sheet, event, id, count, wp_count_scaled(count));
	}
	if (!places)
		wp_stat_sheet_row(sheet, event, event->unit, &(struct wp_count){0}, 0);
}

/* True when the event is counted in several places, so that a sum says more. */
static bool is_spread(const struct wp_stat_sheet *sheet, size_t first)
{
	size_t places = 0, i = first;

	do {
		for (size_t row = 0; row < sheet->counts->cpus.n; row++)
			places += wp_counts_at(sheet->counts, row, i)->present;
		i++;
	} while (i < sheet->counts->n_events && sheet->events->events.v[i].is_copy);
	return places > 1;
}

static void add_uncore_counts(struct wp_node *parent, struct wp_stat_sheet sheet)
{
	struct wp_node *uncore = wp_doc_object(sheet.doc, parent, "uncore");

	sheet.class = WP_EVENT_UNCORE;
	sheet.multiplexed = wp_counts_multiplexed(sheet.counts, sheet.events, WP_EVENT_UNCORE);
	wp_vec_each (const struct wp_event, event, &sheet.events->events)
		sheet.measured |= event->class == WP_EVENT_UNCORE && event->scale != 0;
	wp_doc_prose(sheet.doc, uncore, "\n");
	sheet.table = wp_doc_table(sheet.doc, uncore, "PMU_Performance_Counters");
	sheet.pmu_id = true;
	wp_stat_sheet_columns(&sheet);
	for (size_t i = 0; i < sheet.counts->n_events; i++) {
		const struct wp_event *event = &sheet.events->events.v[i];
		bool last = i + 1 == sheet.counts->n_events || !event[1].is_copy;
		struct wp_count sum;
		uint64_t scaled;
		size_t first = i;

		if (event->class != WP_EVENT_UNCORE)
			continue;
		add_shared_rows(&sheet, i);
		while (first && sheet.events->events.v[first].is_copy)
			first--;
		if (!last || !is_spread(&sheet, first))
			continue;
		wp_stat_sum_units(sheet.events, sheet.counts, first, &sum, &scaled);
		wp_stat_sheet_row(&sheet, event, "overall", &sum, scaled);
	}
}

void wp_uncore_doc_add(struct wp_doc *doc, struct wp_node *parent, const struct wp_stat_info *info,
		       const struct wp_counts *counts, bool overall)
{
	struct wp_stat_sheet sheet = {.doc = doc, .events = info->events, .counts = counts};

	add_dsu(parent, info, sheet, overall);
	add_dmc(parent, sheet);
	if (wp_event_set_has_class(info->events, WP_EVENT_UNCORE))
		add_uncore_counts(parent, sheet);
}
