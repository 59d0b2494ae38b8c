/* SPDX-License-Identifier: BSD-3-Clause */
/* python_processes: see python_processes.h. */
#include "session/follow/python_processes.h"

#include "base/clock.h"
#include "base/keyed.h"
#include "session/follow/python_guess.h"
#include "source/proc/process_memory.h"
#include "source/proc/procfs.h"

#include <elf.h>
#include <stdlib.h>

/* What only a running interpreter shows is there so long after it was found, at the latest. */
#define BEGINNING_NS (50 * WP_NS_PER_MS)

/* Samples of a process that has ended come so long afterwards, at the latest. */
#define LATE_NS (10 * WP_NS_PER_S)

#define MAX_MAPPED  65536 /* of a process between two looks */
#define MAX_SAMPLED 65536 /* samples up to which each one twice as far is an occasion */

struct wp_python_process *wp_python_processes_find(struct wp_python_processes *set, uint32_t pid)
{
	return wp_keyed_get(&set->all, &set->by_pid, pid);
}

struct wp_python_process *wp_python_processes_get(struct wp_python_processes *set, uint32_t pid)
{
	return wp_keyed_put(&set->all, &set->by_pid, pid,
			    (struct wp_python_process){.pid = pid, .life = ++set->lives});
}

static void add_mapping(struct wp_python_processes *set, const struct wp_record *record)
{
	struct wp_python_mapped add = {
		.start = record->map.start,
		.bytes = record->map.len,
		.pgoff = record->map.pgoff,
	};
	struct wp_python_process *process;

	if (!wp_python_files_of(&set->files, &record->map, &add.file))
		return;
	process = wp_python_processes_get(set, record->pid);
	if (process->mapped.n >= MAX_MAPPED)
		return;
	wp_vec_push(&process->mapped, add);
	process->due = true;
	process->news |=
		!set->files.all.v[add.file].looked && wp_python_guess_by_name(record->map.path);
}

/* It became another program. */
static void forget_python(struct wp_python_processes *set, struct wp_python_process *process)
{
	process->life = ++set->lives;
	process->fresh = process->pythons.n > 0;
	process->mapped.n = process->evals.n = process->pythons.n = 0;
	process->libc = (struct wp_python_libc){0};
	process->asyncio = (struct wp_python_asyncio){0};
	process->told_ns = process->ended_ns = 0;
	process->sampled = 0;
	process->looked_twice = false;
}

static void fork_python_process(struct wp_python_processes *set, uint32_t parent_pid, uint32_t pid)
{
	struct wp_python_process *child = wp_python_processes_get(set, pid);
	const struct wp_python_process *parent = wp_python_processes_find(set, parent_pid);

	forget_python(set, child);
	if (!parent)
		return;
	wp_vec_each (struct wp_python_mapped, mapped, &parent->mapped)
		wp_vec_push(&child->mapped, *mapped);
	wp_vec_each (struct wp_python_eval, eval, &parent->evals)
		wp_vec_push(&child->evals, *eval);
	wp_vec_each (struct wp_python_interpreter, python, &parent->pythons)
		wp_vec_push(&child->pythons, *python);
	child->libc = parent->libc;
	child->asyncio = parent->asyncio;
	child->due = parent->due;
	child->told_ns = parent->told_ns;
	child->fresh = child->pythons.n > 0;
}

/* Its evaluation loops are kept for samples that come late. */
static void end_python_process(struct wp_python_processes *set, uint32_t pid, uint64_t time_ns)
{
	struct wp_python_process *process = wp_python_processes_find(set, pid);

	if (!process)
		return;
	process->ended_ns = time_ns;
	wp_vec_deinit(&process->mapped);
	process->due = false;
}

static void exec_process(struct wp_python_processes *set, uint32_t pid)
{
	struct wp_python_process *process = wp_python_processes_find(set, pid);

	if (process)
		forget_python(set, process);
}

void wp_python_processes_changed(void *arg, const struct wp_process_change *change)
{
	struct wp_python_processes *set = arg;
	const struct wp_record *record = change->record;

	if (set->now_ns < record->time_ns)
		set->now_ns = record->time_ns;
	switch (change->kind) {
	case WP_PROCESS_MAPPED: add_mapping(set, record); break;
	case WP_PROCESS_BEGAN:
		fork_python_process(set, record->fork.parent_pid, record->pid);
		break;
	case WP_PROCESS_EXECED: exec_process(set, record->pid); break;
	case WP_PROCESS_ENDED: end_python_process(set, record->pid, record->time_ns); break;
	default: break;
	}
}

