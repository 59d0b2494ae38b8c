/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_folded: a line per stack, outermost function first, functions with semicolons between and
 * the weight behind: what flamegraph.pl, inferno and speedscope read.
 *
 * As stackcollapse-perf.pl makes them: the thread's name comes first, "_[k]" ends functions of the
 * kernel, "_[i]" inlined ones and "_[j]" those of a JIT compiler.
 */
#include "base/utf8.h"
#include "view/profile_tree.h"
#include "view/view.h"

#include <inttypes.h>

/* What separates frames and lines may not be in one. */
static void put_folded_text(struct wp_str *line, const char *text)
{
	size_t begin = line->len;

	for (; *text; text++)
		wp_str_putc(line, *text == ';' ? ':' : (unsigned char)*text < ' ' ? ' ' : *text);
	if (line->s)
		wp_utf8_hide_controls(line->s + begin, "");
}

static const char *mark_of(const struct wp_tree_label *label)
{
	if (label->kind != WP_TREE_FUNCTION)
		return "";
	switch (label->symbol) {
	case WP_SYMBOL_KERNEL: return "_[k]";
	case WP_SYMBOL_INLINE: return "_[i]";
	case WP_SYMBOL_JIT: return "_[j]";
	default: return "";
	}
}

/* A node's line begins with its parent's: `line` up to where `ends` says that one ends. */
static void put_folded_node(const struct wp_profile_tree *tree, uint32_t at, struct wp_str *line,
			    size_t *ends, struct wp_writer *out)
{
	const struct wp_tree_node *node = &tree->nodes.v[at];
	const struct wp_tree_label *label = wp_tree_label(tree, at);

	line->len = ends[node->parent];
	if (line->len)
		wp_str_putc(line, ';');
	put_folded_text(line, label->text);
	wp_str_puts(line, mark_of(label));
	ends[at] = line->len;
	if (node->self)
		wp_writer_printf(out, "%s %" PRIu64 "\n", line->s, node->self);
}

static void put_below(const struct wp_profile_tree *tree, struct wp_writer *out)
{
	wp_autofree size_t *ends = wp_calloc(tree->nodes.n, sizeof(*ends));
	WP_VEC(uint32_t) todo = {0};
	wp_autostr struct wp_str line = {0};

	wp_vec_push(&todo, 0);
	while (todo.n) {
		uint32_t at = todo.v[--todo.n];
		const struct wp_tree_node *node = &tree->nodes.v[at];

		if (at)
			put_folded_node(tree, at, &line, ends, out);
		for (uint32_t i = node->n_children; i-- > 0;)
			wp_vec_push(&todo, tree->order.v[node->children + i]);
	}
	wp_vec_deinit(&todo);
}

static void render_folded(const struct wp_profile *profile, struct wp_writer *out)
{
	struct wp_profile_tree tree;

	wp_profile_tree_make(profile, &tree);
	put_below(&tree, out);
	wp_profile_tree_deinit(&tree);
}

const struct wp_export_ops wp_export_folded = {
	.name = "folded",
	.suffix = ".folded.txt",
	.text = "a line per stack: flamegraph.pl, inferno, speedscope",
	.one_event = true,
	.render = render_folded,
};
