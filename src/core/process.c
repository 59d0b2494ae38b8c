/* SPDX-License-Identifier: BSD-3-Clause */
/* process: see process.h. */
#include "core/process.h"

#include "base/proc_living.h"

#include <string.h>

#define DEFAULT_ENDED_LIMIT 4096

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

static struct wp_process *renew_process(struct wp_processes *set, const struct wp_record *record)
{
	struct wp_process *process = wp_processes_get(set, record->pid);

	wp_mappings_release(&process->maps);
	wp_mappings_release(&process->areas);
	process->jit = process->inherited_jit = 0;
	process->began_ns = record->time_ns;
	process->headless = false; /* the thread that called exec is the first one now */
	return process;
}

static void fork_tracked_process(struct wp_processes *set, const struct wp_record *record)
{
	struct wp_process *to = renew_process(set, record);
	const struct wp_process *from = wp_processes_find(set, record->fork.parent_pid);

	if (!from)
		return;
	to->maps = wp_mappings_share(from->maps);
	to->areas = wp_mappings_share(from->areas);
	to->inherited_jit = from->jit ? from->jit : from->inherited_jit;
}

static void recycle_process(struct wp_processes *set, uint32_t at)
{
	struct wp_process *process = &set->all.v[at];

	wp_map_remove(&set->by_pid, process->pid);
	wp_mappings_release(&process->maps);
	wp_mappings_release(&process->areas);
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
		recycle_process(set, at);
	}
	if (set->ended_first * 2 > set->ended.n) {
		set->ended.n -= set->ended_first;
		memmove(set->ended.v, set->ended.v + set->ended_first,
			set->ended.n * sizeof(*set->ended.v));
		set->ended_first = 0;
	}
}

static void queue_ended(struct wp_processes *set, uint32_t pid)
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

static void forget_headless(struct wp_processes *set, uint32_t pid)
{
	struct wp_process *process = wp_processes_find(set, pid);

	if (process)
		process->headless = false;
	queue_ended(set, pid);
}

/* Another program runs from now on, or the parent's once more. */
static void begin_process_program(struct wp_processes *set, enum wp_process_change_kind kind,
				  const struct wp_record *record)
{
	if (set->changes_only)
		forget_headless(set, record->pid);
	else if (kind == WP_PROCESS_EXECED)
		renew_process(set, record);
	else
		fork_tracked_process(set, record);
}

/* Has the process ended with this thread? */
static bool ends_process(struct wp_processes *set, const struct wp_record *exit)
{
	const uint64_t *at = wp_map_get(&set->by_pid, exit->pid);
	bool headless = at && *at && set->all.v[*at - 1].headless;

	if (exit->pid != exit->tid && !headless)
		return false;
	if (!set->live || wp_proc_living(exit->pid) == exit->pid) {
		if (headless)
			set->all.v[*at - 1].headless = false;
		return true;
	}
	wp_processes_get(set, exit->pid)->headless = true;
	return false;
}

enum wp_process_change_kind wp_process_change_of(const struct wp_record *record)
{
	switch (record->kind) {
	case WP_RECORD_MAP: return record->map.kernel ? WP_PROCESS_UNCHANGED : WP_PROCESS_MAPPED;
	case WP_RECORD_COMM: return record->comm.exec ? WP_PROCESS_EXECED : WP_THREAD_NAMED;
	case WP_RECORD_FORK:
		return record->fork.parent_pid == record->pid ? WP_THREAD_BEGAN : WP_PROCESS_BEGAN;
	case WP_RECORD_EXIT: return WP_THREAD_ENDED;
	case WP_RECORD_NAME: return WP_THREAD_CALLED;
	default: return WP_PROCESS_UNCHANGED;
	}
}

static void tell_listeners(const struct wp_processes *set, enum wp_process_change_kind kind,
			   const struct wp_record *record)
{
	struct wp_process_change change = {kind, record};

	wp_vec_each (struct wp_process_listener, listener, &set->listeners)
		listener->changed(listener->arg, &change);
}

void wp_processes_listen(struct wp_processes *set,
			 void (*changed)(void *arg, const struct wp_process_change *change),
			 void *arg)
{
	wp_vec_push(&set->listeners, (struct wp_process_listener){changed, arg});
}

void wp_processes_take(struct wp_processes *set, const struct wp_record *record)
{
	enum wp_process_change_kind kind = wp_process_change_of(record);

	if (kind == WP_PROCESS_UNCHANGED)
		return;
	if (kind == WP_PROCESS_EXECED || kind == WP_PROCESS_BEGAN)
		begin_process_program(set, kind, record);
	tell_listeners(set, kind, record);
	if (kind == WP_THREAD_ENDED && ends_process(set, record)) {
		queue_ended(set, record->pid);
		tell_listeners(set, WP_PROCESS_ENDED, record);
	}
}

void wp_processes_deinit(struct wp_processes *set)
{
	wp_vec_each (struct wp_process, process, &set->all) {
		wp_mappings_release(&process->maps);
		wp_mappings_release(&process->areas);
	}
	wp_vec_deinit(&set->all);
	wp_vec_deinit(&set->listeners);
	wp_vec_deinit(&set->unused);
	wp_vec_deinit(&set->ended);
	wp_map_deinit(&set->by_pid);
	*set = (struct wp_processes){0};
}