static bool has_interpreter(const struct wp_python_process *process,
			    const struct wp_python_build *build, uint64_t delta)
{
	wp_vec_each (struct wp_python_interpreter, python, &process->pythons)
		if (python->build == build && python->delta == delta)
			return true;
	return false;
}

static void look_at_mapped_file(struct wp_python_processes *set, struct wp_python_process *process,
				const struct wp_python_mapped *mapped)
{
	const struct wp_python_file *file =
		wp_python_files_look(&set->files, mapped->file, process->pid, mapped->start);
	struct wp_python_interpreter add = {.build = file->build};
	struct wp_rva rva;

	if (file->has_libc)
		process->libc = file->libc;
	if (file->asyncio.task_coro)
		process->asyncio = file->asyncio;
	if (!file->build || !wp_elf_image_rva(&file->elf, mapped->pgoff, &rva) ||
	    !wp_python_build_runs_in(file->build, rva.v, mapped->bytes))
		return;
	add.delta = mapped->start.v - rva.v;
	if (process->pythons.n < WP_PYTHON_PLANS && !has_interpreter(process, add.build, add.delta))
		wp_vec_push(&process->pythons, add);
}

static uint32_t next_generation(struct wp_python_processes *set,
				const struct wp_python_interpreter *python)
{
	struct wp_python_generation add = {
		.flags = python->plan.flags,
		.lines = python->build->lines,
		.version = python->build->version >> 16,
		.name = wp_python_build_name(python->build),
	};

	wp_vec_push(&set->generations, add);
	return (uint32_t)set->generations.n;
}

/* A walker that finds interpreters itself knows of no other number than that of the build. */
static uint32_t generation_of(struct wp_python_processes *set,
			      const struct wp_python_interpreter *python)
{
	uint64_t *known;

	if (!set->by_build)
		return next_generation(set, python);
	known = wp_map_put(&set->generation_of, (uint64_t)(uintptr_t)python->build);
	if (!*known)
		*known = next_generation(set, python);
	return (uint32_t)*known;
}

