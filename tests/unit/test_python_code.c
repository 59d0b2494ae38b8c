/* SPDX-License-Identifier: BSD-3-Clause */
/* Code objects: texts that may be shown, lookups, what is cut, and reading them from memory. */
#include "check.h"
#include "python_texts.h"

#include "walk/python_id.h"
#include "format/python/python_bytecode.h"
#include "runtime/python_code.h"
#include "runtime/python_text.h"

#define TEXT(width, s)                                                          \
	((struct wp_code_text){width, (sizeof(s) - 1) / (width), sizeof(s) - 1, \
			       (const uint8_t *)(s)})

static char *show(struct wp_code_text text, bool is_bytes)
{
	static struct wp_str out;

	out.len = 0;
	wp_str_puts(&out, "");
	CHECK(wp_python_text_is_sane(&text, is_bytes));
	wp_python_text_put(&out, &text, is_bytes);
	return out.s;
}

static void test_text(void)
{
	CHECK_STR(show(TEXT(1, "A.caf\xe9.<locals>.<lambda>"), false),
		  "A.caf\xc3\xa9.<locals>.<lambda>");
	CHECK_STR(show(TEXT(2, "\x0d\x54\x41\x00"), false), "\xe5\x90\x8d"
							    "A");
	CHECK_STR(show(TEXT(4, "\x0d\xf4\x01\x00"), false), "\xf0\x9f\x90\x8d");
	CHECK_STR(show(TEXT(1, ""), false), "");
	/* what a terminal would obey */
	CHECK_STR(show(TEXT(1, "a\0\x1b[1m\n\x7f\x9b"
			       "2J"),
		       false),
		  "a\\x00\\x1b[1m\\x0a\\x7f\\x9b2J");
	CHECK_STR(show(TEXT(2, "\x2e\x20\x28\x20"), false), "\\u202e\\u2028");
	/* what is no character */
	CHECK_STR(show(TEXT(2, "\x00\xd8\x41\x00"), false), "\\ud800A");
	CHECK_STR(show(TEXT(4, "\xff\xff\xff\xff"), false), "\\Uffffffff");
	/* os.fsdecode(): bytes that were UTF-8 after all, and one that was not */
	CHECK_STR(show(TEXT(2, "\xc3\xdc\xa9\xdc\xff\xdc"), false), "\xc3\xa9\\xff");
	CHECK_STR(show(TEXT(2, "\x1b\xdc\x9b\xdc"), false), "\\udc1b\\x9b");
	/* 2.7 */
	CHECK_STR(show(TEXT(1, "caf\xc3\xa9\xe9\x1b"), true), "caf\xc3\xa9\\xe9\\x1b");
}

static void test_cut_text(void)
{
	struct wp_code_text text = TEXT(1, "abc\xc3");

	text.length = 100;
	CHECK_STR(show(text, true), "abc\xe2\x80\xa6");
	CHECK_STR(show(text, false), "abc\xc3\x83\xe2\x80\xa6");
	text.n = 0;
	CHECK_STR(show(text, false), "\xe2\x80\xa6");
	char *many = wp_calloc(10000, 1);
	memset(many, 'x', 10000);
	text = (struct wp_code_text){1, 10000, 10000, (uint8_t *)many};
	CHECK_U64(strlen(show(text, false)), WP_PYTHON_TEXT_MAX + 3);
	free(many);
	CHECK(!wp_python_text_is_sane(&(struct wp_code_text){3, 1, 3, (const uint8_t *)"abc"},
				      false));
	CHECK(!wp_python_text_is_sane(&(struct wp_code_text){2, 1, 2, (const uint8_t *)"ab"},
				      true));
	CHECK(!wp_python_text_is_sane(&(struct wp_code_text){1, 1, 2, (const uint8_t *)"ab"},
				      false));
	CHECK(!wp_python_text_is_sane(&(struct wp_code_text){1, 1, 1, NULL}, false));
	CHECK(!wp_python_text_is_sane(&(struct wp_code_text){0, 1, 1, (const uint8_t *)"a"},
				      false));
}

static const uint8_t lnotab[] = {6, 1, 4, 2, 250, 1};

