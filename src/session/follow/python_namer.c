/* SPDX-License-Identifier: BSD-3-Clause */
/* python_namer: see python_namer.h. */
#include "session/follow/python_namer.h"

#include "base/clock.h"
#include "base/keyed.h"
#include "source/proc/process_memory.h"
#include "source/proc/procfs.h"

#define FIRST_WAIT_NS (WP_NS_PER_S / 10)
#define LAST_WAIT_NS  (WP_NS_PER_S * 128 / 10)
#define PAUSE_NS      (WP_NS_PER_S / 100)
#define SHARE	      50 /* a fiftieth of the time, at most, goes into one process's names */

static struct wp_python_namer_thread *find_thread(struct wp_python_namer *namer, uint32_t tid)
{
	return wp_keyed_get(&namer->threads, &namer->by_tid, tid);
}

static void forget_named(struct wp_python_namer *namer, uint32_t tid)
{
	struct wp_python_namer_thread *thread = find_thread(namer, tid);

	if (thread)
		*thread = (struct wp_python_namer_thread){.pid = thread->pid, .tid = tid};
}

static void end_thread(struct wp_python_namer *namer, uint32_t tid)
{
	struct wp_python_namer_thread *thread = find_thread(namer, tid);

	if (thread)
		thread->ended = true;
}

void wp_python_namer_changed(void *arg, const struct wp_process_change *change)
{
	struct wp_python_namer *namer = arg;
	uint32_t tid = change->record->tid;

	if (!namer->on)
		return;
	switch (change->kind) {
	case WP_PROCESS_BEGAN:
	case WP_THREAD_BEGAN:
	case WP_PROCESS_EXECED: forget_named(namer, tid); break;
	case WP_THREAD_ENDED: end_thread(namer, tid); break;
	default: break;
	}
}

static struct wp_python_namer_thread *get(struct wp_python_namer *namer, uint32_t pid, uint32_t tid)
{
	struct wp_python_namer_thread *thread = wp_keyed_put(
		&namer->threads, &namer->by_tid, tid, (struct wp_python_namer_thread){.tid = tid});

	thread->pid = pid;
	return thread;
}

static void ask(struct wp_python_namer *namer, struct wp_python_namer_thread *thread)
{
	if (thread->asked_ns || !thread->sampled_ns)
		return;
	thread->asked_ns = thread->sampled_ns;
	wp_vec_push(&namer->asked, (uint32_t)(thread - namer->threads.v));
}

void wp_python_namer_sample(struct wp_python_namer *namer, const struct wp_record *sample)
{
	struct wp_python_namer_thread *thread;

	if (!namer->on)
		return;
	thread = get(namer, sample->pid, sample->tid);
	thread->sampled_ns = sample->time_ns;
	if (sample->time_ns >= thread->due_ns)
		ask(namer, thread);
}

/* At growing intervals. */
static void postpone(struct wp_python_namer_thread *thread)
{
	thread->wait_ns = thread->wait_ns ? thread->wait_ns * 2 : FIRST_WAIT_NS;
	if (thread->wait_ns > LAST_WAIT_NS)
		thread->wait_ns = LAST_WAIT_NS;
	thread->due_ns = thread->asked_ns + thread->wait_ns;
}

/* Takes a process's threads off the list of those that are asked for. */
static void gather(struct wp_python_namer *namer, uint32_t pid)
{
	size_t n = 0;

	wp_vec_each (uint32_t, index, &namer->asked) {
		struct wp_python_namer_thread *thread = &namer->threads.v[*index];

		if (thread->pid != pid && thread->asked_ns) {
			namer->asked.v[n++] = *index;
			continue;
		}
		if (!thread->asked_ns)
			continue;
		if (!thread->inner)
			thread->inner = wp_procfs_inner_tid(pid, thread->tid);
		if (thread->inner)
			*wp_map_put(&namer->wanted, thread->inner) = *index;
		wp_vec_push(&namer->reading, *index);
		postpone(thread);
	}
	namer->asked.n = n;
}

