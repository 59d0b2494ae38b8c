/* SPDX-License-Identifier: BSD-3-Clause */
/* report_sort: see report_sort.h. */
#include "session/recorded/report_sort.h"

#include "aggregate/hot_rows.h"
#include "aggregate/thread_names.h"
#include "aggregate/idle_waits.h"
#include "aggregate/weight_doc.h"
#include "base/choice.h"
#include "base/clock.h"
#include "base/keyed.h"
#include "base/str.h"
#include "core/doc.h"
#include "core/event.h"
#include "resolve/resolver.h"
#include "session/event_fields.h"
#include "session/recorded/sort_branch.h"
#include "session/recorded/sort_data.h"
#include "session/recorded/sort_keys.h"
#include "session/recorded/sort_opcode.h"
#include "session/recorded/traced_python.h"
#include "session/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SLICE_NS (WP_NS_PER_S / 10)

static struct wp_err *add_key(struct wp_report_sort *sort, const char *word)
{
	const struct wp_sort_key *key = wp_sort_key_find(word);

	if (!key)
		return wp_sort_key_refuse(word);
	if (sort->n == WP_SORTED_KEYS)
		return wp_err_new(WP_ERR_USAGE, "--sort: more than %d keys", WP_SORTED_KEYS);
	if (wp_sort_key_is_field(key))
		sort->fields[sort->n] = wp_strdup(word);
	sort->keys[sort->n++] = key;
	sort->needs |= key->needs;
	return NULL;
}

bool wp_report_sort_wanted(const struct wp_session_options *options)
{
	return options->report.sort || options->report.children || options->report.branches;
}

static bool is_sorted_by(const struct wp_session_options *options, const char *word)
{
	return options->tables.sort_by && strcmp(options->tables.sort_by, word) == 0;
}

/* What rows are by when nobody says it; NULL: there are none. */
static const char *default_keys(const struct wp_session_options *options)
{
	if (options->report.branches)
		return "symbol-from,symbol-to,mispredict";
	return options->report.children ? "symbol" : NULL;
}

/* A key of branches asks for them, as perf asks when it finds them. */
static struct wp_err *check_branches(struct wp_report_sort *sort)
{
	sort->branches = sort->branches || sort->needs & WP_SORT_BRANCH;
	if (sort->branches && sort->children)
		return wp_err_new(WP_ERR_USAGE,
				  "--children is of stacks, --branch of branches: give "
				  "one of them");
	if (sort->needs & WP_SORT_BYTECODE && (sort->branches || sort->children))
		return wp_err_new(WP_ERR_USAGE,
				  "--sort: the instruction is known of a sample's innermost Python "
				  "frame: no opcode with %s",
				  sort->branches ? "--branch" : "--children");
	return NULL;
}

struct wp_err *wp_report_sort_parse(const struct wp_session_options *options,
				    struct wp_report_sort *ret)
{
	const char *text = options->report.sort ? options->report.sort : default_keys(options);
	wp_autofree char *copy = text ? wp_strdup(text) : NULL;
	char *rest = copy, *word;

	ret->slice_ns = options->report.time_slice_ns ? options->report.time_slice_ns : SLICE_NS;
	ret->self_first = is_sorted_by(options, "self");
	ret->children = options->report.children || is_sorted_by(options, "total");
	while (rest && (word = strsep(&rest, ",")))
		if (strcmp(word, "overhead") != 0) /* perf's: the first column of each table */
			TRY(add_key(ret, word));
	ret->branches = options->report.branches;
	if (text && !ret->n)
		TRY(add_key(ret, text));
	return check_branches(ret);
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
	wp_cgroup_names_deinit(&sort->cgroups);
	wp_map_deinit(&sort->branched);
	wp_vec_deinit(&sort->places);
	wp_map_deinit(&sort->place_of);
	wp_decoded_codes_deinit(&sort->codes);
	for (size_t i = 0; i < WP_SORTED_KEYS; i++)
		free(sort->fields[i]);
}

static void read_values(struct wp_report_sort *sort, struct wp_sort_at *at, uint32_t *ret)
{
	for (size_t i = 0; i < sort->n; i++) {
		at->field = sort->fields[i] ? sort->fields[i] + strlen(WP_SORT_FIELD) : NULL;
		ret[i] = sort->keys[i]->value(sort, at);
	}
}

/* From the outermost frame inwards, since a native frame's Python function is its caller. */
static void sort_frames(struct wp_report_sort *sort, const struct wp_sample *sample)
{
	const struct wp_record *record = sample->record;
	struct wp_sort_at at = {.sample = record, .is_wait = sample->is_wait};
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
		if ((sort->needs & WP_SORT_PYTHON) && !at.has_python)
			continue; /* what called the interpreter */
		read_values(sort, &at, values);
		wp_sorted_add_frame(&sort->sorted, record->sample.event, values, sort->n,
				    record->sample.period);
	}
}

