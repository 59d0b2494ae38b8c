/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_content: what a code object holds, as far as that is looked at each time it is met.
 *
 * Walk, shared with BPF: part of walk/python_walk.inc.h. CPython 3.12 and newer number their code
 * objects. Before, one that is freed together with its name, file and line table has all four
 * places taken by the next one, so what is in them must tell: the hash of the name (which is
 * interned, so that it has one), the file's name (of a long one, its last 128 bytes), the ends of
 * the line table. Neither ever changes. Only what is the same in all of them, and in its first
 * line, is taken for another.
 */
#ifndef WP_PYTHON_CONTENT_H
#define WP_PYTHON_CONTENT_H

#include "walk/python_state.inc.h"
#include "core/python_text.h"

/* Texts and tables that are longer say nothing. */
#define WP_PYTHON_CONTENT_TEXT_MAX (1u << 20)
#define WP_PYTHON_CONTENT_MAX	   (1u << 24)

/* Where a str's characters are and how wide; 2.7: a byte string's. */
WP_PYTHON_FN int wp_python_find_text(struct wp_python_walk *w, __u64 str,
				     struct wp_python_captured_text *text, __u64 *ret)
{
	const struct wp_python_plan *plan = &w->in.plan;
	__u64 word;
	__u32 state, kind;

	if (plan->flags & WP_PYTHON_BYTES_NAMES) {
		text->width = 1;
		*ret = str + plan->bytes_data;
		return wp_python_read_word(w, str + plan->bytes_size, &text->length);
	}
	if (wp_python_read_word(w, str + plan->str_length, &text->length) ||
	    wp_python_read_word(w, str + (plan->str_state & ~7u), &word))
		return -1;
	state = wp_python_part(word, plan->str_state);
	kind = state >> (plan->str_kind_shift & 31) & 7;
	if ((kind != 1 && kind != 2 && kind != 4) || !(state >> (plan->str_compact_shift & 31) & 1))
		return -1;
	text->width = kind;
	*ret = str +
	       (state >> (plan->str_ascii_shift & 31) & 1 ? plan->str_ascii : plan->str_compact);
	return 0;
}

/*
 * Where the last words of a text are, with the 0 behind it: bytes from the str's beginning, times
 * 256, plus their number, times eight, plus how many bytes of the first word lie before the text;
 * 0: not to be had.
 */
WP_PYTHON_FN __u32 wp_python_text_end(struct wp_python_walk *w, __u64 str)
{
	struct wp_python_captured_text text;
	__u64 data, bytes, words;

	if (wp_python_find_text(w, str, &text, &data) || text.length >= WP_PYTHON_CONTENT_TEXT_MAX)
		return 0;
	bytes = (text.length + 1) * text.width;
	words = (bytes + 7) / 8;
	if (words > WP_PYTHON_CONTENT_WORDS)
		words = WP_PYTHON_CONTENT_WORDS;
	return (__u32)((data - str + bytes - words * 8) * 256 + words * 8 +
		       (words * 8 > bytes ? words * 8 - bytes : 0));
}

WP_PYTHON_FN __u32 wp_python_text_words(__u32 text_end)
{
	return text_end >> 3 & 31;
}

/* Adds the first n of w->looked. */
WP_PYTHON_FN __u64 wp_python_add_words(const struct wp_python_walk *w, __u64 sum, __u32 n)
{
	WP_PYTHON_UNROLL
	for (__u32 i = 0; i < WP_PYTHON_CONTENT_WORDS; i++)
		if (i < n)
			sum = sum * 0x9e3779b97f4a7c15ull + w->looked[i];
	return sum;
}

WP_PYTHON_FN int wp_python_add_file(struct wp_python_walk *w, __u64 filename, __u32 text_end,
				    __u64 *sum)
{
	__u32 n = wp_python_text_words(text_end);

	if (filename != w->file) {
		if (wp_python_words(w, filename + text_end / 256, n))
			return -1;
		w->looked[0] >>= (text_end & 7) * 8;
		w->file_sum = wp_python_add_words(w, 0, n);
		w->file = filename;
	}
	*sum += w->file_sum;
	return 0;
}

/* Of a line table: its length (behind which is a hash, or none yet), first and last bytes. */
WP_PYTHON_FN int wp_python_add_lines(struct wp_python_walk *w, __u64 lines, __u64 *sum)
{
	const struct wp_python_plan *plan = &w->in.plan;
	__u64 bytes;

	if (wp_python_words(w, lines + plan->bytes_size, 4))
		return -1;
	bytes = w->looked[0];
	w->looked[1] = bytes < 8 ? 0 : w->looked[3];
	*sum = wp_python_add_words(w, *sum, 3);
	if (bytes <= 16 || bytes >= WP_PYTHON_CONTENT_MAX)
		return 0;
	if (wp_python_words(w, lines + plan->bytes_data + bytes - 16, 2))
		return -1;
	*sum = wp_python_add_words(w, *sum, 2);
	return 0;
}

/* A number that is made of all that; 0: it cannot be read. text_end is that of the file's name. */
WP_PYTHON_FN __u64 wp_python_make_content(struct wp_python_walk *w,
					  const struct wp_python_traits *is, __u32 text_end)
{
	const struct wp_python_plan *plan = &w->in.plan;
	__u32 hash =
		8u + (plan->flags & WP_PYTHON_BYTES_NAMES ? plan->bytes_size : plan->str_length);
	__u64 sum;

	if (is->version)
		return is->version;
	if (!wp_python_text_words(text_end) || wp_python_words(w, is->name + hash, 1))
		return 0;
	sum = w->looked[0];
	if (wp_python_add_file(w, is->filename, text_end, &sum) ||
	    wp_python_add_lines(w, is->lines, &sum))
		return 0;
	return sum | 1;
}

#ifdef __bpf__
static __u64 wp_python_content(struct wp_python_walk *w, const struct wp_python_traits *is,
			       __u32 text_end);
#else
WP_PYTHON_FN __u64 wp_python_content(struct wp_python_walk *w, const struct wp_python_traits *is,
				     __u32 text_end)
{
	return wp_python_make_content(w, is, text_end);
}
#endif

#endif
