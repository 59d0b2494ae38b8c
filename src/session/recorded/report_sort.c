/* SPDX-License-Identifier: BSD-3-Clause */
/* report_sort: see report_sort.h. */
#include "session/recorded/report_sort.h"

#include "aggregate/hot_rows.h"
#include "aggregate/thread_names.h"
#include "aggregate/weight_doc.h"
#include "base/choice.h"
#include "base/clock.h"
#include "base/keyed.h"
#include "base/str.h"
#include "core/doc.h"
#include "core/event.h"
#include "resolve/resolver.h"
#include "session/event_fields.h"
#include "session/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NONE	 UINT32_MAX
#define SLICE_NS (WP_NS_PER_S / 10)
#define FIELD	 "field:" /* and the name of a field: wp_report_sort.fields */
#define RVA_BITS 44	  /* of an address beside its module's number in one key */

/* What a sample, or a frame of its stack, is asked about. */
struct at {
	const struct wp_record *sample;
	uint32_t symbol;
	struct wp_rva rva;
	struct wp_spot_frame python; /* the innermost Python frame at or outside of it */
	bool has_python, is_python;  /* is_python: it is that frame itself */
	const char *field;	     /* of the key that asks: see FIELD */
};

enum key_needs {
	NEEDS_PYTHON = 1, /* it is of Python code: what called the interpreter has none */
	NEEDS_ADDRESS = 2,
	IS_FUNCTION = 4, /* --symbol chooses among its rows */
	NEEDS_PAYLOAD = 8,
};

/* A key: what its value is, and how it reads. */
struct key {
	const char *name, *perf; /* what perf's --sort calls it; "": nothing */
	uint32_t (*value)(struct wp_report_sort *sort, const struct at *at);
	const char *(*text)(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value);
	enum wp_fit fit;
	unsigned int needs; /* enum key_needs, or'ed */
};

static uint32_t pid_of(struct wp_report_sort *sort, const struct at *at)
{
	(void)sort;
	return at->sample->pid;
}

static uint32_t tid_of(struct wp_report_sort *sort, const struct at *at)
{
	(void)sort;
	return at->sample->tid;
}

static uint32_t command_of(struct wp_report_sort *sort, const struct at *at)
{
	const char *name = wp_thread_names_comm(sort->of.threads, at->sample->tid);

	return name ? wp_strpool_id(&sort->strings, name) : NONE;
}

static uint32_t cpu_of(struct wp_report_sort *sort, const struct at *at)
{
	(void)sort;
	return at->sample->cpu;
}

static uint32_t slice_of(struct wp_report_sort *sort, const struct at *at)
{
	uint64_t time_ns = at->sample->time_ns;

	if (!sort->began)
		sort->first_ns = time_ns;
	sort->began = true;
	return time_ns < sort->first_ns ? 0
					: (uint32_t)((time_ns - sort->first_ns) / sort->slice_ns);
}

static uint32_t symbol_of(struct wp_report_sort *sort, const struct at *at)
{
	(void)sort;
	return at->symbol;
}

static uint32_t module_of_symbol(struct wp_report_sort *sort, uint32_t symbol)
{
	return wp_resolver_symbols(sort->of.resolver)->symbols.v[symbol].module;
}

static uint32_t module_at(struct wp_report_sort *sort, const struct at *at)
{
	return module_of_symbol(sort, at->symbol);
}

/* The index of a line, made when it is new. */
static uint32_t line_index(struct wp_report_lines *lines, uint32_t of, uint32_t line)
{
	const struct wp_report_line *found =
		wp_keyed_put(&lines->all, &lines->index_of, (uint64_t)of << 32 | line,
			     (struct wp_report_line){of, line});

	return (uint32_t)(found - lines->all.v);
}

static uint32_t line_in_file(struct wp_report_sort *sort, const char *file, uint32_t line)
{
	return line_index(&sort->lines, wp_strpool_id(&sort->strings, file), line);
}

static uint32_t find_line(struct wp_report_sort *sort, uint32_t module, struct wp_rva rva)
{
	struct wp_resolver_line line;

	if (module == WP_NO_MODULE || !wp_resolver_line(sort->of.resolver, module, rva, &line) ||
	    !line.file)
		return NONE;
	return line_in_file(sort, line.file, line.line);
}

