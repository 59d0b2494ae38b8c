/* SPDX-License-Identifier: BSD-3-Clause */
/* srclines: see srclines.h. */
#include "resolve/lines/srclines.h"

#include "base/strpool.h"
#include "base/vec.h"
#include "format/elf/elf_bounds.h"
#include "format/elf/elf_sections.h"
#include "resolve/find/alt_debug.h"
#include "resolve/lines/dwarf_entry.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_UNITS  (1u << 20)
#define MAX_RANGES (8u << 20)
/* Of strangers' files, in bytes: 0.4 s of libdw. Whole programs in one file have less (sqlite3.c).
 */
#define MAX_TABLE     (512 << 10)
#define DWARF_IS_WIDE 0xffffffffu /* DWARF 5, 7.4: a length of 64 bits follows */

struct unit_range {
	uint64_t start, end;
	Dwarf_Off unit; /* of the unit's DIE */
};

struct wp_srclines {
	int fd;
	struct wp_elf_file file;
	Dwarf *dwarf;
	struct wp_alt_debug alt; /* of dwarf */
	struct wp_pdb *pdb;
	uint64_t shift;			  /* of a PDB: its image's base */
	WP_VEC(struct unit_range) ranges; /* sorted by start */
	size_t looked;			  /* ranges, empty ones too */
	struct wp_strpool files;	  /* names that were completed */
	struct wp_budget *budget;
	bool begun;
	bool bounded, too_long, told; /* wp_srclines_bound(); too_long: a table was */
	const Elf_Data *tables;	      /* bounded: .debug_line; NULL: none */
};

static int compare_lines(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void index_unit(struct wp_srclines *lines, Dwarf_Die *unit)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while (lines->looked++ < MAX_RANGES &&
	       (at = dwarf_ranges(unit, at, &base, &start, &end)) > 0)
		if (start < end)
			wp_vec_push(&lines->ranges,
				    (struct unit_range){start, end, dwarf_dieoffset(unit)});
}

static void index_units(struct wp_srclines *lines)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t type;

	for (int i = 0; i < (int)MAX_UNITS; i++) {
		if (dwarf_get_units(lines->dwarf, unit, &unit, NULL, &type, &die, NULL) != 0)
			break;
		if (type == DW_UT_compile || type == DW_UT_skeleton || type == DW_UT_partial)
			index_unit(lines, &die);
	}
	if (lines->ranges.n)
		qsort(lines->ranges.v, lines->ranges.n, sizeof(*lines->ranges.v), compare_lines);
}

/* Inflated, which libdw has done by now. */
static const Elf_Data *find_tables(Elf *elf)
{
	GElf_Shdr header;
	const Elf_Data *tables = elf ? wp_elf_section(elf, ".debug_line", &header) : NULL;

	return elf && !tables ? wp_elf_section(elf, ".zdebug_line", &header) : tables;
}

/* At the first question, since libdw may take long. False when there is no DWARF. */
static bool begin_lines(struct wp_srclines *lines)
{
	if (lines->begun)
		return lines->dwarf;
	lines->begun = true;
	if (lines->fd >= 0)
		lines->file.elf = wp_elf_open(lines->fd);
	if (lines->file.elf)
		lines->dwarf = wp_elf_bounds_dwarf(lines->file.elf, lines->budget);
	if (!lines->dwarf)
		return false;
	wp_alt_debug_set(lines->dwarf, lines->fd, lines->budget, &lines->alt);
	index_units(lines);
	lines->tables = find_tables(dwarf_getelf(lines->dwarf));
	return true;
}

static struct wp_srclines *new_lines(int fd, uint64_t shift, struct wp_budget *budget)
{
	struct wp_srclines *lines = wp_calloc(1, sizeof(*lines));

	lines->fd = fd;
	lines->alt.fd = -1;
	lines->shift = shift;
	lines->budget = budget;
	return lines;
}

struct wp_srclines *wp_srclines_open(int fd, uint64_t shift, struct wp_budget *budget)
{
	return fd >= 0 ? new_lines(fd, shift, budget) : NULL;
}

struct wp_srclines *wp_srclines_of(struct wp_elf_file *file, struct wp_budget *budget)
{
	struct wp_srclines *lines = new_lines(-1, 0, budget);

	lines->file = *file;
	return lines;
}

struct wp_srclines *wp_srclines_of_pdb(struct wp_pdb *pdb, uint64_t base)
{
	struct wp_srclines *lines = new_lines(-1, base, NULL);

	lines->pdb = pdb;
	lines->begun = true;
	return lines;
}

