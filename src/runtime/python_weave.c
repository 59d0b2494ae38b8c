/* SPDX-License-Identifier: BSD-3-Clause */
/* python_weave: see python_weave.h. */
#include "runtime/python_weave.h"

#include "base/mem.h"

#include <stdlib.h>

#define CHAINS 8 /* slots behind further THREADs go with the last chain */
#define EVAL_FRAME_MAX                                                             \
	(64 << 10) /* bytes of stack of an evaluation loop whose caller is unknown \
		    */
#define NO_PLAN	 0xff
#define NO_FRAME SIZE_MAX

/* The Python frames of a thread state: slots[at..end) are not woven yet. */
struct chain {
	size_t at, end;
	size_t waiting; /* greenlets that wait, slots[end..waiting), have no native frames here */
	uint32_t plan;
	bool counted; /* without marks, or without stack pointers to hold them against */
	bool open;    /* further frames, outside of its last one, are missing */
	/* By marks: the next run with a native frame ends before slots[next_end]. */
	size_t next_end, next_frame;
	bool tail; /* no mark is left: the rest belongs to the next activation outwards */
	/* Counted: innermost activations without a run, and runs without an activation. */
	size_t idle, extra;
};

struct weave {
	const struct wp_stack *stack;
	size_t first, end; /* the user frames */
	const struct wp_python_slot *slots;
	const struct wp_python_evals *evals;
	bool interpreter_frames;
	struct wp_woven *ret;
	struct chain chains[CHAINS];
	size_t n_chains;
	bool activation_seen;
	bool has_python[WP_PYTHON_PLANS];
	uint8_t plan_of[WP_STACK_MAX]; /* whose evaluation loop a frame is in, or NO_PLAN */
	uint16_t by_sp[WP_STACK_MAX];  /* user frames by rising sp, those that have one */
	size_t n_by_sp;
};

static bool is_frame(const struct wp_python_slot *slot)
{
	return slot->lasti != WP_PYTHON_MARK && slot->lasti != WP_PYTHON_THREAD;
}

static bool has_marks(const struct weave *w, uint32_t plan)
{
	return plan >= WP_PYTHON_PLANS || !(w->evals->flags[plan] & WP_PYTHON_FRAME_OBJECTS);
}

static uint8_t plan_at(const struct wp_python_evals *evals, uint64_t pc)
{
	size_t low = 0, high = evals->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (evals->v[middle].start <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || pc >= evals->v[low - 1].end || evals->v[low - 1].plan >= WP_PYTHON_PLANS)
		return NO_PLAN;
	return (uint8_t)evals->v[low - 1].plan;
}

/* ---- native frames ---- */

static int compare_sp(const void *a, const void *b, void *frames)
{
	const struct wp_stack_frame *v = frames;
	uint16_t i = *(const uint16_t *)a, j = *(const uint16_t *)b;

	if (v[i].sp != v[j].sp)
		return v[i].sp < v[j].sp ? -1 : 1;
	return i - j;
}

/* Stack pointers rise outwards, but where a coroutine or a signal handler has a stack of its own.
 */
static void index_frames(struct weave *w)
{
	const struct wp_stack_frame *frames = w->stack->frames;
	uint64_t previous = 0;
	bool sorted = true;

	for (size_t i = w->first; i < w->end; i++) {
		w->plan_of[i] = plan_at(w->evals, frames[i].ip.v - (i > w->first));
		if (!frames[i].sp)
			continue;
		sorted &= frames[i].sp >= previous;
		previous = frames[i].sp;
		w->by_sp[w->n_by_sp++] = (uint16_t)i;
	}
	if (!sorted)
		qsort_r(w->by_sp, w->n_by_sp, sizeof(w->by_sp[0]), compare_sp, (void *)frames);
}

/* The frame that holds an address, sp <= mark < the caller's sp; NO_FRAME: none is known to. */
static size_t frame_around_mark(const struct weave *w, uint64_t mark)
{
	const struct wp_stack_frame *frames = w->stack->frames;
	size_t low = 0, high = w->n_by_sp, i;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (frames[w->by_sp[middle]].sp <= mark)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NO_FRAME;
	i = w->by_sp[low - 1];
	if (i + 1 < w->end && frames[i + 1].sp > frames[i].sp)
		return mark < frames[i + 1].sp ? i : NO_FRAME;
	return w->plan_of[i] != NO_PLAN && mark - frames[i].sp < EVAL_FRAME_MAX ? i : NO_FRAME;
}

/*
 * Where there are marks, neighbouring frames of one loop are one activation: the opcodes of a
 * tail-calling interpreter are functions. An activation calls another one through other functions.
 */
static size_t activation_end(const struct weave *w, size_t i)
{
	uint8_t plan = w->plan_of[i++];

	if (plan != NO_PLAN && has_marks(w, plan))
		while (i < w->end && w->plan_of[i] == plan)
			i++;
	return i;
}

static size_t count_activations(const struct weave *w, uint32_t plan)
{
	size_t n = 0;

	for (size_t i = w->first; i < w->end; i = activation_end(w, i))
		n += w->plan_of[i] == plan;
	return n;
}

