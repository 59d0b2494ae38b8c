/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_object: what kind of object an address is, told by its type's name.
 *
 * Walk, shared with BPF: part of walk/python_task.inc.h. Types of extension modules have no address
 * that could be looked up in a stripped file, but a name (tp_name); a subclass is what its bases
 * are. Layouts: Include/cpython/object.h and neighbours, the same from 3.11 on behind the head.
 */
#ifndef WP_PYTHON_OBJECT_H
#define WP_PYTHON_OBJECT_H

#include "walk/python_state.inc.h"

#define WP_PYTHON_BASES 4 /* classes between an instance's and asyncio's own */

enum wp_python_kind {
	WP_PYTHON_KIND_OTHER,
	WP_PYTHON_KIND_TASK,
	WP_PYTHON_KIND_FUTURE,
	WP_PYTHON_KIND_PURE_TASK, /* asyncio's own, written in Python (nest_asyncio takes them) */
	WP_PYTHON_KIND_PURE_FUTURE,
	WP_PYTHON_KIND_COROUTINE,
	WP_PYTHON_KIND_GENERATOR, /* asynchronous ones too */
	WP_PYTHON_KIND_WRAPPER,	  /* what stands for a coroutine, its first member */
	WP_PYTHON_KIND_BUILTIN,
	WP_PYTHON_KIND_FUNCTION,
	WP_PYTHON_KIND_METHOD,
	WP_PYTHON_KIND_PARTIAL,
	WP_PYTHON_KIND_CELL,
	WP_PYTHON_KIND_TUPLE,
	WP_PYTHON_KIND_LIST,
	WP_PYTHON_KIND_SET,
	WP_PYTHON_KIND_INT,
	WP_PYTHON_KIND_STR,
	WP_PYTHON_KIND_TASK_GROUP,
};

/* Eight characters as they lie in memory. */
#define WP_PYTHON_CHARS(s)                                                                   \
	((__u64)(__u8)(s)[0] | (__u64)(__u8)(s)[1] << 8 | (__u64)(__u8)(s)[2] << 16 |        \
	 (__u64)(__u8)(s)[3] << 24 | (__u64)(__u8)(s)[4] << 32 | (__u64)(__u8)(s)[5] << 40 | \
	 (__u64)(__u8)(s)[6] << 48 | (__u64)(__u8)(s)[7] << 56)

/* The first n of eight characters. */
#define WP_PYTHON_FIRST(word, n) ((word) & ((1ull << (n)*8) - 1))

/* Bytes of PyObject's head. */
WP_PYTHON_FN __u32 wp_python_head(const struct wp_python_walk *w)
{
	return w->in.plan.object_type + 8u;
}

/* The n-th word behind an object's head; 0 when it cannot be read. */
WP_PYTHON_FN __u64 wp_python_member(struct wp_python_walk *w, __u64 object, __u32 n)
{
	__u64 word;

	return wp_python_read_word(w, object + wp_python_head(w) + 8 * n, &word) ? 0 : word;
}

WP_PYTHON_FN __u32 wp_python_short_name(__u64 name)
{
	if (WP_PYTHON_FIRST(name, 6) == WP_PYTHON_CHARS("tuple\0\0\0"))
		return WP_PYTHON_KIND_TUPLE;
	if (WP_PYTHON_FIRST(name, 5) == WP_PYTHON_CHARS("list\0\0\0\0"))
		return WP_PYTHON_KIND_LIST;
	if (WP_PYTHON_FIRST(name, 5) == WP_PYTHON_CHARS("cell\0\0\0\0"))
		return WP_PYTHON_KIND_CELL;
	if (WP_PYTHON_FIRST(name, 4) == WP_PYTHON_CHARS("set\0\0\0\0\0"))
		return WP_PYTHON_KIND_SET;
	if (WP_PYTHON_FIRST(name, 4) == WP_PYTHON_CHARS("int\0\0\0\0\0"))
		return WP_PYTHON_KIND_INT;
	if (WP_PYTHON_FIRST(name, 4) == WP_PYTHON_CHARS("str\0\0\0\0\0"))
		return WP_PYTHON_KIND_STR;
	if (WP_PYTHON_FIRST(name, 7) == WP_PYTHON_CHARS("method\0\0"))
		return WP_PYTHON_KIND_METHOD;
	if (WP_PYTHON_FIRST(name, 5) == WP_PYTHON_CHARS("Task\0\0\0\0"))
		return WP_PYTHON_KIND_PURE_TASK;
	if (WP_PYTHON_FIRST(name, 7) == WP_PYTHON_CHARS("Future\0\0"))
		return WP_PYTHON_KIND_PURE_FUTURE;
	return WP_PYTHON_KIND_OTHER;
}

