/* SPDX-License-Identifier: BSD-3-Clause */
/* pdb_sites: see pdb_sites.h. Bounds: the calls inlined into one procedure. */
#include "format/pdb/pdb_sites.h"

#include "format/pdb/pdb_bound.h"

#include <stdlib.h>

#define MAX_SITES (1u << 16)

/* Annotations: BA_OP_... */
enum {
	OP_END,
	OP_CODE_OFFSET,
	OP_CODE_BASE,
	OP_ADD_CODE,
	OP_CODE_LENGTH,
	OP_FILE,
	OP_ADD_LINE,
	OP_LINE_END,
	OP_RANGE_KIND,
	OP_COLUMN,
	OP_ADD_COLUMN_END,
	OP_ADD_CODE_AND_LINE,
	OP_LENGTH_AND_ADD_CODE,
	OP_COLUMN_END,
};

/* Where the program is. */
struct program {
	struct wp_pdb_sites *sites;
	struct wp_pdb_site *site;
	uint32_t offset, line, file;
	bool open;	/* the last row has no end yet */
	bool elsewhere; /* in a piece that was moved away: not in this procedure's bytes */
};

/* One, two or four bytes; the first bits say which. */
static uint32_t read_packed(struct wp_bytes *b)
{
	uint32_t first = wp_bytes_u8(b);

	if (first < 0x80)
		return first;
	uint32_t second = wp_bytes_u8(b);
	if (first < 0xc0)
		return (first & 0x3f) << 8 | second;
	uint32_t third = wp_bytes_u8(b), fourth = wp_bytes_u8(b);
	if (first >= 0xe0)
		b->failed = true;
	return (first & 0x1f) << 24 | second << 16 | third << 8 | fourth;
}

/* The lowest bit is the sign. */
static uint32_t signed_of(uint32_t packed)
{
	return packed & 1 ? -(packed >> 1) : packed >> 1;
}

static void close_row(struct program *p, uint32_t end)
{
	struct wp_pdb_site_row *row;

	if (!p->open)
		return;
	p->open = false;
	row = &p->sites->rows.v[p->sites->rows.n - 1];
	row->end = end;
	if (end <= row->start)
		p->sites->rows.n--;
}

static void open_row(struct program *p)
{
	struct wp_pdb_site_row row = {p->offset, 0, p->line, p->file};

	if (p->elsewhere)
		return;
	wp_vec_push(&p->sites->rows, row);
	p->open = true;
}

static void move_code(struct program *p, uint32_t add)
{
	p->offset += add;
	close_row(p, p->offset);
	open_row(p);
}

/* False at the end of the program. */
static bool run_annotation(struct program *p, struct wp_bytes *b)
{
	uint32_t length;

	switch (read_packed(b)) {
	case OP_CODE_OFFSET:
		p->offset = 0;
		move_code(p, read_packed(b));
		break;
	case OP_CODE_BASE:
		close_row(p, p->offset);
		p->elsewhere = read_packed(b) != 0;
		break;
	case OP_ADD_CODE: move_code(p, read_packed(b)); break;
	case OP_CODE_LENGTH:
		p->offset += read_packed(b);
		close_row(p, p->offset);
		break;
	case OP_FILE: p->file = read_packed(b); break;
	case OP_ADD_LINE: p->line += signed_of(read_packed(b)); break;
	case OP_LINE_END:
	case OP_RANGE_KIND:
	case OP_COLUMN:
	case OP_ADD_COLUMN_END:
	case OP_COLUMN_END: read_packed(b); break;
	case OP_ADD_CODE_AND_LINE:
		length = read_packed(b);
		p->line += signed_of(length >> 4);
		move_code(p, length & 15);
		break;
	case OP_LENGTH_AND_ADD_CODE:
		length = read_packed(b);
		move_code(p, read_packed(b));
		close_row(p, p->offset + length);
		break;
	default: return false;
	}
	return !b->failed;
}