static struct wp_python_namer_thread *find_wanted_thread(struct wp_python_namer *namer,
							 uint32_t inner)
{
	const uint64_t *index = wp_map_get(&namer->wanted, inner);

	return index ? &namer->threads.v[*index] : NULL;
}

static bool wants(void *arg, uint32_t inner)
{
	return find_wanted_thread(arg, inner) != NULL;
}

/* Interpreters within the process may have a name each: the last one counts. */
static void take_thread_name(void *arg, uint32_t inner, const char *name)
{
	struct wp_python_namer *namer = arg;

	find_wanted_thread(namer, inner)->found = wp_strpool_id(&namer->strings, name) + 1;
}

static void read_process_names(struct wp_python_namer *namer,
			       const struct wp_python_process *process)
{
	struct wp_memory memory = wp_process_memory(process->pid);
	struct wp_python_names_asker asker = {wants, take_thread_name, namer};

	for (size_t i = process->pythons.n; i-- > 0;) {
		const struct wp_python_interpreter *python = &process->pythons.v[i];

		if (python->build)
			wp_python_names_read(&python->build->dicts, &python->plan, &memory, &asker);
	}
}

/* What is new of the process's threads. */
static void answer(struct wp_python_namer *namer, struct wp_records *ret)
{
	wp_vec_each (uint32_t, index, &namer->reading) {
		struct wp_python_namer_thread *thread = &namer->threads.v[*index];
		struct wp_record record = {
			.kind = WP_RECORD_NAME,
			.pid = thread->pid,
			.tid = thread->tid,
			.time_ns = thread->asked_ns - 1,
		};

		thread->asked_ns = 0;
		if (thread->found == thread->name)
			continue;
		thread->name = thread->found;
		record.named.name = wp_strpool_get(&namer->strings, thread->name - 1);
		wp_vec_push(&ret->records, record);
	}
	namer->reading.n = 0;
	wp_map_deinit(&namer->wanted);
}

/* All of its threads that are asked for, unless it was read just now. */
static void answer_process(struct wp_python_namer *namer, const struct wp_python_process *process,
			   uint64_t now_ns, struct wp_records *ret)
{
	uint64_t took_ns;

	gather(namer, process->pid);
	read_process_names(namer, process);
	answer(namer, ret);
	took_ns = wp_clock_now_ns() - now_ns;
	*wp_map_put(&namer->due_of, process->pid) =
		now_ns + (took_ns * SHARE > PAUSE_NS ? took_ns * SHARE : PAUSE_NS);
}

static bool is_naming_due(const struct wp_python_namer *namer, uint32_t pid, uint64_t now_ns)
{
	const uint64_t *due_ns = wp_map_get(&namer->due_of, pid);

	return !due_ns || now_ns >= *due_ns;
}

static void ask_all(struct wp_python_namer *namer)
{
	wp_vec_each (struct wp_python_namer_thread, thread, &namer->threads)
		if (!thread->ended)
			ask(namer, thread);
}

void wp_python_namer_read(struct wp_python_namer *namer, struct wp_python_processes *processes,
			  bool all, struct wp_records *ret)
{
	size_t i = 0;

	if (all)
		ask_all(namer);
	while (i < namer->asked.n) {
		uint32_t pid = namer->threads.v[namer->asked.v[i]].pid;
		const struct wp_python_process *process = wp_python_processes_find(processes, pid);
		uint64_t now_ns = wp_clock_now_ns();

		if (process && (all || is_naming_due(namer, pid, now_ns)))
			answer_process(namer, process, now_ns, ret); /* takes it off the list */
		else
			i++;
	}
}

void wp_python_namer_deinit(struct wp_python_namer *namer)
{
	wp_map_deinit(&namer->by_tid);
	wp_map_deinit(&namer->due_of);
	wp_map_deinit(&namer->wanted);
	wp_vec_deinit(&namer->threads);
	wp_vec_deinit(&namer->asked);
	wp_vec_deinit(&namer->reading);
	wp_strpool_deinit(&namer->strings);
	*namer = (struct wp_python_namer){0};
}
