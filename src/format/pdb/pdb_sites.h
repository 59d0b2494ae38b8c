/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb_sites: the calls inlined into one procedure of a PDB: where their code is and on which lines.
 *
 * Format stage: the records inside of a procedure go in, a tree of sites comes out, in the order of
 * the records: a site's calls follow it. A site's lines are a little program ("binary annotations")
 * that moves through code and lines. Source: cvinfo.h of microsoft-pdb; LLVM's MCCodeView.cpp for
 * what the length of code does to the position.
 */
#ifndef WP_PDB_SITES_H
#define WP_PDB_SITES_H

#include "format/pdb/pdb_lines.h"
#include "format/pdb/pdb_symbols.h"

struct wp_pdb_site_row {
	uint32_t start, end; /* offsets in the procedure */
	uint32_t line, file;
};

struct wp_pdb_site {
	uint32_t inlinee;    /* id of the function */
	uint32_t next;	     /* index of the site behind those inside of this one */
	uint32_t start, end; /* over all rows */
	uint32_t first, n;   /* rows, sorted by start */
};

/* All-zero is empty. */
struct wp_pdb_sites {
	WP_VEC(struct wp_pdb_site) sites;
	WP_VEC(struct wp_pdb_site_row) rows;
};

void wp_pdb_sites_read(const struct wp_pdb_symbols *symbols, const struct wp_pdb_proc *proc,
		       const struct wp_pdb_lines *lines, struct wp_pdb_sites *ret);
void wp_pdb_sites_deinit(struct wp_pdb_sites *sites);
/*
 * The first site at or behind index `from` and before `end` that covers an offset, with its row, or
 * NULL. The sites within it lie between it and its `next`.
 */
const struct wp_pdb_site *wp_pdb_sites_find(const struct wp_pdb_sites *sites, uint32_t from,
					    uint32_t end, uint32_t offset,
					    const struct wp_pdb_site_row **ret_row);

#endif
