/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_names_image: the memory of a process with one interpreter and one thread that threading
 * knows, laid out as each family of versions has it (Objects/dictobject.c, pycore_dict.h).
 */
#ifndef WP_PYTHON_NAMES_IMAGE_H
#define WP_PYTHON_NAMES_IMAGE_H

#include "runtime/python_names.h"

#include <string.h>

#define NAMES_BASE  UINT64_C(0x7f0000000000)
#define NAMES_BYTES 16384
#define NAMES_TID   4711

enum names_family { N27, N310, N311, N312, N313, N313T, N_FAMILIES };

struct names_image {
	struct wp_python_plan plan;
	struct wp_python_dict_layout dicts;
	uint64_t used, str_type, int_type, name, thread; /* name: of the str that is the name */
	uint64_t interpreter;
	uint8_t bytes[NAMES_BYTES];
};

static inline bool names_read(void *arg, uint64_t addr, void *ret, size_t n)
{
	struct names_image *image = arg;
	uint64_t at = addr - NAMES_BASE;

	if (at > NAMES_BYTES || n > NAMES_BYTES - at)
		return false;
	memcpy(ret, image->bytes + at, n);
	return true;
}

static inline void names_put(struct names_image *image, uint64_t addr, uint64_t value)
{
	memcpy(image->bytes + (addr - NAMES_BASE), &value, sizeof(value));
}

static inline uint64_t names_room(struct names_image *image, uint64_t bytes)
{
	uint64_t addr = NAMES_BASE + image->used;

	image->used += (bytes + 15) & ~UINT64_C(15);
	return addr;
}

static inline uint64_t names_object(struct names_image *image, uint64_t type, uint64_t bytes)
{
	uint64_t addr = names_room(image, bytes);

	names_put(image, addr + image->plan.object_type, type);
	return addr;
}

static inline uint64_t names_str(struct names_image *image, const char *text)
{
	const struct wp_python_plan *plan = &image->plan;
	bool old = plan->flags & WP_PYTHON_BYTES_NAMES;
	uint64_t str = names_object(image, image->str_type, 128), n = strlen(text);

	names_put(image, str + (old ? plan->bytes_size : plan->str_length), n);
	if (!old) /* 1 byte a character, compact, ASCII */
		names_put(image, str + plan->str_state, 1u << 2 | 1u << 5 | 1u << 6);
	memcpy(image->bytes + (str - NAMES_BASE) + (old ? plan->bytes_data : plan->str_ascii), text,
	       n + 1);
	return str;
}

static inline uint64_t names_int(struct names_image *image, uint64_t value)
{
	enum wp_python_dicts dicts = image->dicts.dicts;
	uint64_t object = names_object(image, image->int_type, 64);
	uint64_t at = object + image->plan.object_type + 8, big = value >> 30 ? 2 : 1;

	if (dicts == WP_PYTHON_DICTS_OPEN) {
		names_put(image, at, value);
		return object;
	}
	names_put(image, at, dicts >= WP_PYTHON_DICTS_TAGGED ? big << 3 : big);
	names_put(image, at + 8, (value & 0x3fffffff) | value >> 30 << 32);
	return object;
}

/* The keys of a dict, with values unless they are kept apart; 8 places. */
static inline uint64_t names_keys(struct names_image *image, const uint64_t (*pairs)[2], size_t n,
				  bool split, bool general)
{
	enum wp_python_dicts dicts = image->dicts.dicts;
	uint64_t keys = names_room(image, 512), entries = keys;
	uint64_t step = dicts < WP_PYTHON_DICTS_VALUES || general ? 24 : 16;

	if (dicts == WP_PYTHON_DICTS_INDEXED) {
		names_put(image, keys + 8, 8);
		names_put(image, keys + 32, n);
		entries = keys + 48;
	} else if (dicts > WP_PYTHON_DICTS_INDEXED) {
		names_put(image, keys + 8, 3 | 3 << 8 | (general ? 0u : split ? 2u : 1u) << 16);
		names_put(image, keys + 24, n);
		entries = keys + 40;
	}
	for (size_t i = 0; i < n; i++) {
		names_put(image, entries + i * step + step - 16, pairs[i][0]);
		names_put(image, entries + i * step + step - 8, split ? 0 : pairs[i][1]);
	}
	return keys;
}

static inline uint64_t names_dict(struct names_image *image, const uint64_t (*pairs)[2], size_t n,
				  bool general)
{
	uint64_t dict = names_object(image, 0, 96), at = dict + image->plan.object_type + 24;
	uint64_t keys = names_keys(image, pairs, n, false, general);
	bool old = image->dicts.dicts == WP_PYTHON_DICTS_OPEN;

	names_put(image, at, old ? 7 : keys);
	names_put(image, at + 8, old ? keys : 0);
	return dict;
}

