/* SPDX-License-Identifier: BSD-3-Clause */
/* mem_doc: see mem_doc.h. One row a column: its name, when it is there, its value. */
#include "aggregate/mem_doc.h"

#include "base/choice.h"

#include <inttypes.h>
#include <string.h>

enum column_kind {
	COLUMN_COUNT,
	COLUMN_LATENCY, /* in cycles; blank where none was measured */
	COLUMN_PART,	/* of the total's, in percent */
	COLUMN_MEAN,	/* latency */
};

struct wp_mem_column {
	const char *name, *key; /* key: in JSON, if it is another */
	enum column_kind kind;
	bool address; /* only where rows are of addresses */
	uint64_t (*value)(const struct wp_mem_row *row);
};

#define VALUE(name, of)                                             \
	static uint64_t name##_of_row(const struct wp_mem_row *row) \
	{                                                           \
		return row->of;                                     \
	}

VALUE(weight, sums.weight)
VALUE(latency, sums.latency)
VALUE(samples, sums.samples)
VALUE(loads, sums.loads)
VALUE(stores, sums.stores)
VALUE(l1, sums.levels[WP_MEM_L1])
VALUE(lfb, sums.levels[WP_MEM_LFB])
VALUE(l2, sums.levels[WP_MEM_L2])
VALUE(l3, sums.levels[WP_MEM_L3])
VALUE(ram, sums.levels[WP_MEM_RAM])
VALUE(other, sums.levels[WP_MEM_OTHER])
VALUE(remote, sums.remote)
VALUE(snooped, sums.snooped)
VALUE(walks, sums.walks)
VALUE(threads, sums.threads)
VALUE(p50, at.p50)
VALUE(p90, at.p90)
VALUE(p99, at.p99)
VALUE(max, sums.latency_max)

/* In the order in which they stand. */
static const struct wp_mem_column columns[] = {
	{"overhead", NULL, COLUMN_PART, false, weight_of_row},
	{"cost", NULL, COLUMN_PART, false, latency_of_row},
	{"count", NULL, COLUMN_COUNT, false, samples_of_row},
	{"loads", NULL, COLUMN_COUNT, false, loads_of_row},
	{"stores", NULL, COLUMN_COUNT, false, stores_of_row},
	{"threads", NULL, COLUMN_COUNT, true, threads_of_row},
	{"L1", "l1", COLUMN_COUNT, false, l1_of_row},
	{"LFB", "lfb", COLUMN_COUNT, false, lfb_of_row},
	{"L2", "l2", COLUMN_COUNT, false, l2_of_row},
	{"L3", "l3", COLUMN_COUNT, false, l3_of_row},
	{"RAM", "ram", COLUMN_COUNT, false, ram_of_row},
	{"other", NULL, COLUMN_COUNT, false, other_of_row},
	{"remote", NULL, COLUMN_COUNT, false, remote_of_row},
	{"snooped", NULL, COLUMN_COUNT, false, snooped_of_row},
	{"walks", NULL, COLUMN_COUNT, false, walks_of_row},
	{"mean", NULL, COLUMN_MEAN, false, latency_of_row},
	{"p50", NULL, COLUMN_LATENCY, false, p50_of_row},
	{"p90", NULL, COLUMN_LATENCY, false, p90_of_row},
	{"p99", NULL, COLUMN_LATENCY, false, p99_of_row},
	{"max", NULL, COLUMN_LATENCY, false, max_of_row},
};

_Static_assert(WP_ARRAY_LEN(columns) <= WP_MEM_COLUMNS, "callers have room for all");

struct wp_err *wp_mem_column_find(const char *name, const struct wp_mem_column **ret)
{
	wp_autochoice struct wp_choice choice = wp_choice_of(name ? name : "");

	*ret = NULL;
	if (!name)
		return NULL;
	for (size_t i = 0; i < WP_ARRAY_LEN(columns); i++) {
		const char *key = columns[i].key ? columns[i].key : columns[i].name;

		if (strcmp(name, key) == 0 || strcmp(name, columns[i].name) == 0) {
			*ret = &columns[i];
			return NULL;
		}
		wp_choice_add(&choice, key);
	}
	return wp_choice_refuse(&choice, "--sort-by");
}

void wp_mem_columns_list(struct wp_writer *out)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(columns); i++)
		wp_writer_printf(out, "%s\n", columns[i].key ? columns[i].key : columns[i].name);
}

static double mean_latency(const struct wp_mem_row *row)
{
	return row->sums.measured ? (double)row->sums.latency / (double)row->sums.measured : 0;
}

static double sorting_value(const struct wp_mem_row *row, const struct wp_mem_column *by)
{
	return by->kind == COLUMN_MEAN ? mean_latency(row) : (double)by->value(row);
}

