/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_recent: code objects as frames name them: what tells one from another, and what is
 * remembered of those that were met.
 *
 * Walk, shared with BPF: part of walk/python_walk.inc.h. A walk reads a code object once at most,
 * and not at all where walk/python_known.inc.h says that it is what it was.
 */
#ifndef WP_PYTHON_RECENT_H
#define WP_PYTHON_RECENT_H

#include "walk/python_content.inc.h"
#include "walk/python_known.inc.h"

/* What is at a frame's code pointer; 0: no object. */
WP_PYTHON_FN __u64 wp_python_frame_code(const struct wp_python_walk *w)
{
	__u64 code = wp_python_frame_word(w, w->in.plan.frame_code);

	if (!(w->in.plan.flags & WP_PYTHON_TAGGED))
		return code;
	return (code & 3) == 3 || code <= 1 ? 0 : code & ~1ull;
}

/* Reads a code object into w->code. 0, or enum wp_python_end. */
WP_PYTHON_FN int wp_python_read_code(struct wp_python_walk *w, __u64 code)
{
	const struct wp_python_plan *plan = &w->in.plan;
	__u32 bytes = plan->code_bytes;

	if (!wp_python_sane(code))
		return WP_PYTHON_DAMAGED;
	if (bytes > sizeof(w->code) || wp_python_read(w, w->code, bytes, code))
		return WP_PYTHON_UNREADABLE;
	if (plan->code_type && wp_python_code_word(w, plan->object_type) != plan->code_type)
		return WP_PYTHON_DAMAGED;
	return WP_PYTHON_COMPLETE;
}

/* The traits of the code object in w->code. */
WP_PYTHON_FN struct wp_python_traits wp_python_traits(const struct wp_python_walk *w)
{
	const struct wp_python_plan *plan = &w->in.plan;
	__u32 line = plan->code_first_line, version = plan->code_version;

	return (struct wp_python_traits){
		.name = wp_python_code_word(w, plan->code_name),
		.filename = wp_python_code_word(w, plan->code_filename),
		.lines = wp_python_code_word(w, plan->code_lines),
		.first_line = wp_python_part(wp_python_code_word(w, line), line),
		.version = version ? wp_python_part(wp_python_code_word(w, version), version) : 0,
	};
}

WP_PYTHON_FN __u32 wp_python_id_of(const struct wp_python_traits *is, __u64 content)
{
	return wp_python_id(is->name, is->filename, is->lines, is->first_line, content);
}

/* Whether the code object in w->code has that identity, or had it while its texts were unreadable.
 */
WP_PYTHON_FN int wp_python_is_code(struct wp_python_walk *w, __u32 id)
{
	struct wp_python_traits is = wp_python_traits(w);
	__u32 text_end = is.version ? 0 : wp_python_text_end(w, is.filename);

	w->file = 0; /* is looked at again */
	return wp_python_id_of(&is, wp_python_content(w, &is, text_end)) == id ||
	       wp_python_id_of(&is, 0) == id;
}

/*
 * Whether the code object in w->code was freed. It keeps its type and its pointers until its memory
 * is used again, but not its reference count, where the allocator links what is free: 0, or an
 * address. Never true of 3.14 and newer (flags share the word) and of free-threaded builds (a
 * thread's identity).
 */
WP_PYTHON_FN int wp_python_is_freed(const struct wp_python_walk *w)
{
	const struct wp_python_plan *plan = &w->in.plan;
	__u64 count;

	if (plan->flags & (WP_PYTHON_TAGGED | WP_PYTHON_FREE_THREADED) || plan->object_type < 8)
		return 0;
	count = wp_python_code_word(w, plan->object_type - 8u);
	return count == 0 || count >> 33; /* 3.12's immortal ones: 2^32 - 1 */
}

WP_PYTHON_FN int wp_python_has_traits(const struct wp_python_recent *recent,
				      const struct wp_python_traits *traits)
{
	return recent->name == traits->name && recent->filename == traits->filename &&
	       recent->lines == traits->lines && recent->first_line == traits->first_line;
}