static int compare_eval_starts(const void *a, const void *b)
{
	const struct wp_python_eval *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static void add_evals(struct wp_python_process *process, const struct wp_python_interpreter *python,
		      uint32_t plan)
{
	wp_vec_each (struct wp_python_range, range, &python->build->eval.parts) {
		struct wp_python_eval add = {range->start + python->delta,
					     range->end + python->delta, plan};

		wp_vec_push(&process->evals, add);
	}
}

/* The plan of one interpreter; false when it cannot be made. */
static bool make_plan(struct wp_python_processes *set, struct wp_python_process *process,
		      struct wp_python_interpreter *python)
{
	struct wp_memory memory = wp_process_memory(process->pid);
	uint32_t generation = python->plan.generation;
	wp_autoerr struct wp_err *err = wp_python_build_plan(
		python->build, python->delta, &process->libc, &memory, &python->plan);

	if (err) {
		wp_log(set->files.log, WP_LOG_NOTE, "no Python frames of process %u: %s",
		       process->pid, err->text);
		return false;
	}
	wp_python_asyncio_apply(&process->asyncio, &python->plan);
	python->plan.generation = generation ? generation : generation_of(set, python);
	return true;
}

void wp_python_processes_look(struct wp_python_processes *set, struct wp_python_process *process)
{
	size_t n = 0;

	if (!process->due)
		return;
	process->due = process->news = false;
	wp_vec_each (struct wp_python_mapped, mapped, &process->mapped)
		look_at_mapped_file(set, process, mapped);
	process->mapped.n = process->evals.n = 0;
	wp_vec_each (struct wp_python_interpreter, python, &process->pythons) {
		if (!make_plan(set, process, python))
			continue;
		add_evals(process, python, (uint32_t)n);
		process->pythons.v[n++] = *python;
	}
	process->pythons.n = n;
	process->fresh |= n > 0;
	if (process->evals.n)
		qsort(process->evals.v, process->evals.n, sizeof(*process->evals.v),
		      compare_eval_starts);
}

void wp_python_processes_sampled(struct wp_python_process *process, uint64_t time_ns)
{
	struct wp_memory memory = wp_process_memory(process->pid);
	uint32_t n = ++process->sampled;

	if (process->ended_ns && process->ended_ns < time_ns)
		process->ended_ns = time_ns;
	if (!process->looked_twice && process->told_ns &&
	    wp_clock_now_ns() - process->told_ns > BEGINNING_NS)
		process->looked_twice = process->due = true;
	if (n > MAX_SAMPLED || (n & (n - 1)))
		return;
	wp_vec_each (struct wp_python_interpreter, python, &process->pythons)
		if (python->build && !python->plan.code_count)
			process->fresh |=
				wp_python_build_find_count(python->build, &memory, &python->plan);
}

void wp_python_processes_script(struct wp_python_processes *set, uint32_t pid,
				const struct wp_python_generation *generation,
				const struct wp_python_range *eval)
{
	struct wp_python_process *process = wp_python_processes_get(set, pid);
	struct wp_python_interpreter python = {.plan = {.flags = generation->flags}};
	struct wp_python_eval add = {eval->start, eval->end, (uint32_t)process->pythons.n};

	wp_vec_push(&set->generations, *generation);
	python.plan.generation = (uint32_t)set->generations.n;
	if (process->pythons.n >= WP_PYTHON_PLANS)
		return;
	wp_vec_push(&process->pythons, python);
	if (add.end > add.start)
		wp_vec_push(&process->evals, add);
	if (process->evals.n)
		qsort(process->evals.v, process->evals.n, sizeof(*process->evals.v),
		      compare_eval_starts);
}

bool wp_python_processes_like(const struct wp_python_process *process, struct wp_python_like *ret)
{
	struct wp_memory memory = wp_process_memory(process->pid);
	const struct wp_python_interpreter *python = process->pythons.v;
	struct wp_python_program program;

	return process->pythons.n == 1 && python->build &&
	       wp_procfs_auxv((pid_t)process->pid, AT_PHDR, &program.phdr) &&
	       wp_procfs_auxv((pid_t)process->pid, AT_PHNUM, &program.phnum) &&
	       wp_python_like_make(python->build, python->delta, &program, &memory, ret);
}

bool wp_python_processes_expect(struct wp_python_processes *set, const struct wp_python_file *file,
				const struct wp_python_libc *libc, struct wp_python_plan *ret)
{
	struct wp_python_interpreter python = {.build = file->build};
	struct wp_err *err;

	if (!file->build || !set->by_build)
		return false;
	err = wp_python_build_plan(file->build, 0, libc, NULL, &python.plan);
	if (err) {
		wp_err_free(err);
		return false;
	}
	python.plan.generation = generation_of(set, &python);
	*wp_map_put(&set->expected, (uint64_t)(uintptr_t)file->build) = 1;
	*ret = python.plan;
	return true;
}

bool wp_python_processes_expected(const struct wp_python_processes *set,
				  const struct wp_python_process *process)
{
	return process->pythons.n == 1 &&
	       wp_map_get(&set->expected, (uint64_t)(uintptr_t)process->pythons.v[0].build);
}

const struct wp_python_generation *wp_python_processes_generation(
	const struct wp_python_processes *set, uint32_t number)
{
	return number && number <= set->generations.n ? &set->generations.v[number - 1] : NULL;
}

static void free_python_process(struct wp_python_process *process)
{
	wp_vec_deinit(&process->mapped);
	wp_vec_deinit(&process->pythons);
	wp_vec_deinit(&process->evals);
}

void wp_python_processes_sweep(struct wp_python_processes *set)
{
	size_t n = 0;

	wp_vec_each (struct wp_python_process, process, &set->all) {
		if (process->ended_ns && process->ended_ns + LATE_NS < set->now_ns) {
			wp_map_remove(&set->by_pid, process->pid);
			free_python_process(process);
			continue;
		}
		set->all.v[n] = *process;
		*wp_map_put(&set->by_pid, process->pid) = ++n;
	}
	set->all.n = n;
}

void wp_python_processes_deinit(struct wp_python_processes *set)
{
	wp_vec_each (struct wp_python_process, process, &set->all)
		free_python_process(process);
	wp_vec_each (struct wp_python_generation, generation, &set->generations)
		free(generation->name);
	wp_vec_deinit(&set->generations);
	wp_vec_deinit(&set->all);
	wp_map_deinit(&set->by_pid);
	wp_map_deinit(&set->generation_of);
	wp_map_deinit(&set->expected);
	wp_python_files_deinit(&set->files);
}
