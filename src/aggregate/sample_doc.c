/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_doc: see sample_doc.h. */
#include "aggregate/sample_doc.h"

#include "aggregate/gil_waits_doc.h"
#include "aggregate/idle_waits.h"
#include "aggregate/lap_doc.h"
#include "aggregate/ratio_doc.h"
#include "aggregate/thread_shares.h"
#include "aggregate/unnamed.h"
#include "aggregate/wait_kinds_doc.h"
#include "aggregate/waker_pairs_doc.h"
#include "aggregate/weight_doc.h"
#include "base/clock.h"
#include "base/str.h"

#include <inttypes.h>

void wp_sample_rows(const struct wp_sample_report *report, uint32_t event, struct wp_hot_rows *ret)
{
	static const struct wp_flat_event none;
	struct wp_hot_options options = {
		.symbols = report->symbols,
		.main_module = report->main_module,
		.raw = report->long_names,
	};

	wp_hot_rows_init(ret,
			 event < report->flat->events.n ? &report->flat->events.v[event] : &none,
			 &options);
}

bool wp_sample_shows(const struct wp_sample_report *report, const struct wp_hot_row *row,
		     uint64_t *shown)
{
	if (*shown >= report->rows || !wp_hot_matches(row->name, report->symbol_filter))
		return false;
	(*shown)++;
	return true;
}

/* The table of hot functions, of at most so many; returns how many rows it has. */
static uint64_t put_hot_table(struct wp_doc *doc, struct wp_node *parent,
			      const struct wp_sample_report *report, uint32_t event,
			      const struct wp_hot_rows *rows, uint64_t limit)
{
	bool sums = report->events->events.v[event].weight;
	struct wp_table *table = wp_doc_table(doc, parent, "samples");
	uint64_t shown = 0;

	wp_table_share_column(table, "overhead");
	wp_table_column(table, "count", WP_ALIGN_RIGHT);
	if (sums)
		wp_table_column(table, "sum", WP_ALIGN_RIGHT);
	wp_table_symbol_column(table, "symbol", WP_ALIGN_LEFT);
	wp_vec_each (struct wp_hot_row, row, &rows->rows)
		if (shown < limit && wp_sample_shows(report, row, &shown)) {
			struct wp_cell cells[4] = {
				wp_cell_real(wp_percent(row->weight, rows->weight), 2),
				wp_cell_number(row->samples), wp_cell_number(row->weight)};

			cells[sums ? 3 : 2] = wp_cell_str(wp_arena_strdup(&doc->arena, row->text));
			wp_table_add(table, cells);
			if (row->symbols.n)
				wp_table_subject(table, wp_subject_of(row->symbols.v[0], 0));
		}
	return shown;
}

/* What the rows up to the limit amount to; a filter does not change it. */
static void put_total(struct wp_doc *doc, struct wp_node *parent, const struct wp_hot_rows *rows,
		      uint64_t limit)
{
	uint64_t n = rows->rows.n < limit ? rows->rows.n : limit;
	uint64_t samples = 0, weight = 0;

	for (uint64_t i = 0; i < n; i++) {
		samples += rows->rows.v[i].samples;
		weight += rows->rows.v[i].weight;
	}
	wp_doc_prose(doc, parent, "%16.2f%%%6" PRIu64 "  top %" PRIu64 " in total\n",
		     wp_percent(weight, rows->weight), samples, n);
}

/* The hottest addresses of a row: at most WP_PCS_PER_SYMBOL of each of its symbols are looked at.
 */
static size_t hottest(const struct wp_pcs *pcs, uint32_t event, const struct wp_hot_row *row,
		      const struct wp_pc *ret[WP_PCS_PER_SYMBOL])
{
	size_t n = 0;

	wp_vec_each (uint32_t, symbol, &row->symbols) {
		size_t have;
		const struct wp_pc *pc = wp_pcs_of(pcs, event, *symbol, &have);

		for (size_t i = 0; i < have && i < WP_PCS_PER_SYMBOL; i++) {
			size_t at = n < WP_PCS_PER_SYMBOL ? n++ : WP_PCS_PER_SYMBOL;

			for (; at > 0 && ret[at - 1]->samples < pc[i].samples; at--)
				if (at < WP_PCS_PER_SYMBOL)
					ret[at] = ret[at - 1];
			if (at < WP_PCS_PER_SYMBOL)
				ret[at] = &pc[i];
		}
	}
	return n;
}

