/* SPDX-License-Identifier: BSD-3-Clause */
/* python_locals: see python_locals.h. */
#include "runtime/python_locals.h"

#include "base/bytes.h"
#include "base/map.h"
#include "runtime/python_text.h"
#include "runtime/python_value.h"

#include <string.h>

#define READS_MAX  65536 /* of one thread: some 50 ms */
#define FRAMES_MAX 256	 /* with variables */
#define LOCALS_MAX 64	 /* of a frame */
#define TYPES_MAX  256	 /* that are remembered */
#define NAME_MAX   80	 /* characters */

/* Include/internal/pycore_code.h: co_localspluskinds */
#define FAST_HIDDEN 0x10u
#define FAST_SHARED (0x40u | 0x80u) /* CELL, FREE */

#define OWNED_BY_CSTACK 3u /* pycore_frame.h, 3.12 and newer: frames that run no code object */

/* Bytes behind the head of a code object, and (frame_behind: of a frame object; else 0) there. */
static const struct {
	uint32_t version;
	uint16_t frame_behind, frame;
	uint16_t names[WP_PYTHON_LOCALS_NAMES], kinds;
	uint16_t items; /* of a tuple, from ob_type on */
	bool tagged;
} layouts[] = {
	/* co_varnames, co_cellvars, co_freevars */
	{0x0308, 344, 0, {56, 72, 64}, 0, 16, false},
	{0x0309, 344, 0, {56, 72, 64}, 0, 16, false},
	{0x030a, 336, 0, {56, 72, 64}, 0, 16, false},
	/* co_localsplusnames, co_localspluskinds */
	{0x030b, 0, 72, {80}, 88, 16, false},
	{0x030c, 0, 72, {80}, 88, 16, true},
	{0x030d, 0, 72, {80}, 88, 16, true},
	/* localsplus is where _PyRuntime's offsets say; in front of a tuple's items is its hash */
	{0x030e, 0, 0, {80}, 88, 24, true},
	{0x030f, 0, 0, {80}, 88, 24, true},
};

struct reader {
	struct wp_python_objects objects;
	const struct wp_python_locals_layout *layout;
	struct wp_python_locals *ret;
	struct wp_map type_of; /* address -> index in types + 1 */
	WP_VEC(struct wp_python_value_type) types;
};

/* A frame's variables: names in up to three tuples, values one behind the other. */
struct variables {
	uint32_t slot;
	uint64_t tuple;
	uint64_t first;		   /* where the tuple's values begin */
	uint32_t n;		   /* names in the tuple, at most LOCALS_MAX */
	bool shared;		   /* all are cells */
	uint8_t kinds[LOCALS_MAX]; /* where there is one tuple for all */
	uint8_t values[LOCALS_MAX * 8], names[LOCALS_MAX * 8];
};

void wp_python_locals_layout(uint32_t version, const struct wp_python_plan *layout,
			     struct wp_python_locals_layout *ret)
{
	uint16_t head = layout->object_type + 8;

	*ret = (struct wp_python_locals_layout){0};
	for (size_t i = 0; i < WP_ARRAY_LEN(layouts); i++) {
		if (layouts[i].version != version >> 16 || layout->flags & WP_PYTHON_FREE_THREADED)
			continue;
		ret->frame = layouts[i].frame ? layouts[i].frame : layout->frame_locals;
		if (layouts[i].frame_behind)
			ret->frame = head + layouts[i].frame_behind;
		for (int j = 0; j < WP_PYTHON_LOCALS_NAMES && layouts[i].names[j]; j++)
			ret->names[j] = head + layouts[i].names[j];
		ret->kinds = layouts[i].kinds ? head + layouts[i].kinds : 0;
		ret->items = layouts[i].items;
		ret->tagged = layouts[i].tagged;
	}
}

/* NULL: it cannot be read. Valid until the next one. */
static const struct wp_python_value_type *find_type(struct reader *r, uint64_t type)
{
	uint64_t *known = wp_map_get(&r->type_of, type);
	struct wp_python_value_type found;

	if (known)
		return &r->types.v[*known - 1];
	if (!type || r->types.n >= TYPES_MAX || !wp_python_value_type(&r->objects, type, &found))
		return NULL;
	wp_vec_push(&r->types, found);
	*wp_map_put(&r->type_of, type) = r->types.n;
	return &r->types.v[r->types.n - 1];
}

