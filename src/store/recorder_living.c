/* SPDX-License-Identifier: BSD-3-Clause */
/* recorder_living: see recorder_living.h. */
#include "store/recorder_living.h"

#include "base/mem.h"
#include "core/process.h"
#include "store/recorder.h"

#include <stdlib.h>

/* Keys of what is kept of a process: where a mapping begins, or a thread and what is said of it;
 * none of these is an address. */
#define KEY_COMM   ((uint64_t)1 << 62)
#define KEY_NAME   ((uint64_t)3 << 61)
#define KEY_CGROUP ((uint64_t)5 << 60)

#define DEAD_MIN  64 /* so many make it worth to look for them */
#define TEXTS_MIN 4096

struct kept {
	uint64_t key;
	struct wp_record record; /* its text is the pool's: */
	uint32_t text;
	bool dead; /* another one took its place */
};

struct wp_recorder_process {
	uint32_t pid;
	uint32_t threads;	  /* that have a COMM here */
	WP_VEC(struct kept) kept; /* in the order in which it happened */
	struct wp_map at;	  /* key -> index in kept + 1 */
	size_t dead;
};

static struct wp_recorder_process *find_living(struct wp_recorder_living *living, uint32_t pid,
					       bool make)
{
	uint64_t *at = wp_map_get(&living->at, pid);
	struct wp_recorder_process *process;

	if (at || !make)
		return at ? living->processes.v[*at - 1] : NULL;
	process = wp_calloc(1, sizeof(*process));
	process->pid = pid;
	wp_vec_push(&living->processes, process);
	*wp_map_put(&living->at, pid) = living->processes.n;
	return process;
}

static void free_living_process(struct wp_recorder_process *process)
{
	wp_vec_deinit(&process->kept);
	wp_map_deinit(&process->at);
	free(process);
}

static void drop_living(struct wp_recorder_living *living, uint32_t pid)
{
	uint64_t *at = wp_map_get(&living->at, pid);
	size_t index, last = living->processes.n - 1;

	if (!at)
		return;
	index = (size_t)*at - 1;
	free_living_process(living->processes.v[index]);
	living->processes.v[index] = living->processes.v[last];
	living->processes.n = last;
	if (index != last)
		*wp_map_put(&living->at, living->processes.v[index]->pid) = index + 1;
	wp_map_remove(&living->at, pid);
}

static void bury_dead(struct wp_recorder_process *process)
{
	size_t n = 0;

	if (process->dead < DEAD_MIN || process->dead < process->kept.n / 2)
		return;
	for (size_t i = 0; i < process->kept.n; i++) {
		if (process->kept.v[i].dead)
			continue;
		process->kept.v[n++] = process->kept.v[i];
		*wp_map_put(&process->at, process->kept.v[n - 1].key) = n;
	}
	process->kept.n = n;
	process->dead = 0;
}

static bool drop_kept(struct wp_recorder_process *process, uint64_t key)
{
	uint64_t *at = wp_map_get(&process->at, key);

	if (!at)
		return false;
	process->kept.v[*at - 1].dead = true;
	process->dead++;
	wp_map_remove(&process->at, key);
	return true;
}

/* Returns whether there was none of this key. */
static bool put_kept(struct wp_recorder_process *process, uint64_t key,
		     const struct wp_record *record, uint32_t text)
{
	struct kept kept = {.key = key, .record = *record, .text = text};
	bool is_new = !drop_kept(process, key);

	kept.record.time_ns = 0;
	wp_vec_push(&process->kept, kept);
	*wp_map_put(&process->at, key) = process->kept.n;
	bury_dead(process);
	return is_new;
}

static void keep_comm(struct wp_recorder_living *living, const struct wp_record *record)
{
	struct wp_recorder_process *process = find_living(living, record->pid, true);
	struct wp_record comm = *record;

	comm.comm.exec = false;
	process->threads += put_kept(process, KEY_COMM | record->tid, &comm,
				     wp_strpool_id(&living->texts, record->comm.name));
}

/* A thread is called as the one that made it until it says otherwise. */
static void inherit_comm(struct wp_recorder_living *living, struct wp_recorder_process *process,
			 const struct wp_recorder_process *parent, const struct wp_record *fork)
{
	const uint64_t *at =
		parent ? wp_map_get(&parent->at, KEY_COMM | fork->fork.parent_tid) : NULL;
	struct wp_record comm = {
		.kind = WP_RECORD_COMM, .pid = fork->pid, .tid = fork->tid, .cpu = fork->cpu};
	uint32_t text =
		at ? parent->kept.v[*at - 1].text : wp_strpool_id(&living->texts, ":unknown");

	process->threads += put_kept(process, KEY_COMM | fork->tid, &comm, text);
}

static void keep_thread(struct wp_recorder_living *living, const struct wp_record *record)
{
	struct wp_recorder_process *process = find_living(living, record->pid, true);

	inherit_comm(living, process, find_living(living, record->fork.parent_pid, false), record);
}

