/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_object: parts of Python objects in another process's memory.
 *
 * Runtime stage, private to python_*.c; pure. Offsets are from ob_type on, which only the head
 * moves. Reads are counted: when there are none left, all fail.
 */
#ifndef WP_PYTHON_OBJECT_H
#define WP_PYTHON_OBJECT_H

#include "core/memory.h"
#include "core/python_plan.h"
#include "core/record.h"

#define WP_PYTHON_OBJECT_SIZE 8 /* ob_size */

/* PyTypeObject (Include/cpython/object.h); tp_flags are Include/object.h's. */
enum {
	WP_PYTHON_TYPE_NAME = 16,
	WP_PYTHON_TYPE_BASICSIZE = 24,
	WP_PYTHON_TYPE_FLAGS = 160,
	WP_PYTHON_TYPE_DICTOFFSET = 280,
};

struct wp_python_objects {
	const struct wp_memory *memory;
	const struct wp_python_plan *plan;
	uint32_t left; /* reads */
};

bool wp_python_object_bytes(struct wp_python_objects *o, uint64_t addr, void *ret, size_t n);
/* 0 when it cannot be read. */
uint64_t wp_python_object_word(struct wp_python_objects *o, uint64_t addr);
/* n bytes of an object. */
bool wp_python_object_part(struct wp_python_objects *o, uint64_t object, uint32_t at, void *ret,
			   size_t n);
/* A word of an object; 0 when it cannot be read. */
uint64_t wp_python_object_field(struct wp_python_objects *o, uint64_t object, uint32_t at);
/*
 * Of a str (2.7: its byte string) how many characters of which width there are, and where. False:
 * in no form that says so. Nothing is captured yet.
 */
bool wp_python_object_text(struct wp_python_objects *o, uint64_t str, struct wp_code_text *ret,
			   uint64_t *ret_data);

#endif