/*
 * Makes *recent the code object in w->code; its identity is made anew if that has changed. While
 * its content cannot be read, it is what it was in this process: another one of the same program
 * may have it at the same address.
 */
WP_PYTHON_FN void wp_python_identify(struct wp_python_walk *w, __u64 code,
				     struct wp_python_recent *recent)
{
	struct wp_python_traits now = wp_python_traits(w);
	int same = recent->code == code && wp_python_has_traits(recent, &now);
	__u64 content = same ? wp_python_content(w, &now, recent->text_end) : 0;

	if (same && content && content == recent->content)
		return;
	if (same && !content && w->in.audience && recent->told == w->in.audience)
		return;
	recent->text_end = now.version ? 0 : wp_python_text_end(w, now.filename);
	w->file = 0; /* it ends elsewhere, maybe */
	content = wp_python_content(w, &now, recent->text_end);
	recent->code = code;
	recent->name = now.name;
	recent->filename = now.filename;
	recent->lines = now.lines;
	recent->first_line = now.first_line;
	recent->content = content;
	recent->id = wp_python_id_of(&now, content);
	recent->told = 0;
}

/* Where a code object is remembered. */
WP_PYTHON_FN struct wp_python_recent *wp_python_recent_at(struct wp_python_walk *w, __u64 code)
{
	__u64 i = (code * 0x9e3779b97f4a7c15ull) >> 56;

	WP_PYTHON_MASK(i, WP_PYTHON_RECENT - 1);
	return &w->recent[i];
}

/*
 * What an id leaves out of the identity. Of a million code objects that had one address one after
 * the other some hundred have the id of another one: whoever is told of them must be told again.
 * 0: of no code object.
 */
WP_PYTHON_FN __u32 wp_python_rest_of_id(struct wp_python_walk *w, __u64 code)
{
	const struct wp_python_recent *met = wp_python_recent_at(w, code);

	if (met->code != code)
		return 0;
	return (__u32)wp_python_identity(met->name, met->filename, met->lines, met->first_line,
					 met->content);
}

/* The audience does not know of it after all. */
WP_PYTHON_FN void wp_python_tell_again(struct wp_python_walk *w, __u64 code)
{
	wp_python_recent_at(w, code)->told = 0;
}

/* Looked at, where that is less than a read: what was met before, and the audience knows of it. */
WP_PYTHON_FN int wp_python_is_same(struct wp_python_walk *w, struct wp_python_recent *recent)
{
	if (!w->in.words || !w->in.audience || recent->told != w->in.audience ||
	    !wp_python_glance(w, recent))
		return 0;
	recent->walk = w->walk;
	return 1;
}

/* Whether *recent is the code object at that address now; if not, it must be read. */
WP_PYTHON_FN int wp_python_remembers(struct wp_python_walk *w, struct wp_python_recent *recent,
				     __u64 code)
{
	return recent->code == code &&
	       (wp_python_is_known(w, recent) || wp_python_is_same(w, recent));
}

/* Makes *ret what is known of a code object; reads it once in a walk at most, as a rule. */
WP_PYTHON_FN int wp_python_load_code(struct wp_python_walk *w, __u64 code,
				     struct wp_python_recent **ret)
{
	struct wp_python_recent *recent = *ret = wp_python_recent_at(w, code);
	int end;

	if (wp_python_remembers(w, recent, code))
		return WP_PYTHON_COMPLETE;
	end = wp_python_read_code(w, code);
	if (end)
		return end;
	wp_python_identify(w, code, recent);
	recent->walk = w->walk;
	if (w->in.audience && recent->told == w->in.audience)
		return WP_PYTHON_COMPLETE;
	w->told = 0;
	wp_python_meet(w, code, recent->id);
	recent->told = w->told ? w->in.audience : 0;
	return WP_PYTHON_COMPLETE;
}

#endif
