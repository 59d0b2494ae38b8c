/* SPDX-License-Identifier: BSD-3-Clause */
/* pinned_walk: see pinned_walk.h. */
#include "source/pinned/pinned_walk.h"

#include "base/keyed.h"
#include "walk/python_settle.h"
#include "walk/python_task_capture.inc.h"
#include "source/pinned/pinned_memory.h"
#include "source/pinned/pinned_threads.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(WP_PERF_PEEK_REGS <= WP_PYTHON_REGS, "registers of a walk");

/* Code objects that are remembered as told; more: everything is told again. */
#define MAX_TOLD 1000000
/* Threads whose pages are remembered. */
#define MAX_THREADS 4096

struct wp_pinned_walk {
	struct wp_python_walk walk;
	struct wp_pinned_memory memory;
	struct wp_pinned_threads threads;
	struct wp_map told;	/* what key_of_code() says of code objects -> the rest of the id */
	struct wp_map pages_of; /* tid -> index in pages + 1 */
	WP_VEC(struct wp_pinned_pages) pages;
	uint32_t pid;
	WP_VEC(struct wp_python_slot) slots;
	WP_VEC(struct wp_pinned_code) met; /* in this walk, not told yet */
	size_t next;			   /* of met */
	struct wp_pinned_bytes message;
	struct wp_pinned_walk_cost cost;
};

static struct wp_pinned_walk *walk_self(struct wp_python_walk *w)
{
	return (struct wp_pinned_walk *)((char *)w - offsetof(struct wp_pinned_walk, walk));
}

static int wp_python_read(struct wp_python_walk *w, void *to, __u32 bytes, __u64 from)
{
	return wp_pinned_memory_read(&walk_self(w)->memory, from, to, bytes) ? 0 : -1;
}

static void wp_python_put(struct wp_python_walk *w, __u64 addr, __s32 lasti, __u32 id)
{
	wp_vec_push(&walk_self(w)->slots, (struct wp_python_slot){addr, lasti, id});
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 32;
}

static uint64_t key_of_code(uint32_t pid, uint32_t generation, uint64_t code, uint32_t id)
{
	return mix(mix((uint64_t)pid << 32 | generation, code), id);
}

/* As walk/python_task_capture.inc.h brings a task. */
static void meet_task(struct wp_python_walk *w, struct wp_pinned_code *met)
{
	const struct wp_python_plan *plan = &w->in.plan;
	__u64 coro = 0, name = 0, qualname = 0;

	met->number = WP_PYTHON_NO_NUMBER;
	if (wp_python_read_word(w, wp_python_task_coro_at(w, met->addr), &coro) ||
	    wp_python_read_word(w, wp_python_task_name_at(w, met->addr), &name) ||
	    wp_python_read_word(w, coro + plan->gen_qualname, &qualname))
		return;
	if (wp_python_kind(w, name) == WP_PYTHON_KIND_INT)
		met->number = wp_python_task_number(w, name);
	else
		met->name = name;
	met->qualname = qualname;
	if (!wp_python_task_code(w, coro))
		return;
	met->filename = wp_python_code_word(w, plan->code_filename);
	met->first_line = wp_python_part(wp_python_code_word(w, plan->code_first_line),
					 plan->code_first_line);
}

static void wp_python_meet(struct wp_python_walk *w, __u64 code, __u32 id)
{
	const struct wp_python_plan *plan = &w->in.plan;
	struct wp_pinned_walk *walk = walk_self(w);
	struct wp_pinned_code met = {.addr = code, .id = id, .plan = w->in.index};
	const uint64_t *told =
		wp_map_get(&walk->told, key_of_code(walk->pid, plan->generation, code, id));

	met.rest = wp_python_rest_of_id(w, code);
	if (told && *told == met.rest)
		return;
	if (code & WP_PYTHON_TASK_BIT) {
		meet_task(w, &met);
		wp_vec_push(&walk->met, met);
		return;
	}
	met.name = wp_python_code_word(w, plan->code_name);
	met.qualname = plan->code_qualname ? wp_python_code_word(w, plan->code_qualname) : 0;
	met.filename = wp_python_code_word(w, plan->code_filename);
	met.lines = wp_python_code_word(w, plan->code_lines);
	met.first_line = wp_python_part(wp_python_code_word(w, plan->code_first_line),
					plan->code_first_line);
	wp_vec_push(&walk->met, met);
}

struct wp_pinned_walk *wp_pinned_walk_new(bool gil, bool tasks)
{
	struct wp_pinned_walk *walk = wp_calloc(1, sizeof(*walk));