static struct wp_record_code record(uint64_t addr)
{
	return (struct wp_record_code){
		.addr = addr,
		.id = 7,
		.generation = 3,
		.first_line = 20,
		.name = TEXT(1, "f"),
		.qualname = TEXT(1, "A.f"),
		.filename = TEXT(1, "/x/a.py"),
		.lines = lnotab,
		.lines_len = sizeof(lnotab),
		.lines_captured = sizeof(lnotab),
	};
}

static void test_codes(void)
{
	struct wp_python_codes codes = {0};
	struct wp_record_code r;

	for (uint64_t addr = 64; addr < 64 + 16 * 1000; addr += 16) {
		r = record(addr);
		wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
		wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	}
	CHECK_U64(codes.all.n, 1000);
	CHECK(!wp_python_codes_find(&codes, 3, 65, 7));
	CHECK(!wp_python_codes_find(&codes, 3, 64, 8));
	CHECK(!wp_python_codes_find(&codes, 4, 64, 7));
	struct wp_python_code *code = wp_python_codes_find(&codes, 3, 128, 7);
	CHECK(code && code->addr == 128 && code->symbol == UINT32_MAX && !code->lines_cut);
	CHECK_STR(code->name, "A.f");
	CHECK_STR(code->filename, "/x/a.py");
	for (int again = 0; again < 2; again++) {
		CHECK_U64(wp_python_code_line(code, -1), 20);
		CHECK_U64(wp_python_code_line(code, 0), 20);
		CHECK_U64(wp_python_code_line(code, 16), 23); /* shares a place with 0 */
		CHECK_U64(wp_python_code_line(code, 6), 21);
		CHECK_U64(wp_python_code_line(code, 7), 21);
		CHECK_U64(wp_python_code_line(code, 9999), 24);
	}
	r = record(0);
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	r = record(16);
	r.lines_len = 1;
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	r = record(16);
	r.name.width = 5;
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	CHECK_U64(codes.malformed, 3);
	CHECK_U64(codes.all.n, 1000);
	wp_python_codes_deinit(&codes);
}

static void test_refused(void)
{
	struct wp_budget budget = {.limit = 1 << 20};
	struct wp_python_codes codes = {.budget = &budget};
	struct wp_record_code r = record(64);

	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	CHECK(budget.used > sizeof(struct wp_python_code));
	budget.limit = 2 * budget.used;
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	CHECK_U64(codes.refused, 0); /* is known */
	r = record(128);
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	CHECK_U64(codes.refused, 1);
	CHECK(!wp_python_codes_find(&codes, 3, 128, 7));
	wp_python_codes_deinit(&codes);
}

/* Of a million code objects at one address some have one id: the last one that came counts. */
static void test_same_id(void)
{
	struct wp_python_codes codes = {0};
	struct wp_record_code r = record(64);
	uint8_t table[sizeof(lnotab)];

	memcpy(table, lnotab, sizeof(table));
	table[3]++;
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	wp_python_codes_find(&codes, 3, 64, 7)->symbol = 5;
	r.filename = TEXT(1, "/x/b.py");
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	CHECK_STR(wp_python_codes_find(&codes, 3, 64, 7)->filename, "/x/b.py");
	CHECK_U64(wp_python_codes_find(&codes, 3, 64, 7)->symbol, UINT32_MAX);
	r.qualname = TEXT(1, "B.f");
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	CHECK_STR(wp_python_codes_find(&codes, 3, 64, 7)->name, "B.f");
	r.first_line++;
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	CHECK_U64(wp_python_code_line(wp_python_codes_find(&codes, 3, 64, 7), 0), 21);
	r.lines = table;
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	CHECK_U64(wp_python_code_line(wp_python_codes_find(&codes, 3, 64, 7), 9999), 26);
	r.lines_len = r.lines_captured = 4;
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	CHECK_U64(codes.all.n, 1);
	/* What could not be read contradicts nothing. */
	r.name = r.qualname = r.filename = (struct wp_code_text){0};
	r.lines_captured = 0;
	r.lines_len = UINT64_MAX;
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	CHECK_U64(wp_python_code_line(wp_python_codes_find(&codes, 3, 64, 7), 0), 21);
	CHECK_STR(wp_python_codes_find(&codes, 3, 64, 7)->name, "B.f");
	wp_python_codes_deinit(&codes);
}

