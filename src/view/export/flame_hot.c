/* SPDX-License-Identifier: BSD-3-Clause */
/* flame_hot: see flame_hot.h. */
#include "view/export/flame_hot.h"

#include "view/stack_sums.h"

#include <string.h>

#define NO_FRAME UINT32_MAX

static const char *hot_row_text(const struct wp_flame_hot_row *row)
{
	return row->label ? row->label->text : row->text;
}

static bool is_before(const struct wp_flame_hot_row *a, const struct wp_flame_hot_row *b)
{
	if (a->weight != b->weight)
		return a->weight > b->weight;
	return strcmp(hot_row_text(a), hot_row_text(b)) < 0;
}

/* Keeps the heaviest ones, sorted. */
static void offer_hot_row(struct wp_flame_hot_row *rows, size_t *n,
			  const struct wp_flame_hot_row *row)
{
	size_t at = *n;

	while (at > 0 && is_before(row, &rows[at - 1]))
		at--;
	if (at == WP_FLAME_HOT_ROWS)
		return;
	if (*n < WP_FLAME_HOT_ROWS)
		++*n;
	memmove(&rows[at + 1], &rows[at], (*n - at - 1) * sizeof(*rows));
	rows[at] = *row;
}

static void find_functions(const struct wp_profile_tree *tree, struct wp_flame_hot *ret)
{
	wp_autofree uint64_t *self = wp_calloc(tree->labels.n, sizeof(*self));

	wp_vec_each (struct wp_tree_node, node, &tree->nodes)
		self[node->label] += node->self;
	for (size_t i = 0; i < tree->labels.n; i++) {
		struct wp_flame_hot_row row = {.label = &tree->labels.v[i], .weight = self[i]};

		if (self[i] && row.label->kind == WP_TREE_FUNCTION)
			offer_hot_row(ret->functions, &ret->n_functions, &row);
	}
}

/* The innermost Python frame of a stack. */
static uint32_t python_frame(const struct wp_profile *profile, uint32_t stack)
{
	for (; stack != WP_NO_STACK; stack = profile->stacks.v[stack].caller) {
		uint32_t frame = profile->stacks.v[stack].frame;

		if (profile->frames.v[frame].kind == WP_SYMBOL_PYTHON &&
		    profile->frames.v[frame].reason == WP_SYMBOL_KNOWN)
			return frame;
	}
	return NO_FRAME;
}

/* "app.py:12 main"; of a line that is not known "app.py main". */
static const char *print_hot_line(const struct wp_profile *profile,
				  const struct wp_profile_frame *frame, struct wp_arena *arena)
{
	const char *file =
		frame->module == WP_NO_MODULE ? "?" : profile->modules.v[frame->module].name;

	if (!frame->line)
		return wp_arena_printf(arena, "%s %s", file, frame->name);
	return wp_arena_printf(arena, "%s:%u %s", file, frame->line, frame->name);
}

/* Frames of the same function and line are one frame of the profile. */
static void find_lines(const struct wp_profile *profile, struct wp_flame_hot *ret)
{
	wp_autofree uint64_t *weights = wp_calloc(profile->frames.n + 1, sizeof(*weights));
	struct wp_stack_sums sums;

	wp_stack_sums_make(profile, WP_SUM_BY_EVENT, &sums);
	wp_vec_each (struct wp_stack_sum, sum, &sums.sums) {
		uint32_t frame = python_frame(profile, sum->stack);

		if (frame != NO_FRAME)
			weights[frame] += sum->weight;
	}
	wp_stack_sums_deinit(&sums);
	for (size_t i = 0; i < profile->frames.n; i++) {
		const struct wp_profile_frame *frame = &profile->frames.v[i];
		struct wp_flame_hot_row row = {.weight = weights[i]};

		if (!weights[i])
			continue;
		row.text = print_hot_line(profile, frame, &ret->arena);
		offer_hot_row(ret->lines, &ret->n_lines, &row);
	}
}

void wp_flame_hot_make(const struct wp_profile *profile, const struct wp_profile_tree *tree,
		       struct wp_flame_hot *ret)
{
	*ret = (struct wp_flame_hot){0};
	find_functions(tree, ret);
	find_lines(profile, ret);
}

void wp_flame_hot_deinit(struct wp_flame_hot *hot)
{
	wp_arena_deinit(&hot->arena);
}
