/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_value: a Python object in another process's memory as a short text.
 *
 * Runtime stage, private to python_*.c; pure.
 */
#ifndef WP_PYTHON_VALUE_H
#define WP_PYTHON_VALUE_H

#include "base/str.h"
#include "runtime/python_object.h"

/* What a type is, as far as values are concerned. */
enum wp_python_value_kind {
	WP_PYTHON_VALUE_OTHER,
	WP_PYTHON_VALUE_NONE,
	WP_PYTHON_VALUE_BOOL,
	WP_PYTHON_VALUE_INT,
	WP_PYTHON_VALUE_FLOAT,
	WP_PYTHON_VALUE_STR,
	WP_PYTHON_VALUE_BYTES,
	WP_PYTHON_VALUE_SIZED, /* a list, tuple, dict and what is derived of them */
	WP_PYTHON_VALUE_SET,
	WP_PYTHON_VALUE_CELL, /* of a variable that functions share */
};

#define WP_PYTHON_VALUE_NAME 48 /* bytes of a type's name that are read */

struct wp_python_value_type {
	enum wp_python_value_kind kind;
	char name[WP_PYTHON_VALUE_NAME * 4 + 4]; /* fit for a terminal */
};

/* Of a type object; false: it cannot be read. */
bool wp_python_value_type(struct wp_python_objects *o, uint64_t type,
			  struct wp_python_value_type *ret);
/* Appends the value of an object of that type; false: it cannot be read, and out is as it was.
 * tagged: as in struct wp_python_locals_layout. */
bool wp_python_value_put(struct wp_python_objects *o, uint64_t object,
			 const struct wp_python_value_type *type, bool tagged, struct wp_str *out);
/* Appends a float as repr() writes it. */
void wp_python_value_put_float(struct wp_str *out, double value);

#endif