static void put_pcs(struct wp_doc *doc, struct wp_node *parent, uint32_t event,
		    const struct wp_sample_report *report, const struct wp_hot_rows *rows)
{
	struct wp_node *text = wp_doc_array(doc, parent, "pcs");
	struct wp_table *table = wp_doc_table(doc, parent, "pcs");
	uint64_t shown = 0;

	text->only = WP_TEXT_ONLY;
	parent->last->only = WP_DATA_ONLY;
	wp_table_column(table, "address", WP_ALIGN_RIGHT);
	wp_table_column(table, "count", WP_ALIGN_RIGHT);
	wp_table_column(table, "in_symbol", WP_ALIGN_LEFT);
	wp_vec_each (struct wp_hot_row, row, &rows->rows) {
		const struct wp_pc *pcs[WP_PCS_PER_SYMBOL];
		size_t n;

		if (!wp_sample_shows(report, row, &shown))
			continue;
		n = hottest(report->pcs, event, row, pcs);
		wp_doc_prose(doc, text, "%s\n", row->text);
		for (size_t i = 0; i < n; i++) {
			wp_doc_prose(doc, text, "pc:\t0x%020" PRIx64 "\t%8" PRIu64 "\n",
				     pcs[i]->va.v, pcs[i]->samples);
			wp_table_add(table,
				     (struct wp_cell[]){
					     wp_cell_number(pcs[i]->va.v),
					     wp_cell_number(pcs[i]->samples),
					     wp_cell_str(wp_arena_strdup(&doc->arena, row->text)),
				     });
		}
	}
}

static struct wp_cell put_instructions(struct wp_doc *doc, const struct wp_annotate_line *line)
{
	struct wp_table *table = wp_doc_nested(doc);

	table->key = "disassemble";
	wp_table_column(table, "address", WP_ALIGN_LEFT);
	wp_table_text_column(table, "instruction", WP_ALIGN_LEFT);
	wp_vec_each (struct wp_annotate_instruction, it, &line->instructions)
		wp_table_add(table, (struct wp_cell[]){
					    wp_cell_str(wp_arena_printf(&doc->arena, "%" PRIx64,
									it->address)),
					    wp_cell_str(wp_arena_strdup(&doc->arena, it->text)),
				    });
	return wp_cell_table(table);
}

static void put_annotated_lines(struct wp_doc *doc, struct wp_node *parent,
				const struct wp_sample_report *report,
				const struct wp_annotate_function *function)
{
	struct wp_table *table = wp_doc_table(doc, parent, "source_code");

	wp_table_column(table, "line_number", WP_ALIGN_LEFT);
	wp_table_column(table, "hits", WP_ALIGN_LEFT);
	wp_table_path_column(table, "filename", WP_ALIGN_LEFT);
	if (report->disassembled) {
		wp_table_column(table, "instruction_address", WP_ALIGN_LEFT);
		wp_table_text_column(table, "disassembled_line", WP_ALIGN_LEFT);
	}
	wp_vec_each (struct wp_annotate_line, line, &function->lines) {
		struct wp_cell cells[5] = {
			wp_cell_count(line->line),
			wp_cell_count(line->hits),
			wp_cell_str(wp_arena_strdup(&doc->arena, line->file)),
		};

		if (report->disassembled) {
			cells[3] = wp_cell_str(
				wp_arena_printf(&doc->arena, "%" PRIx64, line->address));
			cells[4] = put_instructions(doc, line);
		}
		wp_table_add(table, cells);
	}
}

static void put_annotation(struct wp_doc *doc, struct wp_node *parent, uint32_t event,
			   const struct wp_sample_report *report)
{
	struct wp_node *functions = wp_doc_array(doc, parent, "annotate");

	if (!report->annotation)
		return;
	wp_vec_each (struct wp_annotate_function, function, &report->annotation->functions) {
		struct wp_node *object;

		if (function->event != event || !function->lines.n)
			continue;
		object = wp_doc_object(doc, functions, NULL);
		wp_doc_prose(doc, object, "%s\n", function->name);
		wp_doc_str(doc, object, "function_name", function->name);
		put_annotated_lines(doc, object, report, function);
		wp_doc_prose(doc, object, "\n");
	}
}

static uint64_t count_matches(const struct wp_hot_rows *rows, const char *pattern)
{
	uint64_t n = 0;

	wp_vec_each (const struct wp_hot_row, row, &rows->rows)
		n += wp_hot_matches(row->name, pattern);
	return n;
}

/* True when the tables of Python code come first. */
static bool is_led(const struct wp_python_report *python, uint32_t index)
{
	return python && !python->native_first && wp_python_doc_matters(python, index);
}

