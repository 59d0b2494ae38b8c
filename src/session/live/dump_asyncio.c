/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_asyncio: see dump_asyncio.h. */
#include "session/live/dump_asyncio.h"

#include "base/str.h"
#include "source/proc/process_memory.h"

#include <string.h>

/* Readings of a process that runs all the time. */
#define TASK_TRIES 8
#define SLOTS_MAX  (1u << 20)

static void read_one_task(struct wp_dump_asyncio *a, uint32_t plan, uint64_t task)
{
	const struct wp_python_slot *slots;
	struct wp_dump_asyncio_task read = {.plan = plan, .first = a->slots.n};

	read.coro = wp_instant_reader_task(a->reader, plan, task, &slots, &read.n);
	if (!read.n)
		return;
	if (a->slots.n + read.n > SLOTS_MAX) {
		a->cut = true;
		return;
	}
	for (size_t i = 0; i < read.n; i++)
		wp_vec_push(&a->slots, slots[i]);
	wp_vec_push(&a->tasks, read);
}

static void read_all_tasks(struct wp_dump_asyncio *a, const struct wp_python_process *process,
			   const struct wp_memory *core)
{
	struct wp_memory memory = wp_process_memory(process->pid);
	struct wp_python_task_list list = {0};

	wp_instant_reader_forget(a->reader, core);
	a->tasks.n = a->slots.n = 0;
	a->cut = false;
	for (uint32_t i = 0; i < process->pythons.n; i++) {
		const struct wp_python_interpreter *python = &process->pythons.v[i];

		if (!python->build)
			continue;
		wp_python_task_list_read(&python->build->dicts, &python->plan, &memory, &list);
		a->cut |= list.cut;
		wp_vec_each (uint64_t, task, &list.tasks)
			read_one_task(a, i, *task);
	}
	wp_vec_deinit(&list.tasks);
}

static enum wp_instant_proof read_tasks(struct wp_dump_asyncio *a,
					const struct wp_python_process *process,
					const struct wp_memory *core)
{
	uint64_t before = 0, after = 1;

	if (core) {
		read_all_tasks(a, process, core);
		return WP_INSTANT_PROVEN;
	}
	for (int i = 0; i < TASK_TRIES; i++) {
		bool stands = wp_instant_reader_stands(process->pid, &before);

		read_all_tasks(a, process, NULL);
		if (stands && wp_instant_reader_stands(process->pid, &after) && before == after)
			return WP_INSTANT_PROVEN;
	}
	return WP_INSTANT_RAN;
}

/* "Task-1 (main)" of "task Task-1 (main)", which stands for the task in stacks; NULL: one whose
 * name could not be read. */
static const char *task_name(const struct wp_symbol *symbol)
{
	const char *name = symbol && symbol->name ? symbol->name : "unknown";

	return wp_str_has_prefix(name, "task ") ? name + strlen("task ") : name;
}

static struct wp_dump_frame task_frame(const struct wp_symbol_set *set, uint32_t symbol,
				       uint32_t line)
{
	uint32_t module = set->symbols.v[symbol].module;
	struct wp_profile_frame point = {
		.symbol = symbol,
		.file = module == WP_NO_MODULE ? NULL : set->modules.v[module].path,
		.line = line,
	};

	return wp_dump_frame_of(set, &point, 0);
}

static bool is_task_slot(const struct wp_python_slot *slot)
{
	return slot->lasti == WP_PYTHON_TASK || slot->lasti == WP_PYTHON_TASK_ONE;
}

static enum wp_dump_task_state task_state(struct wp_dump_asyncio *a, uint32_t pid,
					  const struct wp_dump_asyncio_task *read)
{
	static const enum wp_dump_task_state states[] = {
		[WP_PYTHON_TASK_WAITS] = WP_DUMP_TASK_WAITS,
		[WP_PYTHON_TASK_IS_NEW] = WP_DUMP_TASK_IS_NEW,
		[WP_PYTHON_TASK_RUNS] = WP_DUMP_TASK_RUNS,
		[WP_PYTHON_TASK_IS_DONE] = WP_DUMP_TASK_STATES,
		[WP_PYTHON_TASK_NOT_KNOWN] = WP_DUMP_TASK_NOT_KNOWN,
	};
	const struct wp_python_process *process =
		wp_python_processes_find(&a->python->processes, pid);
	const struct wp_python_interpreter *python = &process->pythons.v[read->plan];
	struct wp_memory memory = wp_process_memory(pid);

	return states[wp_python_task_does(python->build->version, &python->plan, &memory,
					  read->coro)];
}

/* Its own coroutines come before its own slot, who awaits it behind. */
static void add_read_task(struct wp_dump_asyncio *a, uint32_t pid,
			  const struct wp_dump_asyncio_task *read, struct wp_dump_tasks *ret)
{
	WP_VEC(struct wp_dump_frame) frames = {0};
	WP_VEC(const char *) awaited_by = {0};
	struct wp_dump_task task = {.state = task_state(a, pid, read)};

	for (size_t i = read->first; i < read->first + read->n; i++) {
		const struct wp_python_slot *slot = &a->slots.v[i];
		struct wp_python_frame frame = {.symbol = WP_PYTHON_UNRESOLVED};
		const struct wp_symbol_set *set = wp_resolver_symbols(a->resolver);
		const struct wp_symbol *symbol = NULL;

		if (slot->lasti != WP_PYTHON_MARK && slot->lasti != WP_PYTHON_TASK_END)
			frame = wp_python_feed_frame(a->python, pid, read->plan, slot);
		if (frame.symbol != WP_PYTHON_UNRESOLVED && frame.symbol != WP_PYTHON_HIDDEN)
			symbol = &set->symbols.v[frame.symbol];
		if (is_task_slot(slot) && task.name) {
			task.several |= !awaited_by.n && slot->lasti == WP_PYTHON_TASK_ONE;
			wp_vec_push(&awaited_by, task_name(symbol));
		} else if (is_task_slot(slot)) {
			task.name = task_name(symbol);
		} else if (symbol && !task.name) {
			wp_vec_push(&frames, task_frame(set, frame.symbol, frame.line));
		}
	}
	task.frames = frames.v;
	task.n = task.state == WP_DUMP_TASK_RUNS ? 0 : frames.n;
	task.awaited_by = awaited_by.v;
	task.n_awaited_by = awaited_by.n;
	if (task.name && task.state != WP_DUMP_TASK_STATES)
		wp_dump_tasks_add(ret, &task);
	wp_vec_deinit(&frames);
	wp_vec_deinit(&awaited_by);
}

void wp_dump_asyncio_add(struct wp_dump_asyncio *a, uint32_t pid, const struct wp_memory *core,
			 struct wp_dump_doc *dump)
{
	const struct wp_python_process *process =
		wp_python_processes_find(&a->python->processes, pid);
	struct wp_dump_tasks tasks = {.dump = dump};
	enum wp_instant_proof proof;

	if (!process)
		return;
	proof = read_tasks(a, process, core);
	wp_vec_each (struct wp_dump_asyncio_task, read, &a->tasks)
		add_read_task(a, pid, read, &tasks);
	wp_dump_tasks_end(&tasks, proof, a->cut);
}

void wp_dump_asyncio_deinit(struct wp_dump_asyncio *a)
{
	wp_vec_deinit(&a->tasks);
	wp_vec_deinit(&a->slots);
}