/* Of an address once, since line tables are slow to ask. */
static uint32_t line_of(struct wp_report_sort *sort, const struct at *at)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(sort->of.resolver);
	uint32_t module = module_at(sort, at);
	uint64_t *line;

	if (at->is_python)
		return module == WP_NO_MODULE
			       ? NONE
			       : line_in_file(sort, set->modules.v[module].path, at->python.line);
	if (at->rva.v >> RVA_BITS || module >> (64 - RVA_BITS)) /* two of them might have one key */
		return find_line(sort, module, at->rva);
	line = wp_map_put(&sort->line_at, at->rva.v | (uint64_t)module << RVA_BITS);
	if (!*line)
		*line = find_line(sort, module, at->rva) + UINT64_C(1);
	return (uint32_t)(*line - 1);
}

static uint32_t file_at(struct wp_report_sort *sort, const struct at *at)
{
	uint32_t line = line_of(sort, at);

	return line == NONE ? NONE : sort->lines.all.v[line].of;
}

static uint32_t python_function_of(struct wp_report_sort *sort, const struct at *at)
{
	(void)sort;
	return at->has_python ? at->python.symbol : NONE;
}

static uint32_t python_line_of(struct wp_report_sort *sort, const struct at *at)
{
	if (!at->has_python)
		return NONE;
	return line_index(&sort->python_lines, module_of_symbol(sort, at->python.symbol),
			  at->python.line);
}

/* Events without the field have none; others what it reads like. */
static uint32_t field_of(struct wp_report_sort *sort, const struct at *at)
{
	const struct wp_record_sample *sample = &at->sample->sample;
	const struct wp_field *field =
		wp_fields_find(sort->of.events->events.v[sample->event].fields, at->field);
	wp_autostr struct wp_str text = {0};

	if (!field || !sample->payload)
		return NONE;
	wp_field_text(field, sample->payload, sample->payload_bytes, &text);
	return text.len ? wp_strpool_id(&sort->strings, text.s) : NONE;
}

static const char *number_text(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value)
{
	(void)sort;
	return value == WP_ANY_CPU ? "-" : wp_arena_printf(arena, "%" PRIu32, value);
}

static const char *named_text(struct wp_arena *arena, const char *name, uint32_t value)
{
	return wp_arena_printf(arena, "%s (%" PRIu32 ")", name ? name : "?", value);
}

/* A process is called what the kernel calls its first thread. */
static const char *process_text(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value)
{
	return named_text(arena, wp_thread_names_comm(sort->of.threads, value), value);
}

static const char *thread_text(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value)
{
	return named_text(arena, wp_thread_names_get(sort->of.threads, value), value);
}

static const char *slice_text(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value)
{
	double slice = (double)sort->slice_ns / WP_NS_PER_S;

	return wp_arena_printf(arena, "%.3f s", value * slice);
}

static const char *symbol_text(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(sort->of.resolver);
	struct wp_hot_options options = {.symbols = set,
					 .main_module = sort->of.image->module,
					 .raw = sort->of.options->tables.long_names};

	return value == NONE ? "-" : wp_hot_text(arena, &set->symbols.v[value], &options);
}

static const char *module_text(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value)
{
	(void)arena;
	return value == WP_NO_MODULE
		       ? "-"
		       : wp_resolver_symbols(sort->of.resolver)->modules.v[value].name;
}

static const char *pooled_text(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value)
{
	(void)arena;
	return value == NONE ? "-" : wp_strpool_get(&sort->strings, value);
}

static const char *line_text(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value)
{
	const struct wp_report_line *line;

	if (value == NONE)
		return "-";
	line = &sort->lines.all.v[value];
	return wp_arena_printf(arena, "%s:%" PRIu32, pooled_text(sort, arena, line->of),
			       line->line);
}

static const char *python_line_text(struct wp_report_sort *sort, struct wp_arena *arena,
				    uint32_t value)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(sort->of.resolver);
	const struct wp_report_line *line;

	if (value == NONE)
		return "-";
	line = &sort->python_lines.all.v[value];
	const char *path = line->of == WP_NO_MODULE ? "?" : set->modules.v[line->of].path;

	return line->line ? wp_arena_printf(arena, "%s:%" PRIu32, path, line->line)
			  : wp_arena_printf(arena, "%s:?", path);
}