/* Where no table of Python is beside the one at hand. */
static uint64_t rows_in_text(const struct wp_sample_report *report)
{
	return report->text_rows ? report->text_rows : report->rows;
}

static void put_native(struct wp_doc *doc, struct wp_node *parent, uint32_t index,
		       const struct wp_sample_report *report, const struct wp_hot_rows *rows)
{
	const struct wp_event *event = &report->events->events.v[index];
	const struct wp_python_report *python = report->python;
	bool shares_screen = python && wp_python_doc_matters(python, index);
	uint64_t limit = shares_screen ? python->text_rows : rows_in_text(report), shown;

	wp_doc_prose(doc, parent,
		     "%s======================== sample source: %s, top %" PRIu64
		     " hot functions ========================\n",
		     index || is_led(python, index) ? "\n" : "", event->name, limit);
	wp_doc_str(doc, parent, "type", event->name);
	wp_weight_doc(doc, parent, event, rows->weight, report->lost);
	if (report->idle)
		wp_idle_waits_doc(doc, parent, report->idle, index);
	if (report->waits)
		wp_wait_states_doc(doc, parent, report->waits, index);
	if (event->weight && index < report->flat->events.n)
		wp_weight_histogram(doc, parent, "weight_histogram",
				    report->flat->events.v[index].powers);
	if (report->verbose && report->pcs)
		put_pcs(doc, parent, index, report, rows);
	put_annotation(doc, parent, index, report);
	shown = put_hot_table(doc, parent, report, index, rows, report->rows);
	if (limit != report->rows) {
		parent->last->only = WP_DATA_ONLY;
		put_hot_table(doc, parent, report, index, rows, limit);
		parent->last->only = WP_TEXT_ONLY;
	}
	wp_doc_int(doc, parent, "interval", (int64_t)(event->freq_hz ? 0 : event->period));
	wp_doc_int(doc, parent, "printed_sample_num", (int64_t)shown);
	put_total(doc, parent, rows, limit);
	if (shares_screen)
		wp_python_doc_more(doc, parent, python, count_matches(rows, report->symbol_filter),
				   limit);
}

static bool has_waits(const struct wp_sample_report *report, uint32_t index)
{
	const struct wp_event *event = &report->events->events.v[index];

	return wp_event_is_off_cpu(event) || event->is_wall;
}

static bool has_gil_waits(const struct wp_sample_report *report, uint32_t index)
{
	return report->gil && has_waits(report, index);
}

static void put_wait_kinds(struct wp_doc *doc, struct wp_node *parent, uint32_t index,
			   const struct wp_sample_report *report)
{
	struct wp_wait_kinds_report kinds = {
		.kinds = report->kinds,
		.symbols = report->symbols,
		.rows = report->rows,
		.text_rows = rows_in_text(report),
	};

	if (report->kinds && has_waits(report, index))
		wp_wait_kinds_doc(doc, parent, &kinds, report->events->events.v[index].name);
}

static void put_wakers(struct wp_doc *doc, struct wp_node *parent, uint32_t index,
		       const struct wp_sample_report *report)
{
	struct wp_waker_pairs_report wakers = {
		.pairs = report->wakers,
		.symbols = report->symbols,
		.threads = report->names,
		.rows = report->rows,
		.text_rows = rows_in_text(report),
	};

	if (report->wakers && has_waits(report, index))
		wp_waker_pairs_doc(doc, parent, &wakers, report->events->events.v[index].name);
}

static void put_python_text(struct wp_doc *doc, struct wp_node *parent, uint32_t index,
			    const struct wp_sample_report *report, bool is_first)
{
	const char *name = report->events->events.v[index].name;

	wp_python_doc_text(doc, parent, report->python, index, name, is_first);
	if (has_gil_waits(report, index))
		wp_gil_waits_doc_text(doc, parent, report->gil, report->python, name);
}

static void put_python_data(struct wp_doc *doc, struct wp_node *parent, uint32_t index,
			    const struct wp_sample_report *report)
{
	wp_python_doc_data(doc, parent, report->python, index);
	if (has_gil_waits(report, index))
		wp_gil_waits_doc_data(doc, parent, report->gil, report->python);
}

