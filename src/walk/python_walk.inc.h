/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_walk: reads the Python frames of one thread, step by step, out of a stopped process's
 * memory.
 *
 * One text, compiled into the BPF program (in the sample's interrupt) and into user space (the
 * pinned reader, tests): fixed-width types, no calls but three that the includer defines:
 *
 *	int wp_python_read(struct wp_python_walk *w, void *to, __u32 bytes, __u64 from);
 *		0, or not 0 when any of the bytes cannot be read; bytes <= WP_PYTHON_PAGE
 *	void wp_python_put(struct wp_python_walk *w, __u64 addr, __s32 lasti, __u32 id);
 *		takes the next slot; it has room for WP_PYTHON_STEP_SLOTS before each step
 *	void wp_python_meet(struct wp_python_walk *w, __u64 code, __u32 id);
 *		told of each code object, whose bytes are in w->code (wp_python_code_word)
 *
 * and five in BPF (walk/python_state.inc.h says why, and has them for user space):
 *
 *	int wp_python_may_task(void);
 *		whether any walk asks for tasks; a constant of the program as it is loaded
 *	int wp_python_words(struct wp_python_walk *w, __u64 from, __u32 n);
 *		makes w->looked what is there, at any address: 0, or not 0 when it cannot be read;
 *		0 < n <= WP_PYTHON_CONTENT_WORDS
 *	int wp_python_glance(struct wp_python_walk *w, const struct wp_python_recent *recent);
 *		less than a read: whether the code object is what it was; 0: it must be read
 *	__u64 wp_python_content(struct wp_python_walk *w, const struct wp_python_traits *is,
 *			__u32 text_end);
 *		what wp_python_make_content() makes of it (walk/python_content.inc.h)
 *	int wp_python_look_at_frame(struct wp_python_walk *w, __u64 frame);
 *		the same of a frame: makes what the plan asks of it that of w->page behind the
 *		page; 0: it must be read
 *
 * The process is not to be trusted: whatever it holds, a walk ends after WP_PYTHON_STEPS steps and
 * reads nothing of its own out of bounds.
 */
#ifndef WP_PYTHON_WALK_H
#define WP_PYTHON_WALK_H

#include "walk/python_greenlet.inc.h"
#include "walk/python_others.inc.h"
#include "walk/python_outer.inc.h"
#include "walk/python_pushed.inc.h"
#include "walk/python_recent.inc.h"
#include "walk/python_thread.inc.h"

/* How much of a frame and of a thread state the plan looks at. */
WP_PYTHON_FN void wp_python_measure(struct wp_python_walk *w)
{
	const struct wp_python_plan *plan = &w->in.plan;
	__u32 end = wp_python_up_to(plan->frame_instr + 8u, plan->frame_code + 8u);

	end = wp_python_up_to(end, plan->frame_previous + 8u);
	w->frame_base = 0;
	if (plan->flags & WP_PYTHON_FRAME_OBJECTS)
		w->frame_base = plan->frame_previous & ~7u;
	if (plan->flags & WP_PYTHON_IS_ENTRY)
		end = wp_python_up_to(end, plan->frame_is_entry + 1u);
	if (plan->flags & WP_PYTHON_ENTRY_FRAMES)
		end = wp_python_up_to(end, plan->frame_owner + 1u);
	if (plan->flags & WP_PYTHON_FREE_THREADED)
		end = wp_python_up_to(end, plan->frame_tlbc_index + 4u);
	if (plan->gen_frame || (plan->flags & WP_PYTHON_IS_ENTRY))
		end = wp_python_up_to(end, plan->frame_owner + 1u);
	w->frame_bytes = ((end + 7) & ~7u) - w->frame_base;
	end = wp_python_up_to(plan->ts_thread_id + 8u, plan->ts_frame + 8u);
	end = wp_python_up_to(end, plan->ts_next + 8u);
	end = wp_python_up_to(end, plan->ts_interp + 8u);
	w->thread_bytes = (wp_python_up_to(end, plan->ts_state + 8u) + 7) & ~7u;
}