static const struct key keys[] = {
	{"process", "pid", pid_of, process_text, WP_FIT_SYMBOL, 0},
	{"command", "comm", command_of, pooled_text, WP_FIT_SYMBOL, 0},
	{"thread", "tid", tid_of, thread_text, WP_FIT_SYMBOL, 0},
	{"module", "dso", module_at, module_text, WP_FIT_SYMBOL, 0},
	{"symbol", "sym", symbol_of, symbol_text, WP_FIT_SYMBOL, IS_FUNCTION},
	{"file", "srcfile", file_at, pooled_text, WP_FIT_PATH, NEEDS_ADDRESS},
	{"line", "srcline", line_of, line_text, WP_FIT_PATH, NEEDS_ADDRESS},
	{"python-function", "", python_function_of, symbol_text, WP_FIT_SYMBOL, NEEDS_PYTHON},
	{"python-line", "", python_line_of, python_line_text, WP_FIT_PATH, NEEDS_PYTHON},
	{"cpu", "", cpu_of, number_text, WP_FIT_FIXED, 0},
	{"time", "", slice_of, slice_text, WP_FIT_FIXED, 0},
	{FIELD "NAME", "", field_of, pooled_text, WP_FIT_SYMBOL, NEEDS_PAYLOAD},
};

static bool is_field(const struct key *key)
{
	return key->value == field_of;
}

static const struct key *find_key(const char *word)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(keys); i++)
		if (is_field(&keys[i]) ? wp_str_has_prefix(word, FIELD) && word[strlen(FIELD)]
				       : strcmp(word, keys[i].name) == 0 ||
						 (*word && strcmp(word, keys[i].perf) == 0))
			return &keys[i];
	return NULL;
}

static void list_keys(struct wp_str *out)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(keys); i++)
		wp_str_printf(out, "%s%s", i ? ", " : "", keys[i].name);
}

static struct wp_err *refuse_key(const char *word)
{
	wp_autochoice struct wp_choice choice = wp_choice_of(word);

	for (size_t i = 0; i < WP_ARRAY_LEN(keys); i++)
		wp_choice_add(&choice, keys[i].name);
	return wp_choice_refuse(&choice, "--sort");
}

static struct wp_err *add_key(struct wp_report_sort *sort, const char *word)
{
	const struct key *key = find_key(word);

	if (!key)
		return refuse_key(word);
	if (sort->n == WP_SORTED_KEYS)
		return wp_err_new(WP_ERR_USAGE, "--sort: more than %d keys", WP_SORTED_KEYS);
	if (is_field(key))
		sort->fields[sort->n] = wp_strdup(word);
	sort->keys[sort->n++] = (uint8_t)(key - keys);
	sort->needs |= key->needs;
	return NULL;
}

bool wp_report_sort_wanted(const struct wp_session_options *options)
{
	return options->report.sort || options->report.children;
}

static bool is_sorted_by(const struct wp_session_options *options, const char *word)
{
	return options->tables.sort_by && strcmp(options->tables.sort_by, word) == 0;
}

struct wp_err *wp_report_sort_parse(const struct wp_session_options *options,
				    struct wp_report_sort *ret)
{
	const char *text =
		options->report.sort || !options->report.children ? options->report.sort : "symbol";
	wp_autofree char *copy = text ? wp_strdup(text) : NULL;
	char *rest = copy, *word;

	ret->slice_ns = options->report.time_slice_ns ? options->report.time_slice_ns : SLICE_NS;
	ret->self_first = is_sorted_by(options, "self");
	ret->children = options->report.children || is_sorted_by(options, "total");
	while (rest && (word = strsep(&rest, ",")))
		if (strcmp(word, "overhead") != 0) /* perf's: the first column of each table */
			TRY(add_key(ret, word));
	return text && !ret->n ? add_key(ret, text) : NULL;
}

struct wp_err *wp_report_sort_check(const struct wp_report_sort *sort,
				    const struct wp_event_set *events)
{
	for (size_t i = 0; i < sort->n; i++)
		if (sort->fields[i])
			TRY(wp_event_fields_known(events, "--sort", sort->fields[i]));
	return NULL;
}

