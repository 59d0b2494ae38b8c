/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_task: behind the outermost coroutine of a run, the asyncio task that runs it, and the
 * coroutines and tasks that await that.
 *
 * Walk, shared with BPF: part of walk/python_walk.inc.h, for 3.11 and newer. The task that runs a
 * coroutine is the one whose task_coro it is: 3.14 and newer keep it in the thread state; before,
 * it is on the C stack, in the frame of the function that resumed the coroutine, right above the
 * evaluation loop; asyncio's tasks that are written in Python are in that function's frame. A task
 * is awaited by what its awaited_by says (3.14 and newer) or, before, by what its done callbacks
 * will wake. All of it is read at the sample's instant.
 */
#ifndef WP_PYTHON_TASK_H
#define WP_PYTHON_TASK_H

#include "walk/python_task_look.inc.h"

WP_PYTHON_FN int wp_python_close_run(struct wp_python_walk *w);
WP_PYTHON_FN int wp_python_put_code(struct wp_python_walk *w);
WP_PYTHON_FN int wp_python_is_entry_frame(const struct wp_python_walk *w);

/* ---- the names of tasks ---- */

/* Of up to 24 bytes of a str, or of an int: a task's number (3.12 and newer). */
WP_PYTHON_FN __u64 wp_python_name_hash(struct wp_python_walk *w, __u64 name)
{
	__u64 length = 0, hash, word;

	if (wp_python_kind(w, name) == WP_PYTHON_KIND_INT)
		return wp_python_id_mix_(wp_python_member(w, name, 0),
					 (__u32)wp_python_member(w, name, 1));
	if (wp_python_read_word(w, name + w->in.plan.str_length, &length))
		return 0;
	hash = wp_python_id_mix_(0, length);
	for (__u32 i = 0; i < 24; i += 8) {
		if (length <= i || wp_python_read(w, &word, 8, name + w->in.plan.str_ascii + i))
			break;
		if (length - i < 8)
			word = WP_PYTHON_FIRST(word, length - i);
		hash = wp_python_id_mix_(hash, word);
	}
	return hash;
}

/* Which task a slot is: objects are freed and their addresses used again. */
WP_PYTHON_FN __u32 wp_python_task_id(struct wp_python_walk *w, __u64 slot)
{
	__u64 coro = 0, name = 0, qualname = 0, hash;

	if (wp_python_read_word(w, wp_python_task_coro_at(w, slot), &coro) ||
	    wp_python_read_word(w, wp_python_task_name_at(w, slot), &name) ||
	    wp_python_read_word(w, coro + w->in.plan.gen_qualname, &qualname))
		return 0;
	hash = wp_python_id_mix_(wp_python_name_hash(w, name), coro);
	hash = wp_python_id_mix_(hash, qualname);
	return (__u32)(hash >> 32 ^ hash);
}

/* ---- the task that runs ---- */

WP_PYTHON_FN int wp_python_runs(struct wp_python_walk *w, __u64 task)
{
	__u64 coro;

	return w->in.plan.task_coro && wp_python_sane(task) &&
	       !wp_python_read_word(w, task + w->in.plan.task_coro, &coro) &&
	       coro == w->tasks.coro && wp_python_kind(w, task) == WP_PYTHON_KIND_TASK;
}

/* Remembers whether a generator has the frame in `words`, and what it runs. */
WP_PYTHON_FN void wp_python_note_owner(struct wp_python_walk *w)
{
	__u32 offset = w->in.plan.frame_owner;
	__u32 owner = wp_python_part(wp_python_frame_word(w, offset), offset) & 0xff;

	w->tasks.outermost = w->in.plan.gen_frame && owner == WP_PYTHON_OF_GENERATOR ? w->frame : 0;
	if (wp_python_may_task())
		w->tasks.code = wp_python_frame_word(w, w->in.plan.frame_code);
}

/* True when what called the run is a coroutine, which awaits it then. */
WP_PYTHON_FN int wp_python_is_inner(struct wp_python_walk *w)
{
	__u64 at = w->frame + w->in.plan.frame_owner, word = 0;

	return w->frame && !wp_python_read_word(w, at & ~7ull, &word) &&
	       (wp_python_part(word, (__u32)at) & 0xff) == WP_PYTHON_OF_GENERATOR;
}

