/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_outer: while the evaluation loop of 3.11 and 3.12 is being entered: the cframe of the loop
 * that called it, found without native frames.
 *
 * Walk, for user space; part of walk/python_walk.inc.h. What the loop's prologue has not stored yet
 * it has in registers: first where the caller's cframe is, and from when on it no longer needs
 * that, which frame runs there (3.12: in the entry frame, to which the entered frame leads). So the
 * cframe is the one on the stack whose address, or else whose frame, is in a register. Stacks are
 * full of cframes of loops that have ended, and addresses of frames are used again: where it could
 * be one or another, none is told.
 */
#ifndef WP_PYTHON_OUTER_H
#define WP_PYTHON_OUTER_H

#include "walk/python_state.inc.h"

/* How much of the stack is looked through (native frames between two loops), and how many cframes
 * that hang on what is found there. */
#define WP_PYTHON_OUTER_BYTES 65536
#define WP_PYTHON_OUTER_LINKS 4096
/* Bytes of a code object, at most. */
#define WP_PYTHON_OUTER_CODE (1 << 24)
/* Words that a call may have pushed, and its return address. */
#define WP_PYTHON_OUTER_PUSHED 4

struct wp_python_cframe {
	__u64 at, frame, previous;
};

/* Without a branch, each of which the kernel's verifier would follow; the top bits say what holds.
 */
WP_PYTHON_FN int wp_python_in_register(const struct wp_python_walk *w, __u64 value)
{
	__u64 found = 0;

	for (__u64 i = 0; i < WP_PYTHON_REGS; i++) {
		__u64 differs = w->in.regs[i] ^ value, is_one = i - w->in.n_regs;

		differs |= -differs;
		found |= ~differs & is_one;
	}
	return (int)(found >> 63);
}

/* The first cframe of a thread is a member of its state. */
WP_PYTHON_FN int wp_python_is_root(const struct wp_python_walk *w, __u64 cframe)
{
	return cframe - w->thread - 1 < WP_PYTHON_PAGE;
}

/* A frame that is in a code object; where the type of these is not known, not far into one. */
WP_PYTHON_FN int wp_python_is_frame(struct wp_python_walk *w, __u64 frame)
{
	__u64 code, type, instr;

	if (!wp_python_sane(frame) ||
	    wp_python_read_word(w, frame + w->in.plan.frame_code, &code) ||
	    wp_python_read_word(w, code + w->in.plan.object_type, &type) ||
	    wp_python_read_word(w, frame + w->in.plan.frame_instr, &instr))
		return 0;
	return w->in.plan.code_type ? type == w->in.plan.code_type
				    : wp_python_sane(type) && instr - code < WP_PYTHON_OUTER_CODE;
}

/* What can be a cframe of an outer loop: the compiler has them all equally aligned. */
WP_PYTHON_FN int wp_python_is_cframe(struct wp_python_walk *w, __u64 at,
				     struct wp_python_cframe *ret)
{
	ret->at = at;
	return at > w->cframe && !((at - w->cframe) & 15) &&
	       !wp_python_read_word(w, at + w->in.plan.cframe_previous, &ret->previous) &&
	       (ret->previous > at || wp_python_is_root(w, ret->previous)) &&
	       !wp_python_read_word(w, at + w->in.plan.cframe_current, &ret->frame) &&
	       wp_python_is_frame(w, ret->frame);
}

WP_PYTHON_FN int wp_python_in_loop(const struct wp_python_plan *plan, __u64 pc)
{
	return pc - plan->eval_start < plan->eval_end - plan->eval_start ||
	       pc - plan->eval_cold_start < plan->eval_cold_end - plan->eval_cold_start;
}

/* What an outer loop has called returns into it: below its sp, or below arguments that it pushed.
 */
WP_PYTHON_FN int wp_python_is_calling(struct wp_python_walk *w, __u64 cframe)
{
	__u64 sp = cframe - w->in.plan.eval_cframe, pc;

	if (!w->in.plan.eval_return)
		return 1;
	for (__u32 i = 0; i < WP_PYTHON_OUTER_PUSHED; i++)
		if (!wp_python_read_word(w, sp - w->in.plan.eval_return - 8 * i, &pc) &&
		    wp_python_in_loop(&w->in.plan, pc - 1))
			return 1;
	return 0;
}

/* The frame that is entered is in a register, too; a loop that has ended may have run it. */
WP_PYTHON_FN int wp_python_is_entered(struct wp_python_walk *w, const struct wp_python_cframe *of)
{
	__u64 code, instr, previous;

	if (wp_python_read_word(w, of->frame + w->in.plan.frame_code, &code) ||
	    wp_python_read_word(w, of->frame + w->in.plan.frame_instr, &instr) ||
	    wp_python_read_word(w, of->frame + w->in.plan.frame_previous, &previous))
		return 1;
	if (instr < code + w->in.plan.code_first_instr)
		return 1;
	/* A generator that was suspended has no caller. */
	if (!previous)
		return !wp_python_is_root(w, of->previous);
	/* 3.12: the entry frame of this very activation; that of the outer one is further out. */
	return wp_python_in_register(w, previous) ||
	       previous - w->in.sp < of->at - w->in.plan.eval_cframe - w->in.sp;
}