static int order_values(uint64_t x, uint64_t y)
{
	return (x < y) - (x > y);
}

static int compare_mem_rows(const void *a, const void *b, void *arg)
{
	const struct wp_mem_row *x = a, *y = b;
	const struct wp_mem_column *by = arg;
	int is = 0;

	if (by)
		is = (sorting_value(x, by) < sorting_value(y, by)) -
		     (sorting_value(x, by) > sorting_value(y, by));
	is = is ? is : order_values(x->sums.latency, y->sums.latency);
	is = is ? is : order_values(x->sums.weight, y->sums.weight);
	return is ? is : (x->node > y->node) - (x->node < y->node);
}

void wp_mem_rows_sort(struct wp_mem_row *rows, size_t n, const struct wp_mem_column *by)
{
	if (n)
		qsort_r(rows, n, sizeof(*rows), compare_mem_rows, (void *)(uintptr_t)by);
}

size_t wp_mem_doc_columns(struct wp_table *table, const struct wp_mem_row *total, bool address,
			  const struct wp_mem_column *ret[WP_MEM_COLUMNS])
{
	size_t n = 0;

	for (size_t i = 0; i < WP_ARRAY_LEN(columns); i++) {
		const struct wp_mem_column *column = &columns[i];

		if (!column->value(total) || (column->address && !address))
			continue;
		if (column->kind == COLUMN_PART)
			wp_table_share_column(table, column->name);
		else
			wp_table_column(table, column->name, WP_ALIGN_RIGHT)->key = column->key;
		ret[n++] = column;
	}
	return n;
}

void wp_mem_doc_cells(const struct wp_mem_row *row, const struct wp_mem_row *total,
		      const struct wp_mem_column *const *shown, size_t n, struct wp_cell *ret)
{
	for (size_t i = 0; i < n; i++) {
		const struct wp_mem_column *column = shown[i];
		uint64_t value = column->value(row);

		if (column->kind == COLUMN_PART)
			ret[i] = wp_cell_real(wp_percent(value, column->value(total)), 2);
		else if (column->kind != COLUMN_COUNT && !row->sums.measured)
			ret[i] = (struct wp_cell){.kind = WP_CELL_EMPTY};
		else
			ret[i] = column->kind == COLUMN_MEAN ? wp_cell_real(mean_latency(row), 1)
							     : wp_cell_number(value);
	}
}

static void put_latency_total(struct wp_doc *doc, struct wp_node *parent,
			      const struct wp_mem_row *total)
{
	struct wp_node *latency = wp_doc_object(doc, parent, "latency");

	wp_doc_prose(doc, parent,
		     "latency in cycles, of %" PRIu64 " samples: mean %.1f, p50 %" PRIu64
		     ", p90 %" PRIu64 ", p99 %" PRIu64 ", max %" PRIu64 "\n",
		     total->sums.measured, mean_latency(total), total->at.p50, total->at.p90,
		     total->at.p99, total->sums.latency_max);
	wp_doc_int(doc, latency, "samples", (int64_t)total->sums.measured);
	wp_doc_real(doc, latency, "mean", mean_latency(total), 1);
	wp_doc_int(doc, latency, "p50", (int64_t)total->at.p50);
	wp_doc_int(doc, latency, "p90", (int64_t)total->at.p90);
	wp_doc_int(doc, latency, "p99", (int64_t)total->at.p99);
	wp_doc_int(doc, latency, "max", (int64_t)total->sums.latency_max);
}

static bool is_sourced(const struct wp_mem_row *row)
{
	uint64_t n = 0;

	for (size_t i = 0; i < WP_MEM_LEVELS; i++)
		n += row->sums.levels[i];
	return n > 0;
}

void wp_mem_doc_total(struct wp_doc *doc, struct wp_node *parent, const struct wp_mem_row *total)
{
	wp_autostr struct wp_str text = {0};

	for (size_t i = 0; i < WP_ARRAY_LEN(columns); i++) {
		const struct wp_mem_column *column = &columns[i];
		uint64_t value = column->value(total);

		if (column->value == samples_of_row || column->kind != COLUMN_COUNT)
			continue;
		if (!value && !is_sourced(total))
			continue; /* what was not measured is not 0 */
		wp_doc_int(doc, parent, column->key ? column->key : column->name, (int64_t)value);
		if (value)
			wp_str_printf(&text, "%s%s %" PRIu64, text.len ? ", " : "", column->name,
				      value);
	}
	if (text.len)
		wp_doc_prose(doc, parent, "%s\n", text.s);
	if (total->sums.measured)
		put_latency_total(doc, parent, total);
}
