/* SPDX-License-Identifier: BSD-3-Clause */
/* python_feed: see python_feed.h. */
#include "session/follow/python_feed.h"

#include "base/clock.h"
#include "base/str.h"
#include "source/proc/process_memory.h"

void wp_python_feed_init(struct wp_python_feed *feed, struct wp_python_mode mode,
			 struct wp_resolver *resolver, const struct wp_target *target,
			 const struct wp_log *log)
{
	*feed = (struct wp_python_feed){
		.mode = mode,
		.eager = target->kind == WP_TARGET_PROCESSES,
		.resolver = resolver,
		.processes = {.files = {.log = log}},
	};
}

void wp_python_feed_deinit(struct wp_python_feed *feed)
{
	wp_python_processes_deinit(&feed->processes);
	wp_python_codes_deinit(&feed->codes);
	wp_python_scopes_deinit(&feed->scopes);
	wp_vec_deinit(&feed->due);
	wp_python_namer_deinit(&feed->namer);
	wp_python_bytecodes_deinit(&feed->bytecodes);
	wp_python_touched_deinit(&feed->touched);
	wp_python_owners_deinit(&feed->owners);
	wp_python_seen_write(&feed->seen);
	wp_python_seen_deinit(&feed->seen);
	*feed = (struct wp_python_feed){0};
}

void wp_python_feed_connect(struct wp_python_feed *feed, const struct wp_python_walker *walker)
{
	feed->walker = *walker;
	feed->processes.by_build = walker->finds || walker->expect;
	wp_vec_each (struct wp_python_process, process, &feed->processes.all) {
		process->fresh = process->pythons.n > 0;
		wp_vec_push(&feed->due, process->pid);
	}
	wp_python_feed_commit(feed);
}

void wp_python_feed_script(struct wp_python_feed *feed, const struct wp_replay_python *pythons,
			   size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct wp_python_range eval = {pythons[i].start, pythons[i].start + pythons[i].len};

		struct wp_python_generation generation = {.flags = pythons[i].flags,
							  .lines = pythons[i].lines,
							  .version = pythons[i].version};

		wp_python_processes_script(&feed->processes, pythons[i].pid, &generation, &eval);
	}
	feed->met |= n > 0;
}

static uint32_t generation_scope_of(struct wp_python_feed *feed, uint32_t pid, uint32_t generation)
{
	return wp_python_scopes_number(&feed->scopes, &feed->processes, pid, generation);
}

/* A script's code object that has its bytecode with it. */
static void take_told_bytecode(struct wp_python_feed *feed, const struct wp_record *record,
			       uint32_t scope, uint32_t version)
{
	struct wp_python_process *process = wp_python_processes_get(&feed->processes, record->pid);
	struct wp_python_code *code =
		wp_python_codes_find(&feed->codes, scope, record->code.addr, record->code.id);

	if (code)
		wp_python_bytecodes_tell(&feed->bytecodes,
					 wp_python_bytecodes_meet(&feed->bytecodes, process, 0,
								  version, code, record->time_ns),
					 &record->code);
}

static void take_fed_code(struct wp_python_feed *feed, const struct wp_record *record)
{
	const struct wp_python_generation *generation =
		wp_python_processes_generation(&feed->processes, record->code.generation);
	struct wp_record_code code = record->code;

	if (!generation)
		return;
	if (feed->mode.way != WP_PYTHON_REPLAY)
		wp_python_owners_code(&feed->owners, record);
	code.generation = generation_scope_of(feed, record->pid, code.generation);
	wp_python_codes_add(&feed->codes, &code, generation->flags, generation->lines);
	if (code.bytecode_bytes)
		take_told_bytecode(feed, record, code.generation, generation->version);
}

/* Hands out the plans of a process. */
static void tell_plans(struct wp_python_feed *feed, struct wp_python_process *process)
{
	struct wp_python_plan plans[WP_PYTHON_PLANS];
	struct wp_python_like like;
	bool finds = feed->walker.finds && wp_python_processes_like(process, &like);

	for (size_t i = 0; i < process->pythons.n; i++)
		plans[i] = process->pythons.v[i].plan;
	feed->met |= process->pythons.n > 0;
	if (process->pythons.n)
		wp_python_seen_meet(&feed->seen, process->pid);
	if (feed->walker.set)
		feed->walker.set(feed->walker.arg, process->pid, plans, process->pythons.n,
				 finds ? &like : NULL);
	process->fresh = false;
	/* What was found out later changes nothing for those that had frames before. */
	if (!process->looked_twice)
		process->told_ns = wp_clock_now_ns();
	if (process->pythons.n && feed->mode.way != WP_PYTHON_REPLAY)
		wp_python_owners_look(&feed->owners, process->pid, wp_clock_now_ns());
}

/*
 * Looks at what a process has mapped and tells at once: an interpreter begins to run right after it
 * was mapped.
 */
