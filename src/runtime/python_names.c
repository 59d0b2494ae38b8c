/* SPDX-License-Identifier: BSD-3-Clause */
/* python_names: see python_names.h. Offsets are from ob_type on, which only the head moves. */
#include "runtime/python_names.h"

#include "base/bytes.h"
#include "base/map.h"
#include "base/mem.h"
#include "runtime/python_object.h"
#include "runtime/python_text.h"

#include <string.h>

#define READS_MAX	 65536 /* of one call: 0.1 s */
#define INTERPRETERS_MAX 64
#define ENTRIES_MAX	 65536 /* of a dict */
#define CHUNK		 32    /* entries that are read at once */
#define NAME_MAX	 256   /* characters */
#define KEY_MAX		 16    /* bytes of the keys below */
#define HEAD_MAX	 128   /* bytes of a str in front of its characters */

/* Include/object.h: tp_flags */
#define INLINE_VALUES (1u << 2)
#define MANAGED_DICT  (1u << 4)

/* From ob_type on; what 2.7 has in the places of a dict's keys and values are mask and table. */
enum {
	DICT_KEYS = 24,
	MODULE_DICT = 8,
};

struct reader {
	const struct wp_python_names *names;
	const struct wp_python_names_asker *asker;
	struct wp_python_objects objects;
	uint64_t str_type;    /* 0: no str was met */
	struct wp_map tid_of; /* wanted threads by their identifiers */
};

/* A name that is looked for; strings of this kind are interned: one address once it is known. */
struct key {
	const char *text;
	uint64_t addr;
};

/* What Thread objects have of interest. */
enum attribute {
	NAME,
	IDENT,
	NATIVE_ID, /* 3.8 and newer; asked for where libc does not tell */
	ATTRIBUTES
};

struct table {
	uint64_t entries;
	uint64_t values; /* 0: in the entries, behind the keys */
	uint32_t n;
	uint32_t step, key; /* bytes of an entry, and in front of its key */
};

/* A table being gone through. */
struct cursor {
	struct table table;
	uint32_t next;
	uint8_t bytes[CHUNK * 24];
};

/* {dk_refcnt, dk_size, dk_lookup, dk_usable, dk_nentries, indices, entries} */
static bool place_indexed(const uint8_t *head, uint64_t keys, struct table *ret)
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
static bool place_kinds(const uint8_t *head, uint64_t keys, struct table *ret)
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

static bool open_keys(struct reader *r, uint64_t keys, uint64_t values, struct cursor *ret)
{
	uint8_t head[40];
	bool placed;

	*ret = (struct cursor){.table.values = values};
	if (!keys || !wp_python_object_bytes(&r->objects, keys, head, sizeof(head)))
		return false;
	placed = r->names->dicts == WP_PYTHON_DICTS_INDEXED ? place_indexed(head, keys, &ret->table)
							    : place_kinds(head, keys, &ret->table);
	return placed && ret->table.n <= ENTRIES_MAX;
}

/* {ma_fill, ma_used, ma_mask, ma_table}, entries {hash, key, value} */
static bool open_old_dict(uint64_t mask, uint64_t table, struct cursor *ret)
{
	*ret = (struct cursor){
		.table = {.entries = table, .n = (uint32_t)mask + 1, .step = 24, .key = 8}};
	return mask < ENTRIES_MAX && table;
}

/* Behind the words in front of an array of values, which 3.13 and newer have. */
static uint64_t values_at(const struct reader *r, uint64_t values)
{
	return values && r->names->dicts == WP_PYTHON_DICTS_INLINE ? values + 8 : values;
}

static bool open_dict(struct reader *r, uint64_t dict, struct cursor *ret)
{
	uint8_t words[16];

	if (!wp_python_object_part(&r->objects, dict, DICT_KEYS, words, sizeof(words)))
		return false;
	if (r->names->dicts == WP_PYTHON_DICTS_OPEN)
		return open_old_dict(wp_u64_at(words), wp_u64_at(words + 8), ret);
	return open_keys(r, wp_u64_at(words), values_at(r, wp_u64_at(words + 8)), ret);
}