static const struct wp_python_value_type *find_type_of(struct reader *r, uint64_t object)
{
	return find_type(r, wp_python_object_field(&r->objects, object, 0));
}

static void put_value(struct reader *r, uint64_t object, struct wp_str *out)
{
	const struct wp_python_value_type *type = find_type_of(r, object);

	if (!type)
		wp_str_puts(out, "<not readable>");
	else if (!wp_python_value_put(&r->objects, object, type, r->layout->tagged, out))
		wp_str_printf(out, "<%s, not readable>", type->name);
}

/* False: it is no str. */
static bool put_variable_name(struct reader *r, uint64_t str, struct wp_str *out)
{
	const struct wp_python_value_type *type = find_type_of(r, str);
	uint8_t bytes[NAME_MAX * 4];
	struct wp_code_text text;
	uint64_t data;

	if (!type || type->kind != WP_PYTHON_VALUE_STR ||
	    !wp_python_object_text(&r->objects, str, &text, &data))
		return false;
	text.n = (text.length < NAME_MAX ? text.length : NAME_MAX) * text.width;
	text.bytes = bytes;
	if (!text.n || !wp_python_text_is_sane(&text, false) ||
	    !wp_python_object_bytes(&r->objects, data, bytes, text.n))
		return false;
	wp_python_text_put(out, &text, false);
	return true;
}

/* The object that a frame names; 0: none. 3.14 and newer: _PyStackRef (pycore_stackref.h), of which
 * small ints are no objects. */
static uint64_t object_of_ref(const struct reader *r, uint64_t ref)
{
	if (!(r->objects.plan->flags & WP_PYTHON_TAGGED))
		return ref;
	return (ref & 3) == 3 ? 0 : ref & ~UINT64_C(1);
}

/* What a cell has; 0: nothing. Until it is made there is the value itself. */
static uint64_t open_cell(struct reader *r, uint64_t object)
{
	const struct wp_python_value_type *type = find_type_of(r, object);

	return type && type->kind == WP_PYTHON_VALUE_CELL
		       ? wp_python_object_field(&r->objects, object, 8)
		       : object;
}

static void take_variable(struct reader *r, const struct variables *v, uint32_t i)
{
	uint64_t held = object_of_ref(r, wp_u64_at(v->values + 8 * (size_t)i)), value = held;
	bool shared = v->shared || v->kinds[i] & FAST_SHARED;
	wp_autostr struct wp_str name = {0};
	wp_autostr struct wp_str text = {0};
	struct wp_python_local add = {.slot = v->slot};

	if (!value || v->kinds[i] & FAST_HIDDEN)
		return;
	if (shared)
		value = open_cell(r, held);
	if (!value || !put_variable_name(r, wp_u64_at(v->names + 8 * (size_t)i), &name))
		return;
	put_value(r, value, &text);
	/* What a frame has lives as long as it stands still; a cell is other threads', too. */
	if (shared && open_cell(r, held) != value) {
		text.len = 0;
		wp_str_puts(&text, "<changed meanwhile>");
	}
	add.name = wp_arena_strdup(&r->ret->arena, name.s);
	add.value = wp_arena_strdup(&r->ret->arena, text.s);
	wp_vec_push(&r->ret->v, add);
}

/* The kinds of all variables of a frame; they stay 0 where there are none, or cannot be read. */
static bool read_kinds(struct reader *r, uint64_t code, struct variables *v)
{
	const struct wp_python_plan *plan = r->objects.plan;
	uint64_t kinds;

	memset(v->kinds, 0, sizeof(v->kinds));
	if (!r->layout->kinds)
		return true;
	kinds = wp_python_object_word(&r->objects, code + r->layout->kinds);
	return kinds && wp_python_object_word(&r->objects, kinds + plan->bytes_size) >= v->n &&
	       wp_python_object_bytes(&r->objects, kinds + plan->bytes_data, v->kinds, v->n);
}