static void test_completed(void)
{
	struct wp_python_codes codes = {0};
	struct wp_record_code r = record(64);

	r.name = r.qualname = r.filename = (struct wp_code_text){0};
	r.lines_captured = 4;
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	struct wp_python_code *code = wp_python_codes_find(&codes, 3, 64, 7);
	CHECK_STR(code->name, "???");
	CHECK_STR(code->filename, "???");
	CHECK(code->lines_cut);
	CHECK_U64(wp_python_code_line(code, 9), 21);
	CHECK_U64(wp_python_code_line(code, 10), 0); /* it is 23, but who knows */
	code->symbol = 5;
	r = record(64);
	r.qualname = (struct wp_code_text){0};
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	CHECK(code == wp_python_codes_find(&codes, 3, 64, 7));
	CHECK_STR(code->name, "f");
	CHECK_STR(code->filename, "/x/a.py");
	CHECK_U64(code->symbol, UINT32_MAX);
	CHECK(!code->lines_cut);
	CHECK_U64(wp_python_code_line(code, 10), 23);
	wp_python_codes_deinit(&codes);
}

/* What the interpreter puts around the __init__ of a class has no line to begin on; what it puts
 * below an activation of its loop has a name of its own. */
static void test_shim(void)
{
	struct wp_python_codes codes = {0};
	struct wp_record_code r = record(64);

	r.name = r.qualname = r.filename = TEXT(1, "__init__");
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LOCATIONS);
	CHECK(!wp_python_codes_find(&codes, 3, 64, 7)->is_shim);
	r.first_line = 0;
	r.addr = 128;
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LOCATIONS);
	CHECK(wp_python_codes_find(&codes, 3, 128, 7)->is_shim);
	r = record(192);
	r.name = r.qualname = TEXT(1, "<interpreter trampoline>");
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LOCATIONS);
	CHECK(!wp_python_codes_find(&codes, 3, 192, 7)->is_shim);
	r.filename = TEXT(1, "<shim>");
	r.addr = 256;
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LOCATIONS);
	CHECK(wp_python_codes_find(&codes, 3, 256, 7)->is_shim);
	wp_python_codes_deinit(&codes);
}

/* A process of one code object at BASE, with a line table of 100,000 bytes. */
#define BASE  0x7f0000000000ull
#define TABLE 100000
/* At the end what the object holds is looked at once more, when all was read that is taken. */
#define CONTENT_READS 6

struct process {
	uint8_t bytes[0x400 + TABLE];
	uint32_t reads, changes_at; /* another code object is there from that read on */
};

static void put64(struct process *p, size_t at, uint64_t value)
{
	memcpy(p->bytes + at, &value, sizeof(value));
}

static bool read_process(void *arg, uint64_t addr, void *ret, size_t n)
{
	struct process *p = arg;

	if (++p->reads == p->changes_at)
		p->bytes[40]++;
	if (addr < BASE || addr - BASE > sizeof(p->bytes) || n > sizeof(p->bytes) - (addr - BASE))
		return false;
	memcpy(ret, p->bytes + (addr - BASE), n);
	return true;
}

static const struct wp_python_plan plan = {
	.generation = 3,
	.code_type = 0x1234,
	.object_type = 48,
	.code_name = 8,
	.code_qualname = 16,
	.code_filename = 24,
	.code_lines = 32,
	.code_first_line = 40,
	.code_bytes = 56,
	PYTHON_312_TEXTS,
};

static uint32_t make_process(struct process *p)
{
	memset(p, 0, sizeof(*p));
	put64(p, 8, BASE + 0x100);
	put64(p, 16, BASE + 0x180);
	put64(p, 24, BASE + 0x200);
	put64(p, 32, BASE + 0x300);
	p->bytes[40] = 20;
	put64(p, 48, 0x1234);
	put64(p, 0x100 + 16, 1);
	put64(p, 0x100 + 32, 1 << 2 | 1 << 5 | 1 << 6);
	memcpy(p->bytes + 0x100 + 40, "f", 1);
	put64(p, 0x180 + 16, 3);
	put64(p, 0x180 + 32, 1 << 2 | 1 << 5); /* Latin-1 */
	memcpy(p->bytes + 0x180 + 56, "A.\xe9", 3);
	put64(p, 0x200 + 16, 2);
	put64(p, 0x200 + 32, 2 << 2 | 1 << 5);
	memcpy(p->bytes + 0x200 + 56, "/\0\x0d\x54", 4);
	put64(p, 0x300 + 16, TABLE);
	for (size_t i = 0; i < TABLE; i += 2)
		memcpy(p->bytes + 0x300 + 32 + i, "\2\1", 2);
	return wp_python_id(BASE + 0x100, BASE + 0x200, BASE + 0x300, 20, 0);
}

