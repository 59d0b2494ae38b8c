/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_locals_image: the memory of a process with one thread whose innermost frame has variables
 * of each kind, and which has a second frame with a cell; on python_names_image.h.
 */
#ifndef WP_PYTHON_LOCALS_IMAGE_H
#define WP_PYTHON_LOCALS_IMAGE_H

#include "python_names_image.h"
#include "runtime/python_locals.h"

#define LOCALS_HEAPTYPE	 (1u << 9)
#define LOCALS_VARIABLES 16

struct locals_image {
	struct names_image names;
	struct wp_python_locals_layout layout;
	struct wp_python_slot slots[5];
	uint64_t frames[2], codes[2];
	uint64_t values; /* of the innermost frame */
	size_t n;	 /* of its variables */
	uint64_t variables[LOCALS_VARIABLES][2];
};

static inline uint64_t locals_type(struct names_image *image, const char *name, uint32_t flags)
{
	uint64_t type = names_room(image, 256), text = names_room(image, 64);
	uint64_t head = image->plan.object_type;

	memcpy(image->bytes + (text - NAMES_BASE), name, strlen(name) + 1);
	names_put(image, type + head + 16, text);
	names_put(image, type + head + 160, flags);
	return type;
}

/* An object of a new type, with two words behind ob_type. */
static inline uint64_t locals_object(struct names_image *image, const char *type, uint32_t flags,
				     uint64_t first, uint64_t second)
{
	uint64_t object = names_object(image, locals_type(image, type, flags), 64);

	names_put(image, object + image->plan.object_type + 8, first);
	names_put(image, object + image->plan.object_type + 16, second);
	return object;
}

static inline void locals_add(struct locals_image *image, const char *name, uint64_t value)
{
	image->variables[image->n][0] = names_str(&image->names, name);
	image->variables[image->n++][1] = value;
}

static inline uint64_t locals_tuple(struct names_image *image, const uint64_t (*pairs)[2], size_t n)
{
	uint64_t tuple = names_object(image, 0, 32 + 8 * n), at = tuple + image->plan.object_type;

	names_put(image, at + 8, n);
	for (size_t i = 0; i < n; i++)
		names_put(image, at + 16 + 8 * i, pairs[i][0]);
	return tuple;
}

/* {code, previous, localsplus...}, and a code object with one tuple. */
static inline void locals_frame(struct locals_image *image, int i, const uint64_t (*pairs)[2],
				size_t n, uint8_t kind)
{
	struct names_image *names = &image->names;
	uint64_t kinds = names_object(names, 0, 64 + n);

	image->frames[i] = names_room(names, 16 + 8 * LOCALS_VARIABLES);
	image->codes[i] = names_room(names, 64);
	names_put(names, image->frames[i], image->codes[i]);
	for (size_t j = 0; j < n; j++)
		names_put(names, image->frames[i] + 16 + 8 * j, pairs[j][1]);
	names_put(names, image->codes[i] + 16, locals_tuple(names, pairs, n));
	names_put(names, image->codes[i] + 24, kinds);
	names_put(names, kinds + names->plan.bytes_size, n);
	memset(names->bytes + (kinds + names->plan.bytes_data - NAMES_BASE), kind, n);
}

static inline void locals_make(struct locals_image *image, bool tagged)
{
	struct names_image *names = &image->names;
	double number = 0.1;
	uint64_t bits, thread;

	memset(image, 0, sizeof(*image));
	names_plan(names, tagged ? N312 : N311);
	names->plan.ts_frame = 24;
	names->plan.frame_previous = 8;
	image->layout = (struct wp_python_locals_layout){16, {16}, 24, 16, tagged};
	names->str_type = locals_type(names, "str", 1u << 28);
	names->int_type = locals_type(names, "int", 1u << 24);
	memcpy(&bits, &number, sizeof(bits));
	locals_add(image, "i", names_int(names, UINT64_C(1) << 40 | 5));
	locals_add(image, "f", locals_object(names, "float", 0, bits, 0));
	locals_add(image, "s", names_str(names, "it's \x1b[0m\\"));
	locals_add(image, "n", locals_object(names, "NoneType", 0, 0, 0));
	locals_add(image, "t", locals_object(names, "bool", 1u << 24, tagged ? 1u << 3 : 1, 1));
	locals_add(image, "unbound", 0);
	locals_add(image, "d", locals_object(names, "dict", 1u << 29, 1, 0));
	locals_add(image, "set", locals_object(names, "set", 0, 9, 3));
	locals_add(image, "mine", locals_object(names, "float", LOCALS_HEAPTYPE, bits, 0));
	locals_add(image, "negative",
		   locals_object(names, "int", 1u << 24, tagged ? 1u << 3 | 2 : (uint64_t)-1, 7));
	locals_add(image, "control", locals_object(names, "a\x1b\xff", 0, 0, 0));
	locals_frame(image, 0, image->variables, image->n, 0x20);
	uint64_t cell[][2] = {{names_str(names, "c"),
			       locals_object(names, "cell", 0, image->variables[0][1], 0)}};
	locals_frame(image, 1, cell, 1, 0x80);
	names_put(names, image->frames[0] + 8, image->frames[1]);
	thread = names_room(names, 32);
	names_put(names, thread + 24, image->frames[0]);
	image->slots[0] = (struct wp_python_slot){thread, WP_PYTHON_THREAD, 0};
	image->slots[1] = (struct wp_python_slot){image->codes[0], 2, 0};
	image->slots[2] = (struct wp_python_slot){1, WP_PYTHON_MARK, 0};
	image->slots[3] = (struct wp_python_slot){image->codes[1], 2, 0};
	image->slots[4] = (struct wp_python_slot){thread, WP_PYTHON_THREAD, 0};
}

#endif