/* ---- chains ---- */

/* The run that starts at slots[i]: past its mark; where there are none, past one frame. */
static size_t slots_run_end(const struct weave *w, const struct chain *c, size_t i,
			    bool *has_frames)
{
	bool marks = has_marks(w, c->plan), ends = false;

	for (*has_frames = false; i < c->end && !ends; i++) {
		*has_frames |= is_frame(&w->slots[i]);
		ends = marks ? w->slots[i].lasti == WP_PYTHON_MARK : *has_frames;
	}
	while (i < c->end && w->slots[i].lasti == WP_PYTHON_THREAD)
		i++;
	return i;
}

/* An empty run at the outer end is none: what holds it is not on the stack. */
static size_t count_runs(const struct weave *w, const struct chain *c)
{
	size_t n = 0, empty = 0;
	bool has_frames;

	for (size_t i = c->at; i < c->end;) {
		i = slots_run_end(w, c, i, &has_frames);
		empty = has_frames ? 0 : empty + 1;
		n++;
	}
	return n - empty;
}

static void put_woven(struct weave *w, enum wp_woven_kind kind, size_t index)
{
	w->ret->frames[w->ret->n++] = (struct wp_woven_frame){kind, (uint32_t)index};
}

/* Weaves the slots before end; of their runs, only the last one may have a native frame. */
static bool put_runs(struct weave *w, struct chain *c, size_t end, bool is_bound)
{
	size_t before = w->ret->n;
	bool has_frames;

	while (c->at < end) {
		size_t next = slots_run_end(w, c, c->at, &has_frames);

		w->ret->unbound += has_frames && !(is_bound && next >= end);
		for (; c->at < next; c->at++)
			if (is_frame(&w->slots[c->at]))
				put_woven(w, WP_WOVEN_PYTHON, c->at);
	}
	return w->ret->n > before;
}

static void put_waiting(struct weave *w, const struct chain *c)
{
	for (size_t i = c->end; i < c->waiting; i++)
		if (is_frame(&w->slots[i]))
			put_woven(w, WP_WOVEN_PYTHON, i);
}

/* Finds the next run whose mark is in a native frame, from that one outwards. */
static void seek(const struct weave *w, struct chain *c, size_t least)
{
	c->tail = true;
	c->next_frame = NO_FRAME;
	for (size_t i = c->at; i < c->end && c->next_frame == NO_FRAME; i++) {
		if (w->slots[i].lasti != WP_PYTHON_MARK)
			continue;
		size_t frame = frame_around_mark(w, w->slots[i].addr);

		c->tail = false;
		c->next_end = i + 1;
		c->next_frame = frame < least ? NO_FRAME : frame;
	}
}

/*
 * One run per activation, from the outermost one inwards: the innermost activation may not have
 * linked its frame yet, or have unlinked it. From the innermost one outwards where an outer end is
 * missing, or where the stack holds activations of other thread states: of another interpreter,
 * of the greenlet that started this one.
 */
static void align(const struct weave *w, struct chain *c)
{
	size_t runs = count_runs(w, c), activations = count_activations(w, c->plan);

	if (c->open || w->stack->end != WP_STACK_COMPLETE || !activations)
		return;
	if (runs >= activations)
		c->extra = runs - activations;
	else if (runs + 1 == activations && w->plan_of[w->first] == c->plan)
		c->idle = 1;
}

static bool end_is_open(uint32_t thread)
{
	switch (WP_PYTHON_THREAD_END(thread)) {
	case WP_PYTHON_PARTIAL: return !(thread & WP_PYTHON_REPAIRED);
	case WP_PYTHON_UNREADABLE:
	case WP_PYTHON_DAMAGED:
	case WP_PYTHON_CUT: return true;
	default: return false;
	}
}

static struct chain *add_chain(struct weave *w, uint32_t thread, size_t at)
{
	struct chain *last = w->n_chains ? &w->chains[w->n_chains - 1] : NULL;
	uint32_t plan = WP_PYTHON_THREAD_PLAN(thread);
	bool counted = !has_marks(w, plan) || !w->n_by_sp;

	/* By number, thread states of one interpreter are told apart by their order only. */
	if (last && (w->n_chains == CHAINS || (counted && last->plan == plan))) {
		last->open |= end_is_open(thread);
		return last;
	}
	last = &w->chains[w->n_chains++];
	*last = (struct chain){
		.at = at,
		.end = at,
		.waiting = at,
		.plan = plan,
		.counted = counted,
		.open = end_is_open(thread),
	};
	return last;
}