WP_PYTHON_FN void wp_python_begin_chain(struct wp_python_walk *w)
{
	w->all_steps += w->steps;
	w->steps = 0;
	w->frame = w->cframe = 0;
	w->in_run = w->repaired = w->marks = w->candidate = 0;
	w->tasks.left = w->tasks.waits = 0;
	w->tasks.outermost = w->tasks.mark = 0;
	w->tortoise = 0;
	w->lap = 0;
	w->power = 1;
}

WP_PYTHON_FN void wp_python_begin(struct wp_python_walk *w)
{
	wp_python_measure(w);
	w->out.end = WP_PYTHON_CUT;
	w->out.flags = w->in.index;
	w->phase = WP_PYTHON_FIND;
	w->after = WP_PYTHON_ENDED;
	w->chains = w->all_steps = 0;
	w->out.found = w->outermost = 0;
	w->steps = w->listed = 0;
	w->thread = w->current = w->interpreter = w->next_thread = 0;
	w->tasks.steps = 0;
	wp_python_begin_chain(w);
	w->walk++;
	w->file = 0;
	w->page_at = w->page_next = w->thread_at = WP_PYTHON_NOWHERE;
	if (w->frame_bytes > WP_PYTHON_FRAME_WORDS * 8 ||
	    w->thread_bytes > WP_PYTHON_THREAD_WORDS * 8 ||
	    w->in.plan.code_bytes > WP_PYTHON_CODE_MAX)
		w->phase = WP_PYTHON_UNFIT;
}

/*
 * In place of wp_python_begin(), for a task that nothing runs: the coroutines that it is in, the
 * innermost one first, the task, and who awaits it. Nothing is put when that is no task.
 */
WP_PYTHON_FN void wp_python_begin_task(struct wp_python_walk *w, __u64 task)
{
	__u32 kind;

	wp_python_begin(w);
	if (w->phase == WP_PYTHON_UNFIT)
		return;
	kind = wp_python_kind(w, task);
	w->phase = WP_PYTHON_ENDED;
	if (kind != WP_PYTHON_KIND_TASK && kind != WP_PYTHON_KIND_PURE_TASK)
		return;
	w->tasks.first = w->tasks.end = w->tasks.depth = w->tasks.several = 0;
	w->tasks.found = task;
	w->tasks.n_found = 1;
	w->tasks.pure = kind == WP_PYTHON_KIND_PURE_TASK;
	w->tasks.left = 1; /* of no cframe */
	w->phase = WP_PYTHON_TASK_AWAITERS;
}

/*
 * The id of the last THREAD slot, when the walk has ended. How a chain ends is not known when its
 * slot is put: each slot gets what belongs to the one before; walk/python_settle.h puts that right.
 */
WP_PYTHON_FN __u32 wp_python_thread_slot_id(const struct wp_python_walk *w)
{
	return w->out.flags | WP_PYTHON_THREAD_ID(0u, w->out.end);
}

WP_PYTHON_FN int wp_python_enter_cframe(struct wp_python_walk *w, __u64 cframe)
{
	w->cframe = cframe;
	return wp_python_read_word(w, cframe + w->in.plan.cframe_current, &w->frame);
}

/* Where even the cframe of the caller is a leftover, all frames are missing. */
WP_PYTHON_FN int wp_python_give_up(struct wp_python_walk *w)
{
	w->out.flags &= ~WP_PYTHON_REPAIRED;
	return wp_python_stop(w, WP_PYTHON_PARTIAL);
}

/* The innermost cframe holds nothing yet: what called it is the innermost known. */
WP_PYTHON_FN int wp_python_repair(struct wp_python_walk *w)
{
	__u64 outer;

	w->repaired = 1;
	w->tortoise = 0;
	if (wp_python_read_word(w, w->cframe + w->in.plan.cframe_previous, &outer) || !outer ||
	    wp_python_enter_cframe(w, outer) || !w->frame)
		return wp_python_give_up(w);
	w->page_next = w->frame & ~(__u64)(WP_PYTHON_PAGE - 1);
	return 0;
}

