/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_lines: compares the decoder of line tables with an interpreter's answers; a tool for the
 * tests.
 *
 *	python_lines <STREAM		what python_lines_oracle.py writes; one line of figures
 *
 * The stream is little-endian: tables, each {form u32, first line u32, bytes of the table u32,
 * bytes of its name u32, first offset i32, step u32, answers u32}, name, table, answers i32 (-1: no
 * line). They are compared with the code object's record, asked as a profile does, and with the
 *bare table (in long code every 16th).
 */
#include "runtime/python_code.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TABLE_MAX  (64u << 20)
#define SHOWN	   10
#define LONG	   100
#define GENERATION 1

struct head {
	uint32_t form, first_line, bytes, name_bytes;
	int32_t first;
	uint32_t step, n;
};

struct figures {
	struct wp_python_codes codes;
	uint64_t tables, addresses, differences;
};

static bool read_exactly(void *ret, size_t n)
{
	return fread(ret, 1, n, stdin) == n;
}

static bool head_is_sane(const struct head *h)
{
	return h->form <= WP_PYTHON_LOCATIONS && h->bytes <= TABLE_MAX && h->n <= TABLE_MAX &&
	       h->name_bytes < 4096;
}

static void compare(const struct head *h, const char *name, const uint8_t *bytes,
		    const int32_t *want, struct figures *f)
{
	struct wp_record_code record = {
		.addr = 8 * (f->tables + 1),
		.id = 1,
		.generation = GENERATION,
		.first_line = h->first_line,
		.name = {1, h->name_bytes, h->name_bytes, (const uint8_t *)name},
		.lines = bytes,
		.lines_len = h->bytes,
		.lines_captured = h->bytes,
	};
	struct wp_python_lines table = {h->form, h->first_line, bytes, h->bytes};

	wp_python_codes_add(&f->codes, &record, 0, h->form);
	struct wp_python_code *code = wp_python_codes_find(&f->codes, GENERATION, record.addr, 1);
	for (uint32_t i = 0; i < h->n; i++) {
		int64_t lasti = h->first + (int64_t)h->step * i;
		uint32_t line = want[i] > 0 ? (uint32_t)want[i] : 0;
		/* Without marks the whole table is read. */
		uint32_t bare =
			h->n < LONG || i % 16 == 0 ? wp_python_lines_at(&table, lasti) : line;
		uint32_t ours = code ? wp_python_code_line(code, (int32_t)lasti) : UINT32_MAX;

		if (bare == line && ours == line)
			continue;
		if (f->differences++ < SHOWN)
			printf("%s at %" PRId64 ": %u, with marks %u, the interpreter says %d\n",
			       name, lasti, bare, ours, want[i]);
	}
	f->tables++;
	f->addresses += h->n;
}

/* False at the end of the stream; *ret_whole says whether that was between two tables. */
static bool next(struct figures *f, bool *ret_whole)
{
	struct head h;
	size_t got = fread(&h, 1, sizeof(h), stdin);

	*ret_whole = got == 0;
	if (got != sizeof(h) || !head_is_sane(&h))
		return false;
	wp_autofree char *name = wp_calloc(h.name_bytes + 1, 1);
	wp_autofree uint8_t *bytes = wp_calloc(h.bytes + 1, 1);
	wp_autofree int32_t *want = wp_calloc(h.n + 1, sizeof(*want));
	if (!read_exactly(name, h.name_bytes) || !read_exactly(bytes, h.bytes) ||
	    !read_exactly(want, h.n * sizeof(*want)))
		return false;
	compare(&h, name, bytes, want, f);
	return true;
}

int main(void)
{
	struct figures f = {0};
	bool whole;

	while (next(&f, &whole))
		;
	printf("%" PRIu64 " addresses in %" PRIu64 " code objects, %" PRIu64 " differences%s\n",
	       f.addresses, f.tables, f.differences, whole ? "" : "; the stream is damaged");
	wp_python_codes_deinit(&f.codes);
	return f.differences || !whole || !f.addresses;
}
