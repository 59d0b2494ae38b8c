/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * listing_python: see listing_python.h. Where a function ends is not known of its frames: it is
 * taken to go on as long as its text is indented further than its first line, and at least to the
 * last line that was sampled.
 */
#include "session/report/listing_python.h"

#include "base/str.h"
#include "session/live/sampling.h"
#include "session/report/source_text.h"

#include <stdlib.h>
#include <string.h>

#define LINES_MOST 20000 /* of one function */
#define AROUND	   3	 /* lines that are shown around a sampled one of a module */

struct function {
	struct wp_sampling *s;
	struct wp_listings *listings;
	struct wp_listing *listing;
	uint32_t symbol;
	bool is_module;		  /* its text ends where the file does */
	uint32_t last;		  /* line that was sampled */
	WP_VEC(uint32_t) sampled; /* lines */
};

static const struct wp_spots_event *spots_event(const struct function *f, uint32_t event)
{
	const struct wp_spots *spots = &f->s->seen->python.spots;

	return event < spots->events.n ? &spots->events.v[event] : NULL;
}

static void find_extent(struct function *f)
{
	for (uint32_t event = 0; event < f->listings->n_events && spots_event(f, event); event++)
		wp_vec_each (struct wp_spot_row, row, &spots_event(f, event)->lines) {
			if (row->symbol != f->symbol || !row->line)
				continue;
			wp_vec_push(&f->sampled, row->line);
			if (!f->listing->line || row->line < f->listing->line)
				f->listing->line = row->line;
			if (row->line > f->last)
				f->last = row->line;
		}
}

static size_t count_indent(const char *text)
{
	return strspn(text, " ");
}

/* `@decorator` stands before the `def` that the others are measured by. */
static bool is_header(const char *text)
{
	const char *word = text + count_indent(text);

	return strncmp(word, "def ", 4) == 0 || strncmp(word, "async ", 6) == 0 ||
	       strncmp(word, "class ", 6) == 0;
}

/* False behind the function. `) -> int:` of a long header does not end it. */
static bool belongs_to_body(const char *text, size_t indent)
{
	size_t n = count_indent(text);

	return !text[n] || n > indent || text[n] == ')' || text[n] == '#';
}

static bool is_sampled_near(const struct function *f, uint32_t line)
{
	wp_vec_each (const uint32_t, it, &f->sampled)
		if (*it + AROUND >= line && *it <= line + AROUND)
			return true;
	return false;
}

static void add_source_row(struct function *f, uint32_t line, const char *text)
{
	struct wp_listing_row *row = wp_listing_add(f->listings, f->listing);

	row->line = line;
	row->file = f->listing->file;
	row->text = text;
	row->totals = wp_arena_alloc(&f->listings->arena, f->listings->n_events * sizeof(uint64_t));
}

/* Blank lines and comments behind the last statement are the next function's. */
static void drop_blank_end(struct function *f)
{
	while (f->listing->rows.n) {
		const struct wp_listing_row *row = &f->listing->rows.v[f->listing->rows.n - 1];
		size_t n = row->text ? count_indent(row->text) : 0;

		if (!row->text || row->line <= f->last || (row->text[n] && row->text[n] != '#'))
			return;
		f->listing->rows.n--;
	}
}

static void add_source_rows(struct function *f)
{
	uint32_t first = f->listing->line;
	size_t indent = 0;
	bool begun = false;

	for (uint32_t line = first; line - first < LINES_MOST; line++) {
		const char *text =
			wp_source_text(f->s, &f->listings->arena, f->listing->file, line);

		if (!text)
			break;
		if (f->is_module) {
			if (is_sampled_near(f, line))
				add_source_row(f, line, text);
			continue;
		}
		if (begun && line > f->last && !belongs_to_body(text, indent))
			break;
		if (!begun && (is_header(text) || line == first)) {
			indent = count_indent(text);
			begun = is_header(text);
		}
		add_source_row(f, line, text);
		if (!begun && line >= f->last)
			break; /* a lambda, a comprehension */
	}
	if (!f->is_module)
		drop_blank_end(f);
}

static struct wp_listing_row *row_of_line(const struct wp_listing *listing, uint32_t line)
{
	wp_vec_each (struct wp_listing_row, row, &listing->rows)
		if (row->line == line)
			return row;
	return NULL;
}

static int compare_row_lines(const void *a, const void *b)
{
	const struct wp_listing_row *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

static void count_lines_of(struct function *f, uint32_t event)
{
	struct wp_listing *listing = f->listing;

	wp_vec_each (struct wp_spot_row, spot, &spots_event(f, event)->lines) {
		struct wp_listing_row *row;

		if (spot->symbol != f->symbol)
			continue;
		if (!row_of_line(listing, spot->line))
			add_source_row(f, spot->line, NULL);
		row = row_of_line(listing, spot->line);
		row->samples[event] += spot->self;
		row->totals[event] += spot->total;
	}
	wp_vec_each (struct wp_spot_row, spot, &spots_event(f, event)->functions)
		if (spot->symbol == f->symbol) {
			listing->samples[event] += spot->self;
			listing->totals[event] += spot->total;
		}
}

void wp_listing_python(struct wp_sampling *s, uint32_t id, struct wp_listings *ret)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);
	const struct wp_symbol *symbol = &set->symbols.v[id];
	struct function f = {
		.s = s,
		.listings = ret,
		.listing = wp_listings_add(ret, symbol->name),
		.symbol = id,
		.is_module = strcmp(symbol->name, "<module>") == 0,
	};

	f.listing->totals = wp_arena_alloc(&ret->arena, ret->n_events * sizeof(uint64_t));
	f.listing->line = symbol->line;
	f.listing->file =
		symbol->module == WP_NO_MODULE
			? ""
			: wp_arena_strdup(&ret->arena, set->modules.v[symbol->module].path);
	find_extent(&f);
	if (f.listing->line)
		add_source_rows(&f);
	for (uint32_t event = 0; event < ret->n_events && spots_event(&f, event); event++)
		count_lines_of(&f, event);
	if (f.listing->rows.n)
		qsort(f.listing->rows.v, f.listing->rows.n, sizeof(*f.listing->rows.v),
		      compare_row_lines);
	wp_vec_deinit(&f.sampled);
}
