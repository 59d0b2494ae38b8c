/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks_doc: see blocks_doc.h. Blocks are named B0, B1 ... in order of addresses. Text has their
 * successors in a column, data in a table of edges.
 */
#include "aggregate/blocks_doc.h"

#include "base/str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 8 /* of blocks, in a text */

static const char *const ends[] = {
	[WP_BLOCK_NEXT] = "next",   [WP_BLOCK_JUMP] = "jump",	    [WP_BLOCK_BRANCH] = "branch",
	[WP_BLOCK_TABLE] = "table", [WP_BLOCK_RETURN] = "return",   [WP_BLOCK_LEAVE] = "leave",
	[WP_BLOCK_STOP] = "stop",   [WP_BLOCK_UNKNOWN] = "unknown", [WP_BLOCK_CUT] = "cut",
};

static const char *const end_words[] = {
	[WP_BLOCK_RETURN] = "return",  [WP_BLOCK_LEAVE] = "other function",
	[WP_BLOCK_STOP] = "no return", [WP_BLOCK_UNKNOWN] = "not known",
	[WP_BLOCK_CUT] = "end",
};

static const char *const edge_kinds[] = {"next", "jump", "table"};

/* One function at a time. */
struct blocks_writing {
	const struct wp_blocks_report *report;
	struct wp_doc *doc;
	const struct wp_blocks *blocks;
	size_t n_events; /* that have samples: */
	uint32_t *events;
	size_t n_cells;
	struct wp_cell *cells; /* of a row */
};

uint64_t wp_blocks_event_samples(const struct wp_blocks_report *report, uint32_t event)
{
	return event < report->flat->events.n ? report->flat->events.v[event].samples : 0;
}

static void find_block_events(struct blocks_writing *w)
{
	size_t n = w->report->list->n_events;

	w->events = wp_arena_alloc(&w->doc->arena, (n + 1) * sizeof(*w->events));
	for (uint32_t event = 0; event < n; event++)
		if (wp_blocks_event_samples(w->report, event))
			w->events[w->n_events++] = event;
	w->cells = wp_arena_alloc(&w->doc->arena, (2 * n + 16) * sizeof(*w->cells));
}

static const char *block_event_name(const struct blocks_writing *w, size_t i)
{
	return w->report->events->events.v[w->events[i]].name;
}

static void put_block_count_columns(struct blocks_writing *w, struct wp_table *table)
{
	bool one = w->n_events == 1;

	for (size_t i = 0; i < w->n_events; i++) {
		const char *name = block_event_name(w, i);
		struct wp_arena *arena = &w->doc->arena;

		wp_table_share_column(table,
				      one ? "percent" : wp_arena_printf(arena, "%s %%", name));
		table->columns[table->n_columns - 1].key =
			wp_arena_printf(arena, "%s_percent", name);
		wp_table_column(table, one ? "count" : wp_arena_printf(arena, "%s count", name),
				WP_ALIGN_RIGHT);
		table->columns[table->n_columns - 1].key = wp_arena_printf(arena, "%s_count", name);
	}
}

static void put_block_cell(struct blocks_writing *w, struct wp_cell cell)
{
	w->cells[w->n_cells++] = cell;
}

/* Percents of the function's samples; begins a row. */
static void put_block_counts(struct blocks_writing *w, const uint64_t *samples, bool blank)
{
	w->n_cells = 0;
	for (size_t i = 0; i < w->n_events; i++) {
		uint64_t n = samples[w->events[i]], all = w->blocks->samples[w->events[i]];
		const struct wp_cell empty = {.kind = WP_CELL_EMPTY};

		put_block_cell(w, n || !blank ? wp_cell_real(wp_percent(n, all), 2) : empty);
		put_block_cell(w, n || !blank ? wp_cell_number(n) : empty);
	}
}

static void put_text_or_empty(struct blocks_writing *w, const char *text)
{
	put_block_cell(w, text ? wp_cell_str(text) : (struct wp_cell){.kind = WP_CELL_EMPTY});
}

static void put_number_or_empty(struct blocks_writing *w, uint64_t n)
{
	put_block_cell(w, n ? wp_cell_number(n) : (struct wp_cell){.kind = WP_CELL_EMPTY});
}

