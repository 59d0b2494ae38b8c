/* SPDX-License-Identifier: BSD-3-Clause */
/* listing_native: see listing_native.h. */
#include "session/report/listing_native.h"

#include "base/str.h"
#include "session/live/sampling.h"
#include "session/report/function_code.h"

#include <inttypes.h>
#include <stdlib.h>

struct code {
	struct wp_sampling *s;
	struct wp_listings *listings;
	struct wp_listing *listing;
	uint32_t module;
};

static const char *copy_name(struct code *code, const char *name)
{
	return name ? wp_arena_strdup(&code->listings->arena, name) : NULL;
}

static void find_row_lines(struct code *code)
{
	size_t n = code->listing->rows.n;
	wp_autofree struct wp_rva *rvas = wp_calloc(n + 1, sizeof(*rvas));
	wp_autofree struct wp_resolver_place *places = wp_calloc(n + 1, sizeof(*places));

	for (size_t i = 0; i < n; i++)
		rvas[i].v = code->listing->rows.v[i].address;
	wp_function_code_places(code->s, code->module, rvas, n, places);
	for (size_t i = 0; i < n; i++) {
		struct wp_listing_row *row = &code->listing->rows.v[i];

		if (places[i].line.file) {
			row->file = copy_name(code, places[i].line.file);
			row->line = places[i].line.line;
		}
		if (places[i].inlined != WP_NOT_INLINED)
			row->inlined = copy_name(
				code,
				wp_resolver_symbol_of(code->s->resolver, places[i].inlined)->name);
	}
}

/* "callq 0x1030 <puts@plt>", as objdump has it. */
static const char *name_target(struct code *code, const struct wp_instruction *instruction,
			       struct wp_listing_row *row)
{
	uint32_t id = wp_resolver_symbol_in(code->s->resolver, code->module, instruction->target);
	const struct wp_symbol *symbol = wp_resolver_symbol_of(code->s->resolver, id);
	uint64_t behind = instruction->target.v - symbol->start.v;

	row->leaves = symbol->name && !row->is_jump && instruction->flow != WP_FLOW_NEXT;
	row->callee = id;
	if (!symbol->name)
		return copy_name(code, instruction->text);
	return behind ? wp_arena_printf(&code->listings->arena, "%s <%s+0x%" PRIx64 ">",
					instruction->text, symbol->name, behind)
		      : wp_arena_printf(&code->listings->arena, "%s <%s>", instruction->text,
					symbol->name);
}

static void add_code_row(void *arg, const struct wp_instruction *instruction)
{
	struct code *code = arg;
	const struct wp_listing *listing = code->listing;
	struct wp_listing_row *row = wp_listing_add(code->listings, code->listing);

	row->address = instruction->address.v;
	row->is_jump = instruction->flow == WP_FLOW_JUMP && instruction->has_target &&
		       instruction->target.v - listing->start < listing->size;
	row->target = instruction->target.v;
	row->text = instruction->has_target ? name_target(code, instruction, row)
					    : copy_name(code, instruction->text);
}

static void add_code_rows(struct code *code, const struct wp_symbol *symbol)
{
	const char *name = code->listing->name;
	size_t n = wp_function_code_list(code->s, symbol, name, add_code_row, code);

	if (n && n < symbol->size)
		wp_log(code->s->io->log, WP_LOG_NOTE,
		       "of the %" PRIu64 " bytes of %s %zu are shown: %s", symbol->size, name, n,
		       n < WP_FUNCTION_CODE_MOST ? "its file has no more" : "that is the most");
}

static int compare_row_addresses(const void *a, const void *b)
{
	const struct wp_listing_row *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static void drop_repeated_rows(struct wp_listing *listing)
{
	size_t kept = 0;

	for (size_t i = 0; i < listing->rows.n; i++)
		if (!kept || listing->rows.v[kept - 1].address != listing->rows.v[i].address)
			listing->rows.v[kept++] = listing->rows.v[i];
	listing->rows.n = kept;
}

/* Instead of instructions: a row for each address that was sampled. */
static void add_sampled_rows(struct code *code, uint32_t symbol)
{
	struct wp_listing *listing = code->listing;

	for (uint32_t event = 0; event < code->listings->n_events; event++) {
		size_t n;
		const struct wp_pc *pcs = wp_pcs_of(&code->s->seen->pcs, event, symbol, &n);

		for (size_t i = 0; i < n; i++)
			wp_listing_add(code->listings, listing)->address = pcs[i].rva.v;
	}
	if (listing->rows.n)
		qsort(listing->rows.v, listing->rows.n, sizeof(*listing->rows.v),
		      compare_row_addresses);
	drop_repeated_rows(listing);
}

static void count_code_samples(struct code *code, uint32_t symbol)
{
	for (uint32_t event = 0; event < code->listings->n_events; event++) {
		size_t n;
		const struct wp_pc *pcs = wp_pcs_of(&code->s->seen->pcs, event, symbol, &n);

		for (size_t i = 0; i < n; i++) {
			struct wp_listing_row *row = wp_listing_at(code->listing, pcs[i].rva.v);

			code->listing->samples[event] += pcs[i].samples;
			if (row)
				row->samples[event] += pcs[i].samples;
		}
	}
}

void wp_listing_native(struct wp_sampling *s, uint32_t id, struct wp_listings *ret)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);
	const struct wp_symbol symbol = set->symbols.v[id]; /* naming targets moves the set */
	struct code code = {
		.s = s,
		.listings = ret,
		.listing = wp_listings_add(ret, symbol.name),
		.module = symbol.module,
	};

	code.listing->start = symbol.start.v;
	code.listing->size = symbol.size;
	if (symbol.module != WP_NO_MODULE) {
		code.listing->module = copy_name(&code, set->modules.v[symbol.module].name);
		add_code_rows(&code, &symbol);
	}
	if (!code.listing->rows.n)
		add_sampled_rows(&code, id);
	find_row_lines(&code);
	count_code_samples(&code, id);
	wp_listing_finish(code.listing);
}