/* Tasks run coroutines; until 3.11 generators too (asyncio.coroutines.iscoroutine). */
WP_PYTHON_FN int wp_python_may_be_run(const struct wp_python_walk *w, __u32 kind)
{
	return kind == WP_PYTHON_KIND_COROUTINE ||
	       (kind == WP_PYTHON_KIND_GENERATOR && w->in.plan.flags & WP_PYTHON_IS_ENTRY);
}

/* At the end of a run, w->frame being what called it: true when there is something to look for. */
WP_PYTHON_FN int wp_python_task_begin(struct wp_python_walk *w)
{
	struct wp_python_tasks *t = &w->tasks;

	if (!wp_python_may_task() || !w->in.want_tasks || !w->in.plan.gen_frame || !t->outermost)
		return 0;
	t->coro = t->outermost - w->in.plan.gen_frame;
	t->outermost = 0;
	if (t->steps >= WP_PYTHON_TASK_STEPS ||
	    !wp_python_may_be_run(w, wp_python_kind(w, t->coro)))
		return 0;
	t->depth = t->several = 0;
	t->scan = t->mark;
	w->phase = WP_PYTHON_TASK_RUNNING;
	return 1;
}

WP_PYTHON_FN int wp_python_task_found(struct wp_python_walk *w, __u64 task)
{
	__u64 i = (w->tasks.coro * 0x9e3779b97f4a7c15ull) >> 60;

	WP_PYTHON_MASK(i, WP_PYTHON_TASK_KNOWN - 1);
	w->tasks.known_coros[i] = w->tasks.coro;
	w->tasks.known[i] = task;
	w->tasks.task = task;
	w->tasks.slot = task | WP_PYTHON_TASK_BIT;
	w->phase = WP_PYTHON_TASK_SHOW;
	return 0;
}

WP_PYTHON_FN int wp_python_task_running(struct wp_python_walk *w)
{
	struct wp_python_tasks *t = &w->tasks;
	__u64 i = (t->coro * 0x9e3779b97f4a7c15ull) >> 60, task = 0;

	if (w->in.plan.ts_task && !wp_python_read_word(w, w->thread + w->in.plan.ts_task, &task) &&
	    wp_python_runs(w, task))
		return wp_python_task_found(w, task);
	WP_PYTHON_MASK(i, WP_PYTHON_TASK_KNOWN - 1);
	if (t->known_coros[i] == t->coro && wp_python_runs(w, t->known[i]))
		return wp_python_task_found(w, t->known[i]);
	if (wp_python_is_inner(w))
		return wp_python_close_run(w);
	w->phase = WP_PYTHON_TASK_SELF;
	return 0;
}

/* Lib/asyncio/tasks.py resumes its tasks in a method: `self` is the first local variable. */
WP_PYTHON_FN int wp_python_task_self(struct wp_python_walk *w)
{
	__u64 self = 0;

	w->phase = WP_PYTHON_TASK_SEEK;
	if (!w->frame || !w->in.plan.frame_locals ||
	    wp_python_read_word(w, w->frame + w->in.plan.frame_locals, &self))
		return 0;
	if (w->in.plan.flags & WP_PYTHON_TAGGED)
		self &= ~3ull;
	if (wp_python_kind(w, self) == WP_PYTHON_KIND_PURE_TASK)
		return wp_python_task_look_at(w, self, WP_PYTHON_WHY_RUNS);
	return 0;
}

WP_PYTHON_FN int wp_python_task_seek(struct wp_python_walk *w)
{
	struct wp_python_tasks *t = &w->tasks;
	__u64 word;

	if (!w->in.plan.task_coro || t->scan - t->mark >= WP_PYTHON_TASK_SCAN ||
	    wp_python_read_word(w, t->scan, &word))
		return wp_python_close_run(w);
	t->scan += 8;
	return wp_python_runs(w, word) ? wp_python_task_found(w, word) : 0;
}

/* ---- who awaits it ---- */

WP_PYTHON_FN void wp_python_task_push(struct wp_python_walk *w, __u64 object)
{
	__u64 i = w->tasks.end;

	if (!object)
		return;
	if (w->tasks.end - w->tasks.first >= WP_PYTHON_TASK_QUEUE) {
		w->tasks.cut = 1;
		return;
	}
	WP_PYTHON_MASK(i, WP_PYTHON_TASK_QUEUE - 1);
	w->tasks.queue[i] = object;
	w->tasks.end++;
}

