/* SPDX-License-Identifier: BSD-3-Clause */
/* python_code: see python_code.h. */
#include "runtime/python_code.h"

#include "runtime/python_text.h"

#include <inttypes.h>
#include <string.h>

#define UNREADABLE "???"

/* Of a text and of a code object, besides what they say: their places in tables. */
#define TEXT_OVERHEAD 32
#define CODE_BYTES    (sizeof(struct wp_python_code) + 16)

static uint64_t code_key_of(uint32_t generation, uint64_t addr, uint32_t id)
{
	uint64_t key = (addr ^ (uint64_t)generation << 48) * 0xd6e8feb86659fd93u;

	return (key ^ key >> 32) + id;
}

struct wp_python_code *wp_python_codes_find(struct wp_python_codes *codes, uint32_t generation,
					    uint64_t addr, uint32_t id)
{
	const uint64_t *first = wp_map_get(&codes->by_key, code_key_of(generation, addr, id));

	for (size_t next = first ? *first : 0; next; next = codes->all.v[next - 1].next) {
		struct wp_python_code *code = &codes->all.v[next - 1];

		if (code->addr == addr && code->id == id && code->generation == generation)
			return code;
	}
	return NULL;
}

static bool is_sane(const struct wp_record_code *r, bool is_bytes)
{
	return r->addr && wp_python_text_is_sane(&r->name, is_bytes) &&
	       wp_python_text_is_sane(&r->qualname, is_bytes) &&
	       wp_python_text_is_sane(&r->filename, is_bytes) &&
	       r->lines_captured <= r->lines_len && (r->lines || !r->lines_captured);
}

static bool take_codes_room(struct wp_python_codes *codes, size_t bytes)
{
	return wp_budget_take(codes->budget, WP_BUDGET_PYTHON, bytes);
}

/* A text that is new takes room; those that are known are found before it is looked at. */
static const char *keep(struct wp_python_codes *codes, const struct wp_str *s)
{
	const char *text = s->s ? s->s : "", *known = wp_strpool_find(&codes->texts, text);

	if (known)
		return known;
	if (!take_codes_room(codes, s->len + TEXT_OVERHEAD))
		return UNREADABLE;
	return wp_strpool_get(&codes->texts, wp_strpool_id(&codes->texts, text));
}

static const char *keep_code_text(struct wp_python_codes *codes, const struct wp_code_text *text,
				  bool is_bytes)
{
	wp_autostr struct wp_str s = {0};

	if (!text->width)
		return UNREADABLE;
	wp_python_text_put(&s, text, is_bytes);
	return keep(codes, &s);
}

/* "task NAME (COROUTINE)" of what was captured as walk/python_task_capture.inc.h has it. */
static const char *keep_task(struct wp_python_codes *codes, const struct wp_record_code *r,
			     uint64_t number)
{
	wp_autostr struct wp_str s = {0};

	wp_str_puts(&s, "task ");
	if (r->name.width)
		wp_python_text_put(&s, &r->name, false);
	else if (number != UINT64_MAX)
		wp_str_printf(&s, "Task-%" PRIu64, number);
	else
		wp_str_puts(&s, UNREADABLE);
	wp_str_puts(&s, " (");
	if (r->qualname.width)
		wp_python_text_put(&s, &r->qualname, false);
	else
		wp_str_puts(&s, UNREADABLE);
	wp_str_puts(&s, ")");
	return keep(codes, &s);
}

static struct wp_python_code unread(const struct wp_record_code *r, uint32_t next)
{
	return (struct wp_python_code){
		.name = UNREADABLE,
		.filename = UNREADABLE,
		.lines_cut = true,
		.symbol = UINT32_MAX,
		.addr = r->addr,
		.id = r->id,
		.generation = r->generation,
		.next = next,
	};
}