static void update(struct wp_python_feed *feed, uint32_t pid)
{
	struct wp_python_process *process = wp_python_processes_find(&feed->processes, pid);

	if (process && (feed->eager || process->news))
		wp_python_processes_look(&feed->processes, process);
	if (process && process->fresh)
		tell_plans(feed, process);
}

void wp_python_feed_code(struct wp_python_feed *feed, const struct wp_record *record)
{
	if (feed->mode.way != WP_PYTHON_OFF)
		take_fed_code(feed, record);
}

void wp_python_feed_changed(void *arg, const struct wp_process_change *change)
{
	struct wp_python_feed *feed = arg;
	uint32_t pid = change->record->pid;

	if (feed->mode.way == WP_PYTHON_OFF)
		return;
	if (feed->mode.way == WP_PYTHON_REPLAY && change->kind != WP_PROCESS_BEGAN)
		return; /* nothing is looked at, the script has told */
	wp_python_processes_changed(&feed->processes, change);
	wp_python_namer_changed(&feed->namer, change);
	switch (change->kind) {
	case WP_PROCESS_MAPPED: update(feed, pid); break;
	case WP_PROCESS_BEGAN:
	case WP_PROCESS_EXECED: wp_vec_push(&feed->due, pid); break;
	case WP_PROCESS_ENDED: wp_python_owners_end(&feed->owners, pid); break;
	default: break;
	}
}

void wp_python_feed_sample(struct wp_python_feed *feed, const struct wp_record *sample)
{
	struct wp_python_process *process;

	if (feed->mode.way == WP_PYTHON_OFF)
		return;
	process = wp_python_processes_find(&feed->processes, sample->pid);
	if (!process)
		return;
	if (feed->mode.way != WP_PYTHON_REPLAY)
		wp_python_processes_sampled(process, sample->time_ns);
	if (process->due)
		wp_python_processes_look(&feed->processes, process);
	if (process->fresh)
		tell_plans(feed, process);
	if (!process->pythons.n || feed->mode.way == WP_PYTHON_REPLAY)
		return;
	wp_python_namer_sample(&feed->namer, sample);
	wp_python_owners_look(&feed->owners, sample->pid, sample->time_ns);
	wp_python_touched_see(&feed->touched, process, sample);
}

void wp_python_feed_commit(struct wp_python_feed *feed)
{
	wp_vec_each (uint32_t, pid, &feed->due)
		update(feed, *pid);
	feed->due.n = 0;
	wp_python_scopes_sweep(&feed->scopes, &feed->processes, &feed->codes);
}

void wp_python_feed_names(struct wp_python_feed *feed, bool all, struct wp_records *ret)
{
	wp_python_namer_read(&feed->namer, &feed->processes, all, ret);
}

/* A code object, asked from the process itself when no record told of it. */
static struct wp_python_code *find_slot_code(struct wp_python_feed *feed,
					     const struct wp_python_process *process,
					     const struct wp_python_interpreter *python,
					     const struct wp_python_slot *slot)
{
	uint32_t scope = generation_scope_of(feed, process->pid, python->plan.generation);
	struct wp_python_code *code =
		wp_python_codes_find(&feed->codes, scope, slot->addr, slot->id);
	struct wp_memory memory = wp_process_memory(process->pid);
	struct wp_python_plan plan = python->plan;

	if ((code && !code->lines_cut) || feed->mode.way == WP_PYTHON_REPLAY)
		return code;
	plan.generation = scope;
	if (!wp_python_codes_read(&feed->codes, &memory, &plan, python->build->lines, slot->addr,
				  slot->id))
		return code;
	return wp_python_codes_find(&feed->codes, scope, slot->addr, slot->id);
}

/* A task that is not alone in awaiting the one before it. */
static uint32_t one_of_several(struct wp_python_feed *feed, const struct wp_python_code *task)
{
	wp_autofree char *name = wp_asprintf("%s, one of several", task->name);

	return wp_resolver_python_symbol(feed->resolver, name, task->filename,
					 task->lines.first_line);
}

/* What stands for a greenlet, which has no name, and where more awaits than could be told. */
static struct wp_python_frame nameless(struct wp_python_feed *feed,
				       const struct wp_python_slot *slot)
{
	const char *name = slot->id == WP_PYTHON_TASK_CUT ? "await (cut)" : "await (not known)";

	if (slot->lasti == WP_PYTHON_GREENLET)
		name = "greenlet";
	return (struct wp_python_frame){
		.symbol = wp_resolver_python_symbol(feed->resolver, name, "", 0),
	};
}