static void find_chains(struct weave *w, size_t n)
{
	struct chain *c = NULL;
	bool waits = false;

	for (size_t i = 0; i < n; i++) {
		if (w->slots[i].lasti == WP_PYTHON_THREAD)
			c = add_chain(w, w->slots[i].id, i);
		else if (!c) /* frames of nobody */
			c = add_chain(w, WP_PYTHON_THREAD_ID(NO_PLAN, WP_PYTHON_DAMAGED), i);
		if (w->slots[i].lasti == WP_PYTHON_THREAD && c->at == i)
			c->at++; /* the one it starts with */
		c->waiting = i + 1;
		waits = w->slots[i].lasti != WP_PYTHON_THREAD &&
			(waits || w->slots[i].lasti == WP_PYTHON_GREENLET);
		if (!waits)
			c->end = i + 1;
		if (is_frame(&w->slots[i]) && c->plan < WP_PYTHON_PLANS)
			w->has_python[c->plan] = true;
	}
	for (size_t i = 0; i < w->n_chains; i++) {
		if (w->chains[i].counted)
			align(w, &w->chains[i]);
		else
			seek(w, &w->chains[i], w->first);
	}
}

/* ---- both ---- */

/* The runs whose marks are in the frames of an activation (or in any other frame). */
static bool put_marked(struct weave *w, struct chain *c, size_t i, size_t end, bool *has_frames)
{
	bool bound = false;

	while (!c->counted && c->next_frame < end) {
		*has_frames |= put_runs(w, c, c->next_end, true);
		seek(w, c, i);
		bound = true;
	}
	return bound;
}

/* The run that belongs to the next activation outwards, whichever that is. */
static bool put_next(struct weave *w, struct chain *c)
{
	bool has_frames = false;
	size_t end = c->at;

	if (c->at == c->end || !(c->counted || c->tail))
		return false;
	if (c->idle) {
		c->idle--;
		return false;
	}
	for (size_t runs = 1 + c->extra; runs; runs--)
		end = slots_run_end(w, c, end, &has_frames);
	c->extra = 0;
	c->open |= c->tail; /* a chain that is whole ends with a mark */
	return put_runs(w, c, end, true) || !c->tail;
}

static bool weave_python_frames(struct weave *w, size_t i, size_t end, bool *has_frames)
{
	bool bound = false;

	for (size_t k = 0; k < w->n_chains; k++)
		bound |= put_marked(w, &w->chains[k], i, end, has_frames);
	for (size_t k = 0; k < w->n_chains && !bound && w->plan_of[i] != NO_PLAN; k++)
		if (w->chains[k].plan == w->plan_of[i])
			bound = put_next(w, &w->chains[k]);
	return bound;
}

/* True where Python frames of the plan are missing outside of those that were woven. */
static bool is_beyond(const struct weave *w, uint32_t plan)
{
	bool open = false;

	for (size_t k = 0; k < w->n_chains; k++) {
		if (w->chains[k].plan != plan)
			continue;
		if (w->chains[k].at < w->chains[k].end)
			return false;
		open |= w->chains[k].open;
	}
	return open;
}

/* An evaluation loop stays where it is all that is known of the Python code that it runs. */
static bool is_loop_shown(const struct weave *w, uint8_t plan, bool bound, bool has_frames)
{
	if (w->interpreter_frames)
		return true;
	if (plan == NO_PLAN)
		return !has_frames;
	return !bound && (!w->has_python[plan] || is_beyond(w, plan));
}

static size_t weave_activation(struct weave *w, size_t i)
{
	size_t end = activation_end(w, i);
	uint8_t plan = w->plan_of[i];
	bool has_frames = false;
	bool bound = weave_python_frames(w, i, end, &has_frames);

	if (plan != NO_PLAN) {
		w->ret->missing += !bound && w->activation_seen;
		w->activation_seen = true;
	}
	if (is_loop_shown(w, plan, bound, has_frames))
		for (; i < end; i++)
			put_woven(w, WP_WOVEN_NATIVE, i);
	return end;
}

static void reserve_woven(struct wp_woven *ret, size_t n)
{
	ret->n = ret->unbound = ret->missing = 0;
	if (n <= ret->cap)
		return;
	ret->frames = wp_realloc(ret->frames, n, sizeof(ret->frames[0]));
	ret->cap = n;
}

void wp_python_weave(const struct wp_stack *stack, const struct wp_python_slot *slots, size_t n,
		     const struct wp_python_evals *evals, bool interpreter_frames,
		     struct wp_woven *ret)
{
	struct weave w = {
		.stack = stack,
		.first = stack->n_kernel,
		.end = stack->n_kernel + stack->n_user,
		.slots = slots,
		.evals = evals,
		.interpreter_frames = interpreter_frames,
		.ret = ret,
	};

	reserve_woven(ret, w.end + n);
	for (size_t i = 0; i < w.first; i++)
		put_woven(&w, WP_WOVEN_NATIVE, i);
	index_frames(&w);
	find_chains(&w, n);
	for (size_t i = w.first; i < w.end;)
		i = weave_activation(&w, i);
	for (size_t k = 0; k < w.n_chains; k++) {
		put_runs(&w, &w.chains[k], w.chains[k].end, false);
		put_waiting(&w, &w.chains[k]);
	}
}

void wp_woven_deinit(struct wp_woven *woven)
{
	free(woven->frames);
	*woven = (struct wp_woven){0};
}
