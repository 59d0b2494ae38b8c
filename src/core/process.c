/* SPDX-License-Identifier: BSD-3-Clause */
/* process: see process.h. Mappings are one array per process, shared copy-on-write by forks. */
#include "core/process.h"

#include "base/invariant.h"
#include "base/mem.h"

#include <string.h>

/* The kernel's own default limit is 65530 mappings of all kinds. */
#define MAX_MAPPINGS	    (1u << 18)
#define DEFAULT_ENDED_LIMIT 4096

struct wp_mappings {
	uint32_t refs;
	size_t n, cap;
	struct wp_mapping v[];
};

static void release(struct wp_mappings **maps)
{
	if (*maps && --(*maps)->refs == 0)
		free(*maps);
	*maps = NULL;
}

/* Makes the mappings the process's own, with room for `more`. */
static struct wp_mappings *own(struct wp_process *process, size_t more)
{
	struct wp_mappings *old = process->maps;
	size_t n = old ? old->n : 0;

	if (old && old->refs == 1 && old->cap >= n + more)
		return old;
	size_t cap = (n + more) * 2;
	struct wp_mappings *maps = wp_calloc(1, sizeof(*maps) + cap * sizeof(maps->v[0]));
	maps->refs = 1;
	maps->n = n;
	maps->cap = cap;
	if (n)
		memcpy(maps->v, old->v, n * sizeof(maps->v[0]));
	release(&process->maps);
	process->maps = maps;
	return maps;
}