/* What a tuple, a list or a set holds is looked at item by item. */
WP_PYTHON_FN int wp_python_task_items(struct wp_python_walk *w, __u64 items, __u64 n, __u32 stride)
{
	w->tasks.cut |= n > WP_PYTHON_TASK_ITEMS;
	w->tasks.item = items;
	w->tasks.n_items = n > WP_PYTHON_TASK_ITEMS ? WP_PYTHON_TASK_ITEMS : (__u32)n;
	w->tasks.stride = stride;
	w->phase = WP_PYTHON_TASK_ITEMS_OF;
	return 0;
}

/*
 * What a task or another future wakes when it is done: awaited_by, or callback0 and callbacks. Who
 * awaits with a task written in Python is in the callbacks only, of 3.14 and newer too.
 */
WP_PYTHON_FN void wp_python_task_push_waiters(struct wp_python_walk *w, __u64 future)
{
	__u64 word = 0;

	if (w->in.plan.task_awaited_by &&
	    !wp_python_read_word(w, future + w->in.plan.task_awaited_by, &word) && word) {
		wp_python_task_push(w, word);
		return;
	}
	wp_python_task_push(w, wp_python_member(w, future, 1));
	wp_python_task_push(w, wp_python_member(w, future, 3));
}

/* A callback that tells who knows whom. From 3.14 on C tasks say themselves that nobody awaits. */
WP_PYTHON_FN void wp_python_task_unknown(struct wp_python_walk *w)
{
	w->tasks.unknown |= !w->in.plan.task_awaited_by || w->tasks.slot & WP_PYTHON_TASK_PURE;
}

/*
 * A C function: asyncio's own with which a task is woken, bound to that task. Of others, those that
 * sets of tasks and tasks themselves have wake nobody.
 */
WP_PYTHON_FN void wp_python_task_builtin(struct wp_python_walk *w, __u64 object)
{
	__u64 definition = wp_python_member(w, object, 0), name = 0, chars = 0;

	if (wp_python_read_word(w, definition, &name) || wp_python_read(w, &chars, 8, name))
		return;
	if (chars == WP_PYTHON_CHARS("TaskWake") || chars == WP_PYTHON_CHARS("task_wak"))
		wp_python_task_push(w, wp_python_member(w, object, 1));
	else if (chars != WP_PYTHON_CHARS("discard\0") &&
		 WP_PYTHON_FIRST(chars, 7) != WP_PYTHON_CHARS("remove\0\0") &&
		 WP_PYTHON_FIRST(chars, 7) != WP_PYTHON_CHARS("cancel\0\0"))
		wp_python_task_unknown(w);
}

/*
 * asyncio's own done callbacks that are closures: gather(), wait(), shield(). The cell with a
 * future that is no task has the one that they will set.
 */
WP_PYTHON_FN void wp_python_task_function(struct wp_python_walk *w, __u64 function)
{
	__u64 chars[3], closure = wp_python_member(w, function, 7);

	/* None of asyncio's has a shorter name. */
	if (wp_python_chars(w, wp_python_member(w, function, 3), chars, 2)) {
		wp_python_task_unknown(w);
		return;
	}
	/* _run_until_complete_cb: who calls it waits, which is no task. */
	if (chars[0] == WP_PYTHON_CHARS("_run_unt") && chars[1] == WP_PYTHON_CHARS("il_compl"))
		return;
	if (wp_python_chars(w, wp_python_member(w, function, 3), chars, 3)) {
		wp_python_task_unknown(w);
		return;
	}
	if ((chars[0] == WP_PYTHON_CHARS("gather.<") && chars[1] == WP_PYTHON_CHARS("locals>.") &&
	     chars[2] == WP_PYTHON_CHARS("_done_ca")) ||
	    (chars[0] == WP_PYTHON_CHARS("_wait.<l") && chars[1] == WP_PYTHON_CHARS("ocals>._") &&
	     chars[2] == WP_PYTHON_CHARS("on_compl")) ||
	    (chars[0] == WP_PYTHON_CHARS("shield.<") && chars[1] == WP_PYTHON_CHARS("locals>.") &&
	     chars[2] == WP_PYTHON_CHARS("_inner_d")))
		wp_python_task_push(w, closure);
	else
		wp_python_task_unknown(w);
}

WP_PYTHON_FN void wp_python_task_cell(struct wp_python_walk *w, __u64 cell)
{
	__u64 object = wp_python_member(w, cell, 0);
	__u32 kind = wp_python_kind(w, object);

	if (kind == WP_PYTHON_KIND_FUTURE || kind == WP_PYTHON_KIND_PURE_FUTURE)
		wp_python_task_push(w, object);
}

