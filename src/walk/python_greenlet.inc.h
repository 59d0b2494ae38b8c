/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_greenlet: behind the frames of a greenlet, those of its parent, which waits until it ends
 * or switches back, up to the thread's main one.
 *
 * Walk, shared with BPF: part of walk/python_walk.inc.h, for 3.11 and newer. The greenlet that runs
 * is the one whose stack begins a little above the outermost evaluation loop, that has begun and is
 * not suspended: its C++ object is on the stack, in the frames that began it. A suspended one has
 * its innermost frame, from which the others are reached; greenlet takes the entry frames, which
 * were on the stack, out of between them. Layouts: class Greenlet of greenlet 2.0 to 3.5
 * (src/greenlet/TGreenlet.hpp), of which an object and its implementation name each other.
 */
#ifndef WP_PYTHON_GREENLET_H
#define WP_PYTHON_GREENLET_H

#include "walk/python_task.inc.h"

#define WP_PYTHON_GREENLET_IMPL 2u /* pimpl: a member of struct _greenlet */

/* Of an implementation, bytes; up to 3.0 _self comes behind all of these, which are 8 less. */
#define WP_PYTHON_GREENLET_SELF	    8u
#define WP_PYTHON_GREENLET_SELF_OLD 160u
#define WP_PYTHON_GREENLET_START    56u
#define WP_PYTHON_GREENLET_STOP	    64u
#define WP_PYTHON_GREENLET_TOP	    104u
/* _main_greenlet, _run_callable, _parent: somewhere behind what a version keeps. */
#define WP_PYTHON_GREENLET_MAIN	    144u
#define WP_PYTHON_GREENLET_MAIN_END 288u

/* False: that is no greenlet's implementation. Else w->tasks.shift says of which kind. */
WP_PYTHON_FN int wp_python_is_greenlet(struct wp_python_walk *w, __u64 impl)
{
	__u64 self = 0;

	w->tasks.shift = 0;
	if (wp_python_read_word(w, impl + WP_PYTHON_GREENLET_SELF, &self))
		return 0;
	if (wp_python_member(w, self, WP_PYTHON_GREENLET_IMPL) == impl)
		return 1;
	w->tasks.shift = 8;
	return !wp_python_read_word(w, impl + WP_PYTHON_GREENLET_SELF_OLD, &self) &&
	       wp_python_member(w, self, WP_PYTHON_GREENLET_IMPL) == impl;
}

/* A word of an implementation; 0 when it cannot be read. */
WP_PYTHON_FN __u64 wp_python_greenlet_word(struct wp_python_walk *w, __u64 impl, __u32 offset)
{
	__u64 word;

	return wp_python_read_word(w, impl + offset - w->tasks.shift, &word) ? 0 : word;
}

/* The main greenlet's stack has no end. */
WP_PYTHON_FN int wp_python_greenlet_is_main(struct wp_python_walk *w, __u64 impl)
{
	return wp_python_greenlet_word(w, impl, WP_PYTHON_GREENLET_STOP) == ~0ull;
}

/* Its stack begins in the frames around what is walked: not the main greenlet's, no other thread's.
 */
WP_PYTHON_FN int wp_python_greenlet_near(struct wp_python_walk *w, __u64 impl)
{
	return wp_python_sane(impl) && wp_python_is_greenlet(w, impl) &&
	       wp_python_greenlet_word(w, impl, WP_PYTHON_GREENLET_STOP) - w->tasks.mark <
		       WP_PYTHON_TASK_SCAN;
}

/* Whether a greenlet runs here: begun, not suspended. While greenlets are being switched, none
 * does. */
WP_PYTHON_FN int wp_python_greenlet_runs(struct wp_python_walk *w, __u64 impl)
{
	if (!wp_python_greenlet_near(w, impl))
		return 0;
	w->tasks.met = 1;
	return wp_python_greenlet_word(w, impl, WP_PYTHON_GREENLET_START) &&
	       !wp_python_greenlet_word(w, impl, WP_PYTHON_GREENLET_TOP);
}

