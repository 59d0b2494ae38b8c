/* SPDX-License-Identifier: BSD-3-Clause */
/* mem_report: see mem_report.h. */
#include "session/recorded/mem_report.h"

#include "aggregate/weight_doc.h"
#include "core/event.h"
#include "session/recorded/python_touches.h"
#include "session/recorded/sort_data.h"
#include "session/recorded/sort_keys.h"
#include "session/recorded/sort_opcode.h"
#include "session/recorded/traced_python.h"
#include "session/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of a table, some 100 MB: there may be as many cache lines as samples. */
#define NODES_MOST (1 << 18)
#define ROWS	   10 /* of each of the usual tables, unless --rows says it */
#define TYPES	   "data-type"
#define OF_SOURCES 0 /* the group of all samples that say who answered; others are 1 + event */

static const struct {
	const char *name, *key;
} usual[] = {
	{"functions", "symbol"},
	{"lines", "line"},
	{"python_functions", "python-function"},
	{"python_lines", "python-line"},
	{"data_symbols", "data-symbol"},
	{"data_types", TYPES},
	{"data_lines", "data-line"},
	{"data_pages", "data-page"},
};

_Static_assert(WP_ARRAY_LEN(usual) == WP_MEM_TABLES, "there is room for all");

static void add_mem_table(struct wp_mem_report *report, const char *name,
			  const struct wp_sort_key *const *keys, size_t n)
{
	struct wp_mem_table *table = &report->tables[report->n++];

	table->name = name;
	table->n = n;
	for (size_t i = 0; i < n; i++) {
		table->keys[i] = keys[i];
		table->address = table->address || strncmp(keys[i]->name, "data-", 5) == 0;
		report->sort->needs |= keys[i]->needs;
	}
}

/* Options of report that its other tables are made by. */
static struct wp_err *check_mem_options(const struct wp_report_sort *sort,
					const struct wp_session_options *options)
{
	if (sort->branches)
		return wp_err_new(WP_ERR_USAGE, "--mem is of data, --branch and its keys of "
						"branches: give one of them");
	if (sort->needs & WP_SORT_BYTECODE && !sort->of.ahead)
		return wp_err_new(WP_ERR_USAGE, "--mem is of data: no opcode with it, but of what "
						"Arm SPE recorded");
	if (options->report.children || options->sampling.call_graph)
		return wp_err_new(WP_ERR_USAGE,
				  "--mem counts what a function does by itself; -g and --children "
				  "are of its callees: give one of them");
	if (options->tables.ratio || options->tables.threads || options->tables.native_first ||
	    options->sampling.gil)
		return wp_err_new(WP_ERR_USAGE, "--ratio, --threads, --native-first and --gil are "
						"of hot functions, which --mem does not show");
	return NULL;
}

struct wp_err *wp_mem_report_init(struct wp_mem_report *report, struct wp_report_sort *sort,
				  const struct wp_report_sort_parts *of)
{
	*report = (struct wp_mem_report){.sort = sort};
	sort->of = *of;
	sort->codes.source = of->source;
	sort->codes.ahead = of->ahead;
	TRY(check_mem_options(sort, of->options));
	TRY(wp_mem_column_find(of->options->tables.sort_by, &report->by));
	if (sort->n) {
		add_mem_table(report, "rows", sort->keys, sort->n);
		return NULL;
	}
	for (size_t i = 0; i < WP_ARRAY_LEN(usual); i++) {
		const struct wp_sort_key *key = wp_sort_key_find(usual[i].key);

		if (!of->touches->notes && strcmp(usual[i].key, TYPES) == 0)
			continue; /* it would say what the one of symbols says */
		add_mem_table(report, usual[i].name, &key, 1);
	}
	return NULL;
}

