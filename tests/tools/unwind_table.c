/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_table: shows the unwind rules of a file; a tool for the tests and benchmarks.
 *
 *	unwind_table FILE                  one line per row: address, kind, flags, offsets in bytes
 *of the CFA, return address, frame pointer and rbx unwind_table -s FILE                 one line of
 *figures
 */
#include "base/clock.h"
#include "base/str.h"
#include "resolve/unwind/unwind_tables.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const kinds[] = {"none", "end", "sp", "fp", "at_fp", "plt", "signal", "at_sp"};

static const char *kind_of(const struct wp_unwind_rule *r)
{
	static const char *const regs[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
					   "r8",  "r9",	 "r10", "r11", "r12", "r13", "r14", "r15"};

	if (r->cfa >= WP_UNWIND_REG && r->cfa - WP_UNWIND_REG < (int)WP_ARRAY_LEN(regs))
		return regs[r->cfa - WP_UNWIND_REG];
	return r->cfa < WP_ARRAY_LEN(kinds) ? kinds[r->cfa] : "?";
}

static void print_rows(const struct wp_unwind_rows *rows)
{
	wp_vec_each (struct wp_unwind_rule, r, &rows->rows)
		printf("%" PRIx64 " %s %u %d %d %d %d\n", rows->base + r->pc, kind_of(r), r->flags,
		       r->cfa == WP_UNWIND_PLT ? r->cfa_off : r->cfa_off * 8,
		       wp_unwind_ra_off(r) * 8, r->fp_off * 8,
		       r->flags & WP_UNWIND_BX_SAVED ? r->ra_off * 8 : 0);
}

static void print_figures(const char *path, const struct wp_symfile *file,
			  const struct wp_unwind_rows *rows, const struct wp_cfi_stats *stats,
			  uint64_t ns)
{
	uint64_t code = 0, without = 0;

	wp_vec_each (struct wp_elf_range, range, &file->image.code)
		code += range->end - range->start;
	for (int i = WP_CFI_OK + 1; i < WP_CFI_REASONS; i++)
		without += stats->without[i];
	printf("%s: %" PRIu64 " functions, %zu rows, %zu KB, %.1f KB per MB of code, built in "
	       "%.1f ms; %" PRIu64 " rows without a rule (%" PRIu64 " register, %" PRIu64
	       " expression, %" PRIu64 " return, %" PRIu64 " fp, %" PRIu64 " range), %" PRIu64
	       " damaged\n",
	       wp_str_basename(path), stats->entries, rows->rows.n,
	       rows->rows.n * sizeof(struct wp_unwind_rule) / 1024,
	       code ? (double)rows->rows.n * sizeof(struct wp_unwind_rule) / 1024 * 1048576 /
			       (double)code
		    : 0.0,
	       (double)ns / 1e6, without, stats->without[WP_CFI_CFA_REGISTER],
	       stats->without[WP_CFI_EXPRESSION], stats->without[WP_CFI_RETURN],
	       stats->without[WP_CFI_FRAME_POINTER], stats->without[WP_CFI_RANGE], stats->damaged);
}

int main(int argc, char **argv)
{
	bool figures = argc == 3 && strcmp(argv[1], "-s") == 0;
	struct wp_symfile_source source = {.path = argv[argc - 1]};
	struct wp_unwind_rows rows = {0};
	struct wp_cfi_stats stats = {0};
	struct wp_symfile file = {0};

	if (argc != 2 && !figures) {
		fprintf(stderr, "usage: unwind_table [-s] FILE\n");
		return 2;
	}
	source.fd = open(source.path, O_RDONLY | O_CLOEXEC);
	wp_autoerr struct wp_err *err = wp_symfile_load(&source, &file);
	if (source.fd < 0 || err) {
		fprintf(stderr, "%s: %s\n", source.path, err ? err->text : "cannot be opened");
		return 1;
	}
	uint64_t start = wp_clock_now_ns();
	bool found = wp_unwind_tables_compile(&source, &file, &rows, &stats);
	if (figures)
		print_figures(source.path, &file, &rows, &stats, wp_clock_now_ns() - start);
	else
		print_rows(&rows);
	wp_unwind_rows_deinit(&rows);
	wp_symfile_deinit(&file);
	close(source.fd);
	return !found;
}
