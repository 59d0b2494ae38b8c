/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_pdb: a PDB from its container to inlined calls: every kind of question, over the whole
 * image. */
#include "format/pdb/pdb.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t text(const char *s)
{
	return s ? strlen(s) : 0;
}

static size_t ask(struct wp_pdb *pdb, uint64_t rva)
{
	struct wp_pdb_inline calls[WP_PDB_INLINES_MAX];
	struct wp_pdb_function f;
	struct wp_pdb_line line;
	struct wp_rva at = {rva};
	size_t sum = 0, n;

	if (wp_pdb_line(pdb, at, &line)) {
		sum += text(line.file);
		if (!line.line)
			abort();
	}
	if (wp_pdb_function(pdb, at, &f)) {
		sum += text(f.name) + text(wp_pdb_decorated(pdb, &f));
		if (!f.size || !*f.name)
			abort();
	}
	n = wp_pdb_inlines(pdb, at, calls);
	if (n > WP_PDB_INLINES_MAX)
		abort();
	for (size_t i = 0; i < n; i++)
		sum += text(calls[i].name) + text(calls[i].line.file);
	return sum;
}

/* Rows are sorted. */
static void ask_frames(const struct wp_pdb *pdb)
{
	struct wp_unwind_rows rows = {.base = 0x400000};

	wp_pdb_frames(pdb, &rows);
	for (size_t i = 1; i < rows.rows.n; i++)
		if (rows.rows.v[i].pc <= rows.rows.v[i - 1].pc)
			abort();
	wp_unwind_rows_deinit(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_pdb_bytes bytes = {data, size};
	struct wp_pdb_input input = wp_pdb_input_of("fuzzed", &bytes);
	struct wp_pdb *pdb;
	size_t sum = 0;

	wp_autoerr struct wp_err *err = wp_pdb_open(&input, &pdb);
	if (err)
		return 0;
	for (uint64_t rva = 0xff8; rva < 0x1410; rva += 4)
		sum += ask(pdb, rva) + ask(pdb, rva + 0x4000);
	sum += ask(pdb, UINT64_MAX) + ask(pdb, UINT32_MAX);
	ask_frames(pdb);
	wp_pdb_close(pdb);
	if (sum == SIZE_MAX)
		abort();
	return 0;
}
