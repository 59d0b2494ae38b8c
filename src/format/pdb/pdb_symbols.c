/* SPDX-License-Identifier: BSD-3-Clause */
/* pdb_symbols: see pdb_symbols.h. */
#include "format/pdb/pdb_symbols.h"

#include "format/pdb/pdb_bound.h"

#include <stdlib.h>
#include <string.h>

#define SIGNATURE_C13 4
#define MAX_NAME      65535

uint16_t wp_pdb_symbols_next(struct wp_bytes *b, struct wp_bytes *ret)
{
	if (wp_bytes_left(b) < 4)
		return 0;
	uint16_t len = wp_bytes_u16(b), kind = wp_bytes_u16(b);

	if (len < 2) {
		b->failed = true;
		return 0;
	}
	*ret = wp_bytes_sub(b, len - 2u);
	return b->failed ? 0 : kind;
}

static bool is_proc(uint16_t kind)
{
	return kind == WP_PDB_S_GPROC32 || kind == WP_PDB_S_LPROC32 ||
	       kind == WP_PDB_S_GPROC32_ID || kind == WP_PDB_S_LPROC32_ID ||
	       kind == WP_PDB_S_LPROC32_DPC || kind == WP_PDB_S_LPROC32_DPC_ID;
}

/* Where a symbol is, read from the next six bytes. */
static bool read_place(struct wp_bytes *b, const struct wp_pdb_dbi *dbi, uint32_t *ret)
{
	uint32_t offset = wp_bytes_u32(b);
	uint16_t section = wp_bytes_u16(b);

	return !b->failed && wp_pdb_dbi_rva(dbi, section, offset, ret);
}

static bool read_proc(struct wp_bytes *b, const struct wp_pdb_dbi *dbi, struct wp_pdb_proc *ret)
{
	wp_bytes_u32(b); /* what it stands in */
	ret->end = wp_bytes_u32(b);
	wp_bytes_u32(b); /* the next one */
	ret->size = wp_bytes_u32(b);
	wp_bytes_skip(b, 12); /* where its body begins and ends, its type */
	bool placed = read_place(b, dbi, &ret->start);
	wp_bytes_u8(b);
	ret->name = wp_bytes_str(b, MAX_NAME);
	return placed && ret->name && *ret->name;
}

static bool read_thunk(struct wp_bytes *b, const struct wp_pdb_dbi *dbi, struct wp_pdb_proc *ret)
{
	wp_bytes_skip(b, 12);
	bool placed = read_place(b, dbi, &ret->start);
	ret->size = wp_bytes_u16(b);
	wp_bytes_u8(b);
	ret->name = wp_bytes_str(b, MAX_NAME);
	return placed && ret->name && *ret->name;
}

static bool read_trampoline(struct wp_bytes *b, const struct wp_pdb_dbi *dbi,
			    struct wp_pdb_proc *ret)
{
	wp_bytes_u16(b); /* incremental linking, branch island */
	ret->size = wp_bytes_u16(b);
	uint32_t offset = wp_bytes_u32(b), target = wp_bytes_u32(b);
	uint16_t section = wp_bytes_u16(b), target_section = wp_bytes_u16(b);

	ret->is_trampoline = true;
	return !b->failed && wp_pdb_dbi_rva(dbi, section, offset, &ret->start) &&
	       wp_pdb_dbi_rva(dbi, target_section, target, &ret->target);
}

static bool read_moved(struct wp_bytes *b, const struct wp_pdb_dbi *dbi, struct wp_pdb_proc *ret)
{
	wp_bytes_skip(b, 8);
	ret->size = wp_bytes_u32(b);
	wp_bytes_u32(b); /* flags */
	uint32_t offset = wp_bytes_u32(b), target = wp_bytes_u32(b);
	uint16_t section = wp_bytes_u16(b), target_section = wp_bytes_u16(b);

	return !b->failed && wp_pdb_dbi_rva(dbi, section, offset, &ret->start) &&
	       wp_pdb_dbi_rva(dbi, target_section, target, &ret->target);
}

/* False for records of other kinds and such as make no sense. */
static bool read_proc_record(uint16_t kind, struct wp_bytes *body, const struct wp_pdb_dbi *dbi,
			     struct wp_pdb_proc *ret)
{
	if (is_proc(kind))
		return read_proc(body, dbi, ret);
	if (kind == WP_PDB_S_THUNK32)
		return read_thunk(body, dbi, ret);
	if (kind == WP_PDB_S_TRAMPOLINE)
		return read_trampoline(body, dbi, ret);
	return kind == WP_PDB_S_SEPCODE && read_moved(body, dbi, ret);
}

static void read_records(struct wp_pdb_symbols *symbols, const struct wp_pdb_dbi *dbi)
{
	struct wp_bytes b = wp_bytes_of(symbols->bytes, symbols->size), body;
	uint16_t kind;

	if (wp_bytes_u32(&b) != SIGNATURE_C13)
		return;
	while ((kind = wp_pdb_symbols_next(&b, &body))) {
		struct wp_pdb_proc proc = {0};

		if (!read_proc_record(kind, &body, dbi, &proc))
			continue;
		if (proc.end > b.pos && proc.end < symbols->size) {
			proc.inside = (uint32_t)b.pos;
			wp_bytes_seek(&b, proc.end);
		} else {
			proc.end = 0;
		}
		if (proc.size && proc.size <= UINT32_MAX - proc.start)
			wp_vec_push(&symbols->procs, proc);
	}
}

/* By place in the module where the start is the same. */
static int by_function_start(const void *a, const void *b)
{
	const struct wp_pdb_proc *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->inside < y->inside ? -1 : x->inside > y->inside;
}

bool wp_pdb_symbols_read(const struct wp_pdb_msf *msf, const struct wp_pdb_dbi *dbi,
			 const struct wp_pdb_module_info *info, struct wp_pdb_symbols *ret)
{
	struct wp_pdb_symbols symbols = {.size = info->symbol_bytes};

	if (info->stream == WP_PDB_NO_STREAM || !symbols.size)
		return true;
	symbols.bytes = wp_pdb_msf_load(msf, info->stream, 0, symbols.size);
	if (!symbols.bytes)
		return false;
	read_records(&symbols, dbi);
	if (symbols.procs.n)
		qsort(symbols.procs.v, symbols.procs.n, sizeof(*symbols.procs.v),
		      by_function_start);
	symbols.starts = wp_calloc(symbols.procs.n + 1, sizeof(*symbols.starts));
	for (size_t i = 0; i < symbols.procs.n; i++)
		symbols.starts[i] = symbols.procs.v[i].start;
	*ret = symbols;
	return true;
}

void wp_pdb_symbols_deinit(struct wp_pdb_symbols *symbols)
{
	free(symbols->bytes);
	free(symbols->starts);
	wp_vec_deinit(&symbols->procs);
	*symbols = (struct wp_pdb_symbols){0};
}

const struct wp_pdb_proc *wp_pdb_symbols_find(const struct wp_pdb_symbols *symbols, uint32_t rva)
{
	size_t n = symbols->procs.n;
	size_t i = wp_pdb_bound_first(symbols->starts, n, sizeof(*symbols->starts), rva);
	const struct wp_pdb_proc *proc = i < n ? &symbols->procs.v[i] : NULL;

	return proc && rva - proc->start < proc->size ? proc : NULL;
}