	walk->walk.in.want_gil = gil;
	walk->walk.in.want_tasks = tasks;
	return walk;
}

void wp_pinned_walk_free(struct wp_pinned_walk *walk)
{
	if (!walk)
		return;
	wp_pinned_threads_deinit(&walk->threads);
	wp_map_deinit(&walk->told);
	wp_map_deinit(&walk->pages_of);
	wp_vec_deinit(&walk->pages);
	wp_vec_deinit(&walk->slots);
	wp_vec_deinit(&walk->met);
	wp_vec_deinit(&walk->message.v);
	free(walk);
}

/* Whether the interpreter's roots can be read at all, when the thread was not found below them. */
static uint32_t why_none(struct wp_pinned_walk *walk, const struct wp_python_plan *plan)
{
	uint64_t root = plan->interpreters ? plan->interpreters : plan->current, word;

	if (root && !wp_pinned_memory_read(&walk->memory, root, &word, sizeof(word)))
		return WP_PYTHON_UNREADABLE;
	return WP_PYTHON_NO_THREAD;
}

static struct wp_pinned_thread *thread_of(struct wp_pinned_walk *walk,
					  const struct wp_python_plan *plan,
					  const struct wp_pinned_subject *subject)
{
	struct wp_memory memory = wp_pinned_memory_of(&walk->memory);

	if (plan->flags & WP_PYTHON_WINDOWS)
		return wp_pinned_threads_windows(&walk->threads, plan, subject->pid, subject->tid,
						 subject->user->sp);
	return wp_pinned_threads_get(&walk->threads, &memory, plan, subject->pid, subject->tid,
				     subject->pointer);
}

/* Native frames are not known here: what they would tell is in registers, too. */
static void take_registers(struct wp_python_walk *w, const struct wp_perf_peek_regs *user)
{
	w->in.ip = user->ip;
	w->in.sp = user->sp;
	w->in.cfa = 0;
	w->in.n_regs = user->n;
	memcpy(w->in.regs, user->others, sizeof(user->others));
}

static void walk_plan(struct wp_pinned_walk *walk, const struct wp_python_plan *plan,
		      uint32_t index, const struct wp_pinned_subject *subject)
{
	struct wp_pinned_thread *thread = thread_of(walk, plan, subject);
	struct wp_python_walk *w = &walk->walk;
	size_t first = walk->slots.n;

	if (!thread->pointer) {
		wp_python_put(w, 0, WP_PYTHON_THREAD,
			      WP_PYTHON_THREAD_ID(index, why_none(walk, plan)));
		return;
	}
	w->in.plan = *plan;
	w->in.index = index;
	w->in.thread_pointer = w->in.teb = thread->pointer; /* only one of them is looked at */
	take_registers(w, subject->user);
	w->in.futex = subject->futex;
	w->in.hint = thread->state;
	w->in.key = thread->key;
	wp_python_begin(w);
	/* A walk that runs out of slots stays what it was at first: cut. */
	while (walk->slots.n + WP_PYTHON_STEP_SLOTS <= WP_PYTHON_SLOTS && !wp_python_step(w))
		;
	thread->state = w->out.found;
	thread->key = w->in.key;
	if (walk->slots.n == first)
		wp_python_put(w, 0, WP_PYTHON_THREAD, index);
	wp_python_settle(walk->slots.v + first, walk->slots.n - first, wp_python_thread_slot_id(w));
}

/* Where the pages are remembered that a thread's walk needs. */
static struct wp_pinned_pages *pages_of(struct wp_pinned_walk *walk, uint32_t tid)
{
	if (walk->pages.n >= MAX_THREADS) {
		wp_map_deinit(&walk->pages_of);
		walk->pages.n = 0;
	}
	return wp_keyed_put(&walk->pages, &walk->pages_of, tid, (struct wp_pinned_pages){0});
}

bool wp_pinned_walk_find(struct wp_pinned_walk *walk, const struct wp_pinned_alikes *alikes,
			 uint32_t pid, struct wp_pinned_process *ret)
{
	return wp_pinned_alikes_find(alikes, pid, &walk->memory, ret);
}

void wp_pinned_walk_frames(struct wp_pinned_walk *walk, const struct wp_pinned_process *process,
			   const struct wp_pinned_subject *subject)
{
	struct wp_pinned_pages *pages = pages_of(walk, subject->tid);

	if (walk->told.n > MAX_TOLD)
		wp_map_deinit(&walk->told);
	walk->slots.n = walk->met.n = walk->next = 0;
	walk->pid = subject->pid;
	walk->cost.walks++;
	/* By the thread: a process whose first one has ended cannot be read by its own id. */
	walk->memory.other = subject->memory;
	wp_pinned_memory_begin(&walk->memory, subject->tid);
	wp_pinned_memory_fetch(&walk->memory, pages);
	for (uint32_t i = 0; i < process->n; i++)
		walk_plan(walk, &process->plans[i], i, subject);
	*pages = walk->memory.touched;
}