static void keep_fork(struct wp_recorder_living *living, const struct wp_record *record)
{
	struct wp_recorder_process *process = find_living(living, record->pid, true);
	struct wp_recorder_process *parent = find_living(living, record->fork.parent_pid, false);

	for (size_t i = 0; parent && i < parent->kept.n; i++) {
		struct kept kept = parent->kept.v[i];

		if (kept.dead || kept.record.kind != WP_RECORD_MAP)
			continue;
		kept.record.pid = record->pid;
		kept.record.tid = record->tid;
		put_kept(process, kept.key, &kept.record, kept.text);
	}
	inherit_comm(living, process, parent, record);
}

static void keep_exit(struct wp_recorder_living *living, const struct wp_record *record)
{
	struct wp_recorder_process *process = find_living(living, record->pid, false);

	if (!process)
		return;
	process->threads -= drop_kept(process, KEY_COMM | record->tid);
	drop_kept(process, KEY_NAME | record->tid);
	if (!process->threads)
		drop_living(living, record->pid);
	else
		bury_dead(process);
}

/* The process that a record is kept with: cgroups are nobody's, as the kernel's code is. */
static void keep_other(struct wp_recorder_living *living, const struct wp_record *record,
		       uint64_t key, const char *text)
{
	uint32_t pid = record->kind == WP_RECORD_CGROUP ? 0 : record->pid;

	put_kept(find_living(living, pid, true), key, record, wp_strpool_id(&living->texts, text));
}

/* The texts of what lives in a new pool, as often as their number has doubled. */
static void sift_texts(struct wp_recorder_living *living)
{
	struct wp_strpool texts = {0};

	if (living->texts.strings.n < TEXTS_MIN || living->texts.strings.n < living->sift_at)
		return;
	for (size_t i = 0; i < living->processes.n; i++)
		wp_vec_each (struct kept, kept, &living->processes.v[i]->kept)
			if (!kept->dead)
				kept->text = wp_strpool_id(
					&texts, wp_strpool_get(&living->texts, kept->text));
	wp_strpool_deinit(&living->texts);
	living->texts = texts;
	living->sift_at = 2 * texts.strings.n;
}

/* What a record says of processes and threads; false: nothing. */
static bool keep_change(struct wp_recorder_living *living, const struct wp_record *record)
{
	switch (wp_process_change_of(record)) {
	case WP_PROCESS_EXECED:
		drop_living(living, record->pid); /* its mappings, and its other threads */
		keep_comm(living, record);
		return true;
	case WP_THREAD_NAMED: keep_comm(living, record); return true;
	case WP_PROCESS_BEGAN:
		drop_living(living, record->pid); /* the number was another's */
		keep_fork(living, record);
		return true;
	case WP_THREAD_BEGAN: keep_thread(living, record); return true;
	case WP_THREAD_ENDED: keep_exit(living, record); return true;
	default: return false;
	}
}

static void keep_rest(struct wp_recorder_living *living, const struct wp_record *record)
{
	switch (record->kind) {
	case WP_RECORD_MAP:
		keep_other(living, record, record->map.start.v, record->map.path);
		break;
	case WP_RECORD_NAME:
		keep_other(living, record, KEY_NAME | record->tid, record->named.name);
		break;
	case WP_RECORD_CGROUP:
		keep_other(living, record, KEY_CGROUP | (record->cgroup.id & (KEY_COMM - 1) >> 2),
			   record->cgroup.path);
		break;
	default: break;
	}
}

void wp_recorder_living_record(struct wp_recorder_living *living, const struct wp_record *record)
{
	if (!keep_change(living, record))
		keep_rest(living, record);
	sift_texts(living);
}

static void tell_kept(const struct wp_recorder_living *living, const struct kept *kept,
		      struct wp_recorder *recorder)
{
	const char *text = wp_strpool_get(&living->texts, kept->text);
	struct wp_record record = kept->record;

	switch (record.kind) {
	case WP_RECORD_MAP: record.map.path = text; break;
	case WP_RECORD_COMM: record.comm.name = text; break;
	case WP_RECORD_NAME: record.named.name = text; break;
	default: record.cgroup.path = text; break;
	}
	wp_recorder_add(recorder, &record);
}

void wp_recorder_living_tell(const struct wp_recorder_living *living, struct wp_recorder *recorder)
{
	for (size_t i = 0; i < living->processes.n; i++) {
		const struct wp_recorder_process *process = living->processes.v[i];

		for (size_t j = 0; j < process->kept.n; j++)
			if (!process->kept.v[j].dead)
				tell_kept(living, &process->kept.v[j], recorder);
	}
}

void wp_recorder_living_deinit(struct wp_recorder_living *living)
{
	for (size_t i = 0; i < living->processes.n; i++)
		free_living_process(living->processes.v[i]);
	wp_vec_deinit(&living->processes);
	wp_map_deinit(&living->at);
	wp_strpool_deinit(&living->texts);
}
