/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolver_jit: code outside of files: whose it is, what it is called, how it is unwound.
 *
 * A compiler may publish a name after its samples came: these have a symbol of their own, which
 * gets its name then.
 */
#include "base/clock.h"
#include "resolve/resolver_mapping.h"
#include "resolve/resolver_state.h"

#include <string.h>

static uint32_t unknown_jit(struct wp_resolver *r, uint32_t module)
{
	return wp_symbol_ids_unknown(&r->ids, module, WP_SYMBOL_NO_MODULE, WP_SYMBOL_NATIVE);
}

/* 0: not known. */
static int64_t unix_seconds(const struct wp_resolver *r, uint64_t time_ns)
{
	uint64_t offset = r->options.unix_offset_ns;

	return time_ns && offset ? (int64_t)((offset + time_ns) / WP_NS_PER_S) : 0;
}

struct wp_jit *wp_resolver_own_jit(struct wp_resolver *r, struct wp_process *process)
{
	if (!process->jit && !r->options.offline && r->jits.n < MAX_JITS) {
		struct wp_jit_trust past = {r->options.owner, r->options.any_owner,
					    unix_seconds(r, process->began_ns), r->options.log};

		wp_vec_push(&r->jits, wp_jit_new(process->pid, r->options.past ? &past : NULL,
						 &r->jit_budget));
		process->jit = (uint32_t)r->jits.n;
	}
	return process->jit ? r->jits.v[process->jit - 1] : NULL;
}

static uint32_t piece_symbol(struct wp_resolver *r, struct wp_jit_piece *piece)
{
	if (r->jit_module == WP_NO_MODULE)
		r->jit_module = wp_symbol_ids_module(&r->ids, "[jit]", "[jit]", (struct wp_va){0});
	if (!piece->id) {
		struct wp_symbol symbol = {
			.raw = piece->name,
			.kind = WP_SYMBOL_JIT,
			.module = r->jit_module,
			.start = {piece->start},
			.size = piece->end - piece->start,
		};

		piece->id = wp_symbol_ids_add(&r->ids, &symbol) + 1;
	}
	return piece->id - 1;
}

static struct wp_jit_piece *find_piece(struct wp_resolver *r, const struct pending *p)
{
	struct wp_jit_piece *piece = NULL;

	if (p->jit)
		piece = wp_jit_find(r->jits.v[p->jit - 1], p->va, p->time_ns);
	if (!piece && p->inherited_jit)
		piece = wp_jit_find(r->jits.v[p->inherited_jit - 1], p->va, p->time_ns);
	return piece;
}

const struct wp_unwind_rule *wp_resolver_jit_rule(struct wp_resolver *r, uint32_t pid,
						  struct wp_va va, uint64_t time_ns)
{
	const struct wp_process *process = wp_processes_find(r->processes, pid);

	if (!process)
		return NULL;
	struct pending p = {process->jit, process->inherited_jit, .va = va, .time_ns = time_ns};
	const struct wp_jit_piece *piece = find_piece(r, &p);
	if (!piece || !piece->rules)
		return NULL;
	return wp_unwind_rule_find(piece->rules->v, piece->rules->n, va.v - piece->start);
}

const struct wp_unwind_rule *wp_resolver_exit_rule(struct wp_resolver *r, uint32_t pid,
						   struct wp_va va, bool exact)
{
	return r->options.offline ? NULL : wp_unwind_exits_find(&r->exits, pid, va, exact);
}

struct wp_jit *wp_resolver_jit(struct wp_resolver *r, uint32_t pid)
{
	const struct wp_process *process = wp_processes_find(r->processes, pid);
	uint32_t own = process ? process->jit : 0, inherited = process ? process->inherited_jit : 0;

	if (own && (!inherited || wp_jit_rules_told(r->jits.v[own - 1])))
		return r->jits.v[own - 1];
	return inherited ? r->jits.v[inherited - 1] : NULL;
}

static uint64_t pending_key(const struct pending *p)
{
	return p->va.v ^ (uint64_t)p->jit << 48;
}

/*
 * A symbol of its own for an address that the JIT compiler may still name. Unknowns read the same
 * in a report, so that there may be many.
 */
static uint32_t pending_symbol(struct wp_resolver *r, const struct pending *pending,
			       uint32_t module)
{
	struct pending p = *pending;
	const uint64_t *at = wp_map_get(&r->pending_at, pending_key(&p));
	struct wp_symbol symbol = {
		.kind = WP_SYMBOL_JIT, .reason = WP_SYMBOL_NO_MODULE, .module = module};

	if (at)
		return r->pending.v[*at - 1].symbol;
	if (r->pending.n >= MAX_PENDING)
		return unknown_jit(r, module);
	p.symbol = (uint32_t)r->ids.set.symbols.n;
	wp_vec_push(&r->ids.set.symbols, symbol);
	wp_vec_push(&r->pending, p);
	*wp_map_put(&r->pending_at, pending_key(&p)) = r->pending.n;
	return p.symbol;
}

uint32_t wp_resolver_jit_symbol(struct wp_resolver *r, const struct wp_record *sample,
				struct wp_va ip, uint32_t module)
{
	struct wp_process *process = wp_processes_find(r->processes, sample->pid);
	struct wp_jit *jit = process ? wp_resolver_own_jit(r, process) : NULL;

	if (!jit)
		return unknown_jit(r, module);
	struct pending p = {
		.jit = process->jit,
		.inherited_jit = process->inherited_jit,
		.va = ip,
		.time_ns = sample->time_ns,
	};
	struct wp_jit_piece *piece = find_piece(r, &p);
	if (piece)
		return piece_symbol(r, piece);
	if (r->options.past || (module == WP_NO_MODULE && !wp_jit_has_files(jit)))
		return unknown_jit(r, module);
	return pending_symbol(r, &p, module);
}

/* Looks at the files of the processes whose code has no name yet; returns what they know. */
static uint64_t refresh_pending(struct wp_resolver *r)
{
	struct wp_map seen = {0};
	uint64_t told = 0;

	wp_vec_each (struct pending, p, &r->pending) {
		const uint32_t jits[] = {p->jit, p->inherited_jit};

		for (size_t i = 0; i < WP_ARRAY_LEN(jits); i++) {
			if (!jits[i] || wp_map_get(&seen, jits[i]))
				continue;
			*wp_map_put(&seen, jits[i]) = 1;
			told += wp_jit_refresh(r->jits.v[jits[i] - 1]);
		}
	}
	wp_map_deinit(&seen);
	return told;
}

void wp_resolver_settle_jit(struct wp_resolver *r)
{
	uint64_t told = refresh_pending(r);
	size_t left = 0;

	if (told == r->settled && r->pending.n == r->unsettled)
		return;
	r->settled = told;
	wp_map_deinit(&r->pending_at);
	for (size_t i = 0; i < r->pending.n; i++) {
		struct pending p = r->pending.v[i];
		struct wp_jit_piece *piece = find_piece(r, &p);

		if (piece) {
			uint32_t id = piece_symbol(r, piece);

			r->ids.set.symbols.v[p.symbol] = r->ids.set.symbols.v[id];
			continue;
		}
		r->pending.v[left++] = p;
		*wp_map_put(&r->pending_at, pending_key(&p)) = left;
	}
	r->pending.n = r->unsettled = left;
}
