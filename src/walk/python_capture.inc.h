/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_capture: what a code object says of itself (names, file, line table), copied while it is
 * there.
 *
 * Walk, shared with BPF; whoever includes it has included walk/python_walk.inc.h, whose plan and
 * wp_python_read() it uses. What it makes is the body of the BPF walker's code records. Texts are
 * raw: strings as they lie in memory (PEP 393), of the width that their kind says.
 */
#ifndef WP_PYTHON_CAPTURE_H
#define WP_PYTHON_CAPTURE_H

#include "walk/python_walk.inc.h"

/* How many bytes of a captured one are filled. */
WP_PYTHON_FN __u32 wp_python_captured_bytes(const struct wp_python_captured *captured)
{
	const struct wp_python_captured_head *head = &captured->head;

	return (__u32)sizeof(*head) + head->name.bytes + head->qualname.bytes +
	       head->filename.bytes + head->lines_bytes;
}

/* Copies up to mask bytes of a text behind the `used` ones; returns how many bytes are used then.
 */
WP_PYTHON_FN __u32 wp_python_copy_text(struct wp_python_walk *w, struct wp_python_captured *to,
				       struct wp_python_captured_text *text, __u64 str,
				       __u32 used_bytes, __u32 mask)
{
	__u64 bytes, from = 0, used = used_bytes;

	text->width = text->bytes = 0;
	text->length = 0;
	if (!str || wp_python_find_text(w, str, text, &from)) {
		text->width = 0;
		return used_bytes;
	}
	bytes = text->length <= mask ? text->length * text->width : mask;
	if (bytes > mask)
		bytes = mask;
	bytes &= ~(__u64)(text->width - 1);
	WP_PYTHON_MASK(bytes, mask);
	WP_PYTHON_MASK(used, WP_PYTHON_TEXTS_MASK);
	if (wp_python_read(w, to->data + used, (__u32)bytes, from)) {
		text->width = 0;
		return used_bytes;
	}
	text->bytes = (__u32)bytes;
	return used_bytes + (__u32)bytes;
}

WP_PYTHON_FN void wp_python_copy_lines(struct wp_python_walk *w, struct wp_python_captured *to,
				       __u64 lines, __u32 used_bytes)
{
	__u64 bytes, used = used_bytes;

	to->head.lines_bytes = 0;
	/* More than is captured, so that it is not taken for an empty one. */
	to->head.lines_len = ~0ull;
	if (wp_python_read_word(w, lines + w->in.plan.bytes_size, &to->head.lines_len))
		return;
	bytes = to->head.lines_len <= WP_PYTHON_LINES_MASK ? to->head.lines_len
							   : WP_PYTHON_LINES_MASK;
	WP_PYTHON_MASK(bytes, WP_PYTHON_LINES_MASK);
	WP_PYTHON_MASK(used, WP_PYTHON_TEXTS_MASK);
	if (wp_python_read(w, to->data + used, (__u32)bytes, lines + w->in.plan.bytes_data))
		return;
	to->head.lines_bytes = (__u32)bytes;
}

/*
 * Captures the code object if it is the one with that id. 0: it did. 1: it did, but without its
 * name or file, which could not be read now. -1: it is another one, or gone.
 */
WP_PYTHON_FN int wp_python_capture(struct wp_python_walk *w, __u64 code, __u32 id,
				   struct wp_python_captured *to)
{
	const struct wp_python_plan *plan = &w->in.plan;
	__u32 used, line = plan->code_first_line;

	if (wp_python_read_code(w, code) || !wp_python_is_code(w, id))
		return -1;
	to->head.addr = code;
	to->head.id = id;
	to->head.generation = plan->generation;
	to->head.first_line = wp_python_part(wp_python_code_word(w, line), line);
	used = wp_python_copy_text(w, to, &to->head.name, wp_python_code_word(w, plan->code_name),
				   0, WP_PYTHON_NAME_MASK);
	used = wp_python_copy_text(w, to, &to->head.qualname,
				   plan->code_qualname ? wp_python_code_word(w, plan->code_qualname)
						       : 0,
				   used, WP_PYTHON_NAME_MASK);
	used = wp_python_copy_text(w, to, &to->head.filename,
				   wp_python_code_word(w, plan->code_filename), used,
				   WP_PYTHON_FILENAME_MASK);
	wp_python_copy_lines(w, to, wp_python_code_word(w, plan->code_lines), used);
	return to->head.name.width && to->head.filename.width ? 0 : 1;
}

#endif
