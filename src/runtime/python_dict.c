/* SPDX-License-Identifier: BSD-3-Clause */
/* python_dict: see python_dict.h. Offsets are from ob_type on, which only the head moves. */
#include "runtime/python_dict.h"

#include "base/bytes.h"

#include <string.h>

#define ENTRIES_MAX 65536
#define KEY_MAX	    32	/* bytes of the names that are looked for, their NUL with them */
#define HEAD_MAX    128 /* bytes of a str in front of its characters */

/* Include/object.h: tp_flags */
#define INLINE_VALUES (1u << 2)
#define MANAGED_DICT  (1u << 4)

/* From ob_type on; what 2.7 has in the places of a dict's keys and values are mask and table. */
enum {
	DICT_KEYS = 24,
	MODULE_DICT = 8,
};

/* {dk_refcnt, dk_size, dk_lookup, dk_usable, dk_nentries, indices, entries} */
static bool place_indexed(const uint8_t *head, uint64_t keys, struct wp_python_dict_table *ret)
{
	uint64_t size = wp_u64_at(head + 8), n = wp_u64_at(head + 32);
	uint32_t width = size <= 0xff ? 1 : size <= 0xffff ? 2 : 4;

	if (size > 2 * ENTRIES_MAX || n > size)
		return false;
	ret->entries = keys + 40 + size * width;
	ret->n = (uint32_t)n;
	ret->step = 24;
	ret->key = 8;
	return true;
}

/* {dk_refcnt, log2 of size, log2 of the indices' bytes, kind, ..., dk_nentries, indices, entries}
 */
static bool place_kinds(const uint8_t *head, uint64_t keys, struct wp_python_dict_table *ret)
{
	uint32_t size = head[8], index_bytes = head[9], kind = head[10];
	uint64_t n = wp_u64_at(head + 24);

	if (size > 20 || index_bytes > 24 || kind > 2 || n > UINT64_C(1) << size)
		return false;
	ret->entries = keys + 32 + (UINT64_C(1) << index_bytes);
	ret->n = (uint32_t)n;
	ret->step = kind ? 16 : 24; /* keys that are all strings keep their hash themselves */
	ret->key = kind ? 0 : 8;
	return true;
}

static bool open_keys(struct wp_python_dict_reader *r, uint64_t keys, uint64_t values,
		      struct wp_python_dict_cursor *ret)
{
	uint8_t head[40];
	bool placed;

	*ret = (struct wp_python_dict_cursor){.table.values = values};
	if (!keys || !wp_python_object_bytes(&r->objects, keys, head, sizeof(head)))
		return false;
	placed = r->layout->dicts == WP_PYTHON_DICTS_INDEXED
			 ? place_indexed(head, keys, &ret->table)
			 : place_kinds(head, keys, &ret->table);
	return placed && ret->table.n <= ENTRIES_MAX;
}

/* {ma_fill, ma_used, ma_mask, ma_table}, entries {hash, key, value} */
static bool open_old_dict(uint64_t mask, uint64_t table, struct wp_python_dict_cursor *ret)
{
	*ret = (struct wp_python_dict_cursor){
		.table = {.entries = table, .n = (uint32_t)mask + 1, .step = 24, .key = 8}};
	return mask < ENTRIES_MAX && table;
}

/* Behind the words in front of an array of values, which 3.13 and newer have. */
static uint64_t values_at(const struct wp_python_dict_reader *r, uint64_t values)
{
	return values && r->layout->dicts == WP_PYTHON_DICTS_INLINE ? values + 8 : values;
}

bool wp_python_dict_open(struct wp_python_dict_reader *r, uint64_t dict,
			 struct wp_python_dict_cursor *ret)
{
	uint8_t words[16];

	if (!wp_python_object_part(&r->objects, dict, DICT_KEYS, words, sizeof(words)))
		return false;
	if (r->layout->dicts == WP_PYTHON_DICTS_OPEN)
		return open_old_dict(wp_u64_at(words), wp_u64_at(words + 8), ret);
	return open_keys(r, wp_u64_at(words), values_at(r, wp_u64_at(words + 8)), ret);
}

static bool open_shared(struct wp_python_dict_reader *r, uint64_t type, uint64_t values,
			struct wp_python_dict_cursor *ret)
{
	return open_keys(r, wp_python_object_field(&r->objects, type, r->layout->cached_keys),
			 values, ret);
}

/* 3.13 and newer: {capacity, size, embedded, valid, ..., values} behind the object. */
static bool open_inline(struct wp_python_dict_reader *r, uint64_t object, uint64_t type,
			struct wp_python_dict_cursor *ret)
{
	uint64_t at = object + wp_python_object_field(&r->objects, type, WP_PYTHON_TYPE_BASICSIZE);
	uint8_t head[8];

	return wp_python_object_bytes(&r->objects, at, head, sizeof(head)) && head[3] &&
	       open_shared(r, type, at + sizeof(head), ret);
}

/* Words in front of the object, whose number depends on the version. */
static bool open_managed(struct wp_python_dict_reader *r, uint64_t object, uint64_t type,
			 uint32_t flags, struct wp_python_dict_cursor *ret)
{
	bool free_threaded = r->objects.plan->flags & WP_PYTHON_FREE_THREADED;
	uint64_t values,
		dict = wp_python_object_word(&r->objects, object - (free_threaded ? 8 : 24));

	switch (r->layout->dicts) {
	case WP_PYTHON_DICTS_VALUES:
		values = wp_python_object_word(&r->objects, object - 32);
		return values ? open_shared(r, type, values, ret)
			      : wp_python_dict_open(r, dict, ret);
	case WP_PYTHON_DICTS_TAGGED: /* values less 1 */
		return dict & 1 ? open_shared(r, type, dict + 1, ret)
				: wp_python_dict_open(r, dict, ret);
	case WP_PYTHON_DICTS_INLINE:
		if (dict)
			return wp_python_dict_open(r, dict, ret);
		return flags & INLINE_VALUES && open_inline(r, object, type, ret);
	default: return false;
	}
}