/* The place of a new code object, or NULL when there are too many. */
static struct wp_python_code *new_code(struct wp_python_codes *codes,
				       const struct wp_record_code *r)
{
	if (codes->all.n >= WP_PYTHON_CODES_MAX || !take_codes_room(codes, CODE_BYTES)) {
		codes->refused++;
		return NULL;
	}
	uint64_t *first = wp_map_put(&codes->by_key, code_key_of(r->generation, r->addr, r->id));
	wp_vec_push(&codes->all, unread(r, (uint32_t)*first));
	*first = codes->all.n;
	return &codes->all.v[codes->all.n - 1];
}

static void take_line_table(struct wp_python_codes *codes, struct wp_python_code *code,
			    const struct wp_record_code *r, enum wp_python_lines_form form)
{
	uint8_t *bytes;

	if (!take_codes_room(codes, r->lines_captured))
		return;
	codes->table_bytes += r->lines_captured;
	bytes = wp_arena_alloc(&codes->arena, r->lines_captured);
	if (r->lines_captured)
		memcpy(bytes, r->lines, r->lines_captured);
	code->lines = (struct wp_python_lines){
		.form = form,
		.first_line = r->first_line,
		.bytes = bytes,
		.n = r->lines_captured,
	};
	code->lines_cut = r->lines_captured < r->lines_len;
	memset(code->seen, 0, sizeof(code->seen));
	wp_python_lines_index(&code->lines, &codes->arena);
	code->lines_end = wp_python_lines_end(&code->lines);
}

static void add_task(struct wp_python_codes *codes, const struct wp_record_code *record)
{
	struct wp_record_code r = *record;
	struct wp_python_code *code;

	r.lines_len = r.lines_captured = 0; /* the former was a number */
	r.lines = NULL;
	if (!is_sane(&r, false)) {
		codes->malformed++;
		return;
	}
	if (wp_python_codes_find(codes, r.generation, r.addr, r.id))
		return;
	code = new_code(codes, &r);
	if (!code)
		return;
	code->name = keep_task(codes, &r, record->lines_len);
	if (r.filename.width)
		code->filename = keep_code_text(codes, &r.filename, false);
	take_line_table(codes, code, &r, WP_PYTHON_LOCATIONS);
}

static bool has_texts(const struct wp_python_code *code, const char *name, const char *filename)
{
	return strcmp(code->name, name) == 0 && strcmp(code->filename, filename) == 0;
}

/*
 * What 3.13 and newer put around the __init__ of a class that is called: _Py_InitCleanup in
 * Python/specialize.c, whose three texts are one and which begins on no line. Code that is compiled
 * begins on line 1 or later. And what 3.12 and newer put below each activation of the evaluation
 * loop (INTERPRETER_TRAMPOLINE_CODEDEF in Python/pylifecycle.c): the walker knows such a frame by
 * its owner, which is written some instructions behind the code.
 */
static bool is_shim(const struct wp_python_code *code)
{
	return (!code->lines.first_line && has_texts(code, "__init__", "__init__")) ||
	       has_texts(code, "<interpreter trampoline>", "<shim>");
}

static bool is_readable_text(const char *text)
{
	return strcmp(text, UNREADABLE) != 0;
}

/* Whether what was read of both contradicts: texts are kept once, so their places tell. */
static bool is_other_text(const char *known, const char *text)
{
	return known != text && is_readable_text(known) && is_readable_text(text);
}

static bool is_other_table(const struct wp_python_code *code, const struct wp_record_code *r)
{
	size_t n = code->lines.n < r->lines_captured ? code->lines.n : r->lines_captured;
	bool whole = !code->lines_cut && r->lines_captured == r->lines_len;

	return code->lines.first_line != r->first_line ||
	       (whole && code->lines.n != r->lines_captured) ||
	       (n && memcmp(code->lines.bytes, r->lines, n) != 0);
}

static void complete_code_texts(struct wp_python_code *code, const char *name, const char *filename)
{
	if (!is_readable_text(code->name) && is_readable_text(name)) {
		code->name = name;
		code->symbol = UINT32_MAX;
	}
	if (!is_readable_text(code->filename) && is_readable_text(filename)) {
		code->filename = filename;
		code->symbol = UINT32_MAX;
	}
}

