/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_task_look: the attributes of objects whose classes are written in Python: asyncio's pure
 * tasks and futures, TaskGroup.
 *
 * Walk, shared with BPF: part of walk/python_task.inc.h. An instance of such a class has its values
 * in the order of its class's shared keys, which differs between versions, between runs (3.13.0)
 * and with what was assigned first; but what a value is says which attribute it is: the one
 * coroutine of a task is _coro, its first str _name, its list of tuples _callbacks; the one task of
 * a TaskGroup is _parent_task. One value per step.
 */
#ifndef WP_PYTHON_TASK_LOOK_H
#define WP_PYTHON_TASK_LOOK_H

#include "walk/python_object.inc.h"

/* ---- where a task has its coroutine and its name ---- */

WP_PYTHON_FN __u64 wp_python_task_coro_at(const struct wp_python_walk *w, __u64 slot)
{
	if (!(slot & WP_PYTHON_TASK_PURE))
		return (slot & ~7ull) + w->in.plan.task_coro;
	return slot & ((1ull << 57) - 8);
}

WP_PYTHON_FN __u64 wp_python_task_name_at(const struct wp_python_walk *w, __u64 slot)
{
	if (!(slot & WP_PYTHON_TASK_PURE))
		return (slot & ~7ull) + w->in.plan.task_name;
	/* Six bits, signed. */
	return wp_python_task_coro_at(w, slot) + 8 * (((slot >> 57 & 63) ^ 32) - 32);
}

/* The slot of a task written in Python; at most WP_PYTHON_ATTRIBUTES lie between the two. */
WP_PYTHON_FN __u64 wp_python_task_pure_slot(__u64 coro_at, __u64 name_at)
{
	__u64 words = name_at ? (name_at - coro_at) >> 3 & 63 : 0;

	return coro_at | WP_PYTHON_TASK_BIT | WP_PYTHON_TASK_PURE | words << 57;
}

/* ---- attributes ---- */

/*
 * 3.11 and 3.12: the bytes before the values say how many these are, but for rounding: behind the
 * last one may be leftovers, and so the first value of a kind is the one.
 */
WP_PYTHON_FN __u32 wp_python_values_before(struct wp_python_walk *w, __u64 values)
{
	__u64 word = 0;

	if (wp_python_read_word(w, values - 8, &word))
		return 0;
	return word >> 56 < 2 ? 0 : (__u32)(word >> 56) - 2;
}

/* 3.13 and newer: {capacity, size, embedded, valid}, values. */
WP_PYTHON_FN __u32 wp_python_values_behind(struct wp_python_walk *w, __u64 head)
{
	__u64 word = 0;

	if (wp_python_read_word(w, head, &word) || !(word >> 24 & 0xff))
		return 0;
	return (__u32)(word & 0xff);
}

/* Of a dict that shares its keys with others of its class. */
WP_PYTHON_FN __u64 wp_python_dict_values(struct wp_python_walk *w, __u64 at)
{
	__u64 dict = 0;

	return wp_python_read_word(w, at, &dict) || !dict ? 0 : wp_python_member(w, dict, 3);
}

/*
 * Finds the values of t->object: Objects/dictobject.c and Include/internal/pycore_object.h of 3.11
 * (a word for the values, one for the dict), 3.12 (one word, whose lowest bit tells values: less
 * one), 3.13 and newer (in the object). None are found in a dict with keys of its own.
 */
WP_PYTHON_FN void wp_python_find_values(struct wp_python_walk *w)
{
	struct wp_python_tasks *t = &w->tasks;
	__u64 values = 0, object = t->object;

	t->n_values = 0;
	if (!(w->in.plan.flags & WP_PYTHON_CFRAME)) {
		t->n_values = wp_python_values_behind(w, object + wp_python_head(w));
		values = object + wp_python_head(w) + 8;
	} else if (w->in.plan.flags & WP_PYTHON_IS_ENTRY) {
		if (wp_python_read_word(w, object - 32, &values) || !values)
			values = wp_python_dict_values(w, object - 24);
	} else if (!wp_python_read_word(w, object - 24, &values)) {
		values = values & 1 ? values + 1 : wp_python_dict_values(w, object - 24);
	}
	if (values && w->in.plan.flags & WP_PYTHON_CFRAME)
		t->n_values = wp_python_values_before(w, values);
	if (t->n_values > WP_PYTHON_ATTRIBUTES)
		t->n_values = WP_PYTHON_ATTRIBUTES;
	t->values = values;
}

WP_PYTHON_FN int wp_python_task_look_at(struct wp_python_walk *w, __u64 object, __u32 why)
{
	struct wp_python_tasks *t = &w->tasks;

	t->object = object;
	t->why = why;
	t->value = 0;
	t->coro_at = t->name_at = t->callbacks = t->parent = 0;
	wp_python_find_values(w);
	w->phase = WP_PYTHON_TASK_LOOK;
	return 0;
}

/* The next value. False: there is none. */
WP_PYTHON_FN int wp_python_task_value(struct wp_python_walk *w)
{
	struct wp_python_tasks *t = &w->tasks;
	__u64 at = t->values + 8ull * t->value, value = 0, item = 0;

	if (t->value >= t->n_values || wp_python_read_word(w, at, &value))
		return 0;
	t->value++;
	switch (wp_python_kind(w, value)) {
	case WP_PYTHON_KIND_COROUTINE:
	case WP_PYTHON_KIND_GENERATOR: t->coro_at = t->coro_at ? t->coro_at : at; break;
	case WP_PYTHON_KIND_STR: t->name_at = t->name_at ? t->name_at : at; break;
	case WP_PYTHON_KIND_LIST:
		if (!t->callbacks &&
		    !wp_python_read_word(w, wp_python_member(w, value, 1), &item) &&
		    wp_python_kind(w, item) == WP_PYTHON_KIND_TUPLE)
			t->callbacks = value;
		break;
	case WP_PYTHON_KIND_TASK:
	case WP_PYTHON_KIND_PURE_TASK: t->parent = t->parent ? t->parent : value; break;
	default: break;
	}
	return 1;
}

#endif
