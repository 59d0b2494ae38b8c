/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_python_code: CODE records with any contents, and code objects in a memory that is the rest
 * of the input: {flags u8 (1: names are bytes; 2: a task; 4: what is said a second time is
 * different), form u8, first line u32, three texts {width u8, length u32, n u16},
 * table {length u32, captured u16}, bytes, each part taken as far as there is something left}.
 * Whatever comes in, what comes out is text for a terminal.
 */
#include "walk/python_id.h"
#include "runtime/python_code.h"
#include "runtime/python_text.h"
#include "../unit/python_texts.h"
#include "python_memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define BYTES	       WP_PYTHON_BYTES_NAMES
#define NAME_MAX_BYTES (WP_PYTHON_TEXT_MAX * 10 + 3) /* \U0010ffff, and an ellipsis */

static void check_name(const char *name)
{
	if (strlen(name) > NAME_MAX_BYTES)
		abort();
	check_text(name);
}

static void check_codes(struct wp_python_codes *codes)
{
	wp_vec_each (struct wp_python_code, code, &codes->all) {
		check_name(code->name);
		check_name(code->filename);
		for (int32_t lasti = -2; lasti < 64; lasti++)
			if (wp_python_code_line(code, lasti) != wp_python_code_line(code, lasti))
				abort();
		if (code->lines_cut && wp_python_code_line(code, INT32_MAX))
			abort();
	}
}

static struct wp_code_text text_of(struct wp_bytes *in)
{
	struct wp_code_text text = {.width = wp_bytes_u8(in)};

	text.length = wp_bytes_u32(in);
	text.n = wp_bytes_u16(in);
	return text;
}

static const uint8_t *bytes_of(struct wp_bytes *in, uint32_t *n)
{
	if (*n > wp_bytes_left(in))
		*n = (uint32_t)wp_bytes_left(in);
	return *n ? wp_bytes_take(in, *n) : NULL;
}

/* A plan for code objects at the beginning of the image. */
static struct wp_python_plan image_plan(uint32_t flags)
{
	return (struct wp_python_plan){
		.flags = flags,
		.generation = 2,
		CODE_PARTS,
		PYTHON_312_TEXTS,
	};
}

/* In the object that the line table's word leads to, and behind the code object. */
static void read_bytecode(struct wp_memory *memory, const struct wp_python_plan *plan, uint32_t id)
{
	struct wp_python_plan adaptive = *plan;
	wp_autostr struct wp_str code = {0};
	uint64_t at;

	adaptive.code_first_instr = plan->code_bytes;
	adaptive.object_type = plan->code_first_line - 8u;
	if (wp_python_code_read_bytecode(memory, plan, plan->code_lines, BASE, id, &code, &at) &&
	    !code.len)
		abort();
	wp_python_code_read_bytecode(memory, &adaptive, 0, BASE, id, &code, &at);
}

static void read_from_image(struct wp_python_codes *codes, struct wp_bytes image, uint32_t flags,
			    enum wp_python_lines_form form)
{
	struct wp_python_plan plan = image_plan(flags);
	struct wp_memory memory = {read_image, &image};
	uint64_t words[4];
	uint32_t line;

	if (image.size < plan.code_bytes)
		return;
	memcpy(words, image.data + 8, sizeof(words));
	memcpy(&line, image.data + 40, sizeof(line));
	uint32_t id = wp_python_id(words[0], words[2], words[3], line, 0);
	bool there = wp_python_codes_read(codes, &memory, &plan, form, BASE, id);
	if (there != (wp_python_codes_find(codes, 2, BASE, id) != NULL))
		abort();
	if (wp_python_codes_read(codes, &memory, &plan, form, BASE, id) && there)
		abort();
	if (wp_python_codes_read(codes, &memory, &plan, form, BASE, id + 1))
		abort();
	read_bytecode(&memory, &plan, id);
}

/* The same address and id once more: half of it, or another code object. */
static void say_again(struct wp_python_codes *codes, struct wp_record_code r, bool differs,
		      uint32_t flags, enum wp_python_lines_form form)
{
	struct wp_code_text name = r.name;

	if (differs) {
		r.name = r.qualname; /* or what could not be read */
		r.qualname = name;
		r.first_line += r.name.n;
	} else {
		r.lines_captured /= 2;
	}
	wp_python_codes_add(codes, &r, flags, form);
}

/* All but those of a generation. */
static void forget(struct wp_python_codes *codes, uint32_t generation)
{
	struct wp_map generations = {0};

	*wp_map_put(&generations, generation) = 1;
	wp_python_codes_keep(codes, &generations);
	wp_vec_each (struct wp_python_code, code, &codes->all)
		if (code->generation != generation)
			abort();
	wp_map_deinit(&generations);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_bytes in = wp_bytes_of(data, size);
	uint8_t what = wp_bytes_u8(&in);
	uint32_t flags = what & 1 ? BYTES : 0;
	enum wp_python_lines_form form = wp_bytes_u8(&in) % 4;
	struct wp_record_code r = {.addr = 8, .generation = 1, .first_line = wp_bytes_u32(&in)};
	struct wp_python_codes codes = {0};

	if (what & 2)
		r.addr |= WP_PYTHON_TASK_BIT;
	r.name = text_of(&in);
	r.qualname = text_of(&in);
	r.filename = text_of(&in);
	r.lines_len = wp_bytes_u32(&in);
	r.lines_captured = wp_bytes_u16(&in);
	if (in.failed)
		return 0;
	struct wp_bytes image = wp_bytes_of(data + in.pos, size - in.pos);
	r.name.bytes = bytes_of(&in, &r.name.n);
	r.qualname.bytes = bytes_of(&in, &r.qualname.n);
	r.filename.bytes = bytes_of(&in, &r.filename.n);
	r.lines = bytes_of(&in, &r.lines_captured);
	wp_python_codes_add(&codes, &r, flags, form);
	say_again(&codes, r, what & 4, flags, form);
	if (codes.all.n + codes.malformed / 2 != 1)
		abort();
	read_from_image(&codes, image, flags, form);
	check_codes(&codes);
	forget(&codes, 1);
	check_codes(&codes);
	wp_python_codes_deinit(&codes);
	return 0;
}