static bool open_shared(struct reader *r, uint64_t type, uint64_t values, struct cursor *ret)
{
	return open_keys(r, wp_python_object_field(&r->objects, type, r->names->cached_keys),
			 values, ret);
}

/* 3.13 and newer: {capacity, size, embedded, valid, ..., values} behind the object. */
static bool open_inline(struct reader *r, uint64_t object, uint64_t type, struct cursor *ret)
{
	uint64_t at = object + wp_python_object_field(&r->objects, type, WP_PYTHON_TYPE_BASICSIZE);
	uint8_t head[8];

	return wp_python_object_bytes(&r->objects, at, head, sizeof(head)) && head[3] &&
	       open_shared(r, type, at + sizeof(head), ret);
}

/* Words in front of the object, whose number depends on the version. */
static bool open_managed(struct reader *r, uint64_t object, uint64_t type, uint32_t flags,
			 struct cursor *ret)
{
	bool free_threaded = r->objects.plan->flags & WP_PYTHON_FREE_THREADED;
	uint64_t values,
		dict = wp_python_object_word(&r->objects, object - (free_threaded ? 8 : 24));

	switch (r->names->dicts) {
	case WP_PYTHON_DICTS_VALUES:
		values = wp_python_object_word(&r->objects, object - 32);
		return values ? open_shared(r, type, values, ret) : open_dict(r, dict, ret);
	case WP_PYTHON_DICTS_TAGGED: /* values less 1 */
		return dict & 1 ? open_shared(r, type, dict + 1, ret) : open_dict(r, dict, ret);
	case WP_PYTHON_DICTS_INLINE:
		if (dict)
			return open_dict(r, dict, ret);
		return flags & INLINE_VALUES && open_inline(r, object, type, ret);
	default: return false;
	}
}

/* The attributes of an instance of a class written in Python. */
static bool open_object(struct reader *r, uint64_t object, struct cursor *ret)
{
	uint64_t type = wp_python_object_field(&r->objects, object, 0), offset;
	uint32_t flags = (uint32_t)wp_python_object_field(&r->objects, type, WP_PYTHON_TYPE_FLAGS);

	if (r->names->dicts >= WP_PYTHON_DICTS_VALUES && flags & MANAGED_DICT)
		return open_managed(r, object, type, flags, ret);
	offset = wp_python_object_field(&r->objects, type, WP_PYTHON_TYPE_DICTOFFSET);
	return offset && offset < UINT16_MAX &&
	       open_dict(r, wp_python_object_word(&r->objects, object + offset), ret);
}

/* The next entry that has a key, whose number is *ret_index; false behind the last one. */
static bool next_key(struct reader *r, struct cursor *c, uint32_t *ret_index, uint64_t *ret_key)
{
	const struct table *t = &c->table;

	while (c->next < t->n) {
		uint32_t i = c->next++, n = t->n - i < CHUNK ? t->n - i : CHUNK;

		if (i % CHUNK == 0 &&
		    !wp_python_object_bytes(&r->objects, t->entries + (uint64_t)t->step * i,
					    c->bytes, (size_t)t->step * n))
			return false;
		*ret_index = i;
		*ret_key = wp_u64_at(c->bytes + (size_t)t->step * (i % CHUNK) + t->key);
		if (*ret_key)
			return true;
	}
	return false;
}

/* Of the entry that next_key() returned last. */
static uint64_t entry_value_of(struct reader *r, const struct cursor *c, uint32_t index)
{
	const struct table *t = &c->table;

	if (t->values)
		return wp_python_object_word(&r->objects, t->values + UINT64_C(8) * index);
	return wp_u64_at(c->bytes + (size_t)t->step * (index % CHUNK) + t->key + 8);
}

/* A short ASCII string is exactly that text. */
static bool str_has_text(struct reader *r, uint64_t str, const char *text)
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

static bool is_key(struct reader *r, uint64_t str, struct key *key)
{
	if (key->addr || !str_has_text(r, str, key->text))
		return key->addr && key->addr == str;
	key->addr = str;
	return true;
}