void wp_mem_report_deinit(struct wp_mem_report *report)
{
	for (size_t i = 0; i < report->n; i++) {
		wp_sorted_deinit(&report->tables[i].sorted);
		wp_mem_stats_deinit(&report->tables[i].stats);
	}
	wp_vec_deinit(&report->sourced);
	wp_mem_stats_deinit(&report->totals);
}

static uint32_t find_group(struct wp_mem_report *report, uint32_t event,
			   const struct wp_mem_access *access)
{
	while (report->sourced.n <= event)
		wp_vec_push(&report->sourced, false);
	if (!access->has_source)
		return OF_SOURCES + 1 + event;
	report->sourced.v[event] = true;
	return OF_SOURCES;
}

static void add_access(struct wp_mem_report *report, struct wp_mem_table *table, uint32_t group,
		       struct wp_sort_at *at, const struct wp_mem_access *access)
{
	struct wp_report_sort *sort = report->sort;
	uint32_t values[WP_SORTED_KEYS], node;
	uint64_t period = at->sample->sample.period;

	for (size_t i = 0; i < table->n; i++) {
		const char *field = sort->n ? sort->fields[i] : NULL; /* of --sort */

		at->field = field ? field + strlen(WP_SORT_FIELD) : NULL;
		values[i] = table->keys[i]->value(sort, at);
		if (table->keys[i]->needs & WP_SORT_BYTECODE)
			values[i] = wp_sort_opcode_name(sort, values[i],
							wp_sort_key_is_base(table->keys[i]));
	}
	if (table->sorted.nodes.n >= NODES_MOST &&
	    !wp_sorted_knows(&table->sorted, group, values, table->n)) {
		report->beyond++;
		return;
	}
	node = wp_sorted_add(&table->sorted, group, values, table->n, period);
	wp_mem_stats_add(&table->stats, node, access, period, at->sample->tid);
}

static void take_mem_sample(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_mem_report *report = (struct wp_mem_report *)sink;
	const struct wp_record *record = sample->record;
	struct wp_sort_at at = {.sample = record, .symbol = sample->symbol, .rva = sample->rva};
	struct wp_mem_access access;
	uint32_t group;

	if (!wp_mem_access_read(record->sample.data, &access)) {
		report->left_out++;
		return;
	}
	if (!wp_report_sort_keeps(report->sort, sample->symbol))
		return;
	at.has_python = sample->n_python > 0;
	if (at.has_python)
		at.python = sample->python[0];
	at.instruction = sample->instruction;
	at.no_instruction = record->sample.data->has & WP_DATA_OPERATION && !at.instruction.code;
	group = find_group(report, record->sample.event, &access);
	wp_mem_stats_add(&report->totals, group, &access, record->sample.period, record->tid);
	for (size_t i = 0; i < report->n; i++)
		add_access(report, &report->tables[i], group, &at, &access);
}

static void name_mem_cgroups(struct wp_sink *sink, const struct wp_record *record)
{
	wp_cgroup_names_take(&((struct wp_mem_report *)sink)->sort->cgroups, record);
}

struct wp_sink *wp_mem_report_sink(struct wp_mem_report *report)
{
	static const struct wp_sink_ops ops = {.record = name_mem_cgroups,
					       .sample = take_mem_sample};
	unsigned int needs = report->sort->needs;

	report->sink.ops = &ops;
	report->sink.wants = WP_SAMPLE_DATA | (needs & WP_SORT_ADDRESS ? WP_SAMPLE_RVA : 0u) |
			     (needs & WP_SORT_PAYLOAD ? WP_SAMPLE_PAYLOAD : 0u);
	return &report->sink;
}

/* Rows of a group; the caller frees both. */
struct shown_rows {
	struct wp_sorted_rows sorted; /* in the order of their tuples */
	struct wp_mem_row *rows;      /* in the order shown; node: an index in sorted.rows */
};

