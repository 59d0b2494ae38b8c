/* SPDX-License-Identifier: BSD-3-Clause */
/* python_doc: see python_doc.h. Text has "file:line" in one column, JSON and CSV in two. */
#include "aggregate/python_doc.h"

#include "aggregate/hot_rows.h"
#include "base/str.h"
#include "base/utf8.h"

#include <inttypes.h>

#define SOURCE_COLUMNS 72  /* of a source line in text */
#define SOURCE_BYTES   400 /* in JSON */

enum kind { FUNCTIONS, LINES, OWN };

/* The rows of one table that are shown. */
struct shown {
	const struct wp_python_report *report;
	const struct wp_spots_event *event;
	enum kind kind;
	bool data;    /* for JSON and CSV, else for people */
	bool sources; /* at least one row has a source line */
	uint64_t all; /* rows that fit the filter */
	WP_VEC(const struct wp_spot_row *) rows;
	WP_VEC(const char *) texts; /* NULL: no source line */
};

static const struct wp_symbol *symbol_of_row(const struct wp_python_report *report,
					     const struct wp_spot_row *row)
{
	static const struct wp_symbol unknown = {.module = WP_NO_MODULE};

	return row->symbol < report->symbols->symbols.n ? &report->symbols->symbols.v[row->symbol]
							: &unknown;
}

static const char *known_name_of(const struct wp_symbol *symbol)
{
	return symbol->name ? symbol->name : "unknown";
}

static const char *reported_file_of(const struct wp_python_report *report,
				    const struct wp_symbol *symbol)
{
	return symbol->module == WP_NO_MODULE ? ""
					      : report->symbols->modules.v[symbol->module].path;
}

static const char *source_text_of(const struct wp_python_report *report,
				  const struct wp_spot_row *row)
{
	const char *file = reported_file_of(report, symbol_of_row(report, row));

	if (!report->source || !row->line || !*file)
		return NULL;
	return report->source(report->source_arg, file, row->line);
}

static const struct wp_spot_row *rows_of(const struct shown *shown, size_t *ret_n)
{
	switch (shown->kind) {
	case FUNCTIONS: *ret_n = shown->event->functions.n; return shown->event->functions.v;
	case LINES: *ret_n = shown->event->lines.n; return shown->event->lines.v;
	case OWN: break;
	}
	*ret_n = shown->event->own.n;
	return shown->event->own.v;
}

static void choose(struct shown *shown)
{
	const struct wp_python_report *report = shown->report;
	uint64_t limit = shown->data ? report->rows : report->text_rows;
	size_t n;
	const struct wp_spot_row *rows = rows_of(shown, &n);

	for (size_t i = 0; i < n; i++) {
		const char *text;

		if (!wp_hot_matches_qualified(known_name_of(symbol_of_row(report, &rows[i])),
					      report->symbol_filter))
			continue;
		if (shown->all++ >= limit)
			continue;
		text = shown->kind == FUNCTIONS ? NULL : source_text_of(report, &rows[i]);
		shown->sources |= text != NULL;
		wp_vec_push(&shown->rows, &rows[i]);
		wp_vec_push(&shown->texts, text);
	}
}

/* At most so many columns and bytes, never half a character of UTF-8. */
static const char *cut_text(struct wp_doc *doc, const char *text, size_t columns, size_t bytes)
{
	size_t at = wp_utf8_bytes_within(text, columns, bytes);

	return text[at] ? wp_arena_printf(&doc->arena, "%.*s...", (int)at, text)
			: wp_arena_strdup(&doc->arena, text);
}

static struct wp_cell percent_or_empty(uint64_t part, uint64_t whole, int decimals)
{
	return whole ? wp_cell_real(wp_percent(part, whole), decimals) : (struct wp_cell){0};
}

static void put_thread_columns(struct wp_table *table, bool data)
{
	if (data) {
		wp_table_column(table, "gil_held", WP_ALIGN_RIGHT);
		wp_table_column(table, "thread", WP_ALIGN_RAGGED);
		wp_table_column(table, "tid", WP_ALIGN_RIGHT);
	} else {
		wp_table_column(table, "gil", WP_ALIGN_RIGHT);
		wp_table_symbol_column(table, "thread", WP_ALIGN_RAGGED);
	}
}

/* The cells for these columns; returns how many. */
static size_t put_thread_cells(struct wp_doc *doc, const struct wp_python_report *report,
			       uint32_t tid, uint64_t held, uint64_t known, bool data,
			       struct wp_cell *cells)
{
	const char *name = wp_thread_names_get(report->threads, tid);

