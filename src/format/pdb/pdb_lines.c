/* SPDX-License-Identifier: BSD-3-Clause */
/* pdb_lines: see pdb_lines.h. */
#include "format/pdb/pdb_lines.h"

#include "format/pdb/pdb_bound.h"

#include <stdlib.h>
#include <string.h>

/* Kinds of part: DEBUG_S_... */
enum {
	PART_LINES = 0xf2,
	PART_CHECKSUMS = 0xf4,
	PART_INLINEES = 0xf6,
	PART_IMPORTS = 0xf7,
	PART_EXPORTS = 0xf8,
};

#define LINES_COLUMNS 1
#define INLINEES_MORE 1 /* files follow each */
#define LINE_MASK     0xffffffu
/* Line numbers that are none: DIA and LLVM's LineInfo name them so. */
#define LINE_ALWAYS_STEP 0xfeefeeu
#define LINE_NEVER_STEP	 0xf00f00u

/* The lines of one piece of code. */
struct piece {
	uint32_t start, size;
	struct wp_bytes blocks; /* one per file */
	bool columns;
	size_t order;
};

struct reading {
	const struct wp_pdb_dbi *dbi;
	WP_VEC(struct piece) pieces;
	struct wp_pdb_lines *lines;
};

static void note_piece(struct reading *reading, struct wp_bytes part)
{
	struct piece piece = {.order = reading->pieces.n};
	uint32_t offset = wp_bytes_u32(&part);
	uint16_t section = wp_bytes_u16(&part), flags = wp_bytes_u16(&part);

	piece.size = wp_bytes_u32(&part);
	piece.columns = flags & LINES_COLUMNS;
	if (part.failed || !wp_pdb_dbi_rva(reading->dbi, section, offset, &piece.start) ||
	    !piece.size || piece.size > UINT32_MAX - piece.start)
		return;
	piece.blocks = wp_bytes_sub(&part, wp_bytes_left(&part));
	wp_vec_push(&reading->pieces, piece);
}

/* The first entry for a function counts. */
static void read_inlinees(struct wp_pdb_lines *lines, struct wp_bytes part)
{
	bool more = wp_bytes_u32(&part) == INLINEES_MORE;

	while (wp_bytes_left(&part) >= 12) {
		uint32_t id = wp_bytes_u32(&part), file = wp_bytes_u32(&part);
		uint64_t *at = wp_map_put(&lines->inlinees, id);
		uint64_t line = wp_bytes_u32(&part);

		if (!*at)
			*at = line << 32 | file;
		if (more)
			wp_bytes_skip(&part, 4ull * wp_bytes_u32(&part));
	}
}

static void read_exports(struct wp_pdb_lines *lines, struct wp_bytes part)
{
	while (wp_bytes_left(&part) >= 8) {
		uint64_t *at = wp_map_put(&lines->exports, wp_bytes_u32(&part));

		*at = wp_bytes_u32(&part);
	}
}

static void read_line_parts(struct reading *reading, struct wp_bytes b)
{
	struct wp_pdb_lines *lines = reading->lines;

	while (wp_bytes_left(&b) >= 8) {
		uint32_t kind = wp_bytes_u32(&b), size = wp_bytes_u32(&b);
		struct wp_bytes part = wp_bytes_sub(&b, size);

		if (b.failed)
			return;
		if (kind == PART_LINES)
			note_piece(reading, part);
		else if (kind == PART_CHECKSUMS)
			lines->files = part;
		else if (kind == PART_INLINEES)
			read_inlinees(lines, part);
		else if (kind == PART_IMPORTS)
			lines->imports = part;
		else if (kind == PART_EXPORTS)
			read_exports(lines, part);
		wp_bytes_skip(&b, -b.pos & 3);
	}
}