static void test_read(void)
{
	struct wp_python_codes codes = {0};
	struct process *p = wp_calloc(1, sizeof(*p));
	struct wp_memory memory = {read_process, p};
	uint32_t id = make_process(p);

	CHECK(!wp_python_codes_read(&codes, &memory, &plan, WP_PYTHON_LNOTAB_SIGNED, BASE, id + 1));
	CHECK(!wp_python_codes_read(&codes, &memory, &plan, WP_PYTHON_LNOTAB_SIGNED, BASE + 8, id));
	CHECK(!wp_python_codes_read(&codes, &memory, &plan, WP_PYTHON_LNOTAB_SIGNED, 64, id));
	CHECK_U64(codes.all.n, 0);
	p->reads = 0;
	CHECK(wp_python_codes_read(&codes, &memory, &plan, WP_PYTHON_LNOTAB_SIGNED, BASE, id));
	struct wp_python_code *code = wp_python_codes_find(&codes, 3, BASE, id);
	CHECK(code && !code->lines_cut);
	CHECK_STR(code->name, "A.\xc3\xa9");
	CHECK_STR(code->filename, "/\xe5\x90\x8d");
	CHECK_U64(wp_python_code_line(code, TABLE - 2), 20 + TABLE / 2 - 1);
	uint32_t reads = p->reads; /* asked once */
	CHECK(!wp_python_codes_read(&codes, &memory, &plan, WP_PYTHON_LNOTAB_SIGNED, BASE, id));
	CHECK_U64(p->reads, reads);
	wp_python_codes_deinit(&codes);
	/* Freed, but not used again: the word before the type leads to the next free block. */
	make_process(p);
	p->bytes[46] = 0x7f;
	CHECK(!wp_python_codes_read(&codes, &memory, &plan, WP_PYTHON_LNOTAB_SIGNED, BASE, id));
	CHECK_U64(codes.all.n, 0);
	wp_python_codes_deinit(&codes);
	/* The object is freed and its memory used again while we read. */
	for (uint32_t at = 1; at <= reads; at++) {
		make_process(p);
		p->reads = 0;
		p->changes_at = at;
		bool there = wp_python_codes_read(&codes, &memory, &plan, WP_PYTHON_LNOTAB_SIGNED,
						  BASE, id);
		CHECK(!there || p->reads < at || at > reads - CONTENT_READS);
		CHECK_U64(codes.all.n, there);
		wp_python_codes_deinit(&codes);
	}
	free(p);
}

/* Bytecode in an object of its own (here the line table's), and at the end of the code object. */
static void test_read_bytecode(void)
{
	struct process *p = wp_calloc(1, sizeof(*p));
	struct wp_memory memory = {read_process, p};
	struct wp_python_plan adaptive = plan;
	uint32_t id = make_process(p);
	wp_autostr struct wp_str code = {0};
	uint64_t at = 0;

	adaptive.code_first_instr = 64;
	CHECK(wp_python_code_read_bytecode(&memory, &plan, 32, BASE, id, &code, &at));
	CHECK(code.len == TABLE && memcmp(code.s, p->bytes + 0x320, TABLE) == 0);
	CHECK(at == BASE + 0x320);
	CHECK(!wp_python_code_read_bytecode(&memory, &plan, 32, BASE, id + 1, &code, &at));
	CHECK(!wp_python_code_read_bytecode(&memory, &plan, 32, BASE + 8, id, &code, &at));
	CHECK(!wp_python_code_read_bytecode(&memory, &plan, 0, BASE, id, &code,
					    &at)); /* not told where */
	put64(p, 56, 2);
	memcpy(p->bytes + 64, "\227\0S\0", 4);
	CHECK(wp_python_code_read_bytecode(&memory, &adaptive, 0, BASE, id, &code, &at));
	CHECK(code.len == 4 && memcmp(code.s, "\227\0S\0", 4) == 0);
	CHECK(at == BASE + 64);
	put64(p, 56, 0);
	CHECK(!wp_python_code_read_bytecode(&memory, &adaptive, 0, BASE, id, &code, &at));
	put64(p, 56, UINT64_MAX / 2 + 2);
	CHECK(!wp_python_code_read_bytecode(&memory, &adaptive, 0, BASE, id, &code, &at));
	put64(p, 56, WP_PYTHON_BYTECODE_MAX / 2); /* behind what is mapped */
	CHECK(!wp_python_code_read_bytecode(&memory, &adaptive, 0, BASE, id, &code, &at));
	make_process(p);
	put64(p, 0x300 + 16, WP_PYTHON_BYTECODE_MAX + 1);
	CHECK(!wp_python_code_read_bytecode(&memory, &plan, 32, BASE, id, &code, &at));
	make_process(p);
	p->reads = 0;
	p->changes_at = 3; /* freed while it is read */
	CHECK(!wp_python_code_read_bytecode(&memory, &plan, 32, BASE, id, &code, &at));
	free(p);
}

