/* SPDX-License-Identifier: BSD-3-Clause */
/* hot_blocks_doc: the hottest blocks of a program, for each event; see blocks_doc.h. */
#include "aggregate/blocks_doc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct hot_block {
	struct wp_blocks *blocks;
	struct wp_block *block;
	uint64_t samples;
};

struct hot_blocks {
	WP_VEC(struct hot_block) rows;
	uint64_t samples; /* in all blocks */
};

static int compare_hot_blocks(const void *a, const void *b)
{
	const struct hot_block *x = a, *y = b;
	int names;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	names = strcmp(x->blocks->name, y->blocks->name);
	if (names)
		return names;
	return (x->block->start > y->block->start) - (x->block->start < y->block->start);
}

static void gather_hot_blocks(const struct wp_blocks_report *report, uint32_t event,
			      struct hot_blocks *ret)
{
	wp_vec_each (struct wp_blocks, blocks, &report->list->functions)
		wp_vec_each (struct wp_block, block, &blocks->blocks) {
			struct hot_block row = {blocks, block, block->samples[event]};

			ret->samples += row.samples;
			if (row.samples)
				wp_vec_push(&ret->rows, row);
		}
	if (ret->rows.n)
		qsort(ret->rows.v, ret->rows.n, sizeof(*ret->rows.v), compare_hot_blocks);
}

static void put_hot_block(const struct wp_blocks_report *report, struct wp_doc *doc,
			  struct wp_table *table, const struct hot_block *row, uint64_t all)
{
	const struct wp_blocks *blocks = row->blocks;
	const char *module = blocks->module ? blocks->module : "no file", *lines;

	if (report->find_lines)
		report->find_lines(report->find_lines_arg, row->blocks, row->block);
	lines = wp_blocks_lines(&doc->arena, row->block);
	wp_table_add(
		table,
		(struct wp_cell[]){
			wp_cell_real(wp_percent(row->samples, all), 2),
			wp_cell_number(row->samples),
			wp_cell_str(wp_arena_printf(&doc->arena, "%s:%s", blocks->name, module)),
			wp_cell_str(wp_arena_printf(&doc->arena, "+0x%" PRIx64,
						    row->block->start - blocks->start)),
			wp_cell_number(row->block->instructions),
			wp_cell_number(wp_block_depth(blocks, row->block)),
			lines ? wp_cell_str(lines) : (struct wp_cell){.kind = WP_CELL_EMPTY},
		});
}

static void put_hot_event(const struct wp_blocks_report *report, struct wp_doc *doc,
			  struct wp_node *events, uint32_t event)
{
	struct wp_node *object = wp_doc_object(doc, events, NULL);
	const char *name = report->events->events.v[event].name;
	uint64_t all = wp_blocks_event_samples(report, event);
	struct hot_blocks hot = {.samples = 0};
	struct wp_table *table;

	gather_hot_blocks(report, event, &hot);
	wp_doc_prose(doc, object,
		     "%s======================== hot blocks of %s ========================\n\n",
		     events->first == events->last ? "" : "\n", name);
	wp_doc_str(doc, object, "type", name);
	wp_doc_int(doc, object, "samples", (int64_t)all);
	wp_doc_int(doc, object, "in_blocks", (int64_t)hot.samples);
	table = wp_doc_table(doc, object, "rows");
	wp_table_share_column(table, "percent");
	wp_table_column(table, "count", WP_ALIGN_RIGHT);
	wp_table_symbol_column(table, "function", WP_ALIGN_LEFT);
	wp_table_column(table, "block", WP_ALIGN_RIGHT)->key = "offset";
	wp_table_column(table, "instr", WP_ALIGN_RIGHT)->key = "instructions";
	wp_table_column(table, "loop", WP_ALIGN_RIGHT)->key = "depth";
	wp_table_path_column(table, "lines", WP_ALIGN_RAGGED);
	for (size_t i = 0; i < hot.rows.n && i < report->rows; i++)
		put_hot_block(report, doc, table, &hot.rows.v[i], all);
	if (hot.samples < all)
		wp_doc_prose(doc, object,
			     "\n%" PRIu64 " of %" PRIu64
			     " samples are in code without blocks: of the kernel, of functions "
			     "without\na name, or not to be read\n",
			     all - hot.samples, all);
	wp_vec_deinit(&hot.rows);
}

struct wp_doc *wp_hot_blocks_doc(const struct wp_blocks_report *report)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_node *root = wp_doc_object(doc, doc->root, "hot_blocks"), *events;

	wp_doc_int(doc, root, "samples_lost", (int64_t)report->lost);
	events = wp_doc_array(doc, root, "events");
	for (uint32_t event = 0; event < report->list->n_events; event++)
		if (wp_blocks_event_samples(report, event))
			put_hot_event(report, doc, events, event);
	if (report->lost)
		wp_doc_prose(doc, doc->root, "\nnote: %" PRIu64 " samples lost\n", report->lost);
	return doc;
}
