/* SPDX-License-Identifier: BSD-3-Clause */
/* python_names: see python_names.h. Offsets are from ob_type on, which only the head moves. */
#include "runtime/python_names.h"

#include "base/bytes.h"
#include "base/map.h"
#include "base/mem.h"
#include "runtime/python_text.h"

#include <string.h>

#define READS_MAX	 65536 /* of one call: 0.1 s */
#define INTERPRETERS_MAX 64
#define NAME_MAX	 256 /* characters */

struct reader {
	const struct wp_python_names_asker *asker;
	struct wp_python_dict_reader dicts;
	struct wp_map tid_of; /* wanted threads by their identifiers */
};

/* What Thread objects have of interest. */
enum attribute {
	NAME,
	IDENT,
	NATIVE_ID, /* 3.8 and newer; asked for where libc does not tell */
	ATTRIBUTES
};

/* A non-negative int of at most 60 bits; 0 for any other object. */
static uint64_t read_int(struct reader *r, uint64_t object, uint64_t *type)
{
	enum wp_python_dicts dicts = r->dicts.layout->dicts;
	uint8_t bytes[24]; /* ob_type, size (3.12: and sign), two digits of 30 bits */
	uint64_t size;

	if (!wp_python_object_part(&r->dicts.objects, object, 0, bytes, sizeof(bytes)) ||
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
	bool is_bytes = r->dicts.objects.plan->flags & WP_PYTHON_BYTES_NAMES;
	uint8_t bytes[NAME_MAX * 4];
	struct wp_code_text text;
	uint64_t data;

	if (!r->dicts.str_type ||
	    wp_python_object_field(&r->dicts.objects, str, 0) != r->dicts.str_type ||
	    !wp_python_object_text(&r->dicts.objects, str, &text, &data) || !text.length)
		return false;
	text.n = (text.length < NAME_MAX ? text.length : NAME_MAX) * text.width;
	text.bytes = bytes;
	if (!text.n || !wp_python_text_is_sane(&text, is_bytes) ||
	    !wp_python_object_bytes(&r->dicts.objects, data, bytes, text.n))
		return false;
	wp_python_text_put(out, &text, is_bytes);
	return true;
}

static bool read_attributes(struct reader *r, uint64_t thread, struct wp_python_dict_key *keys,
			    uint64_t *ret)
{
	struct wp_python_dict_cursor c;

	ret[NATIVE_ID] = 0;
	return wp_python_dict_attributes(&r->dicts, thread, &c) &&
	       wp_python_dict_find_values(&r->dicts, &c, keys,
					  r->dicts.objects.plan->tid ? NATIVE_ID : ATTRIBUTES,
					  ret) > IDENT;
}

/* Whose Thread object it is; 0: nobody's who is asked for. */
static uint32_t owner_of(struct reader *r, uint64_t ident, const uint64_t *attributes,
			 uint64_t int_type)
{
	const uint64_t *tid;
	uint64_t native;

	if (read_int(r, attributes[IDENT], &int_type) != ident)
		return 0;
	if (!r->dicts.objects.plan
		     ->tid) { /* threads cannot be asked, but from 3.8 on they note it */
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
			struct wp_python_dict_key *keys)
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

static void take_active(struct reader *r, struct wp_python_dict_cursor *c)
{
	bool old = r->dicts.layout->dicts == WP_PYTHON_DICTS_OPEN;
	struct wp_python_dict_key keys[ATTRIBUTES] = {
		[NAME] = {old ? "_Thread__name" : "_name", 0},
		[IDENT] = {old ? "_Thread__ident" : "_ident", 0},
		[NATIVE_ID] = {"_native_id", 0},
	};
	uint64_t key, type = 0;
	uint32_t index;

	while (wp_python_dict_next(&r->dicts, c, &index, &key)) {
		uint64_t ident = read_int(r, key, &type);

		if (ident && (!r->dicts.objects.plan->tid || wp_map_get(&r->tid_of, ident)))
			take_thread(r, ident, type, wp_python_dict_value(&r->dicts, c, index),
				    keys);
	}
}

/* threading._active */
static uint64_t find_active(struct reader *r, uint64_t interpreter)
{
	return wp_python_dict_find(
		&r->dicts, wp_python_dict_module(&r->dicts, interpreter, "threading"), "_active");
}

/*
 * The threads of an interpreter by their own word: an identifier is where libc keeps a thread, and
 * there is its number. Asked before the dict: who is in it cannot have ended before, so that a
 * successor in the same place is not taken for it.
 */
static void list_interpreter_threads(struct reader *r, uint64_t interpreter)
{
	const struct wp_python_plan *plan = r->dicts.objects.plan;
	uint64_t state =
		wp_python_object_word(&r->dicts.objects, interpreter + plan->interp_threads);
	uint8_t tid[4];

	for (; state && r->dicts.objects.left;
	     state = wp_python_object_word(&r->dicts.objects, state + plan->ts_next)) {
		uint64_t ident =
			wp_python_object_word(&r->dicts.objects, state + plan->ts_thread_id);
		uint64_t at = ident - (uint64_t)(int64_t)plan->thread_id_bias +
			      (uint64_t)(int64_t)plan->tid;

		if (ident && wp_python_object_bytes(&r->dicts.objects, at, tid, sizeof(tid)) &&
		    r->asker->wants(r->asker->arg, wp_u32_at(tid)))
			*wp_map_put(&r->tid_of, ident) = wp_u32_at(tid);
	}
}

static void take_interpreter(struct reader *r, uint64_t interpreter)
{
	struct wp_python_dict_cursor c;

	if (r->dicts.objects.plan->tid)
		list_interpreter_threads(r, interpreter);
	if ((!r->dicts.objects.plan->tid || r->tid_of.n) &&
	    wp_python_dict_open(&r->dicts, find_active(r, interpreter), &c))
		take_active(r, &c);
	wp_map_deinit(&r->tid_of);
}

void wp_python_names_read(const struct wp_python_dict_layout *layout,
			  const struct wp_python_plan *plan, const struct wp_memory *memory,
			  const struct wp_python_names_asker *asker)
{
	struct reader r = {asker, {layout, {memory, plan, READS_MAX}}};
	uint64_t interpreter;

	if (layout->dicts == WP_PYTHON_DICTS_UNKNOWN || !plan->interpreters)
		return;
	/* The newest one comes first: a thread is called as its oldest one calls it. */
	interpreter = wp_python_object_word(&r.dicts.objects, plan->interpreters);
	for (int i = 0; interpreter && i < INTERPRETERS_MAX; i++) {
		take_interpreter(&r, interpreter);
		interpreter =
			wp_python_object_word(&r.dicts.objects, interpreter + plan->interp_next);
	}
}
