/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb_publics: the linker's names of a PDB, sorted by address: decorated, without sizes.
 *
 * Format stage. All that stripped PDBs (those that Microsoft publishes) have, and the only names of
 * code without debug information. A public ends where the next one, or its section, does.
 */
#ifndef WP_PDB_PUBLICS_H
#define WP_PDB_PUBLICS_H

#include "format/pdb/pdb_dbi.h"

struct wp_pdb_public {
	uint32_t start;
	uint32_t record; /* where its name is, in `records` */
	bool is_function;
};

/* All-zero is empty. */
struct wp_pdb_publics {
	char *records;
	uint32_t size;
	WP_VEC(struct wp_pdb_public) all; /* sorted by start, functions first */
};

/* False when they cannot be read. */
bool wp_pdb_publics_read(const struct wp_pdb_msf *msf, const struct wp_pdb_dbi *dbi,
			 struct wp_pdb_publics *ret);
void wp_pdb_publics_deinit(struct wp_pdb_publics *publics);
/* The best public of the last address at or before this one that has any, or NULL. */
const struct wp_pdb_public *wp_pdb_publics_find(const struct wp_pdb_publics *publics, uint32_t rva);
/* The first one behind the address; the end of the table when there is none. */
const struct wp_pdb_public *wp_pdb_publics_after(const struct wp_pdb_publics *publics,
						 uint32_t rva);
const char *wp_pdb_publics_name(const struct wp_pdb_publics *publics,
				const struct wp_pdb_public *one);

#endif
