/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_block: what lies at an address of a Python process, by the geometry of its allocator.
 *
 * Runtime stage, pure. In: memory, the interpreter's plan. Out: the block of pymalloc that has the
 * address, and the type of the object in it where that is proven. A pool (4 KB; 16 KB since 3.10)
 * begins with a header that tells the size of its blocks twice over; a block begins with what the
 * type of its object says that it does (GC head, dict and weakref list in front). Keys of a dict
 * are no object, but say what they are: their type is "dict keys". What has other allocators
 * (mimalloc of free-threaded builds, PYTHONMALLOC=malloc, debug builds) is no block. Sources:
 * Objects/obmalloc.c, Include/internal/pycore_obmalloc.h, pycore_gc.h, pycore_object.h.
 */
#ifndef WP_PYTHON_BLOCK_H
#define WP_PYTHON_BLOCK_H

#include "base/map.h"
#include "base/vec.h"
#include "core/memory.h"
#include "core/python_block_kind.h"
#include "core/python_plan.h"

#define WP_PYTHON_BLOCK_TYPE 200 /* bytes of a type's name as text */

struct wp_python_block {
	enum wp_python_block_kind kind;
	uint64_t start;
	uint32_t bytes;
	char type[WP_PYTHON_BLOCK_TYPE]; /* of an object; of a pool, or "" */
};

/* A type object as it was read: as long as these words are the same it is the same type. */
struct wp_python_block_type {
	uint64_t metatype, name_at, basicsize, itemsize, flags;
	bool proven;
	char name[WP_PYTHON_BLOCK_TYPE];
};

/* Types of one interpreter; all-zero is empty. */
struct wp_python_block_types {
	struct wp_map type_of; /* address -> index in all + 1 */
	WP_VEC(struct wp_python_block_type) all;
};

void wp_python_block_types_deinit(struct wp_python_block_types *types);
/* False: no block of pymalloc has the address. version: as in struct wp_python_build. */
bool wp_python_block_read(struct wp_python_block_types *types, const struct wp_memory *memory,
			  const struct wp_python_plan *plan, uint32_t version, uint64_t addr,
			  struct wp_python_block *ret);

#endif