/* asyncio's tasks come as code objects do. */
static void test_tasks(void)
{
	struct wp_python_codes codes = {0};
	struct wp_record_code r = record(65);
	struct wp_python_code *task;

	r.name = TEXT(1, "alpha\x1b");
	r.lines = NULL;
	r.lines_captured = 0;
	r.lines_len = UINT64_MAX;
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LOCATIONS);
	r.id = 8; /* no name, but a number */
	r.name = (struct wp_code_text){0};
	r.lines_len = 12;
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LOCATIONS);
	r.id = 9;
	r.lines_len = UINT64_MAX;
	r.qualname = r.filename = r.name;
	wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LOCATIONS);
	task = wp_python_codes_find(&codes, 3, 65, 7);
	CHECK(task && !task->lines_cut);
	CHECK_STR(task->name, "task alpha\\x1b (A.f)");
	CHECK_STR(task->filename, "/x/a.py");
	CHECK_U64(wp_python_code_line(task, WP_PYTHON_TASK), 20);
	task = wp_python_codes_find(&codes, 3, 65, 8);
	CHECK_STR(task ? task->name : "", "task Task-12 (A.f)");
	task = wp_python_codes_find(&codes, 3, 65, 9);
	CHECK_STR(task ? task->name : "", "task ??? (\?\?\?)");
	CHECK_U64(codes.malformed, 0);
	wp_python_codes_deinit(&codes);
}

/* Of what two processes had, one's is forgotten. */
static void test_keep(void)
{
	struct wp_budget budget = {.limit = 1 << 30}, once = budget;
	struct wp_python_codes codes = {.budget = &once};
	struct wp_map kept = {0};
	struct wp_record_code r;

	for (uint64_t i = 1; i <= 1000; i++) {
		r = record(i * 64);
		r.generation = 2;
		wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	}
	wp_python_codes_deinit(&codes);
	codes.budget = &budget;

	for (uint64_t i = 1; i <= 1000; i++) {
		r = record(i * 64);
		r.generation = 1;
		wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
		r.generation = 2;
		wp_python_codes_add(&codes, &r, 0, WP_PYTHON_LNOTAB_SIGNED);
	}
	CHECK(budget.used > once.used);
	*wp_map_put(&kept, 2) = 1;
	wp_python_codes_keep(&codes, &kept);
	CHECK_U64(codes.all.n, 1000);
	CHECK_U64(budget.used, once.used); /* as if there had been only that one */
	for (uint64_t i = 1; i <= 1000; i++) {
		struct wp_python_code *code = wp_python_codes_find(&codes, 2, i * 64, r.id);

		CHECK(!wp_python_codes_find(&codes, 1, i * 64, r.id));
		CHECK(code && code->lines.n == r.lines_captured &&
		      memcmp(code->lines.bytes, r.lines, r.lines_captured) == 0);
		CHECK_U64(code ? wp_python_code_line(code, 0) : 0, r.first_line);
	}
	wp_map_deinit(&kept);
	wp_python_codes_deinit(&codes);
}

int main(void)
{
	RUN(test_text);
	RUN(test_cut_text);
	RUN(test_codes);
	RUN(test_refused);
	RUN(test_same_id);
	RUN(test_completed);
	RUN(test_keep);
	RUN(test_shim);
	RUN(test_read);
	RUN(test_read_bytecode);
	RUN(test_tasks);
	return check_done();
}