static void put_sampled_event(struct wp_doc *doc, struct wp_node *parent, uint32_t index,
			      const struct wp_sample_report *report)
{
	const char *name = report->events->events.v[index].name;
	const struct wp_python_report *python = report->python;
	struct wp_node *object = wp_doc_object(doc, parent, NULL);
	struct wp_hot_rows rows;

	wp_sample_rows(report, index, &rows);
	if (is_led(python, index))
		put_python_text(doc, object, index, report, !index);
	put_native(doc, object, index, report, &rows);
	if (python && !is_led(python, index))
		put_python_text(doc, object, index, report, false);
	if (python)
		put_python_data(doc, object, index, report);
	put_wait_kinds(doc, object, index, report);
	put_wakers(doc, object, index, report);
	if (report->threads)
		wp_thread_shares_doc(doc, object, report->threads, index, name);
	if (report->callgraph)
		wp_callgraph_doc_event(doc, object, report->callgraph, index, name);
	wp_hot_rows_deinit(&rows);
}

static void put_modules(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_sample_report *report)
{
	struct wp_table *modules = wp_doc_table(doc, parent, "modules");
	struct wp_node *infos;

	parent->last->only = WP_DATA_ONLY;
	wp_table_column(modules, "name", WP_ALIGN_LEFT);
	wp_table_column(modules, "address", WP_ALIGN_RIGHT);
	wp_table_column(modules, "path", WP_ALIGN_LEFT);
	infos = wp_doc_array(doc, parent, "modules_info");
	infos->only = WP_DATA_ONLY;
	wp_vec_each (struct wp_sample_module, module, &report->modules) {
		const char *name = wp_arena_strdup(&doc->arena, module->name);
		const char *path = wp_arena_strdup(&doc->arena, module->path);
		struct wp_node *info;
		struct wp_table *sections;

		wp_table_add(modules,
			     (struct wp_cell[]){wp_cell_str(name), wp_cell_number(module->address),
						wp_cell_str(path)});
		if (!module->has_symbols)
			continue;
		info = wp_doc_object(doc, infos, NULL);
		sections = wp_doc_table(doc, info, "sections");
		wp_table_column(sections, "section", WP_ALIGN_LEFT);
		wp_table_column(sections, "offset", WP_ALIGN_RIGHT);
		wp_table_column(sections, "virtual_size", WP_ALIGN_RIGHT);
		wp_vec_each (struct wp_sample_section, section, &module->sections)
			wp_table_add(sections,
				     (struct wp_cell[]){wp_cell_str(wp_arena_strdup(&doc->arena,
										    section->name)),
							wp_cell_number(section->offset),
							wp_cell_number(section->size)});
		wp_doc_str(doc, info, "module", module->name);
		wp_doc_str(doc, info, "pdb_file", "");
		wp_doc_str(doc, info, "pe_name", module->path);
	}
}

/* Samples by why they have no name. */
static void count_unresolved(const struct wp_sample_report *report, uint64_t ret[WP_SYMBOL_REASONS])
{
	wp_vec_each (struct wp_flat_event, event, &report->flat->events)
		wp_vec_each (struct wp_flat_row, row, &event->rows) {
			const struct wp_symbol *symbol = &report->symbols->symbols.v[row->symbol];

			ret[symbol->reason] += row->samples;
		}
}

static void say_sample_count(struct wp_str *out, const char *separator, uint64_t n,
			     const char *what)
{
	if (n)
		wp_str_printf(out, "%s%" PRIu64 " %s", out->len ? separator : "", n, what);
}

static uint64_t generated(const struct wp_sample_report *report)
{
	uint64_t samples = report->lost;

	wp_vec_each (struct wp_flat_event, event, &report->flat->events)
		samples += event->samples;
	return samples;
}

/* One line about what is missing from the tables; nothing when nothing is. */
static void put_unresolved_note(struct wp_doc *doc, const struct wp_sample_report *report,
				const uint64_t unresolved[WP_SYMBOL_REASONS])
{
	static const char *const reasons[WP_SYMBOL_REASONS] = {
		[WP_SYMBOL_NO_MODULE] = "in no module",
		[WP_SYMBOL_STRIPPED] = "stripped",
		[WP_SYMBOL_UNREADABLE] = "file unreadable",
		[WP_SYMBOL_KERNEL_HIDDEN] = "kernel hidden",
	};
	wp_autostr struct wp_str note = {0};
	wp_autostr struct wp_str why = {0};
	uint64_t unknown = 0;

	for (size_t i = WP_SYMBOL_KNOWN + 1; i < WP_SYMBOL_REASONS; i++) {
		unknown += unresolved[i];
		say_sample_count(&why, "; ", unresolved[i], reasons[i]);
		if (unresolved[i])
			wp_unnamed_modules(&why, report->flat, report->symbols,
					   (enum wp_symbol_reason)i);
	}
	say_sample_count(&note, ", ", report->lost,
			 report->lost == 1 ? "sample lost" : "samples lost");
	say_sample_count(&note, ", ", report->lost_stacks,
			 report->lost_stacks == 1
				 ? "sample without its stack, which was lost"
				 : "samples without their stacks, which were lost");
	say_sample_count(&note, ", ", report->throttled,
			 report->throttled == 1 ? "throttle event" : "throttle events");
	say_sample_count(&note, ", ", unknown,
			 unknown == 1 ? "sample without symbol" : "samples without symbol");
	if (unknown)
		wp_str_printf(&note, " (%s)", why.s);
	if (!generated(report) && report->why_empty)
		wp_str_printf(&note, "%sno samples: %s", note.len ? ", " : "", report->why_empty);
	if (note.len)
		wp_doc_prose(doc, doc->root, "\nnote: %s\n", note.s);
	if (report->advice)
		wp_doc_prose(doc, doc->root, "%s", report->advice);
}

