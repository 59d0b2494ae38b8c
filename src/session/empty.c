/* empty: see empty.h. */
#include "session/empty.h"

#include "session/sampling.h"

#include <inttypes.h>
#include <string.h>

bool wp_empty_doc(const struct wp_doc *doc)
{
	wp_vec_each (struct wp_table *, table, &doc->tables)
		if ((*table)->rows.n)
			return false;
	return true;
}

void wp_empty_tell_samples(const struct wp_sampling *s, uint64_t taken)
{
	if (taken)
		return;
	if (s->samples_seen)
		wp_log(s->io->log, WP_LOG_WARNING,
		       "no samples: the filters keep all %" PRIu64 " of them out", s->samples_seen);
	else
		wp_log(s->io->log, WP_LOG_WARNING,
		       "no samples in the recording: what was watched slept, or ran for less"
		       " than one period");
}

/* The pattern chooses among the rows of such a table. */
static bool is_of_functions(const char *key)
{
	static const char *const keys[] = {"samples", "functions", "python_functions", "rows"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (key && strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

static bool has_functions(const struct wp_node *node)
{
	if (node->kind == WP_NODE_TABLE)
		return is_of_functions(node->key) && node->table->rows.n;
	if (node->kind == WP_NODE_OBJECT || node->kind == WP_NODE_ARRAY)
		wp_node_each (child, node)
			if (has_functions(child))
				return true;
	return false;
}

void wp_empty_tell_symbol(const struct wp_sampling *s, const struct wp_doc *doc)
{
	const char *pattern = s->options->symbol_filter;

	if (!pattern || s->samples_seen == s->recorded.left_out || has_functions(doc->root))
		return;
	wp_log(s->io->log, WP_LOG_WARNING,
	       "--symbol %s: no function with samples has such a name (name, ^prefix, suffix$,"
	       " ^whole$)",
	       pattern);
}