static int by_line_start(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int compare_line_keys(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Sorts the rows behind `first` by start; of the same start they stay in order. */
static void sort_line_rows(struct wp_pdb_lines *lines, size_t first)
{
	size_t n = lines->rows.n - first;
	struct wp_pdb_row *rows = lines->rows.v + first;
	wp_autofree uint64_t *keys = wp_calloc(n, sizeof(*keys));
	wp_autofree struct wp_pdb_row *copy = wp_calloc(n, sizeof(*copy));

	memcpy(copy, rows, n * sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		keys[i] = (uint64_t)rows[i].start << 32 | i;
	qsort(keys, n, sizeof(*keys), compare_line_keys);
	for (size_t i = 0; i < n; i++)
		rows[i] = copy[(uint32_t)keys[i]];
}

/* The rows of one file; false when they are not in order behind the last one. */
static bool read_block(struct wp_pdb_lines *lines, const struct piece *piece, struct wp_bytes block,
		       uint32_t file, uint32_t n)
{
	size_t first = lines->rows.n;
	bool sorted = true;

	for (uint32_t i = 0; i < n && wp_bytes_left(&block) >= 8; i++) {
		uint32_t offset = wp_bytes_u32(&block), line = wp_bytes_u32(&block) & LINE_MASK;
		uint32_t start = piece->start + offset;

		if (offset >= piece->size)
			continue;
		if (line == LINE_ALWAYS_STEP)
			line = 0;
		if (lines->rows.n && lines->rows.v[lines->rows.n - 1].start > start)
			sorted = false;
		wp_vec_push(&lines->rows, (struct wp_pdb_row){start, line, file});
	}
	return sorted || lines->rows.n == first;
}

/*
 * Code that a debugger never stops at (what a compiler adds between the instructions of a line) is
 * of the line before it.
 */
static void carry_lines(struct wp_pdb_lines *lines, size_t first)
{
	for (size_t i = first; i < lines->rows.n; i++) {
		struct wp_pdb_row *row = &lines->rows.v[i];

		if (row->line != LINE_NEVER_STEP)
			continue;
		row->line = i > first ? row[-1].line : 0;
		row->file = i > first ? row[-1].file : row->file;
	}
}

/* Code before the first row belongs to it; code behind the piece to none. */
static void read_lines_piece(struct wp_pdb_lines *lines, const struct piece *piece)
{
	struct wp_bytes b = piece->blocks;
	size_t first = lines->rows.n;
	bool sorted = true;

	while (wp_bytes_left(&b) >= 12) {
		uint32_t file = wp_bytes_u32(&b), n = wp_bytes_u32(&b), size = wp_bytes_u32(&b);
		struct wp_bytes block = wp_bytes_sub(&b, size >= 12 ? size - 12 : 0);

		sorted &= read_block(lines, piece, block, file, n);
	}
	if (lines->rows.n == first)
		return;
	if (!sorted)
		sort_line_rows(lines, first);
	carry_lines(lines, first);
	lines->rows.v[first].start = piece->start;
	wp_vec_push(&lines->rows, (struct wp_pdb_row){.start = piece->start + piece->size});
}

static void read_pieces(struct reading *reading)
{
	uint32_t end = 0;

	if (reading->pieces.n)
		qsort(reading->pieces.v, reading->pieces.n, sizeof(*reading->pieces.v),
		      by_line_start);
	wp_vec_each (struct piece, piece, &reading->pieces) {
		if (piece->start < end)
			continue;
		read_lines_piece(reading->lines, piece);
		end = piece->start + piece->size;
	}
}

bool wp_pdb_lines_read(const struct wp_pdb_msf *msf, const struct wp_pdb_dbi *dbi,
		       const struct wp_pdb_module_info *info, struct wp_pdb_lines *ret)
{
	struct wp_pdb_lines lines = {0};
	struct reading reading = {.dbi = dbi, .lines = &lines};

	if (info->stream == WP_PDB_NO_STREAM || !info->c13_bytes)
		return true;
	lines.bytes = wp_pdb_msf_load(
		msf, info->stream, (uint64_t)info->symbol_bytes + info->c11_bytes, info->c13_bytes);
	if (!lines.bytes)
		return false;
	read_line_parts(&reading, wp_bytes_of(lines.bytes, info->c13_bytes));
	read_pieces(&reading);
	wp_vec_deinit(&reading.pieces);
	lines.starts = wp_calloc(lines.rows.n + 1, sizeof(*lines.starts));
	for (size_t i = 0; i < lines.rows.n; i++)
		lines.starts[i] = lines.rows.v[i].start;
	*ret = lines;
	return true;
}

void wp_pdb_lines_deinit(struct wp_pdb_lines *lines)
{
	free(lines->bytes);
	free(lines->starts);
	wp_vec_deinit(&lines->rows);
	wp_map_deinit(&lines->inlinees);
	wp_map_deinit(&lines->exports);
	*lines = (struct wp_pdb_lines){0};
}

const struct wp_pdb_row *wp_pdb_lines_find(const struct wp_pdb_lines *lines, uint32_t rva)
{
	size_t n = wp_pdb_bound(lines->starts, lines->rows.n, sizeof(*lines->starts), rva);

	return n && lines->rows.v[n - 1].line ? &lines->rows.v[n - 1] : NULL;
}

bool wp_pdb_lines_file(const struct wp_pdb_lines *lines, uint32_t file, uint32_t *ret)
{
	struct wp_bytes b = lines->files;

	wp_bytes_seek(&b, file);
	uint32_t name = wp_bytes_u32(&b);
	if (!b.failed)
		*ret = name;
	return !b.failed;
}

/* Bits 20 to 30: which module of the list; the lower ones: which of its ids. */
bool wp_pdb_lines_import(const struct wp_pdb_lines *lines, uint32_t id, uint32_t *ret_module,
			 uint32_t *ret_id)
{
	struct wp_bytes b = lines->imports;
	uint32_t skip = id >> 20 & 0x7ff, at = id & 0xfffff;

	while (wp_bytes_left(&b) >= 8) {
		uint32_t module = wp_bytes_u32(&b), n = wp_bytes_u32(&b);

		if (skip--) {
			wp_bytes_skip(&b, 4ull * n);
			continue;
		}
		if (at >= n)
			return false;
		wp_bytes_skip(&b, 4ull * at);
		uint32_t found = wp_bytes_u32(&b);
		if (b.failed)
			return false;
		*ret_module = module;
		*ret_id = found;
		return true;
	}
	return false;
}

bool wp_pdb_lines_export(const struct wp_pdb_lines *lines, uint32_t id, uint32_t *ret)
{
	const uint64_t *found = wp_map_get(&lines->exports, id);

	if (found)
		*ret = (uint32_t)*found;
	return found;
}