/*
 * The evaluation loop of 3.11 and 3.12 hangs its cframe on the thread state some instructions
 * before it says which frame runs in it. Until then there is a leftover.
 */
WP_PYTHON_FN int wp_python_in_prologue(const struct wp_python_walk *w)
{
	__u64 end = w->in.cfa ? w->in.cfa : w->in.sp + WP_PYTHON_PROLOGUE_FRAME;

	if (!w->in.plan.eval_start || w->in.ip - w->in.plan.eval_start >= w->in.plan.eval_prologue)
		return 0;
	if (w->in.plan.eval_cframe)
		return w->cframe == w->in.sp + w->in.plan.eval_cframe;
	return w->cframe >= w->in.sp && w->cframe < end;
}

/* Without the size of the stack frame the cframe may be a caller's, whose run is missing then. */
WP_PYTHON_FN int wp_python_repair_prologue(struct wp_python_walk *w)
{
	if (w->in.cfa)
		w->out.flags |= WP_PYTHON_REPAIRED;
	return wp_python_repair(w);
}

/*
 * What is known of the loop that is being entered decides whether its callers can be told exactly.
 * The cframe of the next one outwards lies as deep in its activation as this one does in its own.
 */
WP_PYTHON_FN int wp_python_enter_prologue(struct wp_python_walk *w)
{
	w->outer = 0;
	if (w->in.cfa && w->in.outer_cfa)
		w->outer = w->in.outer_cfa - (w->in.cfa - w->cframe);
	else if (wp_python_may_seek() && !w->in.cfa && w->in.plan.eval_cframe)
		w->outer = wp_python_seek_outer(w);
	if (!w->in.n_regs || !(w->outer || (w->in.cfa && w->in.no_outer)))
		return wp_python_repair_prologue(w);
	w->phase = WP_PYTHON_PROLOGUE;
	return 0;
}

WP_PYTHON_FN int wp_python_enter(struct wp_python_walk *w)
{
	__u64 top;

	wp_python_put(w, w->thread, WP_PYTHON_THREAD, wp_python_thread_slot_id(w));
	w->out.flags = w->in.index;
	w->out.end = WP_PYTHON_CUT;
	if (w->chains++)
		wp_python_begin_chain(w);
	if (wp_python_load_thread(w, w->thread))
		return wp_python_stop(w, WP_PYTHON_UNREADABLE);
	wp_python_note_gil(w);
	w->phase = WP_PYTHON_FRAMES;
	top = wp_python_thread_word(w, w->in.plan.ts_frame);
	if (!(w->in.plan.flags & WP_PYTHON_CFRAME))
		w->frame = top;
	else if (top && wp_python_enter_cframe(w, top))
		return wp_python_stop(w, WP_PYTHON_UNREADABLE);
	else if (top && wp_python_in_prologue(w))
		return wp_python_enter_prologue(w);
	if (!w->frame)
		return wp_python_stop(w, WP_PYTHON_NO_FRAME);
	/* Frames of 3.11 and newer lie side by side, so that one page holds many. */
	w->page_next = w->frame & ~(__u64)(WP_PYTHON_PAGE - 1);
	return 0;
}

/*
 * Frame objects are read one by one, other frames by the page: at the second visit, since frames of
 * generators and entry frames lie elsewhere, alone. Callers lie below, so a page is read up to the
 * frame.
 */
