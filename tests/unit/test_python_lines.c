/* SPDX-License-Identifier: BSD-3-Clause */
/* Line tables of CPython, every form, by the rules of lnotab_notes.txt and locations.md. */
#include "check.h"

#include "base/vec.h"
#include "format/python/python_lines.h"

#define TABLE(form, first, ...)                                \
	{                                                      \
		form, first, (const uint8_t[]){__VA_ARGS__},   \
			sizeof((const uint8_t[]){__VA_ARGS__}) \
	}

struct answer {
	int64_t lasti;
	uint32_t line;
};

#define CHECK_LINES(table, ...)                                      \
	check_lines(__LINE__, table, (struct answer[]){__VA_ARGS__}, \
		    WP_ARRAY_LEN(((struct answer[]){__VA_ARGS__})))

static void check_lines(int at, const struct wp_python_lines *table, const struct answer *want,
			size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t line = wp_python_lines_at(table, want[i].lasti);

		if (line != want[i].line)
			printf("line %d: at %lld\n", at, (long long)want[i].lasti);
		CHECK_U64(line, want[i].line);
	}
}

static void test_lnotab(void)
{
	struct wp_python_lines table =
		TABLE(WP_PYTHON_LNOTAB_UNSIGNED, 10, 6, 1, 0, 255, 255, 0, 4, 200, 99);

	CHECK_LINES(&table, {-1, 10}, {0, 10}, {5, 10}, {6, 266}, {264, 266}, {265, 466},
		    {100000, 466});
	CHECK_U64(wp_python_lines_end(&table), 265);
	table.form = WP_PYTHON_LNOTAB_SIGNED;
	CHECK_LINES(&table, {5, 10}, {6, 10}, {264, 10}, {265, 0});
	table.n = 0;
	CHECK_LINES(&table, {-1, 10}, {0, 10}, {7, 10});
}

static void test_linetable(void)
{
	/* An empty range, a range without a line, a line that comes back. */
	struct wp_python_lines table = TABLE(WP_PYTHON_LINETABLE, 5, 2, 0, 0, 127, 4, 0x80, 254, 3,
					     6, 0x81 /* -127 */, 2, 0, 7);

	CHECK_LINES(&table, {-1, 5}, {0, 5}, {2, 0}, {5, 0}, {6, 135}, {259, 135}, {260, 8},
		    {266, 8}, {268, 0}, {INT64_MAX, 0});
	CHECK_U64(wp_python_lines_end(&table), 268);
}

static void test_locations(void)
{
	struct wp_python_lines table =
		TABLE(WP_PYTHON_LOCATIONS, 5, 0xf8,   /* none, 1 unit */
		      0xd1, 1, 2,		      /* 10: same line, 2 units */
		      0xe8, 0, 0,		      /* 13, 1 unit, + 0; a byte too many */
		      0xf0, 4, 0, 1, 1,		      /* 14: + 2 */
		      0x80 | 12 << 3, 3, 4,	      /* + 2 */
		      0xff,			      /* none, 8 units */
		      0x80 | 3 << 3 | 1, 0x11,	      /* short, 2 units */
		      0x80 | 13 << 3, 0x43, 0x01,     /* varint 3 | 1 << 6: - 33 */
		      0x80 | 13 << 3 | 7, 0x40, 0x60, /* 32 << 6, cut in its middle */
		);

	CHECK_LINES(&table, {-2, 5}, {0, 0}, {1, 0}, {2, 5}, {5, 5}, {6, 5}, {8, 7}, {10, 9},
		    {12, 0}, {27, 0}, {28, 9}, {31, 9}, {32, 0} /* 9 - 33 is no line */, {34, 0});
	CHECK_U64(wp_python_lines_end(&table), 34);
}

static void test_hostile(void)
{
	struct wp_python_lines table = TABLE(WP_PYTHON_LOCATIONS, UINT32_MAX, 0xe8, 0x7f, 0x7f,
					     0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x3f, 0x12, 0xf8);

	CHECK_LINES(&table, {-1, 0}, {0, 0}, {2, 0});
	table.form = (enum wp_python_lines_form)9;
	CHECK_LINES(&table, {0, 0});
	table = (struct wp_python_lines){WP_PYTHON_LNOTAB_SIGNED, INT32_MAX, NULL, 0};
	CHECK_LINES(&table, {0, INT32_MAX});
}

/* A long table of any form; marks must change no answer. */
static void check_marks(enum wp_python_lines_form form)
{
	static const uint8_t entries[][6] = {{0xf1},	 {0x83, 7},    {0xd8, 1, 2},
					     {0xe9, 30}, {0xe0, 5, 6}, {0xf2, 5, 0, 1, 1}};
	static const uint8_t lengths[] = {1, 2, 3, 2, 3, 5};
	WP_VEC(uint8_t) bytes = {0};
	struct wp_arena arena = {0};
	struct wp_python_lines table = {.form = form, .first_line = 900}, marked;

	for (size_t i = 0; i < 6000; i++)
		for (size_t k = 0; k < lengths[i % 7 % 6]; k++)
			wp_vec_push(&bytes, form == WP_PYTHON_LOCATIONS ? entries[i % 7 % 6][k]
					    : k + i % 5			? (uint8_t)(i * 7 + k)
									: 0);
	table.bytes = bytes.v;
	table.n = bytes.n;
	marked = table;
	wp_python_lines_index(&marked, &arena);
	CHECK(marked.n_marks > 100 && marked.n_marks <= table.n / 40);
	uint64_t end = wp_python_lines_end(&table), wrong = 0;
	CHECK_U64(wp_python_lines_end(&marked), end);
	for (uint64_t at = 0; at <= end + 9; at += 1 + end / 3000)
		wrong += wp_python_lines_at(&marked, (int64_t)at) !=
			 wp_python_lines_at(&table, (int64_t)at);
	for (size_t i = 0; i < marked.n_marks; i++)
		for (int64_t at = (int64_t)marked.marks[i].end - 2; at < marked.marks[i].end + 3ll;
		     at++)
			wrong += wp_python_lines_at(&marked, at) != wp_python_lines_at(&table, at);
	CHECK_U64(wrong, 0);
	wp_arena_deinit(&arena);
	wp_vec_deinit(&bytes);
}

static void test_marks(void)
{
	for (int form = WP_PYTHON_LNOTAB_UNSIGNED; form <= WP_PYTHON_LOCATIONS; form++)
		check_marks((enum wp_python_lines_form)form);
}

int main(void)
{
	RUN(test_lnotab);
	RUN(test_linetable);
	RUN(test_locations);
	RUN(test_hostile);
	RUN(test_marks);
	return check_done();
}