/*
 * Where the thread's Python frames begin, and with what: no program runs the same function from the
 * same place in a greenlet and outside of all.
 */
WP_PYTHON_FN __u64 wp_python_greenlet_place(const struct wp_python_walk *w)
{
	__u64 hash = wp_python_id_mix_(w->in.audience ^ w->thread, w->tasks.mark);

	return wp_python_id_mix_(hash, w->tasks.code);
}

/* No stack begins above it: the main greenlet runs, if there is one. */
WP_PYTHON_FN __u64 *wp_python_greenlet_none(struct wp_python_walk *w, __u64 place)
{
	__u64 i = place >> 60;

	WP_PYTHON_MASK(i, WP_PYTHON_TASK_KNOWN - 1);
	return &w->tasks.no_greenlet[i];
}

/* At the end of a chain that is whole: true when there is something to look for. */
WP_PYTHON_FN int wp_python_greenlet_begin(struct wp_python_walk *w)
{
	struct wp_python_tasks *t = &w->tasks;
	__u64 place = wp_python_greenlet_place(w);

	if (!wp_python_may_task() || !w->in.want_tasks ||
	    (w->in.plan.flags & WP_PYTHON_FRAME_OBJECTS) || !t->mark || w->chains != 1 ||
	    *wp_python_greenlet_none(w, place) == place)
		return 0;
	t->scan = t->mark;
	t->parents = t->met = t->waits = 0;
	w->phase = WP_PYTHON_GREENLET_SEEK;
	return 1;
}

/* Who waits further out is not told. */
WP_PYTHON_FN int wp_python_greenlet_end(struct wp_python_walk *w, __u32 why)
{
	wp_python_task_put_end(w, why);
	return wp_python_stop(w, WP_PYTHON_COMPLETE);
}

WP_PYTHON_FN int wp_python_greenlet_seek(struct wp_python_walk *w)
{
	struct wp_python_tasks *t = &w->tasks;
	__u64 word = t->running, place = wp_python_greenlet_place(w);

	/* The one of the walk before comes first. */
	if (t->scan != t->mark || !wp_python_greenlet_runs(w, word)) {
		if (t->scan - t->mark >= WP_PYTHON_TASK_SCAN ||
		    wp_python_read_word(w, t->scan, &word)) {
			if (t->met)
				return wp_python_greenlet_end(w, WP_PYTHON_TASK_UNKNOWN);
			*wp_python_greenlet_none(w, place) = place;
			return wp_python_stop(w, WP_PYTHON_COMPLETE);
		}
		t->scan += 8;
		if (!wp_python_greenlet_runs(w, word))
			return 0;
	}
	t->greenlet = t->running = word;
	w->phase = WP_PYTHON_GREENLET_SHOW;
	return 0;
}

WP_PYTHON_FN int wp_python_greenlet_show(struct wp_python_walk *w)
{
	wp_python_put(w, 0, WP_PYTHON_GREENLET, 0);
	w->steps++;
	w->tasks.mark = wp_python_greenlet_word(w, w->tasks.greenlet, WP_PYTHON_GREENLET_STOP);
	w->tasks.scan = WP_PYTHON_GREENLET_MAIN;
	w->phase = WP_PYTHON_GREENLET_PARENT;
	return 0;
}

/* True when a word of the greenlet at hand is the thread's main one. */
WP_PYTHON_FN int wp_python_greenlet_has_main(struct wp_python_walk *w, __u32 offset)
{
	__u64 word = 0, impl;

	if (!offset || wp_python_read_word(w, w->tasks.greenlet + offset, &word))
		return 0;
	impl = wp_python_member(w, word, WP_PYTHON_GREENLET_IMPL);
	return impl && wp_python_is_greenlet(w, impl) && wp_python_greenlet_is_main(w, impl);
}

