/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb_lines: the line numbers of one module of a PDB (C13): of its code, and of the functions that
 * are inlined in it.
 *
 * Format stage: the second part of a module's stream goes in. Files are named by their place in a
 * list of checksums, which leads to the string table "/names". A part of code that is in two
 * tables (folded functions) has the lines of the first. Source: cvinfo.h of microsoft-pdb.
 */
#ifndef WP_PDB_LINES_H
#define WP_PDB_LINES_H

#include "base/map.h"
#include "format/pdb/pdb_dbi.h"

struct wp_pdb_row {
	uint32_t start; /* until the next row */
	uint32_t line;	/* 0: no line */
	uint32_t file;	/* place in the checksums */
};

/* All-zero is empty. */
struct wp_pdb_lines {
	char *bytes;
	WP_VEC(struct wp_pdb_row) rows; /* sorted */
	uint32_t *starts;		/* theirs, apart so that a search stays in the cache */
	struct wp_bytes files;		/* checksums */
	struct wp_bytes imports;
	struct wp_map exports;	/* id in the module -> id for all */
	struct wp_map inlinees; /* function id -> line << 32 | place in the checksums */
};

/* Empty when the module has none; false when they cannot be read. */
bool wp_pdb_lines_read(const struct wp_pdb_msf *msf, const struct wp_pdb_dbi *dbi,
		       const struct wp_pdb_module_info *info, struct wp_pdb_lines *ret);
void wp_pdb_lines_deinit(struct wp_pdb_lines *lines);
/* The row that covers the address, or NULL. */
const struct wp_pdb_row *wp_pdb_lines_find(const struct wp_pdb_lines *lines, uint32_t rva);
/* The offset of a file's name in "/names"; false when there is none. */
bool wp_pdb_lines_file(const struct wp_pdb_lines *lines, uint32_t file, uint32_t *ret);

/*
 * Functions of other modules have ids with bit 31: where to look. The name of that module is at
 * *ret_module in "/names", the id in it is *ret_id.
 */
bool wp_pdb_lines_import(const struct wp_pdb_lines *lines, uint32_t id, uint32_t *ret_module,
			 uint32_t *ret_id);
/* The id for all modules of one that this module exports. */
bool wp_pdb_lines_export(const struct wp_pdb_lines *lines, uint32_t id, uint32_t *ret);

#endif