WP_PYTHON_FN int wp_python_is_told(const struct wp_python_walk *w, __u64 frame)
{
	return wp_python_in_register(w, frame) || (w->caller && frame == w->caller);
}

WP_PYTHON_FN int wp_python_is_named(struct wp_python_walk *w, const struct wp_python_cframe *cframe)
{
	return wp_python_is_told(w, cframe->frame) && !wp_python_is_entered(w, cframe) &&
	       wp_python_is_calling(w, cframe->at);
}

/* The outermost one that a register names the frame of, from a cframe on; 0: none, or they do not
 * lead to the thread's first one. */
WP_PYTHON_FN __u64 wp_python_last_named(struct wp_python_walk *w, __u64 at, __u32 *left)
{
	struct wp_python_cframe cframe;
	__u64 last = 0;

	for (; *left; --*left) {
		if (!wp_python_is_cframe(w, at, &cframe))
			return 0;
		if (wp_python_is_named(w, &cframe))
			last = at;
		if (wp_python_is_root(w, cframe.previous))
			return last;
		at = cframe.previous;
	}
	return 0;
}

/* In a register; 0: in none, or two of them. */
WP_PYTHON_FN __u64 wp_python_outer_in_register(struct wp_python_walk *w)
{
	struct wp_python_cframe cframe;
	__u64 found = 0;

	for (__u32 i = 0; i < w->in.n_regs && i < WP_PYTHON_REGS; i++) {
		if (w->in.regs[i] == found || !wp_python_is_cframe(w, w->in.regs[i], &cframe))
			continue;
		if (found)
			return 0;
		found = w->in.regs[i];
	}
	return found;
}

/* The only one on the stack whose frame is in a register, up to the one that it hangs on. */
WP_PYTHON_FN __u64 wp_python_outer_on_stack(struct wp_python_walk *w)
{
	__u64 end = w->cframe + WP_PYTHON_OUTER_BYTES, found = 0, last;
	__u32 left = WP_PYTHON_OUTER_LINKS;
	struct wp_python_cframe cframe;

	for (__u64 at = w->cframe + 16; at < end; at += 16) {
		if (wp_python_read_word(w, at + w->in.plan.cframe_current, &cframe.frame))
			break;
		if (!wp_python_is_told(w, cframe.frame) || !wp_python_is_cframe(w, at, &cframe) ||
		    !wp_python_is_named(w, &cframe))
			continue;
		last = wp_python_last_named(w, at, &left);
		if (!left || (last && found && last != found))
			return 0;
		if (!last)
			continue;
		found = last;
		if (wp_python_is_cframe(w, found, &cframe) && cframe.previous > found &&
		    cframe.previous < end)
			end = cframe.previous;
	}
	return found;
}

/* No loop is further out: the thread's first cframe, which runs nothing, is in a register. */
WP_PYTHON_FN __u64 wp_python_outer_is_root(struct wp_python_walk *w)
{
	__u64 frame, previous;

	for (__u32 i = 0; i < w->in.n_regs && i < WP_PYTHON_REGS; i++)
		if (wp_python_is_root(w, w->in.regs[i]) &&
		    !wp_python_read_word(w, w->in.regs[i] + w->in.plan.cframe_current, &frame) &&
		    !wp_python_read_word(w, w->in.regs[i] + w->in.plan.cframe_previous,
					 &previous) &&
		    !frame && !previous)
			return w->in.regs[i];
	return 0;
}

/*
 * 3.12: the frame that the entry frame in the loop's own stack frame leads to; 0: not known. Frames
 * lead to the entry frames of outer loops as well, which are further out.
 */
WP_PYTHON_FN __u64 wp_python_entry_caller(struct wp_python_walk *w)
{
	__u64 entry, frame, end = w->in.sp + WP_PYTHON_PROLOGUE_FRAME, own = end;

	if (!(w->in.plan.flags & WP_PYTHON_ENTRY_FRAMES))
		return 0;
	for (__u32 i = 0; i < w->in.n_regs && i < WP_PYTHON_REGS; i++)
		if (!wp_python_read_word(w, w->in.regs[i] + w->in.plan.frame_previous, &entry) &&
		    entry > w->in.sp && entry < own)
			own = entry;
	return own != end && !wp_python_read_word(w, own + w->in.plan.frame_previous, &frame)
		       ? frame
		       : 0;
}

/* The cframe of the loop that called the one that is being entered; 0: not known. */
WP_PYTHON_FN __u64 wp_python_seek_outer(struct wp_python_walk *w)
{
	__u64 found = wp_python_outer_in_register(w);

	if (!found)
		found = wp_python_outer_is_root(w);
	if (found)
		return found;
	w->caller = wp_python_entry_caller(w);
	return wp_python_outer_on_stack(w);
}

#endif