/* The values of keys; 0 for those that are not there. Returns how many are. */
static uint32_t find_values(struct reader *r, struct cursor *c, struct key *keys, uint32_t n,
			    uint64_t *ret)
{
	uint32_t index, found = 0;
	uint64_t key;

	memset(ret, 0, n * sizeof(*ret));
	while (found < n && next_key(r, c, &index, &key))
		for (uint32_t i = 0; i < n; i++)
			if (!ret[i] && is_key(r, key, &keys[i])) {
				ret[i] = entry_value_of(r, c, index);
				found += ret[i] != 0;
				break;
			}
	return found;
}

/* A non-negative int of at most 60 bits; 0 for any other object. */
static uint64_t read_int(struct reader *r, uint64_t object, uint64_t *type)
{
	enum wp_python_dicts dicts = r->names->dicts;
	uint8_t bytes[24]; /* ob_type, size (3.12: and sign), two digits of 30 bits */
	uint64_t size;

	if (!wp_python_object_part(&r->objects, object, 0, bytes, sizeof(bytes)) ||
	    (*type && *type != wp_u64_at(bytes)))
		return 0;
	*type = wp_u64_at(bytes);
	size = wp_u64_at(bytes + 8);
	if (dicts == WP_PYTHON_DICTS_OPEN)
		return size;
	if (dicts >= WP_PYTHON_DICTS_TAGGED)
		size = size & 3 ? 0 : size >> 3;
	if (size != 1 && size != 2)
		return 0;
	return wp_u32_at(bytes + 16) |
	       (size == 2 ? (uint64_t)wp_u32_at(bytes + 20) << 30 : UINT64_C(0));
}

/* Appends the text of a str; false when it is none, or empty. */
static bool put_name_text(struct reader *r, uint64_t str, struct wp_str *out)
{
	bool is_bytes = r->objects.plan->flags & WP_PYTHON_BYTES_NAMES;
	uint8_t bytes[NAME_MAX * 4];
	struct wp_code_text text;
	uint64_t data;

	if (!r->str_type || wp_python_object_field(&r->objects, str, 0) != r->str_type ||
	    !wp_python_object_text(&r->objects, str, &text, &data) || !text.length)
		return false;
	text.n = (text.length < NAME_MAX ? text.length : NAME_MAX) * text.width;
	text.bytes = bytes;
	if (!text.n || !wp_python_text_is_sane(&text, is_bytes) ||
	    !wp_python_object_bytes(&r->objects, data, bytes, text.n))
		return false;
	wp_python_text_put(out, &text, is_bytes);
	return true;
}

static bool read_attributes(struct reader *r, uint64_t thread, struct key *keys, uint64_t *ret)
{
	struct cursor c;

	ret[NATIVE_ID] = 0;
	return open_object(r, thread, &c) &&
	       find_values(r, &c, keys, r->objects.plan->tid ? NATIVE_ID : ATTRIBUTES, ret) > IDENT;
}

/* Whose Thread object it is; 0: nobody's who is asked for. */
static uint32_t owner_of(struct reader *r, uint64_t ident, const uint64_t *attributes,
			 uint64_t int_type)
{
	const uint64_t *tid;
	uint64_t native;

	if (read_int(r, attributes[IDENT], &int_type) != ident)
		return 0;
	if (!r->objects.plan->tid) { /* threads cannot be asked, but from 3.8 on they note it */
		native = read_int(r, attributes[NATIVE_ID], &int_type);
		return native <= UINT32_MAX && native &&
				       r->asker->wants(r->asker->arg, (uint32_t)native)
			       ? (uint32_t)native
			       : 0;
	}
	tid = wp_map_get(&r->tid_of, ident);
	return tid ? (uint32_t)*tid : 0;
}

static void take_thread(struct reader *r, uint64_t ident, uint64_t int_type, uint64_t thread,
			struct key *keys)
{
	uint64_t attributes[ATTRIBUTES], again[ATTRIBUTES];
	wp_autostr struct wp_str name = {0};
	uint32_t tid;