static void keep_code_record(struct wp_python_codes *codes, const struct wp_record_code *r,
			     bool is_bytes, enum wp_python_lines_form form)
{
	struct wp_python_code *code = wp_python_codes_find(codes, r->generation, r->addr, r->id);
	bool fresh = !code;

	if (!code)
		code = new_code(codes, r);
	if (!code)
		return;
	const char *name =
		keep_code_text(codes, r->qualname.width ? &r->qualname : &r->name, is_bytes);
	const char *filename = keep_code_text(codes, &r->filename, is_bytes);
	if (!fresh && (is_other_text(code->name, name) || is_other_text(code->filename, filename) ||
		       is_other_table(code, r))) {
		*code = unread(r, code->next); /* the one before was freed */
		fresh = true;
	}
	complete_code_texts(code, name, filename);
	if (fresh || (code->lines_cut && r->lines_captured > code->lines.n))
		take_line_table(codes, code, r, form);
	code->is_shim = is_shim(code);
}

void wp_python_codes_add(struct wp_python_codes *codes, const struct wp_record_code *record,
			 uint32_t plan_flags, enum wp_python_lines_form form)
{
	bool is_bytes = plan_flags & WP_PYTHON_BYTES_NAMES;

	if (record->addr & WP_PYTHON_TASK_BIT)
		add_task(codes, record);
	else if (is_sane(record, is_bytes))
		keep_code_record(codes, record, is_bytes, form);
	else
		codes->malformed++;
}

static uint32_t find_code_line(const struct wp_python_code *code, int32_t lasti)
{
	if (code->lines_cut && lasti >= 0 && (uint64_t)lasti >= code->lines_end)
		return 0;
	return wp_python_lines_at(&code->lines, lasti);
}

uint32_t wp_python_code_line(struct wp_python_code *code, int32_t lasti)
{
	size_t at =
		(uint32_t)lasti / 2 % WP_PYTHON_CODE_SEEN; /* instructions are mostly units of 2 */

	if (!code->seen[at].line_1 || code->seen[at].lasti != lasti) {
		code->seen[at].lasti = lasti;
		code->seen[at].line_1 = find_code_line(code, lasti) + 1;
	}
	return code->seen[at].line_1 - 1;
}

/* Moves its line table from the arena of before. */
static void move_lines(struct wp_python_codes *codes, struct wp_python_code *code)
{
	uint8_t *bytes = wp_arena_alloc(&codes->arena, code->lines.n);

	if (code->lines.n)
		memcpy(bytes, code->lines.bytes, code->lines.n);
	code->lines = (struct wp_python_lines){
		.form = code->lines.form,
		.first_line = code->lines.first_line,
		.bytes = bytes,
		.n = code->lines.n,
	};
	wp_python_lines_index(&code->lines, &codes->arena);
}

void wp_python_codes_keep(struct wp_python_codes *codes, const struct wp_map *generations)
{
	struct wp_arena before = codes->arena;
	uint64_t tables = 0;
	size_t n = 0;

	codes->arena = (struct wp_arena){0};
	wp_map_deinit(&codes->by_key);
	wp_vec_each (struct wp_python_code, code, &codes->all) {
		if (!wp_map_get(generations, code->generation)) {
			wp_budget_give(codes->budget, WP_BUDGET_PYTHON, CODE_BYTES);
			continue;
		}
		uint64_t *first = wp_map_put(&codes->by_key,
					     code_key_of(code->generation, code->addr, code->id));
		if (code->lines.n)
			move_lines(codes, code);
		tables += code->lines.n;
		code->next = (uint32_t)*first;
		codes->all.v[n] = *code;
		*first = ++n;
	}
	codes->all.n = n;
	wp_budget_give(codes->budget, WP_BUDGET_PYTHON, codes->table_bytes - tables);
	codes->table_bytes = tables;
	wp_arena_deinit(&before);
}

void wp_python_codes_deinit(struct wp_python_codes *codes)
{
	wp_map_deinit(&codes->by_key);
	wp_vec_deinit(&codes->all);
	wp_strpool_deinit(&codes->texts);
	wp_arena_deinit(&codes->arena);
	*codes = (struct wp_python_codes){0};
}