/* An instance whose attributes are in a dict, or (3.11 and newer) values of their own. */
static inline uint64_t names_instance(struct names_image *image, const uint64_t (*pairs)[2],
				      size_t n)
{
	enum wp_python_dicts dicts = image->dicts.dicts;
	uint64_t head = image->plan.object_type, type = names_room(image, 1024);
	uint64_t object = names_room(image, 32) + 32, values;

	names_room(image, 128);
	names_put(image, object + head, type);
	if (dicts < WP_PYTHON_DICTS_VALUES) {
		names_put(image, type + head + 280, 16);
		names_put(image, object + 16, names_dict(image, pairs, n, false));
		return object;
	}
	names_put(image, type + head + 24, head + 8);
	names_put(image, type + head + 160, 1u << 4 | 1u << 2);
	names_put(image, type + head + image->dicts.cached_keys,
		  names_keys(image, pairs, n, true, false));
	values = names_room(image, 64);
	if (dicts == WP_PYTHON_DICTS_VALUES)
		names_put(image, object - 32, values);
	else if (dicts == WP_PYTHON_DICTS_TAGGED)
		names_put(image, object - 24, values - 1);
	else
		values = object + head + 16, names_put(image, values - 8, 1u << 24);
	for (size_t i = 0; i < n; i++)
		names_put(image, values + 8 * i, pairs[i][1]);
	return object;
}

static inline void names_plan(struct names_image *image, enum names_family family)
{
	static const enum wp_python_dicts dicts[] = {
		WP_PYTHON_DICTS_OPEN,	WP_PYTHON_DICTS_INDEXED, WP_PYTHON_DICTS_VALUES,
		WP_PYTHON_DICTS_TAGGED, WP_PYTHON_DICTS_INLINE,	 WP_PYTHON_DICTS_INLINE};
	uint16_t head = family == N313T ? 24 : 8;

	image->dicts = (struct wp_python_dict_layout){dicts[family], 16, 872};
	image->plan = (struct wp_python_plan){
		.flags = (family == N27 ? WP_PYTHON_BYTES_NAMES : 0) |
			 (family == N313T ? WP_PYTHON_FREE_THREADED : 0),
		.tid = 8,
		.interp_next = 0,
		.interp_threads = 8,
		.ts_next = 8,
		.ts_thread_id = 16,
		.object_type = head,
		.str_length = head + 8,
		.str_state = head + 24,
		.str_ascii = head + 32,
		.str_compact = head + 48,
		.str_kind_shift = 2,
		.str_compact_shift = 5,
		.str_ascii_shift = 6,
		.bytes_size = head + 8,
		.bytes_data = head + 28,
	};
}

static inline void names_make(struct names_image *image, enum names_family family, const char *name)
{
	bool old = family == N27;

	memset(image, 0, sizeof(*image));
	names_plan(image, family);
	image->str_type = names_room(image, 16);
	image->int_type = names_room(image, 16);
	uint64_t pthread = names_room(image, 32), state = names_room(image, 32);
	uint64_t ident = names_int(image, pthread);
	image->name = names_str(image, name);
	uint64_t attributes[][2] = {
		{names_str(image, "_target"), ident},
		{names_str(image, old ? "_Thread__name" : "_name"), image->name},
		{names_str(image, old ? "_Thread__ident" : "_ident"), ident},
		{names_str(image, "_native_id"), names_int(image, NAMES_TID)},
	};
	image->thread = names_instance(image, attributes, 4);
	uint64_t active[][2] = {{ident, image->thread}};
	uint64_t globals[][2] = {{names_str(image, "_limbo"), ident},
				 {names_str(image, "_active"), names_dict(image, active, 1, true)}};
	uint64_t module = names_object(image, 0, 64);
	names_put(image, module + image->plan.object_type + 8,
		  names_dict(image, globals, 2, false));
	uint64_t modules[][2] = {{names_str(image, "sys"), ident},
				 {names_str(image, "threading"), module}};
	image->interpreter = names_room(image, 32);
	image->plan.interpreters = names_room(image, 16);
	names_put(image, image->plan.interpreters, image->interpreter);
	names_put(image, image->interpreter + 8, state);
	names_put(image, image->interpreter + 16, names_dict(image, modules, 2, false));
	names_put(image, state + 16, pthread);
	names_put(image, pthread + 8, NAMES_TID);
}

#endif