const char *wp_blocks_lines(struct wp_arena *arena, const struct wp_block *block)
{
	const char *name = block->file ? wp_str_basename(block->file) : NULL;

	if (!name)
		return NULL;
	return block->last_line > block->line
		       ? wp_arena_printf(arena, "%s:%u-%u", name, block->line, block->last_line)
		       : wp_arena_printf(arena, "%s:%u", name, block->line);
}

/* "B1, B4"; of many the first ones, and how many more there are. */
static const char *successors_text(struct blocks_writing *w, const struct wp_block *block)
{
	wp_autostr struct wp_str text = {0};
	uint32_t shown = block->n_to > MOST_NAMES ? MOST_NAMES : block->n_to;

	for (uint32_t i = 0; i < shown; i++)
		wp_str_printf(&text, "%sB%u", i ? ", " : "",
			      w->blocks->edges.v[block->first + i].to);
	if (block->n_to > shown)
		wp_str_printf(&text, " and %u more", block->n_to - shown);
	if (block->leaves)
		wp_str_printf(&text, "%s%s", text.len ? ", " : "", end_words[WP_BLOCK_LEAVE]);
	else if (end_words[block->end])
		wp_str_puts(&text, end_words[block->end]);
	return wp_arena_strdup(&w->doc->arena, text.s ? text.s : "");
}

static uint32_t block_index(const struct wp_blocks *blocks, const struct wp_block *block)
{
	return (uint32_t)(block - blocks->blocks.v);
}

static void put_block_text_row(struct blocks_writing *w, struct wp_table *table,
			       const struct wp_block *block)
{
	struct wp_arena *arena = &w->doc->arena;

	put_block_counts(w, block->samples, true);
	put_block_cell(w, wp_cell_str(wp_arena_printf(arena, "B%u%s", block_index(w->blocks, block),
						      block->on_path   ? "*"
						      : block->reached ? ""
								       : "?")));
	put_block_cell(w, wp_cell_str(wp_arena_printf(arena, "+0x%" PRIx64,
						      block->start - w->blocks->start)));
	put_block_cell(w, wp_cell_number(block->instructions));
	put_number_or_empty(w, wp_block_depth(w->blocks, block));
	put_text_or_empty(w, wp_blocks_lines(arena, block));
	put_block_cell(w, wp_cell_str(successors_text(w, block)));
	wp_table_add(table, w->cells);
}

static void put_block_data_row(struct blocks_writing *w, struct wp_table *table,
			       const struct wp_block *block)
{
	const struct wp_cell empty = {.kind = WP_CELL_EMPTY};

	put_block_counts(w, block->samples, false);
	put_block_cell(w, wp_cell_number(block_index(w->blocks, block)));
	put_block_cell(w, wp_cell_str(wp_arena_printf(&w->doc->arena, "%" PRIx64, block->start)));
	put_block_cell(w, wp_cell_number(block->start - w->blocks->start));
	put_block_cell(w, wp_cell_number(block->size));
	put_block_cell(w, wp_cell_number(block->instructions));
	put_block_cell(w, wp_cell_str(ends[block->end]));
	put_block_cell(w, block->loop == WP_NO_LOOP ? empty : wp_cell_number(block->loop));
	put_block_cell(w, wp_cell_number(wp_block_depth(w->blocks, block)));
	put_block_cell(w, wp_cell_number(block->reached));
	put_block_cell(w, wp_cell_number(block->on_path));
	put_block_cell(w, wp_cell_number(block->leaves));
	put_text_or_empty(w, block->file);
	put_number_or_empty(w, block->file ? block->line : 0);
	put_number_or_empty(w, block->file ? block->last_line : 0);
	wp_table_add(table, w->cells);
}

static bool is_sampled(const struct blocks_writing *w, const uint64_t *samples)
{
	bool any = false;

	for (size_t i = 0; i < w->n_events; i++)
		any |= samples[w->events[i]];
	return any;
}

