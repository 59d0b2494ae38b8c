/* SPDX-License-Identifier: BSD-3-Clause */
/* stat_doc: see stat_doc.h. */
#include "aggregate/stat_doc.h"

#include "aggregate/metric_doc.h"
#include "aggregate/stat_sheet.h"
#include "aggregate/uncore_doc.h"
#include "base/clock.h"
#include "base/str.h"

#include <math.h>

/* The class's events on one row of the grid. What was not open there is left out, unless it was
 * open nowhere. */
static void add_cpu_rows(struct wp_stat_sheet *sheet, size_t row)
{
	wp_stat_sheet_columns(sheet);
	for (size_t event = 0; event < sheet->counts->n_events; event++) {
		const struct wp_count *count = wp_counts_at(sheet->counts, row, event);

		if (sheet->events->events.v[event].class == sheet->class &&
		    (count->present || !wp_counts_sum(sheet->counts, event).present))
			wp_stat_sheet_row(sheet, &sheet->events->events.v[event], NULL, count,
					  wp_count_scaled(count));
	}
}

static void add_sum_rows(struct wp_stat_sheet *sheet)
{
	for (size_t event = 0; event < sheet->counts->n_events; event++) {
		struct wp_count sum = wp_counts_sum(sheet->counts, event);

		if (sheet->events->events.v[event].class == sheet->class)
			wp_stat_sheet_row(sheet, &sheet->events->events.v[event], NULL, &sum,
					  wp_counts_scaled(sheet->counts, event));
	}
}

/* Whose counts a block has: "core 0", "process 12 (python3)". */
static const char *who_text(struct wp_doc *doc, const struct wp_stat_info *info, uint32_t cpu)
{
	if (cpu == WP_ANY_CPU)
		return info->label ? info->label : "all cores";
	return wp_arena_printf(&doc->arena, "core %u%s%s", cpu, info->label ? ", " : "",
			       info->label ? info->label : "");
}

static void add_core(struct wp_node *cores, const struct wp_stat_info *info,
		     struct wp_stat_sheet sheet, size_t row)
{
	struct wp_node *core = wp_doc_object(sheet.doc, cores, NULL);
	uint32_t cpu = sheet.counts->cpus.v[row];

	wp_doc_prose(sheet.doc, core,
		     "\nPerformance counter stats for %s, %s, kernel mode %s, on %s core"
		     " implementation:\n" WP_STAT_NOTE,
		     who_text(sheet.doc, info, cpu), wp_stat_multiplexing_text(sheet.multiplexed),
		     info->kernel ? "included" : "excluded", info->vendor);
	wp_doc_int(sheet.doc, core, "core_number", cpu == WP_ANY_CPU ? -1 : (int64_t)cpu);
	sheet.table = wp_doc_table(sheet.doc, core, "Performance_counter");
	add_cpu_rows(&sheet, row);
}

static void add_overall(struct wp_node *parent, const char *prose, struct wp_stat_sheet sheet)
{
	wp_doc_prose(sheet.doc, parent, "%s", prose);
	sheet.table = wp_doc_table(sheet.doc, parent, "Systemwide_Overall_Performance_Counters");
	sheet.sum = true;
	wp_stat_sheet_columns(&sheet);
	add_sum_rows(&sheet);
}

static void add_core_class(struct wp_node *parent, const struct wp_stat_info *info,
			   struct wp_stat_sheet sheet, bool overall)
{
	struct wp_node *core = wp_doc_object(sheet.doc, parent, "core"), *cores, *sum;
	size_t shown = 0;

	sheet.class = WP_EVENT_CORE;
	sheet.multiplexed = wp_counts_multiplexed(sheet.counts, sheet.events, WP_EVENT_CORE);
	wp_vec_each (const struct wp_event, event, &sheet.events->events)
		sheet.clocks |= event->is_clock;
	wp_doc_bool(sheet.doc, core, "Multiplexing", sheet.multiplexed);
	wp_doc_bool(sheet.doc, core, "Kernel_mode", info->kernel);
	cores = wp_doc_array(sheet.doc, core, "cores");
	for (size_t row = 0; row < sheet.counts->cpus.n; row++)
		if (wp_counts_has_core(sheet.counts, sheet.events, row)) {
			add_core(cores, info, sheet, row);
			shown++;
		}
	sum = wp_doc_object(sheet.doc, core, "overall");
	if (overall && shown > 1)
		add_overall(sum, "\nSystem-wide Overall:\n", sheet);
	wp_metric_doc_add(sheet.doc, core, info, sheet.counts);
}

static double seconds(uint64_t ns)
{
	return round((double)ns / (double)WP_NS_PER_MS) / 1000.0;
}

void wp_stat_doc_add(struct wp_doc *doc, struct wp_node *parent, const struct wp_stat_info *info,
		     const struct wp_counts *counts, bool overall)
{
	struct wp_stat_sheet sheet = {.doc = doc, .events = info->events, .counts = counts};

	add_core_class(parent, info, sheet, overall);
	wp_uncore_doc_add(doc, parent, info, counts, overall);
	wp_doc_real(doc, parent, "Time_elapsed", seconds(counts->elapsed_ns), -1);
}

void wp_stat_doc_add_plan(struct wp_doc *doc, struct wp_node *parent,
			  const struct wp_event_set *events)
{
	wp_doc_prose(doc, parent, "events to be counted:\n");
	for (unsigned int i = 0; i < WP_EVENT_CLASSES; i++) {
		wp_autostr struct wp_str list = {0};
		int n = 0;

		wp_vec_each (const struct wp_event, event, &events->events) {
			if (event->class != i || event->is_fixed || event->is_copy ||
			    event->presence == WP_EVENT_REFUSED)
				continue;
			wp_str_printf(&list, " 0x%04llx", (unsigned long long)event->config);
			n++;
		}
		if (n)
			wp_doc_prose(doc, parent, "  %4d%18s events:%s\n", n,
				     wp_event_class_name(i), list.s);
	}
}

/* In perf's form, or in WindowsPerf's. */
static void add_seconds_line(struct wp_doc *doc, struct wp_node *parent, double seconds, bool exact,
			     const char *what)
{
	if (exact)
		wp_doc_prose(doc, parent, "%18.9f seconds %s\n", seconds, what);
	else
		wp_doc_prose(doc, parent, "%20.6g seconds %s\n", seconds, what);
}

void wp_stat_doc_add_elapsed(struct wp_doc *doc, struct wp_node *parent, uint64_t elapsed_ns,
			     const struct wp_stat_times *times, bool exact)
{
	wp_doc_prose(doc, parent, "\n");
	add_seconds_line(doc, parent,
			 exact ? (double)elapsed_ns / (double)WP_NS_PER_S : seconds(elapsed_ns),
			 exact, "time elapsed");
	if (!times->known)
		return;
	wp_doc_prose(doc, parent, "\n");
	add_seconds_line(doc, parent, (double)times->user_ns / (double)WP_NS_PER_S, exact, "user");
	add_seconds_line(doc, parent, (double)times->system_ns / (double)WP_NS_PER_S, exact, "sys");
}
