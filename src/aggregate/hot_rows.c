/* SPDX-License-Identifier: BSD-3-Clause */
/* hot_rows: see hot_rows.h. */
#include "aggregate/hot_rows.h"

#include "base/str.h"
#include "base/strpool.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *wp_hot_name(const struct wp_symbol *symbol, const struct wp_hot_options *options)
{
	const char *name = options->raw && symbol->raw ? symbol->raw : symbol->name;

	return name && symbol->reason == WP_SYMBOL_KNOWN ? name : NULL;
}

const char *wp_hot_text(struct wp_arena *arena, const struct wp_symbol *symbol,
			const struct wp_hot_options *options)
{
	const char *name = wp_hot_name(symbol, options);
	const char *inlined = symbol->kind == WP_SYMBOL_INLINE ? " (inlined)" : "";

	if (!name)
		return "unknown";
	if (symbol->kind == WP_SYMBOL_PYTHON && symbol->module != WP_NO_MODULE && symbol->line)
		return wp_arena_printf(arena, "%s (%s:%u)", name,
				       options->symbols->modules.v[symbol->module].name,
				       symbol->line);
	if (symbol->module != WP_NO_MODULE && symbol->module != options->main_module)
		return wp_arena_printf(arena, "%s:%s%s", name,
				       options->symbols->modules.v[symbol->module].name, inlined);
	return *inlined ? wp_arena_printf(arena, "%s%s", name, inlined) : name;
}

static int compare_hot_rows(const void *a, const void *b)
{
	const struct wp_hot_row *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return strcmp(x->text, y->text);
}

/* The row of that text, made when it is new. A function may be called "unknown" and is not mixed up
 * with those without a name. */
static struct wp_hot_row *make_text_row(struct wp_hot_rows *rows, struct wp_strpool *texts,
					struct wp_map *row_of_text, const char *text,
					const char *name)
{
	uint64_t key = (uint64_t)wp_strpool_id(texts, text) << 1 | !name;
	uint64_t *at = wp_map_put(row_of_text, key);

	if (*at == 0) {
		struct wp_hot_row row = {
			.text = wp_arena_strdup(&rows->arena, text),
			.name = wp_arena_strdup(&rows->arena, name ? name : text),
			.known = name != NULL,
		};

		wp_vec_push(&rows->rows, row);
		*at = rows->rows.n;
	}
	return &rows->rows.v[*at - 1];
}

void wp_hot_rows_init(struct wp_hot_rows *rows, const struct wp_flat_event *event,
		      const struct wp_hot_options *options)
{
	struct wp_strpool texts = {0};
	struct wp_map row_of_text = {0};
	struct wp_arena scratch = {0};

	*rows = (struct wp_hot_rows){.samples = event->samples, .weight = event->weight};
	wp_vec_each (struct wp_flat_row, flat, &event->rows) {
		const struct wp_symbol *symbol = &options->symbols->symbols.v[flat->symbol];
		const char *name = wp_hot_name(symbol, options);
		const char *text = wp_hot_text(&scratch, symbol, options);
		struct wp_hot_row *row = make_text_row(rows, &texts, &row_of_text, text, name);

		row->samples += flat->samples;
		row->weight += flat->weight;
		wp_vec_push(&row->symbols, flat->symbol);
	}
	if (rows->rows.n)
		qsort(rows->rows.v, rows->rows.n, sizeof(*rows->rows.v), compare_hot_rows);
	wp_strpool_deinit(&texts);
	wp_map_deinit(&row_of_text);
	wp_arena_deinit(&scratch);
}

void wp_hot_rows_deinit(struct wp_hot_rows *rows)
{
	wp_vec_each (struct wp_hot_row, row, &rows->rows)
		wp_vec_deinit(&row->symbols);
	wp_vec_deinit(&rows->rows);
	wp_arena_deinit(&rows->arena);
}

bool wp_hot_matches(const char *name, const char *pattern)
{
	size_t have = strlen(name), want;
	bool from_start, to_end;

	if (!pattern)
		return true;
	from_start = *pattern == '^';
	pattern += from_start;
	want = strlen(pattern);
	to_end = want > 0 && pattern[want - 1] == '$';
	want -= to_end;
	if (want > have)
		return false;
	if (from_start == to_end)
		return (want == have && strncasecmp(name, pattern, want) == 0) ||
		       (from_start && want == 0);
	return strncasecmp(from_start ? name : name + have - want, pattern, want) == 0;
}

bool wp_hot_matches_qualified(const char *name, const char *pattern)
{
	const char *last = strrchr(name, '.');

	return wp_hot_matches(name, pattern) || (last && wp_hot_matches(last + 1, pattern));
}