WP_PYTHON_FN __u32 wp_python_coroutine_name(__u64 name, __u64 rest)
{
	if (name == WP_PYTHON_CHARS("coroutin") &&
	    WP_PYTHON_FIRST(rest, 2) == WP_PYTHON_CHARS("e\0\0\0\0\0\0\0"))
		return WP_PYTHON_KIND_COROUTINE;
	if (name == WP_PYTHON_CHARS("generato") &&
	    WP_PYTHON_FIRST(rest, 2) == WP_PYTHON_CHARS("r\0\0\0\0\0\0\0"))
		return WP_PYTHON_KIND_GENERATOR;
	if (name == WP_PYTHON_CHARS("coroutin") && rest == WP_PYTHON_CHARS("e_wrappe"))
		return WP_PYTHON_KIND_WRAPPER;
	if (name != WP_PYTHON_CHARS("async_ge"))
		return WP_PYTHON_KIND_OTHER;
	if (rest == WP_PYTHON_CHARS("nerator\0"))
		return WP_PYTHON_KIND_GENERATOR;
	return rest == WP_PYTHON_CHARS("nerator_") ? WP_PYTHON_KIND_WRAPPER : WP_PYTHON_KIND_OTHER;
}

WP_PYTHON_FN __u32 wp_python_kind_named(__u64 name, __u64 rest)
{
	if (name == WP_PYTHON_CHARS("_asyncio")) {
		if (WP_PYTHON_FIRST(rest, 6) == WP_PYTHON_CHARS(".Task\0\0\0"))
			return WP_PYTHON_KIND_TASK;
		return rest == WP_PYTHON_CHARS(".Future\0") ? WP_PYTHON_KIND_FUTURE
							    : WP_PYTHON_KIND_OTHER;
	}
	if (name == WP_PYTHON_CHARS("builtin_") && rest == WP_PYTHON_CHARS("function"))
		return WP_PYTHON_KIND_BUILTIN;
	if (name == WP_PYTHON_CHARS("function") && !WP_PYTHON_FIRST(rest, 1))
		return WP_PYTHON_KIND_FUNCTION;
	if (name == WP_PYTHON_CHARS("functool") && rest == WP_PYTHON_CHARS("s.partia"))
		return WP_PYTHON_KIND_PARTIAL;
	if (name == WP_PYTHON_CHARS("TaskGrou") &&
	    WP_PYTHON_FIRST(rest, 2) == WP_PYTHON_CHARS("p\0\0\0\0\0\0\0"))
		return WP_PYTHON_KIND_TASK_GROUP;
	if (wp_python_coroutine_name(name, rest))
		return wp_python_coroutine_name(name, rest);
	return wp_python_short_name(name);
}

/* Written in Python: any class may have the name, so that its bases have a say. */
WP_PYTHON_FN int wp_python_is_pure(__u32 kind)
{
	return kind == WP_PYTHON_KIND_PURE_TASK || kind == WP_PYTHON_KIND_PURE_FUTURE;
}

/* WP_PYTHON_KIND_OTHER also for what cannot be read. */
WP_PYTHON_FN __u32 wp_python_kind(struct wp_python_walk *w, __u64 object)
{
	__u64 type, name[2];
	__u32 kind = WP_PYTHON_KIND_OTHER, named;

	if (!wp_python_sane(object) ||
	    wp_python_read_word(w, object + w->in.plan.object_type, &type))
		return WP_PYTHON_KIND_OTHER;
	for (int i = 0; i < WP_PYTHON_BASES && type; i++) {
		/* Behind the head ob_size, tp_name; tp_base is the 30th. */
		__u64 at = wp_python_member(w, type, 1);

		if (!at || wp_python_read(w, name, sizeof(name), at))
			return kind;
		named = wp_python_kind_named(name[0], name[1]);
		if (named && !wp_python_is_pure(named))
			return named;
		kind = kind ? kind : named;
		type = wp_python_member(w, type, 30);
	}
	return kind;
}

/* The first n * 8 characters of a str that is ASCII and has as many at least; else -1. */
WP_PYTHON_FN int wp_python_chars(struct wp_python_walk *w, __u64 str, __u64 *ret, __u32 n)
{
	__u64 length;

	if (!str || wp_python_read_word(w, str + w->in.plan.str_length, &length) ||
	    length < n * 8ull)
		return -1;
	return wp_python_read(w, ret, n * 8, str + w->in.plan.str_ascii);
}

#endif