/* The parent of the greenlet at hand, which is one two words behind the main one. */
WP_PYTHON_FN int wp_python_greenlet_parent(struct wp_python_walk *w)
{
	struct wp_python_tasks *t = &w->tasks;
	__u64 parent = 0, top;

	if (!wp_python_greenlet_has_main(w, t->main_at)) {
		t->main_at = (__u32)t->scan;
		t->scan += 8;
		return t->main_at < WP_PYTHON_GREENLET_MAIN_END
			       ? 0
			       : wp_python_greenlet_end(w, WP_PYTHON_TASK_UNKNOWN);
	}
	if (!wp_python_read_word(w, t->greenlet + t->main_at + 16, &parent))
		parent = wp_python_member(w, parent, WP_PYTHON_GREENLET_IMPL);
	if (!parent || !wp_python_is_greenlet(w, parent) || ++t->parents >= WP_PYTHON_TASK_CHAIN)
		return wp_python_greenlet_end(w, t->parents < WP_PYTHON_TASK_CHAIN
							 ? WP_PYTHON_TASK_UNKNOWN
							 : WP_PYTHON_TASK_CUT);
	t->greenlet = parent;
	top = wp_python_greenlet_word(w, parent, WP_PYTHON_GREENLET_TOP);
	if (top) {
		w->frame = wp_python_member(w, top, 1); /* f_frame */
		w->phase = WP_PYTHON_GREENLET_FRAMES;
		t->waits = 1;
		return 0;
	}
	/* One that has ended is passed over as greenlet does; of others nothing is known. */
	if (wp_python_greenlet_word(w, parent, WP_PYTHON_GREENLET_START))
		return wp_python_greenlet_end(w, WP_PYTHON_TASK_UNKNOWN);
	return 0;
}

/* All frames of a greenlet that waits were put. */
WP_PYTHON_FN int wp_python_greenlet_frames_end(struct wp_python_walk *w)
{
	if (!wp_python_is_greenlet(w, w->tasks.greenlet) ||
	    wp_python_greenlet_is_main(w, w->tasks.greenlet))
		return wp_python_stop(w, WP_PYTHON_COMPLETE);
	w->phase = WP_PYTHON_GREENLET_SHOW;
	return 0;
}

/*
 * Where runs end is not said here, but behind a coroutine that none awaits is what runs it:
 * SQLAlchemy and others run functions in greenlets of a task, which waits until they switch back.
 * The task is on the greenlet's part of the stack, which is above that of its child.
 */
WP_PYTHON_FN int wp_python_greenlet_frame(struct wp_python_walk *w)
{
	if (!w->frame)
		return wp_python_greenlet_frames_end(w);
	if (!wp_python_sane(w->frame) || wp_python_load_alone(w, w->frame) ||
	    wp_python_is_entry_frame(w) || wp_python_put_code(w))
		return wp_python_greenlet_end(w, WP_PYTHON_TASK_UNKNOWN);
	w->steps++;
	wp_python_note_owner(w);
	w->frame = wp_python_frame_word(w, w->in.plan.frame_previous);
	if (!wp_python_is_inner(w))
		wp_python_task_begin(w);
	return 0;
}

WP_PYTHON_FN int wp_python_greenlet_step(struct wp_python_walk *w)
{
	if (++w->tasks.steps > WP_PYTHON_TASK_STEPS ||
	    w->all_steps + w->steps >= WP_PYTHON_SLOTS - WP_PYTHON_STEP_SLOTS)
		return wp_python_greenlet_end(w, WP_PYTHON_TASK_CUT);
	switch (w->phase) {
	case WP_PYTHON_GREENLET_SEEK: return wp_python_greenlet_seek(w);
	case WP_PYTHON_GREENLET_SHOW: return wp_python_greenlet_show(w);
	case WP_PYTHON_GREENLET_PARENT: return wp_python_greenlet_parent(w);
	default: return wp_python_greenlet_frame(w);
	}
}

#endif