	cells[0] = percent_or_empty(held, known, 0);
	if (!data) {
		cells[1] = wp_cell_str(wp_thread_names_text(report->threads, tid, &doc->arena));
		return 2;
	}
	cells[1] = wp_cell_str(wp_arena_strdup(&doc->arena, name ? name : ""));
	cells[2] = wp_cell_number(tid);
	return 3;
}

static void put_python_columns(struct wp_table *table, const struct shown *shown)
{
	if (shown->kind == OWN)
		wp_table_share_column(table, "own");
	wp_table_share_column(table, "self");
	wp_table_share_column(table, "total");
	if (shown->kind == OWN)
		wp_table_column(table, shown->data ? "own_count" : "count", WP_ALIGN_RIGHT);
	if (shown->kind != OWN || shown->data)
		wp_table_column(table, "count", WP_ALIGN_RIGHT);
	if (shown->data)
		wp_table_column(table, "total_count", WP_ALIGN_RIGHT);
	if (shown->report->threads)
		put_thread_columns(table, shown->data);
	wp_table_symbol_column(table, "function", WP_ALIGN_LEFT);
	if (shown->data) {
		wp_table_column(table, "file", WP_ALIGN_LEFT);
		wp_table_column(table, "line", WP_ALIGN_RIGHT);
	} else {
		wp_table_path_column(table, "file:line", WP_ALIGN_RAGGED);
	}
	if (shown->sources)
		wp_table_text_column(table, "source", WP_ALIGN_RAGGED);
}

/* "file:line"; "file:?" where a line's row does not know its own: its table went with the process.
 */
static const char *print_python_line(const struct shown *shown, const char *file, uint32_t line,
				     struct wp_arena *arena)
{
	if (line)
		return wp_arena_printf(arena, "%s:%u", file, line);
	return wp_arena_printf(arena, "%s%s", file, shown->kind != FUNCTIONS && *file ? ":?" : "");
}

/* Where the row is; returns how many cells that takes. */
static size_t put_place_cells(struct wp_doc *doc, const struct shown *shown,
			      const struct wp_spot_row *row, struct wp_cell *cells)
{
	const struct wp_symbol *symbol = symbol_of_row(shown->report, row);
	const char *file = reported_file_of(shown->report, symbol);
	uint32_t line = shown->kind == FUNCTIONS ? symbol->line : row->line;

	if (!shown->data) {
		cells[0] = wp_cell_str(print_python_line(shown, file, line, &doc->arena));
		return 1;
	}
	cells[0] = wp_cell_str(wp_arena_strdup(&doc->arena, file));
	cells[1] = line ? wp_cell_number(line) : (struct wp_cell){0};
	return 2;
}

/* Returns how many cells that takes. */
static size_t put_share_cells(const struct shown *shown, const struct wp_spot_row *row,
			      struct wp_cell *cells)
{
	uint64_t whole = shown->event->weight;
	size_t n = 0;

	if (shown->kind == OWN)
		cells[n++] = wp_cell_real(wp_percent(row->own_weight, whole), 2);
	cells[n++] = wp_cell_real(wp_percent(row->self_weight, whole), 2);
	cells[n++] = wp_cell_real(wp_percent(row->total_weight, whole), 2);
	if (shown->kind == OWN)
		cells[n++] = wp_cell_number(row->own);
	if (shown->kind != OWN || shown->data)
		cells[n++] = wp_cell_number(row->self);
	if (shown->data)
		cells[n++] = wp_cell_number(row->total);
	return n;
}

static void put_python_row(struct wp_doc *doc, struct wp_table *table, const struct shown *shown,
			   size_t i)
{
	const struct wp_spot_row *row = shown->rows.v[i];
	const struct wp_symbol *symbol = symbol_of_row(shown->report, row);
	const char *source = shown->texts.v[i];
	struct wp_cell cells[14] = {{0}};
	size_t n = put_share_cells(shown, row, cells);

	if (shown->report->threads)
		n += put_thread_cells(doc, shown->report, row->thread, row->gil_held,
				      row->gil_known, shown->data, &cells[n]);
	cells[n++] = wp_cell_str(wp_arena_strdup(&doc->arena, known_name_of(symbol)));
	n += put_place_cells(doc, shown, row, &cells[n]);
	if (source)
		cells[n++] = wp_cell_str(cut_text(
			doc, source, shown->data ? SIZE_MAX : SOURCE_COLUMNS, SOURCE_BYTES));
	wp_table_add(table, cells);
	if (row->symbol < shown->report->symbols->symbols.n)
		wp_table_subject(table, wp_subject_of(row->symbol,
						      shown->kind == FUNCTIONS ? 0 : row->line));
}