/* Takes the variables of a tuple; *ret_n: how many there are. */
static bool take_tuple(struct reader *r, uint64_t code, struct variables *v, uint64_t *ret_n)
{
	uint8_t size[8];

	if (!wp_python_object_part(&r->objects, v->tuple, WP_PYTHON_OBJECT_SIZE, size, 8))
		return false;
	*ret_n = wp_u64_at(size);
	if (*ret_n >> 16)
		return false;
	r->ret->cut |= *ret_n > LOCALS_MAX;
	v->n = *ret_n < LOCALS_MAX ? (uint32_t)*ret_n : LOCALS_MAX;
	if (!v->n)
		return true;
	if (!wp_python_object_part(&r->objects, v->tuple, r->layout->items, v->names,
				   8 * (size_t)v->n) ||
	    !wp_python_object_bytes(&r->objects, v->first, v->values, 8 * (size_t)v->n) ||
	    !read_kinds(r, code, v))
		return false;
	for (uint32_t i = 0; i < v->n; i++)
		take_variable(r, v, i);
	return true;
}

static bool take_frame(struct reader *r, uint64_t frame, uint64_t code, uint32_t slot)
{
	struct variables v = {.slot = slot, .first = frame + r->layout->frame};
	uint64_t n;

	for (int i = 0; i < WP_PYTHON_LOCALS_NAMES && r->layout->names[i]; i++) {
		v.tuple = wp_python_object_word(&r->objects, code + r->layout->names[i]);
		v.shared = i > 0;
		if (!v.tuple || !take_tuple(r, code, &v, &n))
			return false;
		v.first += 8 * n;
	}
	return true;
}

static uint64_t top_frame(struct reader *r, uint64_t thread)
{
	const struct wp_python_plan *plan = r->objects.plan;
	uint64_t top = wp_python_object_word(&r->objects, thread + plan->ts_frame);

	return top && plan->flags & WP_PYTHON_CFRAME
		       ? wp_python_object_word(&r->objects, top + plan->cframe_current)
		       : top;
}

static uint64_t next_frame(struct reader *r, uint64_t frame)
{
	return wp_python_object_word(&r->objects, frame + r->objects.plan->frame_previous);
}

static uint64_t code_of_frame(struct reader *r, uint64_t frame)
{
	uint64_t at = frame + r->objects.plan->frame_code;

	return object_of_ref(r, wp_python_object_word(&r->objects, at));
}

/* The frame itself, or the next one that runs a code object. */
static uint64_t skip_entry_frames(struct reader *r, uint64_t frame)
{
	uint8_t owner;

	while (frame && r->objects.plan->flags & WP_PYTHON_ENTRY_FRAMES &&
	       wp_python_object_bytes(&r->objects, frame + r->objects.plan->frame_owner, &owner,
				      1) &&
	       owner >= OWNED_BY_CSTACK)
		frame = next_frame(r, frame);
	return frame;
}

static bool take_thread_frames(struct reader *r, const struct wp_python_slot *slots, size_t n,
			       size_t first)
{
	uint64_t frame = top_frame(r, slots[first].addr);
	uint32_t frames = 0;

	for (size_t i = first + 1; i < n && slots[i].lasti != WP_PYTHON_THREAD; i++) {
		if (slots[i].lasti == WP_PYTHON_MARK)
			continue;
		/* Tasks and waiting greenlets are on no thread's list. */
		if (slots[i].lasti <= WP_PYTHON_GREENLET)
			break;
		if (frames++ >= FRAMES_MAX || !r->objects.left) {
			r->ret->cut = true;
			break;
		}
		frame = skip_entry_frames(r, frame);
		if (!frame || code_of_frame(r, frame) != slots[i].addr ||
		    !take_frame(r, frame, slots[i].addr, (uint32_t)i))
			return false;
		frame = next_frame(r, frame);
	}
	return true;
}

bool wp_python_locals_read(const struct wp_python_locals_layout *layout,
			   const struct wp_python_plan *plan, const struct wp_memory *memory,
			   const struct wp_python_slot *slots, size_t n, size_t first,
			   struct wp_python_locals *ret)
{
	struct reader r = {.objects = {memory, plan, READS_MAX}, .layout = layout, .ret = ret};
	size_t before = ret->v.n;
	bool found = layout->frame && take_thread_frames(&r, slots, n, first);

	if (!found)
		ret->v.n = before;
	wp_map_deinit(&r.type_of);
	wp_vec_deinit(&r.types);
	return found;
}

void wp_python_locals_deinit(struct wp_python_locals *locals)
{
	wp_vec_deinit(&locals->v);
	wp_arena_deinit(&locals->arena);
	*locals = (struct wp_python_locals){0};
}