static void put_sampling_head(struct wp_doc *doc, struct wp_node *sampling,
			      const struct wp_sample_report *report, const uint64_t *unresolved)
{
	struct wp_node *reasons;

	wp_doc_str(doc, sampling, "pe_file", report->pe_file);
	wp_doc_str(doc, sampling, "pdb_file", report->pdb_file);
	wp_doc_int(doc, sampling, "sample_display_row", (int64_t)report->rows);
	wp_doc_int(doc, sampling, "samples_generated", (int64_t)generated(report));
	wp_doc_int(doc, sampling, "samples_dropped", (int64_t)report->lost);
	wp_doc_int(doc, sampling, "samples_lost", (int64_t)(report->lost + report->lost_stacks));
	wp_doc_int(doc, sampling, "samples_throttled", (int64_t)report->throttled);
	reasons = wp_doc_object(doc, sampling, "samples_unresolved");
	wp_doc_int(doc, reasons, "no_module", (int64_t)unresolved[WP_SYMBOL_NO_MODULE]);
	wp_doc_int(doc, reasons, "stripped", (int64_t)unresolved[WP_SYMBOL_STRIPPED]);
	wp_doc_int(doc, reasons, "unreadable", (int64_t)unresolved[WP_SYMBOL_UNREADABLE]);
	wp_doc_int(doc, reasons, "kernel_hidden", (int64_t)unresolved[WP_SYMBOL_KERNEL_HIDDEN]);
	if (report->python)
		wp_python_doc_head(doc, sampling, report->python);
	if (report->callgraph)
		wp_callgraph_doc_stacks(doc, sampling, report->callgraph);
	if (report->has_base) {
		wp_doc_int(doc, sampling, "base_address", (int64_t)report->base);
		wp_doc_int(doc, sampling, "runtime_delta", (int64_t)report->delta);
	}
	if (report->verbose) {
		put_modules(doc, sampling, report);
		wp_doc_prose(doc, sampling,
			     "=================\nsample generated: %" PRIu64
			     "\nsample dropped  : %" PRIu64 "\nsample drop rate: %.2f%%\n",
			     generated(report), report->lost,
			     wp_percent(report->lost, generated(report)));
		if (report->ending)
			wp_doc_prose(doc, sampling, "%s\n", report->ending);
	}
}

static void put_elapsed(struct wp_doc *doc, uint64_t elapsed_ns)
{
	wp_autofree char *seconds =
		wp_asprintf("%.6g", (double)(elapsed_ns / WP_NS_PER_MS) / 1000.0);

	wp_doc_prose(doc, doc->root, "\n%20s seconds time elapsed\n", seconds);
}

struct wp_doc *wp_sample_doc(const struct wp_sample_report *report)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_node *sampling, *events;
	uint64_t unresolved[WP_SYMBOL_REASONS] = {0};

	if (report->lap)
		wp_lap_doc(doc, report->lap);
	sampling = wp_doc_object(doc, doc->root, "sampling");
	count_unresolved(report, unresolved);
	put_sampling_head(doc, sampling, report, unresolved);
	events = wp_doc_array(doc, sampling, "events");
	for (uint32_t i = 0; i < report->events->events.n; i++)
		if (!wp_event_is_dummy(&report->events->events.v[i]))
			put_sampled_event(doc, events, i, report);
	if (report->ratio)
		wp_ratio_doc(doc, sampling, report->ratio);
	if (report->python)
		wp_python_doc_note(doc, doc->root, report->python);
	if (report->callgraph)
		wp_callgraph_doc_note(doc, doc->root, report->callgraph);
	put_unresolved_note(doc, report, unresolved);
	if (!report->lap)
		put_elapsed(doc, report->elapsed_ns);
	return doc;
}
