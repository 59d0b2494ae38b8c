/* SPDX-License-Identifier: BSD-3-Clause */
/* jit_code: see jit_code.h. */
#include "resolve/jit/jit_code.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define MAX_PIECES (1u << 20)
/* How many older pieces are looked at behind an address; real ones overlap a handful deep. */
#define MAX_DEPTH 4096
#define MAX_NAME  4096
/* At one stretch, and then as long not at all; a map of 100 MB takes it. */
#define STRETCH_NS (300 * WP_NS_PER_MS)

bool wp_jit_budget_may_read(struct wp_jit_budget *budget, uint64_t now_ns)
{
	if (now_ns < budget->resume_ns)
		return false;
	if (now_ns - budget->read_ns > STRETCH_NS)
		budget->spent_ns = 0;
	return true;
}

void wp_jit_budget_spend(struct wp_jit_budget *budget, uint64_t spent_ns, uint64_t now_ns)
{
	budget->read_ns = now_ns;
	budget->spent_ns += spent_ns;
	if (budget->spent_ns < STRETCH_NS)
		return;
	budget->spent_ns = 0;
	budget->resume_ns = now_ns + STRETCH_NS;
}

/* A piece and its name; those that were told of stay. */
static bool take_piece_room(struct wp_jit_budget *budget, size_t name_len)
{
	size_t bytes = sizeof(struct wp_jit_piece) + sizeof(uint64_t) + name_len + 1;

	return !budget || (!wp_budget_is_spent(budget->memory, WP_BUDGET_JIT) &&
			   wp_budget_take(budget->memory, WP_BUDGET_JIT, bytes));
}

bool wp_jit_code_add(struct wp_jit_code *code, uint64_t start, uint64_t size, uint64_t time_ns,
		     const char *name, size_t name_len)
{
	if (!size || size > UINT64_MAX - start || code->told >= MAX_PIECES)
		return false;
	if (name_len > MAX_NAME)
		name_len = MAX_NAME;
	if (!take_piece_room(code->budget, name_len))
		return false;
	wp_vec_push(&code->fresh, (struct wp_jit_piece){
					  .start = start,
					  .end = start + size,
					  .time_ns = time_ns,
					  .order = code->told++,
					  .name = wp_arena_strndup(&code->names, name, name_len),
				  });
	return true;
}

static int compare_pieces(const void *a, const void *b)
{
	const struct wp_jit_piece *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Merges the fresh pieces, from the back so that it needs no second array. */
static void settle(struct wp_jit_code *code)
{
	size_t old = code->pieces.n, fresh = code->fresh.n, to = old + fresh;
	uint64_t reach = 0;

	qsort(code->fresh.v, fresh, sizeof(*code->fresh.v), compare_pieces);
	for (size_t i = 0; i < fresh; i++)
		wp_vec_push(&code->pieces, (struct wp_jit_piece){0});
	while (fresh) {
		if (old && compare_pieces(&code->pieces.v[old - 1], &code->fresh.v[fresh - 1]) > 0)
			code->pieces.v[--to] = code->pieces.v[--old];
		else
			code->pieces.v[--to] = code->fresh.v[--fresh];
	}
	code->fresh.n = 0;
	code->reach = wp_realloc(code->reach, code->pieces.n, sizeof(*code->reach));
	for (size_t i = 0; i < code->pieces.n; i++) {
		if (code->pieces.v[i].end > reach)
			reach = code->pieces.v[i].end;
		code->reach[i] = reach;
	}
}

static bool newer(const struct wp_jit_piece *a, const struct wp_jit_piece *b)
{
	return a->time_ns != b->time_ns ? a->time_ns > b->time_ns : a->order > b->order;
}

/* How many pieces start at or below the address. */
static size_t upper(const struct wp_jit_code *code, uint64_t addr)
{
	size_t lo = 0, hi = code->pieces.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (code->pieces.v[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct wp_jit_piece *wp_jit_code_find(struct wp_jit_code *code, uint64_t addr, uint64_t time_ns)
{
	struct wp_jit_piece *best = NULL, *first_later = NULL;

	if (code->fresh.n)
		settle(code);
	size_t i = upper(code, addr);
	for (int depth = 0; i-- > 0 && code->reach[i] > addr && depth < MAX_DEPTH; depth++) {
		struct wp_jit_piece *piece = &code->pieces.v[i];

		if (addr >= piece->end)
			continue;
		if (piece->time_ns <= time_ns && (!best || newer(piece, best)))
			best = piece;
		if (piece->time_ns > time_ns && (!first_later || newer(first_later, piece)))
			first_later = piece;
	}
	return best ? best : first_later;
}

static void add_piece_rows(const struct wp_jit_piece *piece, uint64_t end,
			   struct wp_unwind_rows *rows)
{
	uint64_t at = piece->start - rows->base,
		 to = (piece->end < end ? piece->end : end) - rows->base;

	wp_unwind_rows_append(rows, (uint32_t)at, (struct wp_unwind_rule){0});
	for (size_t i = 0; piece->rules && i < piece->rules->n; i++)
		if (at + piece->rules->v[i].pc < to)
			wp_unwind_rows_append(rows, (uint32_t)(at + piece->rules->v[i].pc),
					      piece->rules->v[i]);
	wp_unwind_rows_append(rows, (uint32_t)to, (struct wp_unwind_rule){0});
}

void wp_jit_code_rows(struct wp_jit_code *code, uint64_t end, struct wp_unwind_rows *ret)
{
	WP_VEC(const struct wp_jit_piece *) in_force = {0};

	if (code->fresh.n)
		settle(code);
	for (size_t i = upper(code, ret->base - 1); i < code->pieces.n; i++) {
		const struct wp_jit_piece *piece = &code->pieces.v[i];
		bool stale = false;

		if (piece->start >= end)
			break;
		/* The pieces before are in order and apart, so only the last ones can overlap. */
		while (in_force.n && in_force.v[in_force.n - 1]->end > piece->start && !stale) {
			stale = newer(in_force.v[in_force.n - 1], piece);
			in_force.n -= !stale;
		}
		if (!stale)
			wp_vec_push(&in_force, piece);
	}
	wp_vec_each (const struct wp_jit_piece *, piece, &in_force)
		add_piece_rows(*piece, end, ret);
	wp_vec_deinit(&in_force);
}

void wp_jit_code_deinit(struct wp_jit_code *code)
{
	wp_vec_deinit(&code->pieces);
	wp_vec_deinit(&code->fresh);
	free(code->reach);
	wp_arena_deinit(&code->names);
	*code = (struct wp_jit_code){0};
}