static void put_headline(struct wp_doc *doc, struct wp_node *parent, bool is_first,
			 const char *what, const char *name)
{
	wp_doc_prose(doc, parent, "%s======================== %s: %s ========================\n",
		     is_first ? "" : "\n", what, name);
}

static struct wp_table *begin_python_table(struct wp_doc *doc, struct wp_node *parent,
					   const char *key, bool data)
{
	struct wp_table *table = wp_doc_table(doc, parent, key);

	parent->last->only = data ? WP_DATA_ONLY : WP_TEXT_ONLY;
	return table;
}

void wp_python_doc_more(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_python_report *report, uint64_t rows, uint64_t shown)
{
	if (rows > shown && report->text_rows < report->rows)
		wp_doc_prose(doc, parent, "        %" PRIu64 " more %s: --rows %" PRIu64 "\n",
			     rows - shown, rows - shown == 1 ? "row" : "rows", report->rows);
}

static void put_python_rows(struct wp_doc *doc, struct wp_node *parent, struct shown *shown,
			    const char *key)
{
	struct wp_table *table = begin_python_table(doc, parent, key, shown->data);

	put_python_columns(table, shown);
	for (size_t i = 0; i < shown->rows.n; i++)
		put_python_row(doc, table, shown, i);
	if (!shown->data)
		wp_python_doc_more(doc, parent, shown->report, shown->all, shown->rows.n);
	wp_vec_deinit(&shown->rows);
	wp_vec_deinit(&shown->texts);
}

/* Threads without Python frames are not ours to list: with -a that would be most of the machine. */
static void put_thread_rows(struct wp_doc *doc, struct wp_table *table,
			    const struct wp_python_report *report,
			    const struct wp_spots_event *event, bool data)
{
	uint64_t shown = 0;

	wp_vec_each (struct wp_spot_thread, thread, &event->threads) {
		struct wp_cell cells[6] = {
			wp_cell_real(wp_percent(thread->weight, event->weight), 2),
			wp_cell_number(thread->samples),
			wp_cell_number(thread->python),
		};

		if (!thread->python || shown++ >= (data ? report->rows : report->text_rows))
			continue;
		put_thread_cells(doc, report, thread->thread, thread->gil_held, thread->gil_known,
				 data, &cells[3]);
		wp_table_add(table, cells);
	}
}

static void put_python_threads(struct wp_doc *doc, struct wp_node *parent,
			       const struct wp_python_report *report,
			       const struct wp_spots_event *event, bool data)
{
	struct wp_table *table = begin_python_table(doc, parent, "python_threads", data);

	wp_table_column(table, "share", WP_ALIGN_RIGHT);
	wp_table_column(table, "count", WP_ALIGN_RIGHT);
	wp_table_column(table, "python", WP_ALIGN_RIGHT);
	put_thread_columns(table, data);
	put_thread_rows(doc, table, report, event, data);
}

static const struct wp_spots_event *spots_of(const struct wp_python_report *report, uint32_t event)
{
	static const struct wp_spots_event none;

	return event < report->spots->events.n ? &report->spots->events.v[event] : &none;
}

bool wp_python_doc_matters(const struct wp_python_report *report, uint32_t event)
{
	const struct wp_spots_event *spots = spots_of(report, event);

	return spots->python && spots->python >= spots->samples / 10;
}

void wp_python_doc_data(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_python_report *report, uint32_t event)
{
	static const struct {
		enum kind kind;
		const char *key;
	} tables[] = {
		{FUNCTIONS, "python_functions"},
		{LINES, "python_lines"},
		{OWN, "python_own"},
	};
	const struct wp_spots_event *spots = spots_of(report, event);
	const char *package;
	size_t n;

	if (report->threads)
		put_python_threads(doc, parent, report, spots, true);
	for (size_t i = 0; i < WP_ARRAY_LEN(tables); i++) {
		struct shown shown = {
			.report = report, .event = spots, .kind = tables[i].kind, .data = true};

		choose(&shown);
		put_python_rows(doc, parent, &shown, tables[i].key);
	}
	n = wp_spots_package(spots, &package);
	if (n)
		wp_doc_str(doc, parent, "python_package",
			   wp_arena_printf(&doc->arena, "%.*s", (int)n, package));
}

/* The package's name where that is all of the program. */
static const char *headline(struct wp_doc *doc, const struct wp_spots_event *spots, enum kind kind,
			    const char *what)
{
	const char *package;
	size_t n = kind == OWN ? wp_spots_package(spots, &package) : 0;

	return n ? wp_arena_printf(&doc->arena, "code of %.*s", (int)n, package) : what;
}

