/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * listing_doc: see listing_doc.h. Text has source lines above the instructions made of them; JSON
 * and CSV have a table of instructions and one of lines.
 */
#include "aggregate/listing_doc.h"

#include "base/str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define OPCODE_COLUMNS 44 /* of an opcode and its argument */

/* One function at a time. */
struct writing {
	const struct wp_listing_report *report;
	struct wp_doc *doc;
	const struct wp_listing *listing;
	size_t n_events; /* that have samples: */
	uint32_t *events;
	size_t n_columns;
	struct wp_cell *cells; /* of a row */
};

static uint64_t all_samples(const struct writing *w, uint32_t event)
{
	const struct wp_flat *flat = w->report->flat;

	return event < flat->events.n ? flat->events.v[event].samples : 0;
}

static const char *event_name(const struct writing *w, size_t i)
{
	return w->report->events->events.v[w->events[i]].name;
}

static void find_listed_events(struct writing *w)
{
	w->events = wp_arena_alloc(&w->doc->arena,
				   (w->report->listings->n_events + 1) * sizeof(*w->events));
	for (uint32_t event = 0; event < w->report->listings->n_events; event++)
		if (all_samples(w, event))
			w->events[w->n_events++] = event;
}

/* "instructions_percent" in JSON, whatever the heading. */
static void put_event_column(struct writing *w, struct wp_table *table, size_t i,
			     const char *heading, const char *what, bool share)
{
	const char *name = event_name(w, i);

	if (w->n_events > 1)
		heading = wp_arena_printf(&w->doc->arena, "%s %s", name, heading);
	if (share)
		wp_table_share_column(table, heading);
	else
		wp_table_column(table, heading, WP_ALIGN_RIGHT);
	table->columns[table->n_columns - 1].key =
		wp_arena_printf(&w->doc->arena, "%s_%s", name, what);
}

/* Percents of the function's samples, and samples, for each event. */
static void put_count_columns(struct writing *w, struct wp_table *table)
{
	for (size_t i = 0; i < w->n_events; i++) {
		put_event_column(w, table, i, w->n_events > 1 ? "%" : "percent", "percent", true);
		put_event_column(w, table, i, "count", "count", false);
	}
	w->n_columns = 2 * w->n_events;
}

static void put_counts(struct writing *w, const uint64_t *samples, const uint64_t *of, bool blank)
{
	w->n_columns = 0;
	for (size_t i = 0; i < w->n_events; i++) {
		uint64_t n = samples ? samples[w->events[i]] : 0;
		const struct wp_cell empty = {.kind = WP_CELL_EMPTY};

		w->cells[w->n_columns++] =
			n || !blank ? wp_cell_real(wp_percent(n, of[w->events[i]]), 2) : empty;
		w->cells[w->n_columns++] = n || !blank ? wp_cell_number(n) : empty;
	}
}

static void put_cell(struct writing *w, struct wp_cell cell)
{
	w->cells[w->n_columns++] = cell;
}

/* A row of the text, which is of a source line or made of one. */
static void add_line_row(struct writing *w, struct wp_table *table, uint32_t line)
{
	wp_table_add(table, w->cells);
	wp_table_subject(table, (struct wp_subject){.line = line});
}

static struct wp_cell str_or_empty(const char *text)
{
	return text ? wp_cell_str(text) : (struct wp_cell){.kind = WP_CELL_EMPTY};
}

static struct wp_cell line_cell(uint32_t line)
{
	return line ? wp_cell_number(line) : (struct wp_cell){.kind = WP_CELL_EMPTY};
}

