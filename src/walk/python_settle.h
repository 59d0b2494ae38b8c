/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_settle: gives each chain of Python frames the word of how it ends.
 *
 * Walk, pure. A walker (walk/python_walk.inc.h) puts a THREAD slot before a chain and knows how the
 * chain ends behind it: the slot of a plan's next chain says so, and the walk's last word.
 */
#ifndef WP_PYTHON_SETTLE_H
#define WP_PYTHON_SETTLE_H

#include "core/python_plan.h"

#include <stddef.h>

/* last is the id of the last THREAD slot of its plan; those of other plans stay. */
static inline void wp_python_settle(struct wp_python_slot *slots, size_t n, __u32 last)
{
	while (n--) {
		__u32 before = slots[n].id;

		if (slots[n].lasti != WP_PYTHON_THREAD ||
		    WP_PYTHON_THREAD_PLAN(before) != WP_PYTHON_THREAD_PLAN(last))
			continue;
		slots[n].id = last;
		last = before;
	}
}

#endif
