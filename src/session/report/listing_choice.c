/* SPDX-License-Identifier: BSD-3-Clause */
/* listing_choice: see listing_choice.h. */
#include "session/report/listing_choice.h"

#include "aggregate/hot_rows.h"
#include "base/nearest.h"
#include "base/str.h"
#include "session/live/sampling.h"
#include "session/report/function_code.h"

#include <stdlib.h>
#include <string.h>

#define USUAL 3 /* functions of each kind */

/* FILE:LINE, or a name: then file is NULL. */
struct place {
	char *file;
	uint64_t line;
};

/* "ns::f" and "Parser.parse" are names. */
static struct place parse_listing_place(const char *word)
{
	const char *colon = word ? strrchr(word, ':') : NULL;
	struct place place = {NULL, 0};

	if (colon && colon > word && colon[-1] != ':' &&
	    wp_str_to_u64(colon + 1, 10, UINT32_MAX, &place.line) && place.line)
		place.file = wp_strndup(word, (size_t)(colon - word));
	return place;
}

/* "app.py" and "src/app.py" are /home/me/src/app.py. */
static bool is_file_named(const char *path, const char *file)
{
	size_t n = strlen(path), m = strlen(file);

	return n >= m && strcmp(path + n - m, file) == 0 &&
	       (n == m || path[n - m - 1] == '/' || path[n - m - 1] == '\\');
}

static uint64_t *samples_of(struct wp_listing_choice *choice, uint32_t symbol)
{
	uint64_t *index = wp_map_put(&choice->of_symbol, symbol);
	struct wp_chosen fresh = {.symbol = symbol};

	if (!*index) {
		wp_vec_push(&choice->functions, fresh);
		*index = choice->functions.n;
	}
	return &choice->functions.v[*index - 1].samples;
}

static bool is_native_at(struct wp_sampling *s, uint32_t event, uint32_t id,
			 const struct place *place)
{
	size_t n;
	const struct wp_pc *pcs = wp_pcs_of(&s->seen->pcs, event, id, &n);
	uint32_t module = wp_resolver_symbol_of(s->resolver, id)->module;

	for (size_t i = 0; i < n; i++) {
		struct wp_resolver_line at;

		if (wp_function_code_line(s, module, pcs[i].rva, &at) && at.line == place->line &&
		    is_file_named(at.file, place->file))
			return true;
	}
	return false;
}

static bool is_native_chosen(struct wp_sampling *s, uint32_t event, uint32_t id, const char *word,
			     const struct place *place)
{
	const struct wp_symbol *symbol = wp_resolver_symbol_of(s->resolver, id);

	if (symbol->reason != WP_SYMBOL_KNOWN || symbol->kind == WP_SYMBOL_PYTHON)
		return false;
	if (place->file)
		return is_native_at(s, event, id, place);
	return wp_hot_matches(symbol->name, word) ||
	       (word && symbol->raw && strcmp(symbol->raw, word) == 0);
}

static void choose_native(struct wp_sampling *s, const char *word, const struct place *place,
			  struct wp_listing_choice *ret)
{
	for (uint32_t event = 0; event < s->seen->flat.events.n; event++)
		wp_vec_each (struct wp_flat_row, row, &s->seen->flat.events.v[event].rows)
			if (is_native_chosen(s, event, row->symbol, word, place))
				*samples_of(ret, row->symbol) += row->samples;
}

static bool is_python_at(const struct wp_sampling *s, const struct wp_spots_event *event,
			 uint32_t id, const struct place *place)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);
	uint32_t module = set->symbols.v[id].module;

	if (module == WP_NO_MODULE || !is_file_named(set->modules.v[module].path, place->file))
		return false;
	wp_vec_each (struct wp_spot_row, row, &event->lines)
		if (row->symbol == id && row->line == place->line)
			return true;
	return false;
}

static void choose_python(struct wp_sampling *s, const char *word, const struct place *place,
			  struct wp_listing_choice *ret)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);

	wp_vec_each (struct wp_spots_event, event, &s->seen->python.spots.events)
		wp_vec_each (struct wp_spot_row, row, &event->functions) {
			const char *name = row->symbol < set->symbols.n
						   ? set->symbols.v[row->symbol].name
						   : NULL;

			if (name && (place->file ? is_python_at(s, event, row->symbol, place)
						 : wp_hot_matches_qualified(name, word)))
				*samples_of(ret, row->symbol) += word ? row->total : row->self;
		}
}

static int compare_chosen(const void *a, const void *b)
{
	const struct wp_chosen *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

/* Functions from `first` on, by falling samples; without a word no more than asked for. */
static void keep_hottest(struct wp_listing_choice *choice, size_t first, uint64_t most)
{
	size_t n = choice->functions.n - first;

	if (n)
		qsort(choice->functions.v + first, n, sizeof(*choice->functions.v), compare_chosen);
	if (n > most)
		choice->functions.n = first + (size_t)most;
	while (choice->functions.n > first && !choice->functions.v[choice->functions.n - 1].samples)
		choice->functions.n--;
}

static struct wp_err *refuse_word(struct wp_sampling *s, const char *word,
				  const struct place *place)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);
	struct wp_nearest nearest = wp_nearest_to(word);
	struct wp_err *err;

	if (place->file)
		return wp_err_new(WP_ERR_USAGE,
				  "no sample is in line %u of %s: wperf report --sort line,symbol "
				  "lists those that have some",
				  (unsigned int)place->line, place->file);
	wp_vec_each (const struct wp_symbol, symbol, &set->symbols)
		if (symbol->name)
			wp_nearest_try(&nearest, symbol->name);
	err = wp_err_new(WP_ERR_USAGE,
			 "no sample is in a function '%s'%s%s: wperf report lists those that have "
			 "some",
			 word, nearest.name ? "; nearest: " : "", nearest.name ? nearest.name : "");
	wp_nearest_deinit(&nearest);
	return err;
}

struct wp_err *wp_listing_choice_make(struct wp_sampling *s, const char *word,
				      struct wp_listing_choice *ret)
{
	const struct wp_options_tables *tables = &s->options->tables;
	struct place place = parse_listing_place(word);
	uint64_t most = tables->rows_given ? tables->rows : USUAL;
	struct wp_err *err = NULL;
	size_t n_python;

	if (word)
		most = UINT64_MAX;
	choose_python(s, word, &place, ret);
	keep_hottest(ret, 0, most);
	n_python = ret->functions.n;
	choose_native(s, word, &place, ret);
	keep_hottest(ret, n_python, most);
	if (word && !ret->functions.n)
		err = refuse_word(s, word, &place);
	free(place.file);
	return err;
}

void wp_listing_choice_deinit(struct wp_listing_choice *choice)
{
	wp_map_deinit(&choice->of_symbol);
	wp_vec_deinit(&choice->functions);
}