static const char *row_source(const struct writing *w, const struct wp_listing_row *row)
{
	if (w->listing->file && !w->listing->bytecode)
		return row->text;
	return row->file && row->line
		       ? w->report->source(w->report->source_arg, row->file, row->line)
		       : NULL;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_line(const struct wp_listing_row *a, const struct wp_listing_row *b)
{
	return a->line == b->line && same_text(a->file, b->file) &&
	       same_text(a->inlined, b->inlined);
}

/* "app.c", where another file goes on; "12  text" with the function that was inlined there. */
static void put_source_row(struct writing *w, struct wp_table *table,
			   const struct wp_listing_row *before, const struct wp_listing_row *row)
{
	wp_autostr struct wp_str code = {0};
	const char *text = row_source(w, row);

	if (!row->file)
		return;
	if (!before || !same_text(before->file, row->file)) {
		put_counts(w, NULL, NULL, true);
		put_cell(w, str_or_empty(NULL));
		put_cell(w, wp_cell_str(wp_str_basename(row->file)));
		wp_table_add(table, w->cells);
	}
	wp_str_printf(&code, "%u", row->line);
	if (text)
		wp_str_printf(&code, "  %s", text);
	if (row->inlined)
		wp_str_printf(&code, "  (inlined: %s)", row->inlined);
	put_counts(w, NULL, NULL, true);
	put_cell(w, str_or_empty(NULL));
	put_cell(w, wp_cell_str(wp_arena_strdup(&w->doc->arena, code.s)));
	add_line_row(w, table, row->line);
}

/* '>' stands before where a jump of the function leads, 'v' and '^' before jumps down and up. */
static const char *code_text(struct writing *w, const struct wp_listing_row *row)
{
	char way = ' ';

	if (row->is_jump)
		way = row->target > row->address ? 'v' : '^';
	return wp_arena_printf(&w->doc->arena, "    %c%c %s", row->is_target ? '>' : ' ', way,
			       row->text ? row->text : "?");
}

static void put_code_text(struct writing *w, struct wp_node *parent)
{
	struct wp_table *table = wp_doc_table(w->doc, parent, "code");
	const struct wp_listing_row *before = NULL;

	parent->last->only = WP_TEXT_ONLY;
	put_count_columns(w, table);
	wp_table_column(table, "address", WP_ALIGN_RIGHT);
	wp_table_text_column(table, "code", WP_ALIGN_RAGGED);
	wp_vec_each (const struct wp_listing_row, row, &w->listing->rows) {
		if (!before || !same_line(before, row))
			put_source_row(w, table, before, row);
		put_counts(w, row->samples, w->listing->samples, true);
		put_cell(w, wp_cell_str(wp_arena_printf(&w->doc->arena, "%" PRIx64, row->address)));
		put_cell(w, wp_cell_str(code_text(w, row)));
		wp_table_add(table, w->cells);
		if (row->leaves)
			wp_table_subject(table, wp_subject_of(row->callee, 0));
		before = row;
	}
}

static void put_code_data(struct writing *w, struct wp_node *parent)
{
	struct wp_table *table = wp_doc_table(w->doc, parent, "instructions");

	parent->last->only = WP_DATA_ONLY;
	put_count_columns(w, table);
	wp_table_column(table, "address", WP_ALIGN_RIGHT);
	wp_table_column(table, "instruction", WP_ALIGN_LEFT);
	wp_table_column(table, "file", WP_ALIGN_LEFT);
	wp_table_column(table, "line", WP_ALIGN_RIGHT);
	wp_table_column(table, "inlined", WP_ALIGN_LEFT);
	wp_vec_each (const struct wp_listing_row, row, &w->listing->rows) {
		put_counts(w, row->samples, w->listing->samples, false);
		put_cell(w, wp_cell_str(wp_arena_printf(&w->doc->arena, "%" PRIx64, row->address)));
		put_cell(w, str_or_empty(row->text));
		put_cell(w, str_or_empty(row->file));
		put_cell(w, line_cell(row->line));
		put_cell(w, str_or_empty(row->inlined));
		wp_table_add(table, w->cells);
	}
}

/* Rows of the same line are one; those without samples are left out. */
struct line_rows {
	WP_VEC(struct wp_listing_row) rows;
};

static bool has_samples(const struct writing *w, const struct wp_listing_row *row)
{
	bool any = false;

	for (size_t i = 0; i < w->n_events; i++)
		any |= row->samples[w->events[i]] || (row->totals && row->totals[w->events[i]]);
	return any;
}

static uint64_t *copy_counts(const struct writing *w, const uint64_t *counts)
{
	size_t bytes = w->report->listings->n_events * sizeof(*counts);
	uint64_t *copy = counts ? wp_arena_alloc(&w->doc->arena, bytes) : NULL;

	if (copy)
		memcpy(copy, counts, bytes);
	return copy;
}

static int compare_listed_places(const void *a, const void *b)
{
	const struct wp_listing_row *x = a, *y = b;
	int files = strcmp(x->file ? x->file : "", y->file ? y->file : "");

	return files ? files : (x->line > y->line) - (x->line < y->line);
}

static int compare_counts(const void *a, const void *b, void *arg)
{
	const struct wp_listing_row *x = a, *y = b;
	const struct writing *w = arg;

	for (size_t i = 0; i < w->n_events; i++) {
		uint64_t m = x->samples[w->events[i]], n = y->samples[w->events[i]];

		if (m != n)
			return m < n ? 1 : -1;
	}
	return compare_listed_places(a, b);
}

static void add_up_lines(const struct writing *w, struct line_rows *ret)
{
	size_t kept = 0;

	wp_vec_each (const struct wp_listing_row, row, &w->listing->rows)
		if (has_samples(w, row)) {
			struct wp_listing_row copy = *row;

			copy.samples = copy_counts(w, row->samples);
			wp_vec_push(&ret->rows, copy);
		}
	if (!ret->rows.n)
		return;
	qsort(ret->rows.v, ret->rows.n, sizeof(*ret->rows.v), compare_listed_places);
	for (size_t i = 1; i < ret->rows.n; i++) {
		struct wp_listing_row *last = &ret->rows.v[kept], *row = &ret->rows.v[i];

		if (compare_listed_places(last, row) != 0) {
			ret->rows.v[++kept] = *row;
			continue;
		}
		for (size_t event = 0; event < w->report->listings->n_events; event++)
			last->samples[event] += row->samples[event];
	}
	ret->rows.n = kept + 1;
	if (w->report->hottest)
		qsort_r(ret->rows.v, ret->rows.n, sizeof(*ret->rows.v), compare_counts,
			(void *)(uintptr_t)w);
}

static void put_lines_data(struct writing *w, struct wp_node *parent, bool text_too)
{
	struct wp_table *table = wp_doc_table(w->doc, parent, "lines");
	struct line_rows lines = {.rows = {0}};

	parent->last->only = text_too ? WP_EVERYWHERE : WP_DATA_ONLY;
	put_count_columns(w, table);
	wp_table_path_column(table, "file", WP_ALIGN_LEFT);
	wp_table_column(table, "line", WP_ALIGN_RIGHT);
	wp_table_text_column(table, "source", WP_ALIGN_RAGGED);
	add_up_lines(w, &lines);
	wp_vec_each (struct wp_listing_row, row, &lines.rows) {
		put_counts(w, row->samples, w->listing->samples, false);
		put_cell(w, str_or_empty(row->file));
		put_cell(w, line_cell(row->line));
		put_cell(w, str_or_empty(row_source(w, row)));
		wp_table_add(table, w->cells);
	}
	wp_vec_deinit(&lines.rows);
}

/* "BINARY_OP_ADD_INT          0  (BINARY_OP)" */
static const char *opcode_text(struct writing *w, const struct wp_listing_row *row)
{
	wp_autostr struct wp_str text = {0};

	wp_str_printf(&text, "    %s", row->text);
	if (row->has_arg)
		wp_str_printf(&text, "%*" PRIu32, OPCODE_COLUMNS - (int)text.len, row->arg);
	if (row->base)
		wp_str_printf(&text, "  (%s)", row->base);
	return wp_arena_strdup(&w->doc->arena, text.s);
}

static struct wp_cell offset_cell(const struct wp_listing_row *row)
{
	return row->is_entry ? (struct wp_cell){.kind = WP_CELL_EMPTY}
			     : wp_cell_number(row->address);
}

/* "12  text" above its instructions; some are of no line. */
static void put_bytecode_line(struct writing *w, struct wp_table *table,
			      const struct wp_listing_row *row)
{
	const char *text = row_source(w, row);

	put_counts(w, NULL, NULL, true);
	put_cell(w, str_or_empty(NULL));
	put_cell(w, wp_cell_str(row->line ? wp_arena_printf(&w->doc->arena, "%u%s%s", row->line,
							    text ? "  " : "", text ? text : "")
					  : "no line"));
	add_line_row(w, table, row->line);
}

static void put_bytecode_text(struct writing *w, struct wp_node *parent)
{
	struct wp_table *table = wp_doc_table(w->doc, parent, "code");
	const struct wp_listing_row *before = NULL;

	parent->last->only = WP_TEXT_ONLY;
	put_count_columns(w, table);
	wp_table_column(table, "offset", WP_ALIGN_RIGHT);
	wp_table_text_column(table, "code", WP_ALIGN_RAGGED);
	wp_vec_each (const struct wp_listing_row, row, &w->listing->rows) {
		if (!before || before->line != row->line)
			put_bytecode_line(w, table, row);
		put_counts(w, row->samples, w->listing->samples, true);
		put_cell(w, offset_cell(row));
		put_cell(w, wp_cell_str(opcode_text(w, row)));
		wp_table_add(table, w->cells);
		before = row;
	}
}

static void put_bytecode_row(struct writing *w, struct wp_table *table,
			     const struct wp_listing_row *row)
{
	put_counts(w, row->samples, w->listing->samples, false);
	put_cell(w, offset_cell(row));
	put_cell(w, wp_cell_str(row->text));
	put_cell(w, str_or_empty(row->base));
	put_cell(w,
		 row->has_arg ? wp_cell_number(row->arg) : (struct wp_cell){.kind = WP_CELL_EMPTY});
	put_cell(w, line_cell(row->line));
	wp_table_add(table, w->cells);
}

/* By falling samples those that have some, or all in order. */
static void put_bytecode_data(struct writing *w, struct wp_node *parent)
{
	struct wp_table *table = wp_doc_table(w->doc, parent, "bytecode");
	struct line_rows sampled = {.rows = {0}};

	parent->last->only = w->report->hottest ? WP_EVERYWHERE : WP_DATA_ONLY;
	put_count_columns(w, table);
	wp_table_column(table, "offset", WP_ALIGN_RIGHT);
	wp_table_column(table, "opcode", WP_ALIGN_LEFT);
	wp_table_column(table, "base", WP_ALIGN_LEFT);
	wp_table_column(table, "argument", WP_ALIGN_RIGHT);
	wp_table_column(table, "line", WP_ALIGN_RIGHT);
	wp_vec_each (const struct wp_listing_row, row, &w->listing->rows)
		if (!w->report->hottest)
			put_bytecode_row(w, table, row);
		else if (has_samples(w, row))
			wp_vec_push(&sampled.rows, *row);
	if (sampled.rows.n)
		qsort_r(sampled.rows.v, sampled.rows.n, sizeof(*sampled.rows.v), compare_counts,
			(void *)(uintptr_t)w);
	wp_vec_each (const struct wp_listing_row, row, &sampled.rows)
		put_bytecode_row(w, table, row);
	wp_vec_deinit(&sampled.rows);
}

/* Which interpreter's, and of how many code objects. */
static void put_bytecode_words(struct writing *w, struct wp_node *object)
{
	const struct wp_listing *listing = w->listing;
	const char *version = wp_arena_printf(
		&w->doc->arena, "%u.%u", listing->bytecode >> 8 & 0xff, listing->bytecode & 0xff);

	wp_doc_prose(w->doc, object, "bytecode of CPython %s", version);
	if (listing->objects > 1)
		wp_doc_prose(w->doc, object, ", of %u code objects", listing->objects);
	if (listing->other_forms)
		wp_doc_prose(w->doc, object,
			     "; %u of them ran other forms than these of the one with most samples",
			     listing->other_forms);
	wp_doc_prose(w->doc, object, "\n");
	wp_doc_str(w->doc, object, "version", version);
	wp_doc_int(w->doc, object, "code_objects", listing->objects);
	wp_doc_int(w->doc, object, "other_forms", listing->other_forms);
}

static void put_bytecode(struct writing *w, struct wp_node *object)
{
	put_lines_data(w, object, false);
	if (!w->report->hottest)
		put_bytecode_text(w, object);
	put_bytecode_data(w, object);
}

/* self and total, each with its percents of the function's total. */
static void put_listing_python_columns(struct writing *w, struct wp_table *table)
{
	for (size_t i = 0; i < w->n_events; i++) {
		put_event_column(w, table, i, "self %", "self_percent", true);
		put_event_column(w, table, i, "total %", "total_percent", true);
		put_event_column(w, table, i, "self", "self", false);
		put_event_column(w, table, i, "total", "total", false);
	}
	wp_table_column(table, "line", WP_ALIGN_RIGHT);
	wp_table_text_column(table, "source", WP_ALIGN_RAGGED);
}

static void put_listing_python_row(struct writing *w, struct wp_table *table,
				   const struct wp_listing_row *row, bool blank)
{
	w->n_columns = 0;
	for (size_t i = 0; i < w->n_events; i++) {
		uint32_t event = w->events[i];
		uint64_t of = w->listing->totals[event], total = row->totals[event];
		uint64_t self = row->samples[event];
		const struct wp_cell empty = {.kind = WP_CELL_EMPTY};
		bool none = blank && !total;

		put_cell(w, none ? empty : wp_cell_real(wp_percent(self, of), 2));
		put_cell(w, none ? empty : wp_cell_real(wp_percent(total, of), 2));
		put_cell(w, none ? empty : wp_cell_number(self));
		put_cell(w, none ? empty : wp_cell_number(total));
	}
	put_cell(w, line_cell(row->line));
	put_cell(w, str_or_empty(row->text));
	add_line_row(w, table, row->line);
}

/* Lines without samples have blank cells in text, and zeros in data. */
static void put_python_table(struct writing *w, struct wp_node *parent, enum wp_node_only only)
{
	struct wp_table *table = wp_doc_table(w->doc, parent, "lines");
	struct line_rows lines = {.rows = {0}};

	parent->last->only = only;
	put_listing_python_columns(w, table);
	if (w->report->hottest)
		add_up_lines(w, &lines);
	else
		wp_vec_each (const struct wp_listing_row, row, &w->listing->rows)
			put_listing_python_row(w, table, row, only == WP_TEXT_ONLY);
	wp_vec_each (struct wp_listing_row, row, &lines.rows)
		put_listing_python_row(w, table, row, only == WP_TEXT_ONLY);
	wp_vec_deinit(&lines.rows);
}

/* "cpu-clock: 812 samples, 42.10 %", of Python functions "..., with callees 900, 46.66 %". */
static void put_listing_totals(struct writing *w, struct wp_node *parent)
{
	struct wp_node *events = wp_doc_array(w->doc, parent, "events");

	for (size_t i = 0; i < w->n_events; i++) {
		uint32_t event = w->events[i];
		uint64_t n = w->listing->samples[event], all = all_samples(w, event);
		struct wp_node *object = wp_doc_object(w->doc, events, NULL);

		wp_doc_str(w->doc, object, "type", event_name(w, i));
		wp_doc_int(w->doc, object, "samples", (int64_t)n);
		wp_doc_real(w->doc, object, "percent", wp_percent(n, all), 2);
		wp_doc_prose(w->doc, parent, "%s: %" PRIu64 " samples, %.2f %% of %" PRIu64,
			     event_name(w, i), n, wp_percent(n, all), all);
		if (w->listing->totals) {
			uint64_t total = w->listing->totals[event];

			wp_doc_int(w->doc, object, "total", (int64_t)total);
			wp_doc_prose(w->doc, parent, "; with what it calls %" PRIu64 ", %.2f %%",
				     total, wp_percent(total, all));
		}
		wp_doc_prose(w->doc, parent, "\n");
	}
}

static void put_heading(struct writing *w, struct wp_node *object, bool first)
{
	const struct wp_listing *listing = w->listing;
	const char *of = listing->file ? listing->file : listing->module;

	wp_doc_prose(w->doc, object, "%s======================== %s (%s%s", first ? "" : "\n",
		     listing->name, of ? of : "no file", listing->file && listing->line ? "" : ")");
	if (listing->file && listing->line)
		wp_doc_prose(w->doc, object, ":%u)", listing->line);
	wp_doc_prose(w->doc, object, " ========================\n");
	wp_doc_str(w->doc, object, "function", listing->name);
	wp_doc_str(w->doc, object, "kind", listing->file ? "python" : "native");
	if (of)
		wp_doc_str(w->doc, object, listing->file ? "file" : "module", of);
	if (listing->file)
		wp_doc_int(w->doc, object, "line", listing->line);
}

static void put_listing(struct writing *w, struct wp_node *functions, bool first)
{
	struct wp_node *object = wp_doc_object(w->doc, functions, NULL);

	put_heading(w, object, first);
	put_listing_totals(w, object);
	if (w->listing->bytecode)
		put_bytecode_words(w, object);
	wp_doc_prose(w->doc, object, "\n");
	if (w->listing->bytecode) {
		put_bytecode(w, object);
		return;
	}
	if (w->listing->file) {
		put_python_table(w, object, WP_TEXT_ONLY);
		put_python_table(w, object, WP_DATA_ONLY);
		return;
	}
	put_lines_data(w, object, w->report->hottest);
	if (!w->report->hottest)
		put_code_text(w, object);
	put_code_data(w, object);
}

struct wp_doc *wp_listing_doc(const struct wp_listing_report *report)
{
	struct writing w = {.report = report, .doc = wp_doc_new()};
	struct wp_node *annotate = wp_doc_object(w.doc, w.doc->root, "annotate"), *functions;

	wp_doc_int(w.doc, annotate, "samples_lost", (int64_t)report->lost);
	functions = wp_doc_array(w.doc, annotate, "functions");
	find_listed_events(&w);
	w.cells = wp_arena_alloc(&w.doc->arena, (4 * w.n_events + 8) * sizeof(*w.cells));
	wp_vec_each (const struct wp_listing, listing, &report->listings->functions) {
		w.listing = listing;
		put_listing(&w, functions, listing == report->listings->functions.v);
	}
	if (!report->listings->functions.n)
		wp_doc_prose(w.doc, w.doc->root, "no function was sampled\n");
	if (report->lost)
		wp_doc_prose(w.doc, w.doc->root, "\nnote: %" PRIu64 " samples lost\n",
			     report->lost);
	return w.doc;
}