/* 3.11's wait_for(): partial(_release_waiter, waiter). */
WP_PYTHON_FN void wp_python_task_partial(struct wp_python_walk *w, __u64 partial)
{
	__u64 function = wp_python_member(w, partial, 0), chars[1];

	if (wp_python_kind(w, function) != WP_PYTHON_KIND_FUNCTION ||
	    wp_python_chars(w, wp_python_member(w, function, 3), chars, 1) ||
	    chars[0] != WP_PYTHON_CHARS("_release")) {
		wp_python_task_unknown(w);
		return;
	}
	wp_python_task_push(w, wp_python_member(w, partial, 1));
}

/* TaskGroup._on_task_done, whose parent awaits; Task.__wakeup of a task written in Python. */
WP_PYTHON_FN int wp_python_task_method(struct wp_python_walk *w, __u64 method)
{
	__u64 function = wp_python_member(w, method, 0), self = wp_python_member(w, method, 1);
	__u64 chars[1];
	__u32 kind = wp_python_kind(w, self);

	if (kind == WP_PYTHON_KIND_TASK_GROUP)
		return wp_python_task_look_at(w, self, WP_PYTHON_WHY_PARENT);
	if (kind == WP_PYTHON_KIND_PURE_TASK &&
	    !wp_python_chars(w, wp_python_member(w, function, 3), chars, 1) &&
	    chars[0] == WP_PYTHON_CHARS("Task.__w"))
		wp_python_task_push(w, self);
	else
		wp_python_task_unknown(w);
	return 0;
}

WP_PYTHON_FN void wp_python_task_awaiter(struct wp_python_walk *w, __u64 task, __u32 kind)
{
	struct wp_python_tasks *t = &w->tasks;

	if (task == t->task || task == t->found)
		return;
	if (!t->found) {
		t->found = task;
		t->pure = kind == WP_PYTHON_KIND_PURE_TASK;
	}
	t->n_found++;
}

WP_PYTHON_FN int wp_python_task_look(struct wp_python_walk *w, __u64 object)
{
	__u32 kind = wp_python_kind(w, object);

	switch (kind) {
	case WP_PYTHON_KIND_TASK:
	case WP_PYTHON_KIND_PURE_TASK: wp_python_task_awaiter(w, object, kind); break;
	case WP_PYTHON_KIND_FUTURE: wp_python_task_push_waiters(w, object); break;
	case WP_PYTHON_KIND_PURE_FUTURE:
		return wp_python_task_look_at(w, object, WP_PYTHON_WHY_WAITERS);
	case WP_PYTHON_KIND_BUILTIN: wp_python_task_builtin(w, object); break;
	case WP_PYTHON_KIND_FUNCTION: wp_python_task_function(w, object); break;
	case WP_PYTHON_KIND_PARTIAL: wp_python_task_partial(w, object); break;
	case WP_PYTHON_KIND_METHOD: return wp_python_task_method(w, object);
	case WP_PYTHON_KIND_CELL: wp_python_task_cell(w, object); break;
	case WP_PYTHON_KIND_TUPLE: /* 3.14 and newer: its hash comes before the items */
		return wp_python_task_items(w,
					    object + wp_python_head(w) +
						    (w->in.plan.flags & WP_PYTHON_TAGGED ? 16 : 8),
					    wp_python_member(w, object, 0), 8);
	case WP_PYTHON_KIND_LIST:
		return wp_python_task_items(w, wp_python_member(w, object, 1),
					    wp_python_member(w, object, 0), 8);
	case WP_PYTHON_KIND_SET: /* fill, used, mask, table of {key, hash} */
		return wp_python_task_items(w, wp_python_member(w, object, 3),
					    wp_python_member(w, object, 2) + 1, 16);
	default: break;
	}
	return 0;
}

/* Tasks are many in one set; they need no place in the queue. */
WP_PYTHON_FN int wp_python_task_item(struct wp_python_walk *w)
{
	struct wp_python_tasks *t = &w->tasks;
	__u64 item = 0;
	__u32 kind;

	if (!t->n_items || t->n_found > 1 || wp_python_read_word(w, t->item, &item)) {
		w->phase = WP_PYTHON_TASK_AWAITERS;
		return 0;
	}
	t->n_items--;
	t->item += t->stride;
	kind = wp_python_kind(w, item);
	if (kind == WP_PYTHON_KIND_TASK || kind == WP_PYTHON_KIND_PURE_TASK)
		wp_python_task_awaiter(w, item, kind);
	else if (kind)
		wp_python_task_push(w, item);
	return 0;
}

