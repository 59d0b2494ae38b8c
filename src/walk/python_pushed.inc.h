/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_pushed: who called a frame that has just become the current one.
 *
 * Walk, shared with BPF: part of walk/python_walk.inc.h. The evaluation loop of 3.11 and newer says
 * first who is the caller of a frame that it pushes, and then that the frame is the current one;
 * but compilers may turn that round (gcc does, in 3.12's CALL: eleven instructions). In between
 * `previous` is what an earlier frame left at that place: often the same caller, sometimes a
 * generator that has ended. The caller is in a register then, as it is yet to be stored.
 */
#ifndef WP_PYTHON_PUSHED_H
#define WP_PYTHON_PUSHED_H

#include "walk/python_outer.inc.h"
#include "walk/python_recent.inc.h"

/* Nothing of the frame in hand was run: 3.11 and 3.12 begin before the first instruction, newer
 * ones at it. */
WP_PYTHON_FN int wp_python_is_fresh(const struct wp_python_walk *w, __s32 lasti)
{
	return lasti < 0 || (!lasti && !(w->in.plan.flags & WP_PYTHON_CFRAME));
}

/*
 * Whether w->frame, the caller that the innermost frame names, is to be doubted. When it has just
 * been stored, or is what will be stored, it is in a register.
 */
WP_PYTHON_FN int wp_python_doubt_caller(const struct wp_python_walk *w, __s32 lasti)
{
	__u32 newer = WP_PYTHON_CFRAME | WP_PYTHON_ENTRY_FRAMES;

	return w->steps == 1 && !w->repaired && (w->in.plan.flags & newer) &&
	       wp_python_is_fresh(w, lasti) && wp_python_in_loop(&w->in.plan, w->in.ip) &&
	       !wp_python_in_register(w, w->frame);
}

/*
 * Whether the frame in hand, whose code object is in w->code, can have pushed the innermost one.
 * Registers hold frames that have ended, too. A frame on the thread's data stack ends where the one
 * that it pushed begins (co_stacksize, co_firstlineno, co_nlocalsplus are neighbours); a
 * generator's lies in the generator, which says that it runs (gi_frame_state).
 */
WP_PYTHON_FN int wp_python_can_have_pushed(struct wp_python_walk *w)
{
	__u32 at = w->in.plan.frame_owner, line = w->in.plan.code_first_line;
	__u64 state, words;

	if ((wp_python_part(wp_python_frame_word(w, at), at) & 0xff) == WP_PYTHON_OF_GENERATOR)
		return !wp_python_read_word(w, w->frame - 8, &state) &&
		       (state >> 24 & 0xff) == w->in.plan.gen_executing;
	words = wp_python_part(wp_python_code_word(w, line - 4), line - 4) +
		(__u64)wp_python_part(wp_python_code_word(w, line + 4), line + 4);
	return w->frame + w->in.plan.frame_locals + 8 * words == w->pushed;
}

WP_PYTHON_FN void wp_python_seek_caller(struct wp_python_walk *w, __u64 pushed)
{
	w->pushed = pushed;
	w->named = w->frame;
	w->phase = WP_PYTHON_PUSHED;
}

WP_PYTHON_FN int wp_python_take_caller(struct wp_python_walk *w, __u64 caller)
{
	w->frame = caller;
	w->candidate = 0;
	w->phase = WP_PYTHON_FRAMES;
	return 0;
}

#endif