static void lines_deinit(struct wp_report_lines *lines)
{
	wp_vec_deinit(&lines->all);
	wp_map_deinit(&lines->index_of);
}

void wp_report_sort_deinit(struct wp_report_sort *sort)
{
	wp_sorted_deinit(&sort->sorted);
	wp_strpool_deinit(&sort->strings);
	lines_deinit(&sort->lines);
	lines_deinit(&sort->python_lines);
	wp_map_deinit(&sort->line_at);
	for (size_t i = 0; i < WP_SORTED_KEYS; i++)
		free(sort->fields[i]);
}

static void read_values(struct wp_report_sort *sort, struct at *at, uint32_t *ret)
{
	for (size_t i = 0; i < sort->n; i++) {
		at->field = sort->fields[i] ? sort->fields[i] + strlen(FIELD) : NULL;
		ret[i] = keys[sort->keys[i]].value(sort, at);
	}
}

/* From the outermost frame inwards, since a native frame's Python function is its caller. */
static void add_frames(struct wp_report_sort *sort, const struct wp_sample *sample)
{
	const struct wp_record *record = sample->record;
	struct at at = {.sample = record};
	uint32_t values[WP_SORTED_KEYS];

	for (size_t i = sample->n; i-- > 0;) {
		const struct wp_frame *frame = &sample->frames[i];

		at.symbol = frame->symbol;
		at.rva = frame->rva;
		at.is_python = frame->kind == WP_FRAME_PYTHON;
		if (at.is_python) {
			at.has_python = true;
			at.python = (struct wp_spot_frame){frame->symbol, frame->line};
		}
		if ((sort->needs & NEEDS_PYTHON) && !at.has_python)
			continue; /* what called the interpreter */
		read_values(sort, &at, values);
		wp_sorted_add_frame(&sort->sorted, record->sample.event, values, sort->n,
				    record->sample.period);
	}
}

static bool is_named(struct wp_report_sort *sort, uint32_t symbol)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(sort->of.resolver);
	struct wp_hot_options options = {.symbols = set,
					 .raw = sort->of.options->tables.long_names};
	const char *name = symbol == NONE ? NULL : wp_hot_name(&set->symbols.v[symbol], &options);

	return wp_hot_matches(name ? name : "unknown", sort->of.options->tables.symbol_filter);
}

static void sort_sample(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_report_sort *sort = (struct wp_report_sort *)sink;
	const struct wp_record *record = sample->record;
	struct at at = {.sample = record, .symbol = sample->symbol, .rva = sample->rva};
	uint32_t values[WP_SORTED_KEYS];

	if (!sort->children && !is_named(sort, sample->symbol))
		return;
	at.has_python = sample->n_python > 0;
	if (at.has_python)
		at.python = sample->python[0];
	read_values(sort, &at, values);
	wp_sorted_add(&sort->sorted, record->sample.event, values, sort->n, record->sample.period);
	if (!sort->children)
		return;
	wp_sorted_add_frame(&sort->sorted, record->sample.event, values, sort->n,
			    record->sample.period);
	add_frames(sort, sample);
}

struct wp_sink *wp_report_sort_sink(struct wp_report_sort *sort,
				    const struct wp_report_sort_parts *of)
{
	static const struct wp_sink_ops ops = {.sample = sort_sample};

	sort->of = *of;
	sort->sink = (struct wp_sink){.ops = &ops};
	sort->sink.wants = (sort->children ? WP_SAMPLE_STACK : 0u) |
			   (sort->needs & NEEDS_ADDRESS ? WP_SAMPLE_RVA : 0u) |
			   (sort->needs & NEEDS_PAYLOAD ? WP_SAMPLE_PAYLOAD : 0u);
	return &sort->sink;
}

static struct wp_cell percent(uint64_t part, uint64_t whole)
{
	return wp_cell_real(whole ? 100.0 * (double)part / (double)whole : 0, 2);
}