static int compare_blocks(const void *a, const void *b, void *arg)
{
	const struct wp_block *x = *(const struct wp_block *const *)a;
	const struct wp_block *y = *(const struct wp_block *const *)b;
	const struct blocks_writing *w = arg;

	for (size_t i = 0; i < w->n_events; i++) {
		uint64_t m = x->samples[w->events[i]], n = y->samples[w->events[i]];

		if (m != n)
			return m < n ? 1 : -1;
	}
	return (x->start > y->start) - (x->start < y->start);
}

struct block_rows {
	WP_VEC(const struct wp_block *) rows;
};

static void choose_blocks(struct blocks_writing *w, struct block_rows *ret)
{
	wp_vec_each (const struct wp_block, block, &w->blocks->blocks)
		if (!w->report->hottest || is_sampled(w, block->samples))
			wp_vec_push(&ret->rows, block);
	if (w->report->hottest && ret->rows.n)
		qsort_r(ret->rows.v, ret->rows.n, sizeof(*ret->rows.v), compare_blocks, w);
}

static void put_blocks_text(struct blocks_writing *w, struct wp_node *parent,
			    const struct block_rows *rows)
{
	struct wp_table *table = wp_doc_table(w->doc, parent, "table");

	parent->last->only = WP_TEXT_ONLY;
	put_block_count_columns(w, table);
	wp_table_column(table, "block", WP_ALIGN_LEFT);
	wp_table_column(table, "offset", WP_ALIGN_RIGHT);
	wp_table_column(table, "instr", WP_ALIGN_RIGHT);
	wp_table_column(table, "loop", WP_ALIGN_RIGHT);
	wp_table_path_column(table, "lines", WP_ALIGN_LEFT);
	wp_table_text_column(table, "goes to", WP_ALIGN_RAGGED);
	wp_vec_each (const struct wp_block *, it, &rows->rows)
		put_block_text_row(w, table, *it);
}

static void put_blocks_data(struct blocks_writing *w, struct wp_node *parent,
			    const struct block_rows *rows)
{
	static const char *const numbers[] = {"offset", "size", "instructions"};
	static const char *const more[] = {"loop", "depth", "reached", "on_path", "leaves"};
	struct wp_table *table = wp_doc_table(w->doc, parent, "blocks");

	parent->last->only = WP_DATA_ONLY;
	put_block_count_columns(w, table);
	wp_table_column(table, "block", WP_ALIGN_RIGHT);
	wp_table_column(table, "address", WP_ALIGN_RIGHT);
	for (size_t i = 0; i < WP_ARRAY_LEN(numbers); i++)
		wp_table_column(table, numbers[i], WP_ALIGN_RIGHT);
	wp_table_column(table, "end", WP_ALIGN_LEFT);
	for (size_t i = 0; i < WP_ARRAY_LEN(more); i++)
		wp_table_column(table, more[i], WP_ALIGN_RIGHT);
	wp_table_column(table, "file", WP_ALIGN_LEFT);
	wp_table_column(table, "line", WP_ALIGN_RIGHT);
	wp_table_column(table, "last_line", WP_ALIGN_RIGHT);
	wp_vec_each (const struct wp_block *, it, &rows->rows)
		put_block_data_row(w, table, *it);
}

static void put_edges_data(struct blocks_writing *w, struct wp_node *parent)
{
	struct wp_table *table = wp_doc_table(w->doc, parent, "edges");

	parent->last->only = WP_DATA_ONLY;
	wp_table_column(table, "from", WP_ALIGN_RIGHT);
	wp_table_column(table, "to", WP_ALIGN_RIGHT);
	wp_table_column(table, "kind", WP_ALIGN_LEFT);
	wp_vec_each (const struct wp_block, block, &w->blocks->blocks)
		for (uint32_t i = 0; i < block->n_to; i++) {
			const struct wp_flow_edge *edge = &w->blocks->edges.v[block->first + i];

			wp_table_add(table, (struct wp_cell[]){
						    wp_cell_number(block_index(w->blocks, block)),
						    wp_cell_number(edge->to),
						    wp_cell_str(edge_kinds[edge->kind]),
					    });
		}
}

