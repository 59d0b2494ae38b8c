/* SPDX-License-Identifier: BSD-3-Clause */
/* python_lines: see python_lines.h. */
#include "format/python/python_lines.h"

#include "base/bytes.h"

#define NO_LINE	    INT64_MIN
#define MARK_EVERY  40 /* bytes of a table between two marks, at least */
#define INDEX_BEGIN 96 /* shorter tables are read as quickly as searched */

/* The end of the entries that were read, and what they say. */
struct walk {
	struct wp_bytes in;
	uint64_t end;  /* of the last range that was read, in bytes of bytecode */
	int64_t line;  /* running line */
	int64_t shown; /* line of the last range, or NO_LINE */
};

static struct walk walk_begin(const struct wp_python_lines *table)
{
	return (struct walk){
		.in = wp_bytes_of(table->bytes, table->n),
		.line = (int32_t)table->first_line,
		.shown = NO_LINE,
	};
}

/* Pairs {bytes, lines}: the line changes behind those bytes. */
static bool next_lnotab(struct walk *w, bool has_sign)
{
	uint8_t bytes = wp_bytes_u8(&w->in), lines = wp_bytes_u8(&w->in);

	if (w->in.failed)
		return false;
	w->end += bytes;
	w->shown = w->line;
	w->line += has_sign ? (int8_t)lines : lines;
	return true;
}

/* Pairs {bytes, lines}: the line changes before those bytes; -128: they have none. */
static bool next_linetable(struct walk *w)
{
	uint8_t bytes = wp_bytes_u8(&w->in);
	int8_t lines = (int8_t)wp_bytes_u8(&w->in);

	if (w->in.failed)
		return false;
	w->end += bytes;
	if (lines != INT8_MIN)
		w->line += lines;
	w->shown = lines == INT8_MIN ? NO_LINE : w->line;
	return true;
}

/* 6 bits a byte, lowest first; bit 6: more follow. What does not fit into 32 bits is lost. */
static uint32_t read_varint(struct wp_bytes *in)
{
	uint32_t value = 0;
	uint8_t byte;

	for (unsigned int shift = 0;; shift += 6) {
		byte = wp_bytes_u8(in);
		if (shift < 32)
			value |= (uint32_t)(byte & 0x3f) << shift;
		if (!(byte & 0x40))
			return value;
	}
}

/* The lowest bit is the sign. */
static int64_t read_signed_varint(struct wp_bytes *in)
{
	uint32_t value = read_varint(in);

	return value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
}

/* How many lines an entry of the location table is from the one before it. */
static int64_t location_lines(struct wp_bytes *in, unsigned int code)
{
	switch (code) {
	case 10:
	case 11:
	case 12: return (int64_t)code - 10;	/* one line, with two columns */
	case 13:				/* no columns */
	case 14: return read_signed_varint(in); /* with an end line and two columns */
	default: return 0;			/* 0 to 9: same line, short columns; 15: no line */
	}
}

/*
 * An entry begins with a byte that has bit 7 and ends before the next such byte: {1, code: 4, units
 * - 1: 3}, units being 2 bytes.
 */
static bool next_location(struct walk *w)
{
	uint8_t head = wp_bytes_u8(&w->in);
	unsigned int code = head >> 3 & 15;
	int64_t lines = location_lines(&w->in, code);

	if (w->in.failed)
		return false;
	while (wp_bytes_left(&w->in) && !(w->in.data[w->in.pos] & 0x80))
		w->in.pos++;
	w->end += ((head & 7u) + 1) * 2;
	w->line += lines;
	w->shown = code == 15 ? NO_LINE : w->line;
	return true;
}

static bool walk_next(struct walk *w, enum wp_python_lines_form form)
{
	switch (form) {
	case WP_PYTHON_LNOTAB_UNSIGNED: return next_lnotab(w, false);
	case WP_PYTHON_LNOTAB_SIGNED: return next_lnotab(w, true);
	case WP_PYTHON_LINETABLE: return next_linetable(w);
	case WP_PYTHON_LOCATIONS: return next_location(w);
	}
	return false;
}

/* Goes to the last mark that is not behind the instruction. */
static void walk_skip(struct walk *w, const struct wp_python_lines *table, uint64_t addr)
{
	const struct wp_python_lines_mark *marks = table->marks;
	size_t n = table->n_marks;

	while (n) {
		size_t half = n / 2;

		if (marks[half].end <= addr) {
			marks += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	if (marks == table->marks)
		return;
	w->in.pos = marks[-1].pos;
	w->end = marks[-1].end;
	w->line = marks[-1].line;
}

static uint32_t as_line(int64_t line)
{
	return line > 0 && line <= INT32_MAX ? (uint32_t)line : 0;
}

uint32_t wp_python_lines_at(const struct wp_python_lines *table, int64_t lasti)
{
	struct walk w = walk_begin(table);
	bool pairs = table->form <= WP_PYTHON_LNOTAB_SIGNED;

	if (lasti < 0)
		return as_line(w.line);
	walk_skip(&w, table, (uint64_t)lasti);
	while (walk_next(&w, table->form))
		if ((uint64_t)lasti < w.end)
			return as_line(w.shown);
	return pairs ? as_line(w.line) : 0; /* the last line of an lnotab has no end */
}

uint64_t wp_python_lines_end(const struct wp_python_lines *table)
{
	struct walk w = walk_begin(table);

	walk_skip(&w, table, UINT64_MAX);
	while (walk_next(&w, table->form))
		;
	return w.end;
}

void wp_python_lines_index(struct wp_python_lines *table, struct wp_arena *arena)
{
	struct walk w = walk_begin(table);
	size_t most = table->n / MARK_EVERY, last = 0;

	if (table->marks || table->n < INDEX_BEGIN || table->n > UINT32_MAX)
		return;
	struct wp_python_lines_mark *marks = wp_arena_alloc(arena, most * sizeof(*marks));
	table->marks = marks;
	while (walk_next(&w, table->form)) {
		if (w.in.pos - last < MARK_EVERY)
			continue;
		if (w.end > UINT32_MAX || w.line < INT32_MIN || w.line > INT32_MAX)
			return; /* nonsense; it is read in full */
		marks[table->n_marks++] = (struct wp_python_lines_mark){
			.pos = (uint32_t)w.in.pos,
			.end = (uint32_t)w.end,
			.line = (int32_t)w.line,
		};
		last = w.in.pos;
	}
}