WP_PYTHON_FN int wp_python_load_frame(struct wp_python_walk *w)
{
	__u64 page = w->frame & ~(__u64)(WP_PYTHON_PAGE - 1), i = w->frame - page;
	__u64 end = i + w->frame_bytes;

	if ((w->in.plan.flags & WP_PYTHON_FRAME_OBJECTS) || end > WP_PYTHON_PAGE)
		return wp_python_load_alone(w, w->frame);
	w->at = (__u32)(i >> 3);
	if (page == w->page_at && end <= w->page_bytes)
		return 0;
	if (page != w->page_next) {
		w->page_next = page;
		return wp_python_load_alone(w, w->frame);
	}
	WP_PYTHON_MASK(end, 2 * WP_PYTHON_PAGE - 1);
	w->page_at = WP_PYTHON_NOWHERE;
	if (wp_python_read(w, w->page, (__u32)end, page))
		return -1;
	w->page_at = page;
	w->page_bytes = (__u32)end;
	return 0;
}

/* Brent's algorithm: true when this frame was there before. */
WP_PYTHON_FN int wp_python_cycle(struct wp_python_walk *w)
{
	if (w->frame == w->tortoise)
		return 1;
	if (++w->lap < w->power)
		return 0;
	w->lap = 0;
	w->power *= 2;
	w->tortoise = w->frame;
	return 0;
}

/* Free-threaded builds: the thread's own copy of the bytecode, entries[index] of a
 * _PyCodeArray {size, entries}; index 0 is the code object's. */
WP_PYTHON_FN int wp_python_own_bytecode(struct wp_python_walk *w, __u64 code, __u64 *ret)
{
	__u32 offset = w->in.plan.frame_tlbc_index;
	__u64 index = wp_python_part(wp_python_frame_word(w, offset), offset), copies, size;

	if (!(w->in.plan.flags & WP_PYTHON_FREE_THREADED) || !w->in.plan.code_tlbc || !index)
		return 0;
	if (wp_python_read_word(w, code + w->in.plan.code_tlbc, &copies) ||
	    wp_python_read_word(w, copies, &size) || index >= size)
		return -1;
	return wp_python_read_word(w, copies + 8 + 8 * index, ret);
}

/* Before the first instruction, where none can be told. */
#define WP_PYTHON_NO_LASTI (-1)

WP_PYTHON_FN __s32 wp_python_lasti(struct wp_python_walk *w, __u64 code)
{
	__u32 offset = w->in.plan.frame_instr;
	__u64 instr = wp_python_frame_word(w, offset), first_instr;
	__s32 index = (__s32)wp_python_part(instr, offset);

	if (!(w->in.plan.flags & WP_PYTHON_INSTR_POINTER)) {
		if (index < 0 || index >= 1 << 29)
			return WP_PYTHON_NO_LASTI;
		return w->in.plan.flags & WP_PYTHON_LASTI_UNITS ? index * 2 : index;
	}
	first_instr = code + w->in.plan.code_first_instr;
	if (wp_python_own_bytecode(w, code, &first_instr))
		return WP_PYTHON_NO_LASTI;
	instr -= first_instr;
	return instr < (1u << 30) ? (__s32)instr : WP_PYTHON_NO_LASTI;
}

/* A frame that makes no sense: the innermost one of a cframe may be a leftover. */
WP_PYTHON_FN int wp_python_bad_frame(struct wp_python_walk *w, __u32 end)
{
	if (!(w->in.plan.flags & WP_PYTHON_CFRAME) || w->steps != 1)
		return wp_python_stop(w, end);
	if (w->repaired)
		return wp_python_give_up(w);
	w->steps = 0;
	w->out.flags |= WP_PYTHON_REPAIRED;
	return wp_python_repair(w);
}

/*
 * All frames have been seen. 3.12 clears a generator's `previous` some instructions before it
 * leaves it; 3.11 makes a frame the current one some instructions before it says who called it.
 * 3.15's thread states have a frame even if they run nothing.
 */
