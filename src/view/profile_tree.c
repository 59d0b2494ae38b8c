/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_tree: see profile_tree.h. */
#include "view/profile_tree.h"

#include "view/frame_text.h"
#include "view/stack_sums.h"

#include <stdlib.h>
#include <string.h>

/* A stack of a thread's name, and its node. */
struct step {
	uint32_t node, stack;
	uint64_t weight; /* that passes here */
	uint32_t caller; /* the step before + 1; 0: none */
};

struct build {
	struct wp_profile_tree *tree;
	const struct wp_profile *profile;
	struct wp_map child_of;	   /* node and label -> node */
	struct wp_map step_of;	   /* thread's node and stack -> index in steps + 1 */
	struct wp_map line_of;	   /* node and line -> index in the tree's lines + 1 */
	WP_VEC(struct step) steps; /* a step is behind its caller's */
	WP_VEC(uint32_t) labels;   /* of the profile's frames */
	WP_VEC(uint32_t) path;	   /* stacks without a step, innermost first */
};

static uint32_t label_of(struct wp_profile_tree *tree, const struct wp_tree_label *label)
{
	uint64_t id = wp_strpool_id(&tree->texts, label->text);
	uint64_t *at =
		wp_map_put(&tree->label_of, id << 16 | (uint64_t)label->kind << 9 |
						    (uint64_t)label->symbol << 1 | label->known);

	if (!*at) {
		wp_vec_push(&tree->labels, *label);
		tree->labels.v[tree->labels.n - 1].text =
			wp_strpool_get(&tree->texts, (uint32_t)id);
		*at = tree->labels.n;
	}
	return (uint32_t)(*at - 1);
}

static void label_frames(struct build *b)
{
	wp_vec_each (struct wp_profile_frame, frame, &b->profile->frames) {
		wp_autostr struct wp_str text = {0};

		wp_frame_text(b->profile, frame, &text);
		struct wp_tree_label label = {
			.text = text.s ? text.s : "",
			.kind = WP_TREE_FUNCTION,
			.symbol = frame->kind,
			.known = frame->reason == WP_SYMBOL_KNOWN,
		};
		wp_vec_push(&b->labels, label_of(b->tree, &label));
	}
}

static uint32_t child(struct build *b, uint32_t parent, uint32_t label, uint32_t frame)
{
	uint64_t *at = wp_map_put(&b->child_of, (uint64_t)parent << 32 | label);
	struct wp_tree_node node = {.parent = parent, .label = label, .frame = frame};

	if (!*at) {
		*at = b->tree->nodes.n;
		wp_vec_push(&b->tree->nodes, node);
	}
	return (uint32_t)*at;
}

static uint32_t thread_node(struct build *b, uint32_t thread)
{
	const char *name = b->profile->threads.v[thread].name;
	struct wp_tree_label label = {.text = *name ? name : "?", .kind = WP_TREE_THREAD};

	return child(b, 0, label_of(b->tree, &label), 0);
}

/* The step of a stack below a thread's node, made with those of its callers; + 1. */
static uint32_t step_of(struct build *b, uint32_t top, uint32_t stack)
{
	const struct wp_profile_stack *stacks = b->profile->stacks.v;
	const uint64_t *known = NULL;
	uint32_t step, node;

	b->path.n = 0;
	for (; stack != WP_NO_STACK; stack = stacks[stack].caller) {
		known = wp_map_get(&b->step_of, (uint64_t)top << 32 | stack);
		if (known)
			break;
		wp_vec_push(&b->path, stack);
	}
	step = known ? (uint32_t)*known : 0;
	node = step ? b->steps.v[step - 1].node : top;
	for (size_t i = b->path.n; i-- > 0;) {
		uint32_t frame = stacks[b->path.v[i]].frame;

		node = child(b, node, b->labels.v[frame], frame);
		wp_vec_push(&b->steps,
			    (struct step){.node = node, .stack = b->path.v[i], .caller = step});
		step = (uint32_t)b->steps.n;
		*wp_map_put(&b->step_of, (uint64_t)top << 32 | b->path.v[i]) = step;
	}
	return step;
}

static void add_tree_stack(struct build *b, const struct wp_stack_sum *sum)
{
	uint32_t top = thread_node(b, sum->of);
	uint32_t step = step_of(b, top, sum->stack);
	struct wp_tree_node *node = &b->tree->nodes.v[step ? b->steps.v[step - 1].node : top];

	node->self += sum->weight;
	node->samples += sum->samples;
	if (step)
		b->steps.v[step - 1].weight += sum->weight;
}