bool wp_report_sort_keeps(struct wp_report_sort *sort, uint32_t symbol)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(sort->of.resolver);
	struct wp_hot_options options = {.symbols = set,
					 .raw = sort->of.options->tables.long_names};
	const char *name =
		symbol == WP_SORT_NONE ? NULL : wp_hot_name(&set->symbols.v[symbol], &options);

	return wp_hot_matches(name ? name : "unknown", sort->of.options->tables.symbol_filter);
}

static bool has_filter(const struct wp_report_sort *sort)
{
	return sort->of.options->tables.symbol_filter != NULL;
}

static void add_branches(struct wp_report_sort *sort, struct wp_sort_at *at)
{
	const struct wp_sample_data *data = at->sample->sample.data;
	uint32_t values[WP_SORTED_KEYS];

	if (!data || !data->n_branches)
		return;
	++*wp_map_put(&sort->branched, at->sample->sample.event);
	for (size_t i = 0; i < data->n_branches; i++) {
		at->branch = &data->branches[i];
		wp_sort_branch_find(sort, at);
		if (has_filter(sort) && !wp_report_sort_keeps(sort, at->from.symbol) &&
		    !wp_report_sort_keeps(sort, at->to.symbol))
			continue;
		read_values(sort, at, values);
		wp_sorted_add(&sort->sorted, at->sample->sample.event, values, sort->n, 1);
	}
}

static void sort_sample(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_report_sort *sort = (struct wp_report_sort *)sink;
	const struct wp_record *record = sample->record;
	struct wp_sort_at at = {.sample = record, .symbol = sample->symbol, .rva = sample->rva};
	uint32_t values[WP_SORTED_KEYS];

	at.is_wait = sample->is_wait;
	at.has_python = sample->n_python > 0;
	if (at.has_python)
		at.python = sample->python[0];
	at.instruction = sample->instruction;
	at.no_instruction = sort->of.traced && record->sample.data &&
			    record->sample.data->has & WP_DATA_OPERATION && !at.instruction.code;
	if (sort->branches) {
		add_branches(sort, &at);
		return;
	}
	if (!sort->children && !wp_report_sort_keeps(sort, sample->symbol))
		return;
	read_values(sort, &at, values);
	wp_sorted_add(&sort->sorted, record->sample.event, values, sort->n, record->sample.period);
	if (!sort->children)
		return;
	wp_sorted_add_frame(&sort->sorted, record->sample.event, values, sort->n,
			    record->sample.period);
	sort_frames(sort, sample);
}

bool wp_report_sort_by_python(const struct wp_report_sort *sort)
{
	return sort->needs & (WP_SORT_PYTHON | WP_SORT_BYTECODE) && !sort->children &&
	       !sort->branches;
}

static void name_cgroups(struct wp_sink *sink, const struct wp_record *record)
{
	wp_cgroup_names_take(&((struct wp_report_sort *)sink)->cgroups, record);
}

struct wp_sink *wp_report_sort_sink(struct wp_report_sort *sort,
				    const struct wp_report_sort_parts *of)
{
	static const struct wp_sink_ops ops = {.record = name_cgroups, .sample = sort_sample};

	sort->of = *of;
	sort->codes.source = of->source;
	sort->sink = (struct wp_sink){.ops = &ops};
	sort->sink.wants = (sort->children ? WP_SAMPLE_STACK : 0u) |
			   (sort->needs & WP_SORT_ADDRESS ? WP_SAMPLE_RVA : 0u) |
			   (sort->needs & WP_SORT_PAYLOAD ? WP_SAMPLE_PAYLOAD : 0u) |
			   ((sort->needs & WP_SORT_DATA) || sort->branches ? WP_SAMPLE_DATA : 0u);
	return &sort->sink;
}

static struct wp_cell percent_or_zero(uint64_t part, uint64_t whole)
{
	return wp_cell_real(whole ? 100.0 * (double)part / (double)whole : 0, 2);
}

static void put_sorted_columns(const struct wp_report_sort *sort, const struct wp_event *event,
			       struct wp_table *table)
{
	if (sort->children)
		wp_table_share_column(table, "children");
	wp_table_share_column(table, sort->children ? "self" : "overhead");
	if (sort->children)
		wp_table_column(table, "total", WP_ALIGN_RIGHT);
	wp_table_column(table, "count", WP_ALIGN_RIGHT);
	if (event->weight && !sort->branches)
		wp_table_column(table, "sum", WP_ALIGN_RIGHT);
	for (size_t i = 0; i < sort->n; i++) {
		const char *name = sort->fields[i];

		wp_table_column(table, name ? name : sort->keys[i]->name, WP_ALIGN_LEFT);
		table->columns[table->n_columns - 1].fit = sort->keys[i]->fit;
	}
}

/* The first function that it names. */
static void put_sorted_subject(const struct wp_report_sort *sort, struct wp_table *table,
			       const struct wp_sorted_row *row)
{
	for (size_t i = 0; i < sort->n; i++)
		if (wp_sort_key_is_function(sort->keys[i]) && row->values[i] != WP_SORT_NONE) {
			wp_table_subject(table, wp_subject_of(row->values[i], 0));
			return;
		}
}