WP_PYTHON_FN int wp_python_chain_end(struct wp_python_walk *w)
{
	__u32 flags = w->in.plan.flags, ends = WP_PYTHON_ENTRY_FRAMES | WP_PYTHON_IS_ENTRY;
	int torn = (flags & ends) && w->in_run;

	if (!w->in_run && !w->marks && !w->repaired)
		return wp_python_stop(w, WP_PYTHON_NO_FRAME);
	if (torn && (flags & WP_PYTHON_ENTRY_FRAMES) && (flags & WP_PYTHON_CFRAME) && !w->marks &&
	    !w->candidate) {
		w->phase = WP_PYTHON_YIELD;
		return 0;
	}
	if (torn || w->repaired)
		return wp_python_stop(w, WP_PYTHON_PARTIAL);
	return wp_python_greenlet_begin(w) ? 0 : wp_python_stop(w, WP_PYTHON_COMPLETE);
}

/* An activation has its entry frame next to its cframe. */
WP_PYTHON_FN int wp_python_near_cframe(const struct wp_python_walk *w, __u64 frame)
{
	return frame - (w->cframe - WP_PYTHON_PROLOGUE_FRAME) < 2 * WP_PYTHON_PROLOGUE_FRAME;
}

/* 3.11: on to what runs in the next cframe. */
WP_PYTHON_FN int wp_python_leave_cframe(struct wp_python_walk *w)
{
	w->steps++;
	if (wp_python_read_word(w, w->cframe + w->in.plan.cframe_previous, &w->cframe))
		return wp_python_stop(w, WP_PYTHON_UNREADABLE);
	return 0;
}

/* Behind all that belongs to a run. */
WP_PYTHON_FN int wp_python_close_run(struct wp_python_walk *w)
{
	if (w->tasks.waits) {
		w->phase = WP_PYTHON_GREENLET_FRAMES;
		return 0;
	}
	wp_python_put(w, w->tasks.mark, WP_PYTHON_MARK, 0);
	w->in_run = 0;
	w->marks++;
	w->phase = WP_PYTHON_FRAMES;
	if (!(w->in.plan.flags & WP_PYTHON_IS_ENTRY) || w->tasks.left)
		return w->tasks.left = 0;
	return wp_python_leave_cframe(w);
}

WP_PYTHON_FN int wp_python_end_run(struct wp_python_walk *w, __u64 mark)
{
	w->tasks.mark = mark;
	return wp_python_task_begin(w) ? 0 : wp_python_close_run(w);
}

/* 3.12 and newer: the frame that an activation of the evaluation loop has on its own stack. */
WP_PYTHON_FN int wp_python_entry_frame(struct wp_python_walk *w)
{
	__u64 mark = w->frame;

	/* 3.15 has one more, in the thread state itself, below all others. */
	if (w->frame - w->thread < 4 * WP_PYTHON_PAGE)
		return wp_python_chain_end(w);
	if (w->candidate && !w->marks && !wp_python_near_cframe(w, w->frame))
		w->repaired = 1;
	w->frame = wp_python_frame_word(w, w->in.plan.frame_previous);
	return wp_python_end_run(w, mark);
}

WP_PYTHON_FN int wp_python_is_last_of_run(const struct wp_python_walk *w)
{
	__u32 offset = w->in.plan.frame_is_entry;

	return (w->in.plan.flags & WP_PYTHON_IS_ENTRY) &&
	       (wp_python_part(wp_python_frame_word(w, offset), offset) & 0xff);
}

WP_PYTHON_FN int wp_python_is_entry_frame(const struct wp_python_walk *w)
{
	__u32 offset = w->in.plan.frame_owner;

	return (w->in.plan.flags & WP_PYTHON_ENTRY_FRAMES) &&
	       (wp_python_part(wp_python_frame_word(w, offset), offset) & 0xff) >= 3;
}

/* Puts the frame in `words`, which is one that runs a code object. 0, or enum wp_python_end. */
WP_PYTHON_FN int wp_python_put_code(struct wp_python_walk *w)
{
	__u64 code = wp_python_frame_code(w);
	struct wp_python_recent *recent;
	int end = wp_python_load_code(w, code, &recent);

	if (end)
		return end;
	wp_python_put(w, code, wp_python_lasti(w, code), recent->id);
	return 0;
}