void wp_python_doc_text(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_python_report *report, uint32_t event, const char *name,
			bool is_first)
{
	static const struct {
		enum kind kind;
		const char *what;
	} tables[] = {
		{OWN, "your code"},
		{LINES, "hot Python lines"},
		{FUNCTIONS, "hot Python functions"},
	};
	const struct wp_spots_event *spots = spots_of(report, event);

	for (size_t i = 0; spots->python && i < WP_ARRAY_LEN(tables); i++) {
		struct shown shown = {.report = report, .event = spots, .kind = tables[i].kind};

		if (tables[i].kind == OWN && !spots->own.n)
			continue;
		choose(&shown);
		put_headline(doc, parent, is_first,
			     headline(doc, spots, tables[i].kind, tables[i].what), name);
		put_python_rows(doc, parent, &shown, tables[i].what);
		is_first = false;
	}
	if (spots->python && report->threads) {
		put_headline(doc, parent, false, "Python threads", name);
		put_python_threads(doc, parent, report, spots, false);
	}
}

/* What a reader must know is missing; threads without Python code are no fault. */
const char *wp_python_fault(uint32_t end)
{
	static const char *const faults[WP_PYTHON_ENDS] = {
		[WP_PYTHON_PARTIAL] = "partial", [WP_PYTHON_UNREADABLE] = "unreadable",
		[WP_PYTHON_DAMAGED] = "damaged", [WP_PYTHON_CUT] = "cut",
		[WP_PYTHON_LATE] = "late",
	};

	return end < WP_PYTHON_ENDS ? faults[end] : NULL;
}

void wp_python_doc_head(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_python_report *report)
{
	const struct wp_python_counts *counts = &report->counts;
	struct wp_node *python = wp_doc_object(doc, parent, "python");

	wp_doc_str(doc, python, "transport", report->transport);
	wp_doc_int(doc, python, "samples", (int64_t)counts->samples);
	wp_doc_int(doc, python, "with_frames", (int64_t)counts->with_frames);
	wp_doc_int(doc, python, "complete", (int64_t)counts->ends[WP_PYTHON_COMPLETE]);
	for (uint32_t end = 0; end < WP_PYTHON_ENDS; end++)
		if (wp_python_fault(end))
			wp_doc_int(doc, python, wp_python_fault(end), (int64_t)counts->ends[end]);
	wp_doc_int(doc, python, "no_python_thread", (int64_t)counts->ends[WP_PYTHON_NO_THREAD]);
	wp_doc_int(doc, python, "no_python_frame", (int64_t)counts->ends[WP_PYTHON_NO_FRAME]);
	wp_doc_int(doc, python, "early", (int64_t)counts->early);
	wp_doc_int(doc, python, "lost", (int64_t)counts->lost);
	wp_doc_int(doc, python, "unresolved_frames", (int64_t)counts->unresolved);
	if (counts->codes_refused)
		wp_doc_int(doc, python, "codes_refused", (int64_t)counts->codes_refused);
	if (counts->tasks_unknown || counts->tasks_cut) {
		wp_doc_int(doc, python, "tasks_unknown", (int64_t)counts->tasks_unknown);
		wp_doc_int(doc, python, "tasks_cut", (int64_t)counts->tasks_cut);
	}
	if (report->spots->gil_only)
		wp_doc_int(doc, python, "without_gil", (int64_t)report->spots->left_out);
}

static void say_python_count(struct wp_str *out, uint64_t n, const char *what)
{
	if (n)
		wp_str_printf(out, "%s%" PRIu64 " %s", out->len ? ", " : "; ", n, what);
}

void wp_python_doc_note(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_python_report *report)
{
	const struct wp_python_counts *counts = &report->counts;
	wp_autostr struct wp_str why = {0};

	if (!counts->samples)
		return;
	say_python_count(&why, counts->early, "before Python had started");
	say_python_count(&why, counts->lost, "lost");
	for (uint32_t end = 0; end < WP_PYTHON_ENDS; end++)
		if (wp_python_fault(end))
			say_python_count(&why, counts->ends[end], wp_python_fault(end));
	say_python_count(&why, counts->unresolved,
			 counts->unresolved == 1 ? "frame of an unknown code object"
						 : "frames of unknown code objects");
	say_python_count(&why, counts->codes_refused, "code objects more than are kept");
	say_python_count(&why, counts->tasks_unknown, "without who awaits their task");
	say_python_count(&why, counts->tasks_cut, "with too many that await their task");
	say_python_count(&why, report->spots->left_out, "left out: without the GIL");
	wp_doc_prose(doc, parent,
		     "\npython: %s, %" PRIu64 " samples, %.2f%% with Python frames%s\n",
		     report->transport, counts->samples,
		     wp_percent(counts->with_frames, counts->samples), why.s ? why.s : "");
}
