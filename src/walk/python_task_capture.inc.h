/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_task_capture: what an asyncio task says of itself (its name, its coroutine's name and
 * file), copied while it is there.
 *
 * Walk, shared with BPF. It is brought as a code object would be, so that all who pass code objects
 * on pass tasks on: addr has WP_PYTHON_TASK_BIT, `qualname`, `filename` and `first_line` are the
 * coroutine's, there are no lines. A task that was given no name may have a number only (3.12 and
 * newer): `name` has width 0 then and the number stands in lines_len.
 */
#ifndef WP_PYTHON_TASK_CAPTURE_H
#define WP_PYTHON_TASK_CAPTURE_H

#include "walk/python_capture.inc.h"

#define WP_PYTHON_NO_NUMBER (~0ull) /* in lines_len: the name could not be read */

/* The number of a task, whose name is an int of one digit of 30 bits. */
WP_PYTHON_FN __u64 wp_python_task_number(struct wp_python_walk *w, __u64 name)
{
	/* lv_tag: digits * 8 and a sign */
	return wp_python_member(w, name, 0) >> 3 == 1 ? (__u32)wp_python_member(w, name, 1)
						      : WP_PYTHON_NO_NUMBER;
}

/* The code object of a task's coroutine, whose bytes are in w->code then; 0: not to be had. */
WP_PYTHON_FN __u64 wp_python_task_code(struct wp_python_walk *w, __u64 coro)
{
	__u64 code = 0;

	if (wp_python_read_word(w, coro + w->in.plan.gen_frame + w->in.plan.frame_code, &code))
		return 0;
	if (w->in.plan.flags & WP_PYTHON_TAGGED)
		code &= ~3ull;
	return wp_python_read_code(w, code) ? 0 : code;
}

/* As wp_python_capture(). */
WP_PYTHON_FN int wp_python_capture_task(struct wp_python_walk *w, __u64 addr, __u32 id,
					struct wp_python_captured *to)
{
	__u64 coro = 0, name = 0, qualname = 0;
	__u32 used = 0, line = w->in.plan.code_first_line, has_code;

	if (wp_python_task_id(w, addr) != id ||
	    wp_python_read_word(w, wp_python_task_coro_at(w, addr), &coro) ||
	    wp_python_read_word(w, wp_python_task_name_at(w, addr), &name) ||
	    wp_python_read_word(w, coro + w->in.plan.gen_qualname, &qualname))
		return -1;
	has_code = wp_python_task_code(w, coro) != 0;
	to->head.addr = addr;
	to->head.id = id;
	to->head.generation = w->in.plan.generation;
	to->head.first_line = has_code ? wp_python_part(wp_python_code_word(w, line), line) : 0;
	to->head.lines_bytes = 0;
	to->head.lines_len = WP_PYTHON_NO_NUMBER;
	if (wp_python_kind(w, name) == WP_PYTHON_KIND_INT) {
		to->head.lines_len = wp_python_task_number(w, name);
		name = 0;
	}
	used = wp_python_copy_text(w, to, &to->head.name, name, 0, WP_PYTHON_NAME_MASK);
	used = wp_python_copy_text(w, to, &to->head.qualname, qualname, used, WP_PYTHON_NAME_MASK);
	wp_python_copy_text(w, to, &to->head.filename,
			    has_code ? wp_python_code_word(w, w->in.plan.code_filename) : 0, used,
			    WP_PYTHON_FILENAME_MASK);
	return to->head.name.width || to->head.lines_len != WP_PYTHON_NO_NUMBER ? 0 : 1;
}

/* Whatever was met: a code object or a task. */
WP_PYTHON_FN int wp_python_capture_met(struct wp_python_walk *w, __u64 addr, __u32 id,
				       struct wp_python_captured *to)
{
	return wp_python_may_task() && (addr & WP_PYTHON_TASK_BIT)
		       ? wp_python_capture_task(w, addr, id, to)
		       : wp_python_capture(w, addr, id, to);
}

#endif