static void sum_up_profile(struct wp_profile_tree *tree)
{
	for (size_t i = tree->nodes.n; i-- > 0;) {
		struct wp_tree_node *node = &tree->nodes.v[i];

		node->total += node->self;
		if (!i)
			return;
		tree->nodes.v[node->parent].total += node->total;
		tree->nodes.v[node->parent].samples += node->samples;
	}
}

static void weigh_tree_line(struct build *b, uint32_t node, uint32_t line, uint64_t weight)
{
	uint64_t *at = wp_map_put(&b->line_of, (uint64_t)node << 32 | line);

	if (!*at) {
		wp_vec_push(&b->tree->lines, (struct wp_tree_line){.node = node, .line = line});
		*at = b->tree->lines.n;
	}
	b->tree->lines.v[*at - 1].weight += weight;
}

static int by_node(const void *a, const void *b)
{
	const struct wp_tree_line *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

static void list_lines(struct build *b)
{
	struct wp_profile_tree *tree = b->tree;

	for (size_t i = b->steps.n; i-- > 0;) {
		const struct step *step = &b->steps.v[i];
		uint32_t frame = b->profile->stacks.v[step->stack].frame;

		if (step->caller)
			b->steps.v[step->caller - 1].weight += step->weight;
		if (b->profile->frames.v[frame].line)
			weigh_tree_line(b, step->node, b->profile->frames.v[frame].line,
					step->weight);
	}
	if (tree->lines.n)
		qsort(tree->lines.v, tree->lines.n, sizeof(*tree->lines.v), by_node);
	for (uint32_t i = 0; i < tree->lines.n; i++) {
		struct wp_tree_node *node = &tree->nodes.v[tree->lines.v[i].node];

		if (!node->n_lines++)
			node->lines = i;
	}
}

static int compare_tree_nodes(const void *a, const void *b, void *arg)
{
	const struct wp_profile_tree *tree = arg;
	const struct wp_tree_node *x = &tree->nodes.v[*(const uint32_t *)a];
	const struct wp_tree_node *y = &tree->nodes.v[*(const uint32_t *)b];
	int texts;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	texts = strcmp(tree->labels.v[x->label].text, tree->labels.v[y->label].text);
	return texts ? texts : x < y ? -1 : x > y;
}

static void order_profile_children(struct wp_profile_tree *tree)
{
	for (uint32_t i = 1; i < tree->nodes.n; i++)
		wp_vec_push(&tree->order, i);
	if (tree->order.n)
		qsort_r(tree->order.v, tree->order.n, sizeof(*tree->order.v), compare_tree_nodes,
			tree);
	for (uint32_t i = 0; i < tree->order.n; i++) {
		struct wp_tree_node *parent =
			&tree->nodes.v[tree->nodes.v[tree->order.v[i]].parent];

		if (!parent->n_children++)
			parent->children = i;
	}
}

void wp_profile_tree_make(const struct wp_profile *profile, struct wp_profile_tree *ret)
{
	struct build b = {.tree = ret, .profile = profile};
	struct wp_tree_label all = {.text = "all", .kind = WP_TREE_ALL};
	struct wp_stack_sums sums;

	*ret = (struct wp_profile_tree){0};
	wp_vec_push(&ret->nodes, (struct wp_tree_node){.label = label_of(ret, &all)});
	label_frames(&b);
	wp_stack_sums_make(profile, WP_SUM_BY_THREAD, &sums);
	wp_vec_each (struct wp_stack_sum, sum, &sums.sums)
		add_tree_stack(&b, sum);
	sum_up_profile(ret);
	list_lines(&b);
	order_profile_children(ret);
	wp_stack_sums_deinit(&sums);
	wp_map_deinit(&b.child_of);
	wp_map_deinit(&b.step_of);
	wp_map_deinit(&b.line_of);
	wp_vec_deinit(&b.steps);
	wp_vec_deinit(&b.labels);
	wp_vec_deinit(&b.path);
}

const struct wp_tree_label *wp_tree_label(const struct wp_profile_tree *tree, uint32_t node)
{
	return &tree->labels.v[tree->nodes.v[node].label];
}

void wp_profile_tree_deinit(struct wp_profile_tree *tree)
{
	wp_strpool_deinit(&tree->texts);
	wp_map_deinit(&tree->label_of);
	wp_vec_deinit(&tree->labels);
	wp_vec_deinit(&tree->nodes);
	wp_vec_deinit(&tree->order);
	wp_vec_deinit(&tree->lines);
}
