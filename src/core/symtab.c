/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symtab: sort, fold names at one address, then sweep once over the addresses with a stack of the
 * symbols that are open. Input is hostile: nesting is on the heap, and the sweep makes at most two
 * pieces per symbol.
 */
#include "core/symtab.h"

#include <string.h>

#define MAX_INPUTS (32u << 20) /* more symbols than any real module has */

struct open_symbol {
	uint64_t end;
	uint32_t head;
	bool filler;
};

struct sweep {
	struct wp_symtab *table;
	size_t cap;
	size_t names_len, names_cap;
	WP_VEC(struct open_symbol) open;
	uint64_t pos;
};

uint32_t wp_symtab_rank(enum wp_symtab_binding binding, const char *name)
{
	size_t underscores = strspn(name, "_");
	size_t len = strlen(name);
	uint32_t rank = (uint32_t)binding;

	rank = rank << 1 | (strchr(name, '@') != NULL);
	rank = rank << 4 | (underscores < 15 ? (uint32_t)underscores : 15);
	return rank << 16 | (len < 0xffff ? (uint32_t)len : 0xffff);
}

void wp_symtab_add(struct wp_symtab_builder *builder, const struct wp_symtab_input *input)
{
	struct wp_symtab_input in = *input;

	if (in.size > UINT64_MAX - in.start)
		in.size = UINT64_MAX - in.start;
	if (in.size && builder->inputs.n < MAX_INPUTS)
		wp_vec_push(&builder->inputs, in);
}

static int compare_symbols(const void *a, const void *b)
{
	const struct wp_symtab_input *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->filler != y->filler)
		return x->filler ? 1 : -1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->name == y->name)
		return 0;
	return strcmp(x->name, y->name);
}

/* One input per address: the best name with the largest size that a symbol of its kind claims. */
static void fold(struct wp_symtab_builder *builder)
{
	struct wp_symtab_input *v = builder->inputs.v;
	size_t n = 0;

	for (size_t i = 0; i < builder->inputs.n; i++) {
		if (!n || v[n - 1].start != v[i].start)
			v[n++] = v[i];
		else if (v[n - 1].filler == v[i].filler && v[i].size > v[n - 1].size)
			v[n - 1].size = v[i].size;
	}
	builder->inputs.n = n;
}