static void put_sorted_row(struct wp_report_sort *sort, struct wp_doc *doc, struct wp_table *table,
			   bool sums, const struct wp_sorted_rows *rows,
			   const struct wp_sorted_row *row)
{
	struct wp_cell cells[WP_SORTED_KEYS + 5];
	size_t n = 0;

	if (sort->children)
		cells[n++] = percent_or_zero(row->total_weight, rows->weight);
	cells[n++] = percent_or_zero(row->weight, rows->weight);
	if (sort->children)
		cells[n++] = wp_cell_number(row->total);
	cells[n++] = wp_cell_number(row->samples);
	if (sums)
		cells[n++] = wp_cell_number(row->weight);
	for (size_t i = 0; i < sort->n; i++) {
		const struct wp_sort_key *key = sort->keys[i];

		cells[n++] = wp_cell_str(key->text(sort, &doc->arena, row->values[i]));
	}
	wp_table_add(table, cells);
	put_sorted_subject(sort, table, row);
}

/* With children, rows are what --symbol is about: callers of what was sampled have names too. */
static bool is_sorted_row_shown(struct wp_report_sort *sort, const struct wp_sorted_row *row)
{
	for (size_t i = 0; sort->children && i < sort->n; i++)
		if (sort->keys[i]->needs & WP_SORT_FUNCTION)
			return wp_report_sort_keeps(sort, row->values[i]);
	return true;
}

/* counted: what the rows are of, samples or branches. */
static void put_sorted_title(const struct wp_report_sort *sort, struct wp_doc *doc,
			     struct wp_node *object, uint32_t index, uint64_t counted)
{
	const char *name = sort->of.events->events.v[index].name;
	const uint64_t *samples = wp_map_get(&sort->branched, index);

	wp_doc_prose(doc, object,
		     "%s======================== %s: %" PRIu64 " %s ========================\n",
		     index ? "\n" : "", name, counted, sort->branches ? "branches" : "samples");
	wp_doc_str(doc, object, "type", name);
	if (sort->branches)
		wp_doc_int(doc, object, "branches", (int64_t)counted);
	wp_doc_int(doc, object, "samples",
		   (int64_t)(!sort->branches ? counted
			     : samples	     ? *samples
					     : 0));
}

static void put_sorted_event(struct wp_report_sort *sort, struct wp_doc *doc,
			     struct wp_node *events, uint32_t index, uint64_t lost)
{
	const struct wp_event *event = &sort->of.events->events.v[index];
	struct wp_node *object = wp_doc_object(doc, events, NULL);
	struct wp_sorted_rows rows;
	struct wp_table *table;

	wp_sorted_rows(&sort->sorted, index, sort->n, sort->self_first, &rows);
	put_sorted_title(sort, doc, object, index, rows.samples);
	if (!sort->branches)
		wp_weight_doc(doc, object, event, rows.weight, lost);
	wp_idle_waits_doc(doc, object, sort->of.idle, index);
	table = wp_doc_table(doc, object, "rows");
	put_sorted_columns(sort, event, table);
	for (size_t i = 0, shown = 0; i < rows.rows.n && shown < sort->of.options->tables.rows; i++)
		if (is_sorted_row_shown(sort, &rows.rows.v[i])) {
			put_sorted_row(sort, doc, table, event->weight && !sort->branches, &rows,
				       &rows.rows.v[i]);
			shown++;
		}
	wp_sorted_rows_deinit(&rows);
}

/* A recording tells its bytecode at its end: until then values are places in it. */
static uint32_t settle_value(void *arg, size_t key, uint32_t value)
{
	struct wp_report_sort *sort = arg;

	if (!(sort->keys[key]->needs & WP_SORT_BYTECODE))
		return value;
	return wp_sort_opcode_name(sort, value, wp_sort_key_is_base(sort->keys[key]));
}

struct wp_doc *wp_report_sort_doc(struct wp_report_sort *sort, uint64_t lost)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_node *sorted = wp_doc_object(doc, doc->root, "sorted");
	struct wp_node *events;

	if (sort->needs & WP_SORT_BYTECODE)
		wp_sorted_rename(&sort->sorted, sort->n, settle_value, sort);
	wp_doc_int(doc, sorted, "samples_lost", (int64_t)lost);
	events = wp_doc_array(doc, sorted, "events");
	for (uint32_t i = 0; i < sort->of.events->events.n; i++)
		if (!wp_event_is_dummy(&sort->of.events->events.v[i]))
			put_sorted_event(sort, doc, events, i, lost);
	if (sort->branches && !sort->branched.n)
		wp_doc_prose(doc, doc->root,
			     "\nnote: no sample has branches: record -b keeps them, where the CPU "
			     "does\n");
	wp_sort_data_note(sort, doc);
	wp_sort_opcode_notes(sort, doc);
	if (sort->of.traced)
		wp_traced_python_note(sort->of.traced, doc, sorted);
	if (lost)
		wp_doc_prose(doc, doc->root, "\nnote: %" PRIu64 " samples lost\n", lost);
	return doc;
}