static int by_site_start(const void *a, const void *b)
{
	const struct wp_pdb_site_row *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void finish_rows(struct wp_pdb_sites *sites, struct wp_pdb_site *site)
{
	struct wp_pdb_site_row *rows;
	bool sorted = true;

	site->n = (uint32_t)sites->rows.n - site->first;
	site->start = UINT32_MAX;
	if (!site->n)
		return;
	rows = sites->rows.v + site->first;
	for (uint32_t i = 0; i < site->n; i++) {
		sorted = sorted && (!i || rows[i - 1].start <= rows[i].start);
		site->start = rows[i].start < site->start ? rows[i].start : site->start;
		site->end = rows[i].end > site->end ? rows[i].end : site->end;
	}
	if (!sorted)
		qsort(rows, site->n, sizeof(*rows), by_site_start);
}

static void read_site(struct wp_pdb_sites *sites, struct wp_bytes body, bool counted,
		      const struct wp_pdb_lines *lines, uint32_t proc_size)
{
	struct wp_pdb_site site = {.first = (uint32_t)sites->rows.n};
	struct program program = {.sites = sites};

	wp_bytes_skip(&body, 8); /* what it stands in, its end */
	site.inlinee = wp_bytes_u32(&body);
	if (counted)
		wp_bytes_u32(&body); /* how often it was called when it was trained */
	const uint64_t *source = wp_map_get(&lines->inlinees, site.inlinee);
	program.line = source ? (uint32_t)(*source >> 32) : 0;
	program.file = source ? (uint32_t)*source : UINT32_MAX;
	while (wp_bytes_left(&body) && run_annotation(&program, &body))
		;
	close_row(&program, proc_size);
	finish_rows(sites, &site);
	wp_vec_push(&sites->sites, site);
}

void wp_pdb_sites_read(const struct wp_pdb_symbols *symbols, const struct wp_pdb_proc *proc,
		       const struct wp_pdb_lines *lines, struct wp_pdb_sites *ret)
{
	struct wp_bytes b = wp_bytes_of(symbols->bytes, proc->end), body;
	WP_VEC(uint32_t) open = {0};
	uint16_t kind;

	wp_bytes_seek(&b, proc->inside);
	while (ret->sites.n < MAX_SITES && (kind = wp_pdb_symbols_next(&b, &body))) {
		if (kind == WP_PDB_S_INLINESITE || kind == WP_PDB_S_INLINESITE2) {
			wp_vec_push(&open, (uint32_t)ret->sites.n);
			read_site(ret, body, kind == WP_PDB_S_INLINESITE2, lines, proc->size);
		} else if (kind == WP_PDB_S_INLINESITE_END && open.n) {
			ret->sites.v[open.v[--open.n]].next = (uint32_t)ret->sites.n;
		}
	}
	while (open.n)
		ret->sites.v[open.v[--open.n]].next = (uint32_t)ret->sites.n;
	wp_vec_deinit(&open);
}

void wp_pdb_sites_deinit(struct wp_pdb_sites *sites)
{
	wp_vec_deinit(&sites->sites);
	wp_vec_deinit(&sites->rows);
}

static const struct wp_pdb_site_row *row_at(const struct wp_pdb_sites *sites,
					    const struct wp_pdb_site *site, uint32_t offset)
{
	const struct wp_pdb_site_row *rows = sites->rows.v + site->first;
	size_t n = wp_pdb_bound(rows, site->n, sizeof(*rows), offset);

	return n && offset < rows[n - 1].end ? &rows[n - 1] : NULL;
}

const struct wp_pdb_site *wp_pdb_sites_find(const struct wp_pdb_sites *sites, uint32_t from,
					    uint32_t end, uint32_t offset,
					    const struct wp_pdb_site_row **ret_row)
{
	const struct wp_pdb_site *site;

	for (uint32_t i = from; i < end && i < sites->sites.n; i = site->next) {
		site = &sites->sites.v[i];
		if (offset < site->start || offset >= site->end)
			continue;
		const struct wp_pdb_site_row *row = row_at(sites, site, offset);
		if (row) {
			*ret_row = row;
			return site;
		}
	}
	return NULL;
}