/* The attributes of an instance of a class written in Python. */
bool wp_python_dict_attributes(struct wp_python_dict_reader *r, uint64_t object,
			       struct wp_python_dict_cursor *ret)
{
	uint64_t type = wp_python_object_field(&r->objects, object, 0), offset;
	uint32_t flags = (uint32_t)wp_python_object_field(&r->objects, type, WP_PYTHON_TYPE_FLAGS);

	if (r->layout->dicts >= WP_PYTHON_DICTS_VALUES && flags & MANAGED_DICT)
		return open_managed(r, object, type, flags, ret);
	offset = wp_python_object_field(&r->objects, type, WP_PYTHON_TYPE_DICTOFFSET);
	return offset && offset < UINT16_MAX &&
	       wp_python_dict_open(r, wp_python_object_word(&r->objects, object + offset), ret);
}

/* The next entry that has a key, whose number is *ret_index; false behind the last one. */
bool wp_python_dict_next(struct wp_python_dict_reader *r, struct wp_python_dict_cursor *c,
			 uint32_t *ret_index, uint64_t *ret_key)
{
	const struct wp_python_dict_table *t = &c->table;

	while (c->next < t->n) {
		uint32_t i = c->next++,
			 n = t->n - i < WP_PYTHON_DICT_CHUNK ? t->n - i : WP_PYTHON_DICT_CHUNK;

		if (i % WP_PYTHON_DICT_CHUNK == 0 &&
		    !wp_python_object_bytes(&r->objects, t->entries + (uint64_t)t->step * i,
					    c->bytes, (size_t)t->step * n))
			return false;
		*ret_index = i;
		*ret_key =
			wp_u64_at(c->bytes + (size_t)t->step * (i % WP_PYTHON_DICT_CHUNK) + t->key);
		if (*ret_key)
			return true;
	}
	return false;
}

/* Of the entry that wp_python_dict_next() returned last. */
uint64_t wp_python_dict_value(struct wp_python_dict_reader *r,
			      const struct wp_python_dict_cursor *c, uint32_t index)
{
	const struct wp_python_dict_table *t = &c->table;

	if (t->values)
		return wp_python_object_word(&r->objects, t->values + UINT64_C(8) * index);
	return wp_u64_at(c->bytes + (size_t)t->step * (index % WP_PYTHON_DICT_CHUNK) + t->key + 8);
}

/* A short ASCII string is exactly that text. */
static bool str_has_text(struct wp_python_dict_reader *r, uint64_t str, const char *text)
{
	const struct wp_python_plan *plan = r->objects.plan;
	bool old = plan->flags & WP_PYTHON_BYTES_NAMES;
	uint32_t data = old ? plan->bytes_data : plan->str_ascii;
	uint32_t length = old ? plan->bytes_size : plan->str_length;
	size_t n = strlen(text) + 1;
	uint8_t bytes[HEAD_MAX + KEY_MAX];

	if (data > HEAD_MAX || length + 8 > data ||
	    !wp_python_object_bytes(&r->objects, str, bytes, data + n))
		return false;
	return wp_u64_at(bytes + length) == n - 1 && memcmp(bytes + data, text, n) == 0;
}

static bool is_key(struct wp_python_dict_reader *r, uint64_t str, struct wp_python_dict_key *key)
{
	if (key->addr || !str_has_text(r, str, key->text))
		return key->addr && key->addr == str;
	key->addr = str;
	return true;
}

/* The values of keys; 0 for those that are not there. Returns how many are. */
uint32_t wp_python_dict_find_values(struct wp_python_dict_reader *r,
				    struct wp_python_dict_cursor *c,
				    struct wp_python_dict_key *keys, uint32_t n, uint64_t *ret)
{
	uint32_t index, found = 0;
	uint64_t key;

	memset(ret, 0, n * sizeof(*ret));
	while (found < n && wp_python_dict_next(r, c, &index, &key))
		for (uint32_t i = 0; i < n; i++)
			if (!ret[i] && is_key(r, key, &keys[i])) {
				ret[i] = wp_python_dict_value(r, c, index);
				found += ret[i] != 0;
				break;
			}
	return found;
}

/* What a name stands for in a dict of names; 0: nothing. */
uint64_t wp_python_dict_find(struct wp_python_dict_reader *r, uint64_t dict, const char *name)
{
	struct wp_python_dict_key key = {name, 0};
	struct wp_python_dict_cursor c;
	uint64_t value;

	if (!wp_python_dict_open(r, dict, &c) ||
	    !wp_python_dict_find_values(r, &c, &key, 1, &value))
		return 0;
	r->str_type = wp_python_object_field(&r->objects, key.addr, 0);
	return value;
}

uint64_t wp_python_dict_module(struct wp_python_dict_reader *r, uint64_t interpreter,
			       const char *name)
{
	uint64_t modules =
		wp_python_object_word(&r->objects, interpreter + r->layout->interp_modules);
	uint64_t module = wp_python_dict_find(r, modules, name);

	return wp_python_object_field(&r->objects, module, MODULE_DICT);
}
