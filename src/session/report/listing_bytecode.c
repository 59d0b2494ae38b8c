/* SPDX-License-Identifier: BSD-3-Clause */
/* listing_bytecode: see listing_bytecode.h. */
#include "session/report/listing_bytecode.h"

#include "base/map.h"
#include "session/live/sampling.h"

#include <stdlib.h>
#include <string.h>

/* A code object and its places. */
struct object {
	uint32_t number;
	const struct wp_code_place *places;
	size_t n;
	uint64_t samples;
};

/* Code objects that are the same code, compiled once, have one listing: that of the first one. */
struct same_code {
	size_t listing;
	uint32_t number;
};

struct gathered {
	struct wp_decoded_codes *codes;
	struct wp_listings *listings;
	const struct wp_symbol_set *set;
	uint32_t symbol;
	WP_VEC(struct object) objects;
	WP_VEC(struct same_code) same;
	struct wp_map by_hash; /* of instructions -> index in same + 1 */
};

static void gather_objects(struct gathered *g, const struct wp_code_place *places, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct object *last = g->objects.n ? &g->objects.v[g->objects.n - 1] : NULL;

		if (!last || last->number != places[i].at.code) {
			wp_vec_push(&g->objects, (struct object){.number = places[i].at.code,
								 .places = &places[i]});
			last = &g->objects.v[g->objects.n - 1];
		}
		last->n++;
		last->samples += places[i].samples;
	}
}

static int compare_objects(const void *a, const void *b)
{
	const struct object *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

static struct wp_listing *add_listing(struct gathered *g, const struct wp_decoded_code *code)
{
	const struct wp_symbol *symbol = &g->set->symbols.v[g->symbol];
	struct wp_listing *listing = wp_listings_add(g->listings, symbol->name);

	listing->bytecode = code->of.version;
	listing->line = symbol->line;
	listing->file = symbol->module == WP_NO_MODULE
				? ""
				: wp_arena_strdup(&g->listings->arena,
						  g->set->modules.v[symbol->module].path);
	return listing;
}

/* "<87>" is what dis calls a number without a name. */
static void fill_opcode(struct gathered *g, const struct wp_python_instruction *it,
			struct wp_listing_row *row)
{
	row->address = it->offset;
	row->text = it->opcode ? it->opcode->name
			       : wp_arena_printf(&g->listings->arena, "<%u>", it->number);
	row->base = it->base && it->base != it->opcode ? it->base->name : NULL;
	row->has_arg = it->has_arg;
	row->arg = it->arg;
}

static void add_bytecode_rows(struct gathered *g, struct wp_listing *listing,
			      const struct wp_decoded_code *code)
{
	wp_vec_each (const struct wp_python_instruction, it, &code->instructions.all) {
		struct wp_listing_row *row = wp_listing_add(g->listings, listing);

		row->line = wp_python_lines_at(&code->of.lines, it->offset);
		row->file = row->line ? listing->file : NULL;
		fill_opcode(g, it, row);
	}
}

/* Of frames that have not begun, which are in the function's first line. */
static struct wp_listing_row *entry_row(struct gathered *g, struct wp_listing *listing)
{
	struct wp_listing_row *last = &listing->rows.v[listing->rows.n - 1];

	if (!last->is_entry) {
		last = wp_listing_add(g->listings, listing);
		last->is_entry = true;
		last->text = "(not begun)";
		last->line = listing->line;
		last->file = listing->file;
	}
	return last;
}

static void count_places(struct gathered *g, struct wp_listing *listing, const struct object *of)
{
	const struct wp_decoded_code *code = wp_decoded_codes_get(g->codes, of->number);

	for (size_t i = 0; i < of->n; i++) {
		const struct wp_code_place *place = &of->places[i];
		const struct wp_python_instruction *at =
			wp_python_instruction_at(&code->instructions, place->at.lasti);
		struct wp_listing_row *row;

		if (!at && place->at.lasti >= 0) {
			wp_decoded_codes_miss(g->codes, code, place->samples);
			continue;
		}
		row = at ? &listing->rows.v[at - code->instructions.all.v] : entry_row(g, listing);
		row->samples[place->event] += place->samples;
		listing->samples[place->event] += place->samples;
	}
	listing->objects++;
}

static bool has_other_forms(const struct wp_python_instructions *a,
			    const struct wp_python_instructions *b)
{
	for (size_t i = 0; i < a->all.n; i++)
		if (a->all.v[i].opcode != b->all.v[i].opcode)
			return true;
	return false;
}

/* Frames that have not begun are before all instructions. */
static void move_entry_first(struct wp_listing *listing)
{
	struct wp_listing_row *rows = listing->rows.v, last = rows[listing->rows.n - 1];

	if (!last.is_entry)
		return;
	memmove(rows + 1, rows, (listing->rows.n - 1) * sizeof(*rows));
	rows[0] = last;
}

static struct wp_listing *find_same_code(struct gathered *g, const struct object *of)
{
	struct wp_decoded_code code = *wp_decoded_codes_get(g->codes, of->number);
	uint64_t *place = wp_map_put(&g->by_hash, wp_python_instructions_hash(&code.instructions));
	const struct same_code *same = *place ? &g->same.v[*place - 1] : NULL;
	struct wp_listing *listing;

	if (same) {
		const struct wp_decoded_code *first = wp_decoded_codes_get(g->codes, same->number);

		listing = &g->listings->functions.v[same->listing];
		if (wp_python_instructions_alike(&code.instructions, &first->instructions)) {
			listing->other_forms +=
				has_other_forms(&code.instructions, &first->instructions);
			return listing;
		}
	}
	listing = add_listing(g, &code);
	add_bytecode_rows(g, listing, &code);
	wp_vec_push(&g->same, ((struct same_code){g->listings->functions.n - 1, of->number}));
	if (!same) /* two codes may have one hash: the second is found no more */
		*place = g->same.n;
	return listing;
}

static void list_object(struct gathered *g, const struct object *of)
{
	const struct wp_decoded_code *code = wp_decoded_codes_get(g->codes, of->number);

	if (code->how != WP_PYTHON_DECODED)
		wp_decoded_codes_miss(g->codes, code, of->samples);
	else
		count_places(g, find_same_code(g, of), of);
}

void wp_listing_bytecode(struct wp_sampling *s, struct wp_decoded_codes *codes, uint32_t symbol,
			 struct wp_listings *ret)
{
	struct gathered g = {
		.codes = codes,
		.listings = ret,
		.set = wp_resolver_symbols(s->resolver),
		.symbol = symbol,
	};
	size_t n;
	const struct wp_code_place *places = wp_code_places_of(&s->seen->places, symbol, &n);

	if (!n)
		wp_log(s->io->log, WP_LOG_NOTE, "%s: no sample is in its own instructions",
		       g.set->symbols.v[symbol].name);
	gather_objects(&g, places, n);
	if (g.objects.n)
		qsort(g.objects.v, g.objects.n, sizeof(*g.objects.v), compare_objects);
	wp_vec_each (const struct object, of, &g.objects)
		list_object(&g, of);
	wp_vec_each (const struct same_code, same, &g.same)
		move_entry_first(&ret->functions.v[same->listing]);
	wp_map_deinit(&g.by_hash);
	wp_vec_deinit(&g.same);
	wp_vec_deinit(&g.objects);
}