static uint32_t clip(uint64_t size)
{
	return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

/* A new piece from sweep->pos to end, clipped to 4 GiB. */
static struct wp_symtab_piece *emit_piece(struct sweep *sweep, uint64_t end)
{
	struct wp_symtab *table = sweep->table;

	if (table->n == sweep->cap) {
		sweep->cap = sweep->cap ? sweep->cap * 2 : 64;
		table->starts = wp_realloc(table->starts, sweep->cap, sizeof(*table->starts));
		table->pieces = wp_realloc(table->pieces, sweep->cap, sizeof(*table->pieces));
	}
	table->starts[table->n] = sweep->pos;
	struct wp_symtab_piece *piece = &table->pieces[table->n++];
	*piece = (struct wp_symtab_piece){.len = clip(end - sweep->pos)};
	return piece;
}

/* The symbol on top of the stack covers everything up to `until`, or its end if that is nearer. */
static void cover_until(struct sweep *sweep, uint64_t until)
{
	const struct open_symbol *top = &sweep->open.v[sweep->open.n - 1];
	struct wp_symtab_piece *pieces = sweep->table->pieces, *piece;
	uint64_t end = top->end < until ? top->end : until;

	if (sweep->pos >= end)
		return;
	if (sweep->table->starts[top->head] == sweep->pos) {
		pieces[top->head].len = clip(end - sweep->pos);
	} else {
		uint32_t head = top->head;

		piece = emit_piece(sweep, end);
		pieces = sweep->table->pieces;
		piece->size = pieces[head].size;
		piece->name = pieces[head].name;
		piece->tag = pieces[head].tag;
		piece->head = head;
	}
	sweep->pos = end;
}

/* False when the names together exceed what an offset can say. */
static bool keep_symtab_name(struct sweep *sweep, const char *name, uint32_t *ret)
{
	size_t len = strlen(name) + 1;

	if (len > UINT32_MAX - sweep->names_len)
		return false;
	if (sweep->names_len + len > sweep->names_cap) {
		sweep->names_cap = (sweep->names_cap + len) * 2;
		sweep->table->names = wp_realloc(sweep->table->names, sweep->names_cap, 1);
	}
	memcpy(sweep->table->names + sweep->names_len, name, len);
	*ret = (uint32_t)sweep->names_len;
	sweep->names_len += len;
	sweep->table->names_bytes = sweep->names_len;
	return true;
}

static void open_symbol(struct sweep *sweep, const struct wp_symtab_input *in)
{
	uint32_t name, head = (uint32_t)sweep->table->n;

	sweep->pos = in->start;
	if (!keep_symtab_name(sweep, in->name, &name))
		return;
	struct wp_symtab_piece *piece = emit_piece(sweep, in->start);
	piece->size = clip(in->size);
	piece->name = name;
	piece->tag = in->tag;
	piece->head = head;
	wp_vec_push(&sweep->open, (struct open_symbol){in->start + in->size, head, in->filler});
}

/* Everything that ends before the address is closed; the innermost symbol covers the rest. */
static void sweep_to(struct sweep *sweep, uint64_t addr)
{
	while (sweep->open.n) {
		cover_until(sweep, addr);
		if (sweep->open.v[sweep->open.n - 1].end > addr)
			return;
		sweep->open.n--;
	}
}

static void sweep_symbol(struct sweep *sweep, const struct wp_symtab_input *in)
{
	sweep_to(sweep, in->start);
	if (sweep->open.n && sweep->open.v[sweep->open.n - 1].filler) {
		struct open_symbol *top = &sweep->open.v[sweep->open.n - 1];

		sweep->table->pieces[top->head].size =
			clip(in->start - sweep->table->starts[top->head]);
		sweep->open.n--;
	}
	if (in->filler && sweep->open.n)
		return;
	open_symbol(sweep, in);
}

/* About two places in the index for each piece, however far the pieces lie apart. */
static void make_index(struct wp_symtab *table)
{
	uint64_t span = table->n ? table->starts[table->n - 1] - table->starts[0] : 0;
	size_t n, at = 0;

	if (!table->n)
		return;
	while (span >> table->shift >= 2 * table->n)
		table->shift++;
	n = (size_t)(span >> table->shift) + 2;
	table->index = wp_calloc(n, sizeof(*table->index));
	for (size_t i = 0; i < n; i++) {
		while (at + 1 < table->n &&
		       (table->starts[at + 1] - table->starts[0]) >> table->shift < i)
			at++;
		table->index[i] = (uint32_t)at;
	}
}

void wp_symtab_build(struct wp_symtab_builder *builder, struct wp_symtab *ret)
{
	struct sweep sweep = {.table = ret};

	*ret = (struct wp_symtab){0};
	if (builder->inputs.n)
		qsort(builder->inputs.v, builder->inputs.n, sizeof(*builder->inputs.v),
		      compare_symbols);
	fold(builder);
	wp_vec_each (struct wp_symtab_input, in, &builder->inputs)
		sweep_symbol(&sweep, in);
	sweep_to(&sweep, UINT64_MAX);
	make_index(ret);
	wp_vec_deinit(&sweep.open);
	wp_symtab_builder_deinit(builder);
}

/* A piece with its start, and two places in the index. */
#define PIECE_BYTES (sizeof(uint64_t) + sizeof(struct wp_symtab_piece) + 2 * sizeof(uint32_t))

uint64_t wp_symtab_bytes(const struct wp_symtab *table)
{
	return table->n * PIECE_BYTES + table->names_bytes;
}

uint64_t wp_symtab_builder_bytes(const struct wp_symtab_builder *builder)
{
	uint64_t bytes = 2 * PIECE_BYTES * builder->inputs.n; /* two pieces for each at most */

	wp_vec_each (const struct wp_symtab_input, in, &builder->inputs)
		bytes += strlen(in->name) + 1;
	return bytes;
}

void wp_symtab_builder_deinit(struct wp_symtab_builder *builder)
{
	wp_vec_deinit(&builder->inputs);
	wp_arena_deinit(&builder->arena);
}

size_t wp_symtab_find(const struct wp_symtab *table, uint64_t addr)
{
	const uint64_t *base = table->starts;
	uint64_t slot;
	size_t n = table->n;

	if (!n || addr < base[0])
		return WP_SYMTAB_NONE;
	slot = (addr - base[0]) >> table->shift;
	if (slot > (base[n - 1] - base[0]) >> table->shift) {
		base += n - 1;
		n = 1;
	} else {
		base += table->index[slot];
		n = table->index[slot + 1] - table->index[slot] + 1;
	}
	/* Without a branch that depends on the data: samples are spread at random. */
	while (n > 1) {
		size_t half = n / 2;

		base = base[half] <= addr ? base + half : base;
		n -= half;
	}
	size_t at = (size_t)(base - table->starts);
	return addr - *base < table->pieces[at].len ? at : WP_SYMTAB_NONE;
}

const char *wp_symtab_name(const struct wp_symtab *table, size_t piece)
{
	return table->names + table->pieces[piece].name;
}

void wp_symtab_deinit(struct wp_symtab *table)
{
	free(table->starts);
	free(table->pieces);
	free(table->names);
	free(table->index);
	*table = (struct wp_symtab){0};
}