	if (!read_attributes(r, thread, keys, attributes))
		return;
	tid = owner_of(r, ident, attributes, int_type);
	if (tid && put_name_text(r, attributes[NAME], &name) &&
	    read_attributes(r, thread, keys, again) && again[NAME] == attributes[NAME] &&
	    again[IDENT] == attributes[IDENT])
		r->asker->take(r->asker->arg, tid, name.s);
}

static void take_active(struct reader *r, struct cursor *c)
{
	bool old = r->names->dicts == WP_PYTHON_DICTS_OPEN;
	struct key keys[ATTRIBUTES] = {
		[NAME] = {old ? "_Thread__name" : "_name", 0},
		[IDENT] = {old ? "_Thread__ident" : "_ident", 0},
		[NATIVE_ID] = {"_native_id", 0},
	};
	uint64_t key, type = 0;
	uint32_t index;

	while (next_key(r, c, &index, &key)) {
		uint64_t ident = read_int(r, key, &type);

		if (ident && (!r->objects.plan->tid || wp_map_get(&r->tid_of, ident)))
			take_thread(r, ident, type, entry_value_of(r, c, index), keys);
	}
}

/* What a name stands for in a dict of names; 0: nothing. */
static uint64_t find_dict_value(struct reader *r, uint64_t dict, const char *name)
{
	struct key key = {name, 0};
	struct cursor c;
	uint64_t value;

	if (!open_dict(r, dict, &c) || !find_values(r, &c, &key, 1, &value))
		return 0;
	r->str_type = wp_python_object_field(&r->objects, key.addr, 0);
	return value;
}

/* threading._active */
static uint64_t find_active(struct reader *r, uint64_t interpreter)
{
	uint64_t modules =
		wp_python_object_word(&r->objects, interpreter + r->names->interp_modules);
	uint64_t module = find_dict_value(r, modules, "threading");

	return find_dict_value(r, wp_python_object_field(&r->objects, module, MODULE_DICT),
			       "_active");
}

/*
 * The threads of an interpreter by their own word: an identifier is where libc keeps a thread, and
 * there is its number. Asked before the dict: who is in it cannot have ended before, so that a
 * successor in the same place is not taken for it.
 */
static void list_interpreter_threads(struct reader *r, uint64_t interpreter)
{
	const struct wp_python_plan *plan = r->objects.plan;
	uint64_t state = wp_python_object_word(&r->objects, interpreter + plan->interp_threads);
	uint8_t tid[4];

	for (; state && r->objects.left;
	     state = wp_python_object_word(&r->objects, state + plan->ts_next)) {
		uint64_t ident = wp_python_object_word(&r->objects, state + plan->ts_thread_id);
		uint64_t at = ident - (uint64_t)(int64_t)plan->thread_id_bias +
			      (uint64_t)(int64_t)plan->tid;

		if (ident && wp_python_object_bytes(&r->objects, at, tid, sizeof(tid)) &&
		    r->asker->wants(r->asker->arg, wp_u32_at(tid)))
			*wp_map_put(&r->tid_of, ident) = wp_u32_at(tid);
	}
}

static void take_interpreter(struct reader *r, uint64_t interpreter)
{
	struct cursor c;

	if (r->objects.plan->tid)
		list_interpreter_threads(r, interpreter);
	if ((!r->objects.plan->tid || r->tid_of.n) && open_dict(r, find_active(r, interpreter), &c))
		take_active(r, &c);
	wp_map_deinit(&r->tid_of);
}

void wp_python_names_read(const struct wp_python_names *names, const struct wp_python_plan *plan,
			  const struct wp_memory *memory, const struct wp_python_names_asker *asker)
{
	struct reader r = {names, asker, {memory, plan, READS_MAX}};
	uint64_t interpreter;

	if (names->dicts == WP_PYTHON_DICTS_UNKNOWN || !plan->interpreters)
		return;
	/* The newest one comes first: a thread is called as its oldest one calls it. */
	interpreter = wp_python_object_word(&r.objects, plan->interpreters);
	for (int i = 0; interpreter && i < INTERPRETERS_MAX; i++) {
		take_interpreter(&r, interpreter);
		interpreter = wp_python_object_word(&r.objects, interpreter + plan->interp_next);
	}
}