static void put_loop_row(struct blocks_writing *w, struct wp_table *table,
			 const struct wp_block_loop *loop, bool text)
{
	struct wp_arena *arena = &w->doc->arena;
	const struct wp_block *header = &w->blocks->blocks.v[loop->header];
	const struct wp_cell empty = {.kind = WP_CELL_EMPTY};
	uint32_t parent = loop->parent;

	if (parent != WP_NO_LOOP && text)
		parent = w->blocks->loops.v[parent].header;
	put_block_counts(w, loop->samples, text);
	put_block_cell(w, text ? wp_cell_str(wp_arena_printf(arena, "B%u", loop->header))
			       : wp_cell_number(loop->header));
	put_block_cell(w, wp_cell_number(loop->depth));
	put_block_cell(w, wp_cell_number(loop->blocks));
	if (parent == WP_NO_LOOP)
		put_block_cell(w, empty);
	else
		put_block_cell(w, text ? wp_cell_str(wp_arena_printf(arena, "B%u", parent))
				       : wp_cell_number(parent));
	if (text)
		put_text_or_empty(w, wp_blocks_lines(arena, header));
	wp_table_add(table, w->cells);
}

static void put_loops(struct blocks_writing *w, struct wp_node *parent, bool text)
{
	struct wp_table *table;

	if (text && !w->blocks->loops.n)
		return;
	if (text)
		wp_doc_prose(w->doc, parent, "\nloops\n");
	table = wp_doc_table(w->doc, parent, "loops");
	parent->last->only = text ? WP_TEXT_ONLY : WP_DATA_ONLY;
	put_block_count_columns(w, table);
	wp_table_column(table, text ? "begins" : "header", WP_ALIGN_LEFT);
	wp_table_column(table, "depth", WP_ALIGN_RIGHT);
	wp_table_column(table, "blocks", WP_ALIGN_RIGHT);
	wp_table_column(table, text ? "inside" : "parent", WP_ALIGN_LEFT);
	if (text)
		wp_table_path_column(table, "begin's lines", WP_ALIGN_RAGGED);
	wp_vec_each (const struct wp_block_loop, loop, &w->blocks->loops)
		if (!text || !w->report->hottest || is_sampled(w, loop->samples))
			put_loop_row(w, table, loop, text);
}