static void find_shown_rows(const struct wp_mem_report *report, const struct wp_mem_table *table,
			    uint32_t group, struct shown_rows *ret)
{
	wp_autofree struct wp_mem_percentiles *at = wp_mem_stats_percentiles(&table->stats);
	size_t n;

	wp_sorted_rows(&table->sorted, group, table->n, true, &ret->sorted);
	n = ret->sorted.rows.n;
	ret->rows = wp_calloc(n + 1, sizeof(*ret->rows));
	for (size_t i = 0; i < n; i++) {
		uint32_t node = ret->sorted.rows.v[i].node;

		ret->rows[i] =
			(struct wp_mem_row){(uint32_t)i, table->stats.rows.v[node], at[node]};
	}
	wp_mem_rows_sort(ret->rows, n, report->by);
}

static const char *text_at(struct wp_mem_report *report, struct wp_doc *doc,
			   const struct wp_mem_table *table, const struct wp_sorted_row *row,
			   size_t key)
{
	return table->keys[key]->text(report->sort, &doc->arena, row->values[key]);
}

/* A table whose only row says that nothing is known says nothing; of functions that is news. */
static bool says_nothing(struct wp_mem_report *report, struct wp_doc *doc,
			 const struct wp_mem_table *table, const struct shown_rows *shown)
{
	const char *text;

	if (!shown->sorted.rows.n)
		return true;
	if (shown->sorted.rows.n > 1 || report->sort->n)
		return false;
	text = text_at(report, doc, table, &shown->sorted.rows.v[0], 0);
	return strcmp(text, "-") == 0 || (table->address && strcmp(text, "unknown") == 0);
}

static void put_key_columns(const struct wp_mem_report *report, const struct wp_mem_table *from,
			    struct wp_table *table)
{
	for (size_t i = 0; i < from->n; i++) {
		const char *field = report->sort->n ? report->sort->fields[i] : NULL;

		wp_table_column(table, field ? field : from->keys[i]->name, WP_ALIGN_LEFT)->fit =
			from->keys[i]->fit;
	}
}

static uint64_t rows_shown(const struct wp_mem_report *report)
{
	const struct wp_session_options *options = report->sort->of.options;

	return report->sort->n || options->tables.rows_given ? options->tables.rows : ROWS;
}

static void put_mem_table(struct wp_mem_report *report, struct wp_doc *doc, struct wp_node *object,
			  const struct wp_mem_table *from, const struct shown_rows *shown,
			  const struct wp_mem_row *total)
{
	const struct wp_mem_column *columns[WP_MEM_COLUMNS];
	struct wp_cell cells[WP_MEM_COLUMNS + WP_SORTED_KEYS];
	struct wp_table *table;
	size_t n;

	table = wp_doc_table(doc, object, from->name);
	n = wp_mem_doc_columns(table, total, from->address, columns);
	put_key_columns(report, from, table);
	for (size_t i = 0; i < shown->sorted.rows.n && i < rows_shown(report); i++) {
		const struct wp_sorted_row *row = &shown->sorted.rows.v[shown->rows[i].node];

		wp_mem_doc_cells(&shown->rows[i], total, columns, n, cells);
		for (size_t k = 0; k < from->n; k++)
			cells[n + k] = wp_cell_str(text_at(report, doc, from, row, k));
		wp_table_add(table, cells);
	}
}

static void put_mem_tables(struct wp_mem_report *report, struct wp_doc *doc, struct wp_node *object,
			   uint32_t group, const struct wp_mem_row *total)
{
	bool apart = total->sums.measured; /* an empty line stands behind the histogram */

	for (size_t i = 0; i < report->n; i++) {
		const struct wp_mem_table *table = &report->tables[i];
		struct shown_rows shown;

		find_shown_rows(report, table, group, &shown);
		if (!says_nothing(report, doc, table, &shown)) {
			if (!apart)
				wp_doc_prose(doc, object, "\n");
			apart = false;
			put_mem_table(report, doc, object, table, &shown, total);
		}
		wp_sorted_rows_deinit(&shown.sorted);
		free(shown.rows);
	}
}