WP_PYTHON_FN void wp_python_task_put_end(struct wp_python_walk *w, __u32 why)
{
	w->out.flags |= why == WP_PYTHON_TASK_CUT ? WP_PYTHON_TASKS_CUT : WP_PYTHON_TASKS_UNKNOWN;
	wp_python_put(w, 0, WP_PYTHON_TASK_END, why);
	w->steps++;
}

/* The chain ends here, although more may await. */
WP_PYTHON_FN int wp_python_task_end(struct wp_python_walk *w, __u32 why)
{
	wp_python_task_put_end(w, why);
	return wp_python_close_run(w);
}

WP_PYTHON_FN int wp_python_task_alone(struct wp_python_walk *w)
{
	if (w->tasks.cut)
		return wp_python_task_end(w, WP_PYTHON_TASK_CUT);
	if (w->tasks.unknown)
		return wp_python_task_end(w, WP_PYTHON_TASK_UNKNOWN);
	return wp_python_close_run(w);
}

WP_PYTHON_FN int wp_python_task_awaiters(struct wp_python_walk *w)
{
	struct wp_python_tasks *t = &w->tasks;
	__u64 i = t->first;

	if (t->first != t->end && t->n_found < 2) {
		WP_PYTHON_MASK(i, WP_PYTHON_TASK_QUEUE - 1);
		t->first++;
		return wp_python_task_look(w, t->queue[i]);
	}
	t->n_coros = t->left_out = 0;
	if (!t->found)
		return wp_python_task_alone(w);
	if (t->pure)
		return wp_python_task_look_at(w, t->found, WP_PYTHON_WHY_AWAITS);
	t->slot = t->found | WP_PYTHON_TASK_BIT;
	if (wp_python_read_word(w, t->found + w->in.plan.task_coro, &t->coro))
		return wp_python_task_end(w, WP_PYTHON_TASK_UNKNOWN);
	w->phase = WP_PYTHON_TASK_INWARDS;
	return 0;
}

/* All attributes have been seen. */
WP_PYTHON_FN int wp_python_task_looked(struct wp_python_walk *w)
{
	struct wp_python_tasks *t = &w->tasks;
	__u64 coro = 0;

	w->phase = WP_PYTHON_TASK_AWAITERS;
	if (t->why == WP_PYTHON_WHY_PARENT || t->why == WP_PYTHON_WHY_WAITERS) {
		wp_python_task_push(w, t->why == WP_PYTHON_WHY_PARENT ? t->parent : t->callbacks);
		return 0;
	}
	if (t->coro_at)
		wp_python_read_word(w, t->coro_at, &coro);
	t->slot = wp_python_task_pure_slot(t->coro_at, t->name_at);
	if (t->why == WP_PYTHON_WHY_AWAITS) {
		t->coro = coro;
		w->phase = WP_PYTHON_TASK_INWARDS;
		return coro ? 0 : wp_python_task_end(w, WP_PYTHON_TASK_UNKNOWN);
	}
	t->task = t->object;
	t->pure = 1;
	w->phase = coro == t->coro ? WP_PYTHON_TASK_SHOW : WP_PYTHON_TASK_SEEK;
	return 0;
}

/* ---- where those are that await ---- */

/* 3.14 and newer. On top of what is awaited 3.15 has a NULL or an index, which is no object. */
WP_PYTHON_FN __u64 wp_python_task_top(struct wp_python_walk *w, __u64 locals)
{
	__u64 top = 0, object = 0;

	if (wp_python_read_word(w, locals - 16, &top)) /* _PyStackRef *stackpointer */
		return 0;
	for (__u32 i = 0; i < 2 && top > locals; i++) {
		top -= 8;
		if (wp_python_read_word(w, top, &object))
			return 0;
		if ((object & 3) != 3 && object > 1)
			return object & ~1ull;
	}
	return 0;
}

/* What a suspended coroutine awaits: the uppermost object on its frame's stack. */
WP_PYTHON_FN __u64 wp_python_task_awaited(struct wp_python_walk *w, __u64 coro)
{
	__u64 locals = coro + w->in.plan.gen_frame + w->in.plan.frame_locals, top, object = 0;

	if (w->in.plan.flags & WP_PYTHON_TAGGED)
		return wp_python_task_top(w, locals);
	if (wp_python_read_word(w, locals - 8, &top)) /* int stacktop */
		return 0;
	top = (__u32)top;
	if (!top || top > 1u << 20)
		return 0;
	return wp_python_read_word(w, locals + 8 * (top - 1), &object) ? 0 : object;
}