static void put_path(struct blocks_writing *w, struct wp_node *object)
{
	const struct wp_blocks *blocks = w->blocks;
	struct wp_node *path = wp_doc_array(w->doc, object, "path");
	uint32_t event = w->events[0];
	size_t i = 0;

	wp_vec_each (const uint32_t, it, &blocks->path)
		wp_doc_int(w->doc, path, NULL, *it);
	if (!blocks->path.n)
		return;
	wp_doc_prose(w->doc, object, "hottest path (*):");
	for (; i < blocks->path.n && i < MOST_NAMES; i++)
		wp_doc_prose(w->doc, object, " B%u", blocks->path.v[i]);
	if (i < blocks->path.n)
		wp_doc_prose(w->doc, object, " and %zu more", blocks->path.n - i);
	wp_doc_prose(w->doc, object, ", %.2f %% of the samples\n",
		     wp_percent(blocks->path_samples[event], blocks->samples[event]));
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* What could not be followed, or only with a guess. */
static void put_flow_notes(struct blocks_writing *w, struct wp_node *object)
{
	const struct wp_blocks *b = w->blocks;
	uint32_t apart = 0;

	wp_vec_each (const struct wp_block, block, &b->blocks)
		apart += !block->reached;
	if (b->unfollowed)
		wp_doc_prose(w->doc, object, "%u indirect jump%s could not be followed\n",
			     b->unfollowed, plural(b->unfollowed));
	if (apart)
		wp_doc_prose(w->doc, object, "%u block%s not reached by what was followed (?)\n",
			     apart, apart == 1 ? " is" : "s are");
	if (b->guessed)
		wp_doc_prose(w->doc, object,
			     "%u table%s of jumps: where it ends is guessed from its entries\n",
			     b->guessed, plural(b->guessed));
	if (b->pointers)
		wp_doc_prose(w->doc, object,
			     "%u jump%s through a pointer, taken for a call of another function\n",
			     b->pointers, plural(b->pointers));
	if (b->irreducible)
		wp_doc_prose(w->doc, object,
			     "%u way%s back into the middle of a loop, which is not listed\n",
			     b->irreducible, plural(b->irreducible));
	if (b->data_bytes)
		wp_doc_prose(w->doc, object, "%u byte%s among the code are no instructions\n",
			     b->data_bytes, plural(b->data_bytes));
	if (b->cut)
		wp_doc_prose(w->doc, object, "the function is larger than what is followed\n");
	wp_doc_int(w->doc, object, "not_reached", apart);
	wp_doc_int(w->doc, object, "unfollowed", b->unfollowed);
	wp_doc_int(w->doc, object, "tables", b->tables);
	wp_doc_int(w->doc, object, "guessed", b->guessed);
	wp_doc_int(w->doc, object, "pointers", b->pointers);
	wp_doc_int(w->doc, object, "irreducible", b->irreducible);
	wp_doc_int(w->doc, object, "data_bytes", b->data_bytes);
	wp_doc_bool(w->doc, object, "cut", b->cut);
}

static void put_block_totals(struct blocks_writing *w, struct wp_node *object)
{
	struct wp_node *events = wp_doc_array(w->doc, object, "events");

	for (size_t i = 0; i < w->n_events; i++) {
		uint32_t event = w->events[i];
		uint64_t n = w->blocks->samples[event];
		uint64_t all = wp_blocks_event_samples(w->report, event);
		struct wp_node *of = wp_doc_object(w->doc, events, NULL);

		wp_doc_str(w->doc, of, "type", block_event_name(w, i));
		wp_doc_int(w->doc, of, "samples", (int64_t)n);
		wp_doc_real(w->doc, of, "percent", wp_percent(n, all), 2);
		wp_doc_prose(w->doc, object, "%s: %" PRIu64 " samples, %.2f %% of %" PRIu64 "\n",
			     block_event_name(w, i), n, wp_percent(n, all), all);
	}
}

static void put_blocks_of(struct blocks_writing *w, struct wp_node *functions, bool first)
{
	struct wp_node *object = wp_doc_object(w->doc, functions, NULL);
	const struct wp_blocks *b = w->blocks;
	struct block_rows rows = {.rows = {0}};

	wp_doc_prose(w->doc, object,
		     "%s======================== %s (%s) ========================\n",
		     first ? "" : "\n", b->name, b->module ? b->module : "no file");
	wp_doc_str(w->doc, object, "function", b->name);
	if (b->module)
		wp_doc_str(w->doc, object, "module", b->module);
	put_block_totals(w, object);
	wp_doc_prose(w->doc, object, "%zu block%s, %zu loop%s\n", b->blocks.n, plural(b->blocks.n),
		     b->loops.n, plural(b->loops.n));
	put_path(w, object);
	put_flow_notes(w, object);
	wp_doc_prose(w->doc, object, "\n");
	choose_blocks(w, &rows);
	put_blocks_text(w, object, &rows);
	put_blocks_data(w, object, &rows);
	wp_vec_deinit(&rows.rows);
	put_edges_data(w, object);
	put_loops(w, object, true);
	put_loops(w, object, false);
}

struct wp_doc *wp_blocks_doc(const struct wp_blocks_report *report)
{
	struct blocks_writing w = {.report = report, .doc = wp_doc_new()};
	struct wp_node *root = wp_doc_object(w.doc, w.doc->root, "blocks"), *functions;

	wp_doc_int(w.doc, root, "samples_lost", (int64_t)report->lost);
	functions = wp_doc_array(w.doc, root, "functions");
	find_block_events(&w);
	wp_vec_each (const struct wp_blocks, blocks, &report->list->functions) {
		w.blocks = blocks;
		put_blocks_of(&w, functions, blocks == report->list->functions.v);
	}
	if (!report->list->functions.n)
		wp_doc_prose(w.doc, w.doc->root, "no function was sampled\n");
	if (report->lost)
		wp_doc_prose(w.doc, w.doc->root, "\nnote: %" PRIu64 " samples lost\n",
			     report->lost);
	return w.doc;
}