/* The first mapping that ends behind the address. */
static size_t find_behind(const struct wp_mappings *maps, uint64_t va)
{
	size_t lo = 0, hi = maps->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (maps->v[mid].start.v + (maps->v[mid].len - 1) < va)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* What is left of `old` on both sides of the new mapping, which lies between them. */
static size_t cut_mappings(const struct wp_mappings *maps, size_t from, size_t to,
			   const struct wp_mapping *new, struct wp_mapping ret[3])
{
	uint64_t last = new->start.v + (new->len - 1);
	size_t n = 0;

	if (from < to && maps->v[from].start.v < new->start.v) {
		ret[n] = maps->v[from];
		ret[n].len = new->start.v - ret[n].start.v;
		n++;
	}
	ret[n++] = *new;
	if (from < to) {
		struct wp_mapping right = maps->v[to - 1];
		uint64_t right_last = right.start.v + (right.len - 1);

		if (right_last > last) {
			right.pgoff.v += last + 1 - right.start.v;
			right.start.v = last + 1;
			right.len = right_last - last;
			ret[n++] = right;
		}
	}
	return n;
}

/* The mappings from..to and their neighbours do not overlap, and are sorted. */
static bool is_in_order(const struct wp_mappings *maps, size_t from, size_t to)
{
	for (size_t i = from ? from : 1; i <= to && i < maps->n; i++)
		if (maps->v[i - 1].start.v + (maps->v[i - 1].len - 1) >= maps->v[i].start.v)
			return false;
	return true;
}

bool wp_process_map(struct wp_process *process, const struct wp_mapping *mapping)
{
	struct wp_mapping new = *mapping, put[3];

	if (!new.len)
		return true;
	if (new.len - 1 > UINT64_MAX - new.start.v)
		new.len = UINT64_MAX - new.start.v + 1;
	struct wp_mappings *maps = own(process, 2);
	if (maps->n + 2 > MAX_MAPPINGS)
		return false;
	size_t from = find_behind(maps, new.start.v), to = from;
	while (to < maps->n && maps->v[to].start.v <= new.start.v + (new.len - 1))
		to++;
	size_t n = cut_mappings(maps, from, to, &new, put);
	memmove(&maps->v[from + n], &maps->v[to], (maps->n - to) * sizeof(maps->v[0]));
	memcpy(&maps->v[from], put, n * sizeof(maps->v[0]));
	maps->n += n - (to - from);
	wp_assert(is_in_order(maps, from, from + n));
	return true;
}

struct wp_mapping *wp_process_at(const struct wp_process *process, struct wp_va va)
{
	struct wp_mappings *maps = process->maps;

	if (!maps)
		return NULL;
	size_t at = find_behind(maps, va.v);
	return at < maps->n && maps->v[at].start.v <= va.v ? &maps->v[at] : NULL;
}

struct wp_mapping *wp_process_mappings(const struct wp_process *process, size_t *ret_n)
{
	*ret_n = process->maps ? process->maps->n : 0;
	return process->maps ? process->maps->v : NULL;
}

struct wp_process *wp_processes_find(struct wp_processes *set, uint32_t pid)
{
	const uint64_t *at = wp_map_get(&set->by_pid, pid);

	if (!at || !*at)
		return NULL;
	struct wp_process *process = &set->all.v[*at - 1];
	process->used = true;
	return process;
}

struct wp_process *wp_processes_get(struct wp_processes *set, uint32_t pid)
{
	struct wp_process *process = wp_processes_find(set, pid);

	if (process) {
		process->ended = false;
		return process;
	}
	size_t at = set->all.n;
	if (set->unused.n)
		at = set->unused.v[--set->unused.n];
	else
		wp_vec_push(&set->all, (struct wp_process){0});
	set->all.v[at] = (struct wp_process){.pid = pid};
	*wp_map_put(&set->by_pid, pid) = at + 1;
	return &set->all.v[at];
}

void wp_processes_exec(struct wp_processes *set, uint32_t pid)
{
	struct wp_process *process = wp_processes_get(set, pid);

	release(&process->maps);
	process->jit = process->inherited_jit = 0;
}

void wp_processes_fork(struct wp_processes *set, uint32_t parent, uint32_t child)
{
	if (parent == child)
		return;
	wp_processes_exec(set, child);
	struct wp_process *to = wp_processes_get(set, child);
	const struct wp_process *from = wp_processes_find(set, parent);
	if (!from)
		return;
	to->maps = from->maps;
	if (to->maps)
		to->maps->refs++;
	to->inherited_jit = from->jit ? from->jit : from->inherited_jit;
}

static void forget_process(struct wp_processes *set, uint32_t at)
{
	struct wp_process *process = &set->all.v[at];

	wp_map_remove(&set->by_pid, process->pid);
	release(&process->maps);
	process->ended = false; /* it may be in the queue twice */
	wp_vec_push(&set->unused, at);
}

/* Forgets the process that ended first, unless it lives again or was used since. */
static void forget_one(struct wp_processes *set)
{
	uint32_t at = set->ended.v[set->ended_first++];
	struct wp_process *process = &set->all.v[at];

	if (process->ended && process->used) {
		process->used = false;
		wp_vec_push(&set->ended, at);
	} else if (process->ended) {
		forget_process(set, at);
	}
	if (set->ended_first * 2 > set->ended.n) {
		set->ended.n -= set->ended_first;
		memmove(set->ended.v, set->ended.v + set->ended_first,
			set->ended.n * sizeof(*set->ended.v));
		set->ended_first = 0;
	}
}

void wp_processes_exit(struct wp_processes *set, uint32_t pid)
{
	size_t limit = set->ended_limit ? set->ended_limit : DEFAULT_ENDED_LIMIT;
	const uint64_t *at = wp_map_get(&set->by_pid, pid);

	if (!at || !*at || set->all.v[*at - 1].ended)
		return;
	set->all.v[*at - 1].ended = true;
	set->all.v[*at - 1].used = false;
	wp_vec_push(&set->ended, (uint32_t)(*at - 1));
	/* Two steps for each that ends: those in use are passed over, but the queue still shrinks.
	 */
	for (int i = 0; i < 2 && set->ended.n - set->ended_first > limit; i++)
		forget_one(set);
}

void wp_processes_deinit(struct wp_processes *set)
{
	wp_vec_each (struct wp_process, process, &set->all)
		release(&process->maps);
	wp_vec_deinit(&set->all);
	wp_vec_deinit(&set->unused);
	wp_vec_deinit(&set->ended);
	wp_map_deinit(&set->by_pid);
}