static void put_columns(const struct wp_report_sort *sort, const struct wp_event *event,
			struct wp_table *table)
{
	if (sort->children)
		wp_table_share_column(table, "children");
	wp_table_share_column(table, sort->children ? "self" : "overhead");
	if (sort->children)
		wp_table_column(table, "total", WP_ALIGN_RIGHT);
	wp_table_column(table, "count", WP_ALIGN_RIGHT);
	if (event->weight)
		wp_table_column(table, "sum", WP_ALIGN_RIGHT);
	for (size_t i = 0; i < sort->n; i++) {
		const char *name = sort->fields[i];

		wp_table_column(table, name ? name : keys[sort->keys[i]].name, WP_ALIGN_LEFT);
		table->columns[table->n_columns - 1].fit = keys[sort->keys[i]].fit;
	}
}

static void put_row(struct wp_report_sort *sort, struct wp_doc *doc, struct wp_table *table,
		    bool sums, const struct wp_sorted_rows *rows, const struct wp_sorted_row *row)
{
	struct wp_cell cells[WP_SORTED_KEYS + 5];
	size_t n = 0;

	if (sort->children)
		cells[n++] = percent(row->total_weight, rows->weight);
	cells[n++] = percent(row->weight, rows->weight);
	if (sort->children)
		cells[n++] = wp_cell_number(row->total);
	cells[n++] = wp_cell_number(row->samples);
	if (sums)
		cells[n++] = wp_cell_number(row->weight);
	for (size_t i = 0; i < sort->n; i++) {
		const struct key *key = &keys[sort->keys[i]];

		cells[n++] = wp_cell_str(key->text(sort, &doc->arena, row->values[i]));
	}
	wp_table_add(table, cells);
}

/* With children, rows are what --symbol is about: callers of what was sampled have names too. */
static bool is_shown(struct wp_report_sort *sort, const struct wp_sorted_row *row)
{
	for (size_t i = 0; sort->children && i < sort->n; i++)
		if (keys[sort->keys[i]].needs & IS_FUNCTION)
			return is_named(sort, row->values[i]);
	return true;
}

static void put_event(struct wp_report_sort *sort, struct wp_doc *doc, struct wp_node *events,
		      uint32_t index, uint64_t lost)
{
	const struct wp_event *event = &sort->of.events->events.v[index];
	struct wp_node *object = wp_doc_object(doc, events, NULL);
	struct wp_sorted_rows rows;
	struct wp_table *table;

	wp_sorted_rows(&sort->sorted, index, sort->n, sort->self_first, &rows);
	wp_doc_prose(doc, object,
		     "%s======================== %s: %" PRIu64
		     " samples ========================\n",
		     index ? "\n" : "", event->name, rows.samples);
	wp_doc_str(doc, object, "type", event->name);
	wp_doc_int(doc, object, "samples", (int64_t)rows.samples);
	wp_weight_doc(doc, object, event, rows.weight, lost);
	table = wp_doc_table(doc, object, "rows");
	put_columns(sort, event, table);
	for (size_t i = 0, shown = 0; i < rows.rows.n && shown < sort->of.options->tables.rows; i++)
		if (is_shown(sort, &rows.rows.v[i])) {
			put_row(sort, doc, table, event->weight, &rows, &rows.rows.v[i]);
			shown++;
		}
	wp_sorted_rows_deinit(&rows);
}

struct wp_doc *wp_report_sort_doc(struct wp_report_sort *sort, uint64_t lost)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_node *sorted = wp_doc_object(doc, doc->root, "sorted");
	struct wp_node *events;

	wp_doc_int(doc, sorted, "samples_lost", (int64_t)lost);
	events = wp_doc_array(doc, sorted, "events");
	for (uint32_t i = 0; i < sort->of.events->events.n; i++)
		put_event(sort, doc, events, i, lost);
	if (lost)
		wp_doc_prose(doc, doc->root, "\nnote: %" PRIu64 " samples lost\n", lost);
	return doc;
}

void wp_session_report_help(struct wp_writer *out)
{
	wp_autostr struct wp_str all = {0};

	list_keys(&all);
	wp_writer_printf(out, "\nkeys of --sort: %s\n", all.s);
}

struct wp_err *wp_session_report_keys(const struct wp_session_options *options,
				      struct wp_session_io *io, int *ret_exit)
{
	(void)options, (void)ret_exit;
	for (size_t i = 0; i < WP_ARRAY_LEN(keys); i++)
		wp_writer_printf(io->out, "%s\n", keys[i].name);
	return NULL;
}
