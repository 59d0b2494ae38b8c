/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb_dbi: stream 3 of a PDB: the modules (object files) of an image, which addresses each
 * contributed, and the image's sections.
 *
 * Format stage. Symbols say SECTION:OFFSET; that and an address are turned into each other here. A
 * tool may have moved the code after linking (OMAP): symbols then speak of the *source* image, and
 * two tables lead from its addresses to those of the *final* one and back. Everything in this
 * header speaks of source addresses unless it says "image".
 */
#ifndef WP_PDB_DBI_H
#define WP_PDB_DBI_H

#include "base/bytes.h"
#include "base/map.h"
#include "base/vec.h"
#include "format/pdb/pdb_msf.h"

struct wp_pdb_module_info {
	uint32_t stream; /* WP_PDB_NO_STREAM: nothing is known but its name */
	uint32_t symbol_bytes, c11_bytes, c13_bytes;
	uint32_t name; /* offset in dbi->module_bytes; behind it that of the library */
	uint32_t same; /* the next module whose name has the same hash, or WP_PDB_NO_STREAM */
};

struct wp_pdb_section {
	uint32_t start, size;
	bool exec;
};

/* A run of bytes of the image that one module brought. */
struct wp_pdb_contribution {
	uint32_t start, end;
	uint32_t module;
};

/* From an address to the next one of the table; to 0: gone. */
struct wp_pdb_omap {
	uint32_t from, to;
};

/* Sorted by from. */
struct wp_pdb_omaps {
	struct wp_pdb_omap *v;
	size_t n, cap;
};

/* All-zero is empty. */
struct wp_pdb_dbi {
	uint32_t age;
	uint16_t machine;
	uint32_t publics, records; /* streams, or WP_PDB_NO_STREAM */
	uint32_t fpo, frames;	   /* the same; how x86 functions keep return addresses */
	char *module_bytes;
	WP_VEC(struct wp_pdb_module_info) modules;
	WP_VEC(struct wp_pdb_section) sections;		  /* index: section number - 1 */
	WP_VEC(struct wp_pdb_contribution) contributions; /* sorted by start */
	struct wp_pdb_omaps to_source, from_source;
	struct wp_map by_name; /* made when a module is asked for */
};

struct wp_err *wp_pdb_dbi_read(const struct wp_pdb_msf *msf, struct wp_pdb_dbi *ret) WP_MUST_CHECK;
void wp_pdb_dbi_deinit(struct wp_pdb_dbi *dbi);

/* The address of SECTION:OFFSET; false for sections that are not in the image. */
bool wp_pdb_dbi_rva(const struct wp_pdb_dbi *dbi, uint16_t section, uint32_t offset, uint32_t *ret);
/* The contribution that covers the address, or NULL. */
const struct wp_pdb_contribution *wp_pdb_dbi_contribution(const struct wp_pdb_dbi *dbi,
							  uint32_t rva);
/* The section that covers the address, or NULL. */
const struct wp_pdb_section *wp_pdb_dbi_section(const struct wp_pdb_dbi *dbi, uint32_t rva);
/* The source address of one of the image; false where there is none. */
bool wp_pdb_dbi_source(const struct wp_pdb_dbi *dbi, uint64_t image_rva, uint32_t *ret);
/* The image's address of a source address; the same where nothing was moved. */
uint32_t wp_pdb_dbi_image(const struct wp_pdb_dbi *dbi, uint32_t rva);
/*
 * The module that another one imports from, or WP_PDB_NO_STREAM. Compilers name it by its whole
 * path, linkers as they were given it: any part of the path behind a '\' may be the module's name.
 * Of several that have it, the one whose library's path begins most like it. Case does not matter.
 */
uint32_t wp_pdb_dbi_module(struct wp_pdb_dbi *dbi, const char *path);

#endif
