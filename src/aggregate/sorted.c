/* SPDX-License-Identifier: BSD-3-Clause */
/* sorted: see sorted.h. */
#include "aggregate/sorted.h"

#include <string.h>

static uint32_t node_below(struct wp_sorted *sorted, uint32_t node, uint32_t value)
{
	uint64_t *at = wp_map_put(&sorted->node_of, (uint64_t)node << 32 | value);

	if (!*at) {
		*at = sorted->nodes.n;
		wp_vec_push(&sorted->nodes, (struct wp_sorted_node){.above = node, .value = value});
	}
	return (uint32_t)*at;
}

static struct wp_sorted_node *node_of_values(struct wp_sorted *sorted, uint32_t event,
					     const uint32_t *values, size_t n)
{
	uint32_t node;

	if (!sorted->nodes.n)
		wp_vec_push(&sorted->nodes, (struct wp_sorted_node){0});
	node = node_below(sorted, 0, event);
	for (size_t i = 0; i < n; i++)
		node = node_below(sorted, node, values[i]);
	return &sorted->nodes.v[node];
}

uint32_t wp_sorted_add(struct wp_sorted *sorted, uint32_t event, const uint32_t *values, size_t n,
		       uint64_t period)
{
	struct wp_sorted_node *node = node_of_values(sorted, event, values, n);

	node->samples++;
	node->weight += period;
	sorted->n++;
	return (uint32_t)(node - sorted->nodes.v);
}

bool wp_sorted_knows(const struct wp_sorted *sorted, uint32_t event, const uint32_t *values,
		     size_t n)
{
	const uint64_t *node = wp_map_get(&sorted->node_of, event);

	for (size_t i = 0; node && i < n; i++)
		node = wp_map_get(&sorted->node_of, *node << 32 | values[i]);
	return node != NULL;
}

void wp_sorted_add_frame(struct wp_sorted *sorted, uint32_t event, const uint32_t *values, size_t n,
			 uint64_t period)
{
	struct wp_sorted_node *node = node_of_values(sorted, event, values, n);

	if (node->last == sorted->n)
		return; /* recursion */
	node->last = sorted->n;
	node->total++;
	node->total_weight += period;
}

/* What is more comes first; 0: neither is. */
static int order(uint64_t x, uint64_t y)
{
	return (x < y) - (x > y);
}

static int compare_row_self(const void *a, const void *b)
{
	const struct wp_sorted_row *x = a, *y = b;
	int is = order(x->weight, y->weight);

	is = is ? is : order(x->samples, y->samples);
	is = is ? is : order(x->total_weight, y->total_weight);
	return is ? is : memcmp(x->values, y->values, sizeof(x->values));
}

static int compare_row_totals(const void *a, const void *b)
{
	const struct wp_sorted_row *x = a, *y = b;
	int is = order(x->total_weight, y->total_weight);

	return is ? is : compare_row_self(a, b);
}

/* The tuple that ends at a leaf; false when it is another event's. */
static bool read_row(const struct wp_sorted *sorted, size_t leaf, uint32_t event, size_t n,
		     struct wp_sorted_row *ret)
{
	const struct wp_sorted_node *node = &sorted->nodes.v[leaf];

	*ret = (struct wp_sorted_row){.node = (uint32_t)leaf,
				      .samples = node->samples,
				      .weight = node->weight,
				      .total = node->total,
				      .total_weight = node->total_weight};
	for (size_t i = n; i-- > 0; node = &sorted->nodes.v[node->above])
		ret->values[i] = node->value;
	return node->value == event;
}

void wp_sorted_rows(const struct wp_sorted *sorted, uint32_t event, size_t n, bool self_first,
		    struct wp_sorted_rows *ret)
{
	struct wp_sorted_row row;

	*ret = (struct wp_sorted_rows){0};
	for (size_t i = 0; i < sorted->nodes.n; i++) {
		const struct wp_sorted_node *node = &sorted->nodes.v[i];

		if ((!node->samples && !node->total) || !read_row(sorted, i, event, n, &row))
			continue;
		wp_vec_push(&ret->rows, row);
		ret->samples += row.samples;
		ret->weight += row.weight;
	}
	if (ret->rows.n)
		qsort(ret->rows.v, ret->rows.n, sizeof(*ret->rows.v),
		      self_first ? compare_row_self : compare_row_totals);
}

void wp_sorted_rename(struct wp_sorted *sorted, size_t n,
		      uint32_t (*rename)(void *arg, size_t key, uint32_t value), void *arg)
{
	struct wp_sorted fresh = {.n = sorted->n};
	uint32_t values[WP_SORTED_KEYS + 1]; /* the event first */

	for (size_t i = 0; i < sorted->nodes.n; i++) {
		const struct wp_sorted_node *leaf = &sorted->nodes.v[i], *node = leaf;
		struct wp_sorted_node *to;

		if (!leaf->samples)
			continue;
		for (size_t k = n + 1; k-- > 0; node = &sorted->nodes.v[node->above])
			values[k] = node->value;
		for (size_t k = 0; k < n; k++)
			values[k + 1] = rename(arg, k, values[k + 1]);
		to = node_of_values(&fresh, values[0], values + 1, n);
		to->samples += leaf->samples;
		to->weight += leaf->weight;
	}
	wp_sorted_deinit(sorted);
	*sorted = fresh;
}

void wp_sorted_rows_deinit(struct wp_sorted_rows *rows)
{
	wp_vec_deinit(&rows->rows);
}

void wp_sorted_deinit(struct wp_sorted *sorted)
{
	wp_vec_deinit(&sorted->nodes);
	wp_map_deinit(&sorted->node_of);
}