/* From the coroutine of a task that awaits to the innermost one. */
WP_PYTHON_FN int wp_python_task_inwards(struct wp_python_walk *w)
{
	struct wp_python_tasks *t = &w->tasks;
	__u32 kind = wp_python_kind(w, t->coro);
	__u64 i = t->n_coros;

	if (kind == WP_PYTHON_KIND_WRAPPER) {
		t->coro = wp_python_member(w, t->coro, 0);
		return 0;
	}
	if (i >= WP_PYTHON_TASK_COROS && !t->left_out) {
		t->left_out = 1;
		w->out.flags |= WP_PYTHON_TASKS_CUT;
		wp_python_put(w, 0, WP_PYTHON_TASK_END, WP_PYTHON_TASK_CUT);
		w->steps++;
	}
	if ((kind != WP_PYTHON_KIND_COROUTINE && kind != WP_PYTHON_KIND_GENERATOR) ||
	    i >= WP_PYTHON_TASK_COROS) {
		w->phase = WP_PYTHON_TASK_OUTWARDS;
		return 0;
	}
	WP_PYTHON_MASK(i, WP_PYTHON_TASK_COROS - 1);
	t->coros[i] = t->coro;
	t->n_coros++;
	t->coro = wp_python_task_awaited(w, t->coro);
	return 0;
}

/* One of those coroutines, the innermost one first; behind them comes the task. */
WP_PYTHON_FN int wp_python_task_outwards(struct wp_python_walk *w)
{
	struct wp_python_tasks *t = &w->tasks;
	__u64 i = t->n_coros - 1;

	if (!t->n_coros) {
		t->several = t->n_found > 1;
		t->task = t->found;
		w->phase = WP_PYTHON_TASK_SHOW;
		return 0;
	}
	t->n_coros--;
	WP_PYTHON_MASK(i, WP_PYTHON_TASK_COROS - 1);
	if (!wp_python_load_alone(w, t->coros[i] + w->in.plan.gen_frame))
		wp_python_put_code(w);
	return 0;
}

WP_PYTHON_FN int wp_python_task_show(struct wp_python_walk *w)
{
	struct wp_python_tasks *t = &w->tasks;
	__u32 id = wp_python_task_id(w, t->slot);

	wp_python_put(w, t->slot, t->several ? WP_PYTHON_TASK_ONE : WP_PYTHON_TASK, id);
	wp_python_meet(w, t->slot, id);
	w->steps++;
	t->first = t->end = t->n_found = t->cut = t->unknown = 0;
	t->found = 0;
	w->phase = WP_PYTHON_TASK_AWAITERS;
	if (++t->depth >= WP_PYTHON_TASK_CHAIN)
		return wp_python_task_end(w, WP_PYTHON_TASK_CUT);
	if (t->slot & WP_PYTHON_TASK_PURE)
		wp_python_task_push(w, t->callbacks);
	else
		wp_python_task_push_waiters(w, t->task);
	return 0;
}

WP_PYTHON_FN int wp_python_task_step(struct wp_python_walk *w)
{
	if (++w->tasks.steps > WP_PYTHON_TASK_STEPS ||
	    w->all_steps + w->steps >= WP_PYTHON_SLOTS - WP_PYTHON_STEP_SLOTS)
		return w->tasks.depth ? wp_python_task_end(w, WP_PYTHON_TASK_CUT)
				      : wp_python_close_run(w);
	switch (w->phase) {
	case WP_PYTHON_TASK_RUNNING: return wp_python_task_running(w);
	case WP_PYTHON_TASK_SELF: return wp_python_task_self(w);
	case WP_PYTHON_TASK_SEEK: return wp_python_task_seek(w);
	case WP_PYTHON_TASK_SHOW: return wp_python_task_show(w);
	case WP_PYTHON_TASK_AWAITERS: return wp_python_task_awaiters(w);
	case WP_PYTHON_TASK_ITEMS_OF: return wp_python_task_item(w);
	case WP_PYTHON_TASK_LOOK: return wp_python_task_value(w) ? 0 : wp_python_task_looked(w);
	case WP_PYTHON_TASK_INWARDS: return wp_python_task_inwards(w);
	default: return wp_python_task_outwards(w);
	}
}

#endif