struct wp_python_frame wp_python_feed_frame(struct wp_python_feed *feed, uint32_t pid,
					    uint32_t plan, const struct wp_python_slot *slot)
{
	const struct wp_python_process *process = wp_python_processes_find(&feed->processes, pid);
	struct wp_python_frame frame = {.symbol = WP_PYTHON_UNRESOLVED};
	struct wp_python_code *code;

	if (slot->lasti == WP_PYTHON_TASK_END || slot->lasti == WP_PYTHON_GREENLET)
		return nameless(feed, slot);
	if (!process || plan >= process->pythons.n)
		return frame;
	code = find_slot_code(feed, process, &process->pythons.v[plan], slot);
	if (!code) {
		feed->unresolved++;
		return frame;
	}
	if (code->is_shim) {
		frame.symbol = WP_PYTHON_HIDDEN;
		return frame;
	}
	if (code->symbol == UINT32_MAX)
		code->symbol = wp_resolver_python_symbol(feed->resolver, code->name, code->filename,
							 code->lines.first_line);
	frame.symbol =
		slot->lasti == WP_PYTHON_TASK_ONE ? one_of_several(feed, code) : code->symbol;
	frame.line = wp_python_code_line(code, slot->lasti);
	return frame;
}

static uint32_t bytecode_version_of(const struct wp_python_feed *feed,
				    const struct wp_python_interpreter *python)
{
	const struct wp_python_generation *generation =
		wp_python_processes_generation(&feed->processes, python->plan.generation);

	return generation ? generation->version : 0;
}

/* The number of a slot's code object; 0: it is not kept. */
static uint32_t meet_slot_code(struct wp_python_feed *feed, const struct wp_record *sample,
			       uint32_t plan, const struct wp_python_slot *slot,
			       const struct wp_python_process *process)
{
	const struct wp_python_interpreter *python;
	struct wp_python_code *code;
	uint32_t scope;

	if (!feed->bytecodes.on || !process || plan >= process->pythons.n)
		return 0;
	python = &process->pythons.v[plan];
	scope = generation_scope_of(feed, process->pid, python->plan.generation);
	code = wp_python_codes_find(&feed->codes, scope, slot->addr, slot->id);
	if (!code)
		return 0;
	return wp_python_bytecodes_meet(&feed->bytecodes, process, plan,
					bytecode_version_of(feed, python), code, sample->time_ns);
}

struct wp_stack_instruction wp_python_feed_instruction(struct wp_python_feed *feed,
						       const struct wp_record *sample,
						       uint32_t plan,
						       const struct wp_python_slot *slot)
{
	const struct wp_python_process *process =
		wp_python_processes_find(&feed->processes, sample->pid);

	return (struct wp_stack_instruction){
		.code = meet_slot_code(feed, sample, plan, slot, process),
		.lasti = slot->lasti,
	};
}

void wp_python_feed_see(struct wp_python_feed *feed, const struct wp_record *sample, uint32_t plan,
			const struct wp_python_slot *slot, uint32_t symbol)
{
	const struct wp_python_process *process;

	if (!feed->bytecodes.places)
		return;
	process = wp_python_processes_find(&feed->processes, sample->pid);
	wp_python_bytecodes_see(&feed->bytecodes, process,
				meet_slot_code(feed, sample, plan, slot, process), symbol,
				sample->time_ns);
}

void wp_python_feed_bytecodes(struct wp_python_feed *feed, bool all)
{
	if (feed->mode.way != WP_PYTHON_REPLAY)
		wp_python_bytecodes_read(&feed->bytecodes, &feed->processes, all);
}

/* When the walker had both begun to walk and been told of the process; WP_FOREVER: not yet. */
static uint64_t known_ns(const struct wp_python_feed *feed, const struct wp_python_process *process)
{
	uint64_t since = feed->walker.since_ns ? feed->walker.since_ns(feed->walker.arg) : 1;

	if (!since || !process->told_ns)
		return WP_FOREVER;
	return since > process->told_ns ? since : process->told_ns;
}

enum wp_python_word wp_python_feed_silence(struct wp_python_feed *feed,
					   const struct wp_record *sample)
{
	uint64_t time_ns = sample->time_ns - sample->sample.waited_ns;
	const struct wp_python_process *process =
		wp_python_processes_find(&feed->processes, sample->pid);

	if (!process || !process->pythons.n || time_ns <= process->stood_ns)
		return WP_PYTHON_NO_WORD;
	/* It is found as soon as its loop or its runtime is in memory. */
	if (time_ns <= process->told_ns && wp_python_processes_expected(&feed->processes, process))
		return WP_PYTHON_NO_WORD;
	if (feed->mode.way != WP_PYTHON_REPLAY && time_ns <= known_ns(feed, process))
		return WP_PYTHON_EARLY;
	return WP_PYTHON_LOST;
}

void wp_python_feed_stands(struct wp_python_feed *feed, uint32_t pid, uint64_t now_ns)
{
	wp_python_processes_get(&feed->processes, pid)->stood_ns = now_ns;
}

struct wp_python_evals wp_python_feed_evals(struct wp_python_feed *feed, uint32_t pid)
{
	const struct wp_python_process *process = wp_python_processes_find(&feed->processes, pid);
	struct wp_python_evals evals = {0};

	if (!process)
		return evals;
	evals.v = process->evals.v;
	evals.n = process->evals.n;
	for (size_t i = 0; i < process->pythons.n; i++)
		evals.flags[i] = process->pythons.v[i].plan.flags;
	return evals;
}