void wp_pinned_walk_forget(struct wp_pinned_walk *walk, const struct wp_pinned_process *process,
			   const struct wp_memory *memory)
{
	walk->pid = process->pid;
	walk->memory.other = memory;
	wp_pinned_memory_begin(&walk->memory, process->pid);
}

uint64_t wp_pinned_walk_task(struct wp_pinned_walk *walk, const struct wp_pinned_process *process,
			     uint32_t plan, uint64_t task)
{
	struct wp_python_walk *w = &walk->walk;
	uint64_t outermost = 0;

	walk->slots.n = walk->met.n = walk->next = 0;
	w->in.plan = process->plans[plan];
	w->in.index = plan;
	wp_python_begin_task(w, task);
	while (walk->slots.n + WP_PYTHON_STEP_SLOTS <= WP_PYTHON_SLOTS && !wp_python_step(w))
		if (!outermost && w->phase == WP_PYTHON_TASK_OUTWARDS && w->tasks.n_coros)
			outermost = w->tasks.coros[0];
	return outermost;
}

const struct wp_python_slot *wp_pinned_walk_slots(const struct wp_pinned_walk *walk, size_t *ret_n)
{
	*ret_n = walk->slots.n;
	return walk->slots.v;
}

bool wp_pinned_walk_has_codes(const struct wp_pinned_walk *walk)
{
	return walk->next < walk->met.n;
}

/* Looks at the object again: it may have been freed while it was captured. */
static bool still_there(struct wp_pinned_walk *walk, const struct wp_python_plan *plan,
			const struct wp_pinned_code *code)
{
	wp_pinned_memory_begin(&walk->memory, walk->memory.id);
	walk->walk.in.plan = *plan;
	if (code->addr & WP_PYTHON_TASK_BIT)
		return wp_python_task_id(&walk->walk, code->addr) == code->id;
	return !wp_python_read_code(&walk->walk, code->addr) &&
	       wp_python_is_code(&walk->walk, code->id) && !wp_python_is_freed(&walk->walk);
}

static bool capture_pinned_code(struct wp_pinned_walk *walk, const struct wp_python_plan *plan,
				const struct wp_pinned_code *code,
				const struct wp_pinned_subject *subject)
{
	struct wp_pinned_code_head head = {.pid = subject->pid, .tid = subject->tid};
	struct wp_memory memory = wp_pinned_memory_of(&walk->memory);

	walk->message.v.n = 0;
	for (size_t i = 0; i < sizeof(head); i++)
		wp_vec_push(&walk->message.v, 0);
	wp_pinned_code_capture(&memory, plan, code, &head, &walk->message);
	memcpy(walk->message.v.v, &head, sizeof(head));
	return still_there(walk, plan, code);
}

size_t wp_pinned_walk_next_code(struct wp_pinned_walk *walk,
				const struct wp_pinned_process *process,
				const struct wp_pinned_subject *subject,
				struct wp_pinned_code_head **ret)
{
	while (walk->next < walk->met.n) {
		const struct wp_pinned_code *code = &walk->met.v[walk->next++];

		if (capture_pinned_code(walk, &process->plans[code->plan], code, subject)) {
			*ret = (struct wp_pinned_code_head *)walk->message.v.v;
			return walk->message.v.n;
		}
		walk->cost.changed++;
	}
	return 0;
}

/* A name that could not be read is asked for again, when the code object is met again. */
static bool is_whole(const struct wp_pinned_code_head *head)
{
	return head->addr & WP_PYTHON_TASK_BIT || (head->texts[0].width && head->texts[2].width);
}

void wp_pinned_walk_told(struct wp_pinned_walk *walk)
{
	const struct wp_pinned_code_head *head =
		(const struct wp_pinned_code_head *)walk->message.v.v;

	walk->cost.codes++;
	if (!is_whole(head))
		return;
	*wp_map_put(&walk->told, key_of_code(head->pid, head->generation, head->addr, head->id)) =
		walk->met.v[walk->next - 1].rest;
}

struct wp_pinned_walk_cost wp_pinned_walk_cost(const struct wp_pinned_walk *walk)
{
	struct wp_pinned_walk_cost cost = walk->cost;

	cost.calls = walk->memory.calls;
	cost.searches = walk->threads.searches;
	cost.os_errno = walk->memory.os_errno;
	return cost;
}