WP_PYTHON_FN int wp_python_code_frame(struct wp_python_walk *w)
{
	int end = wp_python_put_code(w);
	__u64 at = w->frame;

	if (end)
		return wp_python_bad_frame(w, (__u32)end);
	w->in_run++;
	wp_python_note_owner(w);
	w->frame = wp_python_frame_word(w, w->in.plan.frame_previous);
	if (wp_python_is_last_of_run(w))
		return wp_python_end_run(w, w->cframe);
	if (wp_python_doubt_caller(w, wp_python_lasti(w, wp_python_frame_code(w))))
		wp_python_seek_caller(w, at);
	return 0;
}

/* Looks at the next register: is it the frame that called the one that was pushed? */
WP_PYTHON_FN int wp_python_pushed_step(struct wp_python_walk *w)
{
	__u64 i = w->candidate++, code;

	if (i >= w->in.n_regs || i >= WP_PYTHON_REGS)
		return wp_python_take_caller(w, w->named);
	WP_PYTHON_MASK(i, WP_PYTHON_REGS - 1);
	w->frame = w->in.regs[i];
	if (w->frame == w->pushed || !wp_python_sane(w->frame) || wp_python_load_frame(w) ||
	    wp_python_is_entry_frame(w))
		return 0;
	code = wp_python_frame_code(w);
	if (wp_python_read_code(w, code) || wp_python_is_fresh(w, wp_python_lasti(w, code)) ||
	    !wp_python_can_have_pushed(w))
		return 0;
	return wp_python_take_caller(w, w->frame);
}

/*
 * The prologue of 3.11 and 3.12. Whether the cframe is filled in yet cannot be seen, and its
 * `previous` may be a leftover too. But the frame that is entered is in a register all the time:
 * when the cframe names it, it is the innermost one. Its caller may be in one as well.
 */
WP_PYTHON_FN int wp_python_prologue_step(struct wp_python_walk *w)
{
	__u64 mark = w->cframe, caller = 0;
	int named, lost;

	w->phase = WP_PYTHON_FRAMES;
	w->steps++;
	lost = w->outer && wp_python_read_word(w, w->outer + w->in.plan.cframe_current, &caller);
	/* A leftover may be the entry frame, whose address is in a register as well. */
	named = w->frame != caller && wp_python_in_register(w, w->frame) &&
		(w->in.plan.code_type || wp_python_is_frame(w, w->frame)) &&
		wp_python_sane(w->frame) && !wp_python_load_frame(w) &&
		!wp_python_is_entry_frame(w) && !wp_python_put_code(w);
	if (named)
		wp_python_note_owner(w);
	w->cframe = w->outer;
	w->frame = caller;
	if (lost || !caller) {
		if (named)
			wp_python_put(w, mark, WP_PYTHON_MARK, 0);
		if (lost)
			return wp_python_stop(w, WP_PYTHON_UNREADABLE);
		return wp_python_stop(w, named ? WP_PYTHON_COMPLETE : WP_PYTHON_NO_FRAME);
	}
	w->page_next = w->frame & ~(__u64)(WP_PYTHON_PAGE - 1);
	w->tasks.left = named;
	return named ? wp_python_end_run(w, mark) : 0;
}

/* Looks at the next register: is it the frame that a generator of 3.12 returns to? */
WP_PYTHON_FN int wp_python_yield_step(struct wp_python_walk *w)
{
	__u64 i = w->candidate++;

	if (i >= w->in.n_regs || i >= WP_PYTHON_REGS)
		return wp_python_stop(w, WP_PYTHON_PARTIAL);
	WP_PYTHON_MASK(i, WP_PYTHON_REGS - 1);
	w->frame = w->in.regs[i];
	if (!wp_python_sane(w->frame) || wp_python_load_frame(w))
		return 0;
	if (wp_python_is_entry_frame(w)
		    ? !wp_python_near_cframe(w, w->frame)
		    : wp_python_read_code(w, wp_python_frame_code(w)) ||
			      !wp_python_frame_word(w, w->in.plan.frame_previous))
		return 0;
	w->candidate = WP_PYTHON_REGS + 1;
	w->phase = WP_PYTHON_FRAMES;
	return 0;
}