/* The names of a group's events, comma-separated, and in JSON one by one. */
static void put_group_names(const struct wp_mem_report *report, struct wp_doc *doc,
			    struct wp_node *object, uint32_t group, struct wp_str *text)
{
	struct wp_node *names = wp_doc_array(doc, object, "events");

	for (uint32_t i = 0; i < report->sourced.n; i++)
		if (group == OF_SOURCES ? report->sourced.v[i] : group == OF_SOURCES + 1 + i) {
			const char *name = report->sort->of.events->events.v[i].name;

			wp_doc_str(doc, names, NULL, name);
			wp_str_printf(text, "%s%s", text->len ? ", " : "", name);
		}
}

static void put_mem_group(struct wp_mem_report *report, struct wp_doc *doc, struct wp_node *groups,
			  uint32_t group, bool first)
{
	uint64_t powers[WP_FLAT_POWERS] = {0};
	wp_autofree struct wp_mem_percentiles *at = wp_mem_stats_percentiles(&report->totals);
	struct wp_mem_row total = {group, report->totals.rows.v[group], at[group]};
	struct wp_node *object = wp_doc_object(doc, groups, NULL);
	wp_autostr struct wp_str names = {0};

	put_group_names(report, doc, object, group, &names);
	wp_doc_prose(doc, object,
		     "%s======================== %s: %" PRIu64
		     " accesses ========================\n",
		     first ? "" : "\n", names.s, total.sums.samples);
	wp_doc_int(doc, object, "samples", (int64_t)total.sums.samples);
	wp_mem_doc_total(doc, object, &total);
	if (total.sums.measured) {
		wp_doc_prose(doc, object, "\n");
		wp_mem_stats_powers(&report->totals, group, powers);
		wp_weight_histogram(doc, object, "latency_histogram", powers);
	}
	put_mem_tables(report, doc, object, group, &total);
}

static void put_mem_notes(const struct wp_mem_report *report, struct wp_doc *doc, bool any,
			  uint64_t lost)
{
	if (!any)
		wp_doc_prose(
			doc, doc->root,
			"no sample says which data it touched: perf mem record, wperf record -e "
			"arm_spe_0// and, anywhere, wperf record -d -e page-faults:1 do\n");
	if (any && report->left_out)
		wp_doc_prose(doc, doc->root,
			     "\nnote: samples of neither a load nor a store: %" PRIu64 "\n",
			     report->left_out);
	if (report->beyond)
		wp_doc_prose(doc, doc->root,
			     "\nnote: accesses that tables have no room for, of %d rows: %" PRIu64
			     "\n",
			     NODES_MOST, report->beyond);
	wp_sort_data_note(report->sort, doc);
	if (lost)
		wp_doc_prose(doc, doc->root, "\nnote: %" PRIu64 " samples lost\n", lost);
}

struct wp_doc *wp_mem_report_doc(struct wp_mem_report *report, uint64_t lost)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_node *memory = wp_doc_object(doc, doc->root, "memory"), *groups;
	bool any = false;

	wp_doc_int(doc, memory, "samples_lost", (int64_t)lost);
	wp_doc_int(doc, memory, "samples_left_out", (int64_t)report->left_out);
	wp_doc_int(doc, memory, "samples_beyond", (int64_t)report->beyond);
	groups = wp_doc_array(doc, memory, "groups");
	for (uint32_t i = 0; i < report->totals.rows.n; i++)
		if (report->totals.rows.v[i].samples) {
			put_mem_group(report, doc, groups, i, !any);
			any = true;
		}
	put_mem_notes(report, doc, any, lost);
	if (report->sort->needs & WP_SORT_BYTECODE)
		wp_sort_opcode_notes(report->sort, doc);
	if (report->sort->of.traced)
		wp_traced_python_note(report->sort->of.traced, doc, memory);
	return doc;
}