static const struct unit_range *range_at(const struct wp_srclines *lines, uint64_t addr)
{
	size_t lo = 0, hi = lines->ranges.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (lines->ranges.v[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && addr < lines->ranges.v[lo - 1].end ? &lines->ranges.v[lo - 1] : NULL;
}

/* Names in line tables may be relative to where the compiler was started. */
const char *wp_srclines_path(struct wp_srclines *lines, Dwarf_Die *unit, const char *file)
{
	const char *dir = NULL;

	if (file[0] != '/')
		dir = wp_dwarf_entry_text(unit, DW_AT_comp_dir);
	if (!dir)
		return file;
	wp_autofree char *path = wp_asprintf("%s/%s", dir, file);
	return wp_strpool_get(&lines->files, wp_strpool_id(&lines->files, path));
}

bool wp_srclines_unit(struct wp_srclines *lines, struct wp_rva rva, Dwarf_Die *ret_unit,
		      uint64_t *ret_addr)
{
	const struct unit_range *range;

	*ret_addr = rva.v - lines->shift;
	if (!begin_lines(lines))
		return false;
	range = range_at(lines, *ret_addr);
	return range && dwarf_offdie(lines->dwarf, range->unit, ret_unit);
}

/* The innermost function's line, as DWARF has it. */
static bool find_line_in_pdb(struct wp_srclines *lines, struct wp_rva rva, const char **ret_file,
			     uint32_t *ret_line)
{
	struct wp_pdb_inline inlines[WP_PDB_INLINES_MAX];
	struct wp_pdb_line line = {0};
	struct wp_rva addr = {rva.v - lines->shift};
	size_t n = wp_pdb_inlines(lines->pdb, addr, inlines);

	if (n)
		line = inlines[n - 1].line;
	if (!line.file && !wp_pdb_line(lines->pdb, addr, &line))
		return false;
	*ret_file = line.file;
	*ret_line = line.line;
	return true;
}

void wp_srclines_bound(struct wp_srclines *lines)
{
	lines->bounded = true;
}

void wp_srclines_tell(struct wp_srclines *lines, const struct wp_log *log, const char *name)
{
	if (lines->too_long && !lines->told)
		wp_log(log, WP_LOG_NOTE,
		       "no lines of %s where a line table is larger than %d KB: it is a file of "
		       "another user, and its decoding takes long",
		       name, MAX_TABLE >> 10);
	lines->told = lines->too_long;
}

/* How long a line table says it is; one of which that cannot be seen is endless. */
static uint64_t table_length(const Elf_Data *tables, Dwarf_Off at)
{
	uint32_t length;
	uint64_t wide;

	if (!tables || !tables->d_buf || at > tables->d_size ||
	    tables->d_size - at < sizeof(length) + sizeof(wide))
		return UINT64_MAX;
	memcpy(&length, (const char *)tables->d_buf + at, sizeof(length));
	memcpy(&wide, (const char *)tables->d_buf + at + sizeof(length), sizeof(wide));
	return length == DWARF_IS_WIDE ? wide : length;
}

bool wp_srclines_may_decode(struct wp_srclines *lines, Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	Dwarf_Word at;

	if (!lines->bounded)
		return true;
	if (dwarf_formudata(dwarf_attr(unit, DW_AT_stmt_list, &attr), &at) != 0)
		return false;
	if (table_length(lines->tables, at) <= MAX_TABLE)
		return true;
	lines->too_long = true;
	return false;
}

bool wp_srclines_find(struct wp_srclines *lines, struct wp_rva rva, const char **ret_file,
		      uint32_t *ret_line)
{
	Dwarf_Die unit;
	uint64_t addr;
	int number;

	if (lines->pdb)
		return find_line_in_pdb(lines, rva, ret_file, ret_line);
	if (!wp_srclines_unit(lines, rva, &unit, &addr) || !wp_srclines_may_decode(lines, &unit))
		return false;
	Dwarf_Line *line = dwarf_getsrc_die(&unit, addr);
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	if (!file || dwarf_lineno(line, &number) != 0)
		return false;
	*ret_file = wp_srclines_path(lines, &unit, file);
	*ret_line = number > 0 ? (uint32_t)number : 0;
	return true;
}

Dwarf *wp_srclines_dwarf(struct wp_srclines *lines)
{
	return begin_lines(lines) ? lines->dwarf : NULL;
}

struct wp_pdb *wp_srclines_pdb(const struct wp_srclines *lines, uint64_t *ret_base)
{
	*ret_base = lines->shift;
	return lines->pdb;
}

void wp_srclines_free(struct wp_srclines *lines)
{
	if (!lines)
		return;
	if (lines->dwarf)
		dwarf_end(lines->dwarf);
	wp_alt_debug_deinit(&lines->alt);
	wp_elf_file_close(&lines->file);
	if (lines->fd >= 0)
		close(lines->fd);
	wp_vec_deinit(&lines->ranges);
	wp_strpool_deinit(&lines->files);
	free(lines);
}