WP_PYTHON_FN int wp_python_frame_step(struct wp_python_walk *w)
{
	if (!w->frame)
		return wp_python_chain_end(w);
	if (w->all_steps + w->steps >= WP_PYTHON_SLOTS - WP_PYTHON_STEP_SLOTS) {
		w->after = WP_PYTHON_ENDED;
		return wp_python_stop(w, WP_PYTHON_CUT);
	}
	w->steps++;
	if (!wp_python_sane(w->frame))
		return wp_python_bad_frame(w, WP_PYTHON_DAMAGED);
	if (wp_python_cycle(w))
		return wp_python_stop(w, WP_PYTHON_DAMAGED);
	if (wp_python_load_frame(w))
		return wp_python_bad_frame(w, WP_PYTHON_UNREADABLE);
	return wp_python_is_entry_frame(w) ? wp_python_entry_frame(w) : wp_python_code_frame(w);
}

/*
 * What most steps are about, and the same as they make of it: one of the frames that lie side by
 * side in the page, whose code object is known and that does not end a run. 1: it was put.
 */
WP_PYTHON_FN int wp_python_plain_frame(struct wp_python_walk *w)
{
	__u64 i = w->frame - w->page_at, code;
	struct wp_python_recent *recent;

	if (w->phase != WP_PYTHON_FRAMES || (i & 7) || i >= w->page_bytes ||
	    i + w->frame_bytes > w->page_bytes || w->frame == w->tortoise ||
	    w->all_steps + w->steps >= WP_PYTHON_SLOTS - WP_PYTHON_STEP_SLOTS)
		return 0;
	w->at = (__u32)(i >> 3);
	if (wp_python_is_entry_frame(w) || wp_python_is_last_of_run(w))
		return 0;
	code = wp_python_frame_code(w);
	recent = wp_python_recent_at(w, code);
	if (!wp_python_remembers(w, recent, code))
		return 0;
	w->steps++;
	wp_python_cycle(w);
	wp_python_put(w, code, wp_python_lasti(w, code), recent->id);
	w->in_run++;
	wp_python_note_owner(w);
	w->frame = wp_python_frame_word(w, w->in.plan.frame_previous);
	return 1;
}

/*
 * One step, to be called until it returns other than 0: the walk has ended then. At most
 * WP_PYTHON_STEPS are needed.
 */
WP_PYTHON_FN int wp_python_step(struct wp_python_walk *w)
{
	switch (w->phase) {
	case WP_PYTHON_FIND: return wp_python_find(w);
	case WP_PYTHON_LIST: return wp_python_list_step(w);
	case WP_PYTHON_ENTER: return wp_python_enter(w);
	case WP_PYTHON_PROLOGUE: return wp_python_prologue_step(w);
	case WP_PYTHON_YIELD: return wp_python_yield_step(w);
	case WP_PYTHON_PUSHED: return wp_python_pushed_step(w);
	case WP_PYTHON_FRAMES: return wp_python_frame_step(w);
	case WP_PYTHON_OTHERS: return wp_python_others(w);
	case WP_PYTHON_OTHERS_LIST: return wp_python_others_step(w);
	case WP_PYTHON_UNFIT: return wp_python_no_thread(w, WP_PYTHON_DAMAGED);
	case WP_PYTHON_ENDED: return 1;
	default:
		if (!wp_python_may_task())
			return 1;
		return w->phase >= WP_PYTHON_GREENLET_SEEK ? wp_python_greenlet_step(w)
							   : wp_python_task_step(w);
	}
}

#endif
