/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_code_read: a code object out of the memory of a process that still has it, as the record
 * that a walker would have brought.
 *
 * Runtime stage. The process runs on meanwhile and is not to be trusted: the identity is checked
 * before and after, every size is bounded.
 */
#include "runtime/python_code.h"

#include "format/python/python_bytecode.h"
#include "walk/python_task_capture.inc.h"

#include <string.h>

#define TABLE_MAX (1u << 20) /* bytes; one of 32 KB is that of some 5,000 lines */

struct reader {
	struct wp_python_walk walk; /* first: the hooks get a pointer to it */
	const struct wp_memory *memory;
	struct wp_python_captured captured;
};

static int wp_python_read(struct wp_python_walk *w, void *to, __u32 bytes, __u64 from)
{
	const struct wp_memory *memory = ((struct reader *)w)->memory;

	return bytes && !memory->read(memory->arg, from, to, bytes) ? -1 : 0;
}

/* Of a walk through frames, which there is none of here. */
static void wp_python_put(struct wp_python_walk *w, __u64 addr, __s32 lasti, __u32 id)
{
	(void)w, (void)addr, (void)lasti, (void)id;
}

static void wp_python_meet(struct wp_python_walk *w, __u64 code, __u32 id)
{
	(void)w, (void)code, (void)id;
}

static struct wp_code_text captured_text_of(const struct wp_python_captured_text *text,
					    const uint8_t **data)
{
	struct wp_code_text ret = {
		.width = text->width,
		.length = text->length < UINT32_MAX ? (uint32_t)text->length : UINT32_MAX,
		.n = text->bytes,
		.bytes = *data,
	};

	*data += text->bytes;
	return ret;
}

static struct wp_record_code record_of_captured(const struct wp_python_captured *c)
{
	const uint8_t *data = c->data;
	struct wp_record_code record = {
		.addr = c->head.addr,
		.id = c->head.id,
		.generation = c->head.generation,
		.first_line = c->head.first_line,
		.lines_len = c->head.lines_len,
		.lines_captured = c->head.lines_bytes,
	};

	record.name = captured_text_of(&c->head.name, &data);
	record.qualname = captured_text_of(&c->head.qualname, &data);
	record.filename = captured_text_of(&c->head.filename, &data);
	record.lines = data;
	return record;
}

/* A table that is longer than what a walker captures; the caller frees, NULL: as it was. */
static uint8_t *read_long_table(struct reader *r, struct wp_record_code *record)
{
	const struct wp_python_plan *plan = &r->walk.in.plan;
	uint64_t size = record->lines_len, at = wp_python_code_word(&r->walk, plan->code_lines);

	if (record->lines_captured >= size || size > TABLE_MAX)
		return NULL;
	uint8_t *bytes = wp_calloc(size, 1);
	if (wp_python_read(&r->walk, bytes, (uint32_t)size, at + plan->bytes_data)) {
		free(bytes);
		return NULL;
	}
	record->lines = bytes;
	record->lines_captured = (uint32_t)size;
	return bytes;
}

/* Reads an asyncio task's record, as the task is now: it may have been given another name. */
static bool read_asyncio_task(struct wp_python_codes *codes, struct reader *r, uint64_t addr,
			      uint32_t id)
{
	struct wp_record_code record;

	if (wp_python_capture_task(&r->walk, addr, id, &r->captured) != 0 ||
	    wp_python_task_id(&r->walk, addr) != id)
		return false;
	record = record_of_captured(&r->captured);
	wp_python_codes_add(codes, &record, r->walk.in.plan.flags, WP_PYTHON_LOCATIONS);
	return true;
}

/* Adds the code object when it is there and still the same at the end. */
static bool read_code_object(struct wp_python_codes *codes, struct reader *r,
			     enum wp_python_lines_form form, uint64_t addr, uint32_t id)
{
	if (wp_python_capture(&r->walk, addr, id, &r->captured) < 0)
		return false;
	struct wp_record_code record = record_of_captured(&r->captured);
	wp_autofree uint8_t *table = read_long_table(r, &record);
	if (wp_python_read_code(&r->walk, addr) || !wp_python_is_code(&r->walk, id) ||
	    wp_python_is_freed(&r->walk))
		return false;
	wp_python_codes_add(codes, &record, r->walk.in.plan.flags, form);
	(void)table;
	return true;
}

bool wp_python_codes_read(struct wp_python_codes *codes, const struct wp_memory *memory,
			  const struct wp_python_plan *plan, enum wp_python_lines_form form,
			  uint64_t addr, uint32_t id)
{
	struct wp_python_code *known = wp_python_codes_find(codes, plan->generation, addr, id);

	if (known && known->asked)
		return false;
	wp_autofree struct reader *r = wp_calloc(1, sizeof(*r));
	r->walk.in.plan = *plan;
	r->memory = memory;
	bool there = addr & WP_PYTHON_TASK_BIT ? read_asyncio_task(codes, r, addr, id)
					       : read_code_object(codes, r, form, addr, id);
	known = wp_python_codes_find(codes, plan->generation, addr, id);
	if (known)
		known->asked = true;
	return there && known;
}

static bool is_still_code(struct reader *r, uint64_t addr, uint32_t id)
{
	return !wp_python_read_code(&r->walk, addr) && wp_python_is_code(&r->walk, id) &&
	       !wp_python_is_freed(&r->walk);
}

/*
 * Where it is, and its bytes: up to 3.10 in an object of its own; else at the end of the code
 * object, whose ob_size counts its units (_PyCode_NBYTES() in Include/cpython/code.h).
 */
static bool find_bytecode(struct reader *r, uint16_t code_code, uint64_t addr, __u64 *ret_at,
			  __u64 *ret_bytes)
{
	const struct wp_python_plan *plan = &r->walk.in.plan;
	__u64 object, units;

	if (code_code) {
		object = wp_python_code_word(&r->walk, code_code);
		*ret_at = object + plan->bytes_data;
		return !wp_python_read_word(&r->walk, object + plan->bytes_size, ret_bytes);
	}
	if (!plan->code_first_instr ||
	    wp_python_read_word(&r->walk, addr + plan->object_type + 8u, &units) ||
	    units > WP_PYTHON_BYTECODE_MAX)
		return false;
	*ret_at = addr + plan->code_first_instr;
	*ret_bytes = 2 * units;
	return true;
}

bool wp_python_code_read_bytecode(const struct wp_memory *memory, const struct wp_python_plan *plan,
				  uint16_t code_code, uint64_t addr, uint32_t id,
				  struct wp_str *ret, uint64_t *ret_at)
{
	wp_autofree struct reader *r = wp_calloc(1, sizeof(*r));
	__u64 at, bytes;

	r->walk.in.plan = *plan;
	r->memory = memory;
	if (!is_still_code(r, addr, id) || !find_bytecode(r, code_code, addr, &at, &bytes) ||
	    !bytes || bytes > WP_PYTHON_BYTECODE_MAX)
		return false;
	ret->len = 0;
	wp_str_pad(ret, '\0', bytes);
	*ret_at = at;
	return !wp_python_read(&r->walk, ret->s, (uint32_t)bytes, at) && is_still_code(r, addr, id);
}
