/* SPDX-License-Identifier: BSD-3-Clause */
/* closed_doc: see closed_doc.h. */
#include "aggregate/closed_doc.h"

#include "base/mem.h"

#include <string.h>

/* The members of a sampled event in WindowsPerf's schema of samples. */
static const char *const event_members[] = {"type", "samples", "interval", "printed_sample_num",
					    "pcs",  "annotate"};

static bool is_number_of_schema(const struct wp_column *column)
{
	const char *name = column->key ? column->key : column->heading;

	return strcmp(name, "counter value") == 0 || strcmp(name, "counter_value") == 0 ||
	       strcmp(name, "scaled value") == 0;
}

static bool is_null_cell(const struct wp_cell *cell)
{
	return cell->kind == WP_CELL_EMPTY || cell->kind == WP_CELL_NOT_COUNTED ||
	       cell->kind == WP_CELL_NOT_SUPPORTED || cell->kind == WP_CELL_NOT_IMPLEMENTED;
}

static void fill_numbers(struct wp_table *table)
{
	for (size_t i = 0; i < table->n_columns; i++)
		for (size_t row = 0; is_number_of_schema(&table->columns[i]) && row < table->rows.n;
		     row++)
			if (is_null_cell(&table->rows.v[row][i]))
				table->rows.v[row][i] = wp_cell_count(0);
}

static bool is_event_member(const struct wp_node *node)
{
	/* Prose has no key, and is no member. */
	for (size_t i = 0; node->key && i < WP_ARRAY_LEN(event_members); i++)
		if (strcmp(node->key, event_members[i]) == 0)
			return true;
	return !node->key || node->only == WP_TEXT_ONLY;
}

static void move_node(struct wp_node *parent, struct wp_node *node)
{
	node->next = NULL;
	if (parent->last)
		parent->last->next = node;
	else
		parent->first = node;
	parent->last = node;
}

static const char *type_of_event(const struct wp_node *event)
{
	wp_node_each (member, event)
		if (member->kind == WP_NODE_STR && strcmp(member->key, "type") == 0)
			return member->str;
	return "";
}

/* Moves what the schema does not know of an event into an object of *details, made when needed. */
static void move_details(struct wp_doc *doc, struct wp_node *event, struct wp_node **details)
{
	struct wp_node *next, *member = event->first, *detail = NULL;
	const char *type = type_of_event(event);

	event->first = event->last = NULL;
	for (; member; member = next) {
		next = member->next;
		if (is_event_member(member)) {
			move_node(event, member);
			continue;
		}
		if (!*details)
			*details = wp_doc_array(doc, doc->root, "event_details");
		if (!detail) {
			detail = wp_doc_object(doc, *details, NULL);
			wp_doc_str(doc, detail, "type", type);
		}
		move_node(detail, member);
	}
}

/* The array `events` of the object `sampling`, or NULL. */
static struct wp_node *find_sampled_events(const struct wp_doc *doc)
{
	for (struct wp_node *node = doc->root->first; node; node = node->next)
		if (node->kind == WP_NODE_OBJECT && node->key && strcmp(node->key, "sampling") == 0)
			for (struct wp_node *child = node->first; child; child = child->next)
				if (child->kind == WP_NODE_ARRAY && child->key &&
				    strcmp(child->key, "events") == 0)
					return child;
	return NULL;
}

void wp_doc_close(struct wp_doc *doc)
{
	struct wp_node *events = find_sampled_events(doc), *details = NULL;

	wp_vec_each (struct wp_table *, table, &doc->tables)
		fill_numbers(*table);
	for (struct wp_node *event = events ? events->first : NULL; event; event = event->next)
		if (event->kind == WP_NODE_OBJECT)
			move_details(doc, event, &details);
}
