/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_locals: the variables of Python functions that run, and what they hold.
 *
 * Runtime stage, pure: a thread state in another process's memory in, names and values out, as
 * repr() would write them, none longer than a line. Numbers, str, bytes, bool and None are told,
 * of containers how many items they have, of anything else the type. Frames are walked anew and
 * have to be those of the slots; the caller sees to it that the thread stands still. Sources:
 * Include/cpython/{frameobject,code,longintrepr,floatobject}.h,
 * Include/internal/pycore_{frame,code,long}.h.
 */
#ifndef WP_PYTHON_LOCALS_H
#define WP_PYTHON_LOCALS_H

#include "base/arena.h"
#include "base/vec.h"
#include "core/memory.h"
#include "core/python_local.h"
#include "core/python_plan.h"

#define WP_PYTHON_LOCALS_NAMES 3

/* How a version keeps them: 3.8 to 3.15. */
struct wp_python_locals_layout {
	uint16_t frame; /* the first one, in a frame; 0: none are read */
	/* Tuples of names in a code object, in the order of the frame; 0: no further one. */
	uint16_t names[WP_PYTHON_LOCALS_NAMES];
	uint16_t kinds; /* bytes object in a code object: what each is; 0: by the tuple */
	uint16_t items; /* of a tuple, from ob_type on */
	bool tagged;	/* ints have size and sign in one word (3.12 and newer) */
};

/* All-zero is empty. */
struct wp_python_locals {
	WP_VEC(struct wp_python_local) v; /* by slot */
	struct wp_arena arena;		  /* has the texts */
	bool cut;			  /* there are more than are told */
};

/* All-zero where the version is not known. layout: the build's, complete. */
void wp_python_locals_layout(uint32_t version, const struct wp_python_plan *layout,
			     struct wp_python_locals_layout *ret);
/*
 * Appends the variables of all frames of the thread whose THREAD slot is slots[first], which has
 * all of its frames. False: its frames are others; nothing is appended.
 */
bool wp_python_locals_read(const struct wp_python_locals_layout *layout,
			   const struct wp_python_plan *plan, const struct wp_memory *memory,
			   const struct wp_python_slot *slots, size_t n, size_t first,
			   struct wp_python_locals *ret);
/* Empties it. */
void wp_python_locals_deinit(struct wp_python_locals *locals);

#endif
