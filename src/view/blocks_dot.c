/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks_dot: see blocks_dot.h. https://graphviz.org/doc/info/lang.html */
#include "view/blocks_dot.h"

#include "base/str.h"

#include <inttypes.h>
#include <string.h>

/* Inside of double quotes. */
static void put_dot_text(struct wp_writer *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			wp_writer_puts(out, "\\");
		wp_writer_put(out, (unsigned char)*text < ' ' ? "?" : text, 1);
	}
}

static double block_share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static void put_dot_block(struct wp_writer *out, size_t function, const struct wp_blocks *blocks,
			  uint32_t index, uint32_t event)
{
	const struct wp_block *block = &blocks->blocks.v[index];
	double share = block_share(block->samples[event], blocks->samples[event]);

	wp_writer_printf(out, "    f%zu_b%u [label=\"B%u +0x%" PRIx64 "\\l%u instruction%s\\l",
			 function, index, index, block->start - blocks->start, block->instructions,
			 block->instructions == 1 ? "" : "s");
	if (block->file) {
		put_dot_text(out, wp_str_basename(block->file));
		wp_writer_printf(out, ":%u", block->line);
		if (block->last_line > block->line)
			wp_writer_printf(out, "-%u", block->last_line);
		wp_writer_puts(out, "\\l");
	}
	if (block->samples[event])
		wp_writer_printf(out, "%.2f %%, %" PRIu64 " samples\\l", share * 100,
				 block->samples[event]);
	wp_writer_printf(out, "\", fillcolor=\"0.05 %.3f 1.0\"%s];\n", share,
			 block->reached ? "" : ", style=\"filled,dashed\"");
}

/* Edges of the hottest path are bold, jumps through tables dashed. */
static void put_dot_edges(struct wp_writer *out, size_t function, const struct wp_blocks *blocks,
			  uint32_t index, uint32_t next_on_path)
{
	const struct wp_block *block = &blocks->blocks.v[index];

	for (uint32_t i = 0; i < block->n_to; i++) {
		const struct wp_flow_edge *edge = &blocks->edges.v[block->first + i];

		wp_writer_printf(out, "    f%zu_b%u -> f%zu_b%u%s%s;\n", function, index, function,
				 edge->to, edge->to == next_on_path ? " [penwidth=3]" : "",
				 edge->kind == WP_EDGE_TABLE ? " [style=dashed]" : "");
	}
}

static void put_dot_function(struct wp_writer *out, size_t function, const struct wp_blocks *blocks,
			     uint32_t event)
{
	wp_autofree uint32_t *next = wp_calloc(blocks->blocks.n + 1, sizeof(*next));

	for (size_t i = 0; i < blocks->blocks.n; i++)
		next[i] = UINT32_MAX;
	for (size_t i = 1; i < blocks->path.n; i++)
		next[blocks->path.v[i - 1]] = blocks->path.v[i];
	wp_writer_printf(out, "  subgraph cluster_%zu {\n    label=\"", function);
	put_dot_text(out, blocks->name);
	wp_writer_puts(out, " (");
	put_dot_text(out, blocks->module ? blocks->module : "no file");
	wp_writer_puts(out, ")\";\n");
	for (uint32_t i = 0; i < blocks->blocks.n; i++)
		put_dot_block(out, function, blocks, i, event);
	for (uint32_t i = 0; i < blocks->blocks.n; i++)
		put_dot_edges(out, function, blocks, i, next[i]);
	wp_writer_puts(out, "  }\n");
}

void wp_blocks_dot(const struct wp_blocks_list *list, uint32_t event, struct wp_writer *out)
{
	wp_writer_puts(out, "digraph blocks {\n"
			    "  node [shape=box, fontname=monospace, style=filled];\n");
	for (size_t i = 0; i < list->functions.n; i++)
		put_dot_function(out, i, &list->functions.v[i], event);
	wp_writer_puts(out, "}\n");
}
