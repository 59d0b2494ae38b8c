/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb: functions, lines and inlined calls of a Windows image by address, from its PDB 7.0 file.
 *
 * Nothing is read before a question needs it: opening reads the directory of streams, the identity
 * and the list of modules; a module's symbols are read when an address first falls into it. Bytes
 * are fetched through the caller's function instead of a mapping, because a mapped file that
 * shrinks kills its reader. Sources: the layouts in microsoft-pdb (cvinfo.h, dbi.h) and LLVM's
 * "The PDB File Format".
 */
#ifndef WP_PDB_H
#define WP_PDB_H

#include "base/err.h"
#include "core/addr.h"
#include "core/unwind_rows.h"
#include "format/pdb/pdb_input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WP_PDB_INLINES_MAX 32 /* of one address; more deeply nested ones are left out */

struct wp_pdb;

/* What must be the same in an image's RSDS record. */
struct wp_pdb_id {
	uint8_t guid[16];  /* as the bytes lie in both files */
	uint32_t age;	   /* of the DBI stream, which the linker copies into the image */
	uint32_t info_age; /* of the info stream: higher when tools have written to the PDB since */
};

struct wp_pdb_function {
	const char *name;    /* as the source has it ("ns::f<int>"), or decorated; of the pdb */
	struct wp_rva start; /* the same for every address of the function */
	/* Bytes. When code was moved block by block (OMAP), the blocks may lie elsewhere: ask for
	 * each address. */
	uint64_t size;
	bool is_public; /* only the linker knows it: the name is decorated, the size a guess */
};

struct wp_pdb_line {
	const char *file; /* as the compiler was given it ("d:\\src\\a.c"); of the pdb */
	uint32_t line;	  /* from 1 */
};

/* An inlined call. */
struct wp_pdb_inline {
	uint64_t key;		 /* the same for the same function of the pdb */
	const char *name;	 /* "ns::f"; of the pdb */
	struct wp_pdb_line line; /* inside of the inlined function; file NULL: not known */
};

/*
 * Fails, with what to do about it, on what is no linker's PDB 7.0, on fastlink PDBs and on damaged
 * directories. The caller closes.
 */
struct wp_err *wp_pdb_open(const struct wp_pdb_input *input, struct wp_pdb **ret) WP_MUST_CHECK;
const struct wp_pdb_id *wp_pdb_id(const struct wp_pdb *pdb);
/* IMAGE_FILE_MACHINE_...; 0: the PDB does not say. */
uint16_t wp_pdb_machine(const struct wp_pdb *pdb);
/* True when it belongs to an image whose RSDS record says this. */
bool wp_pdb_matches(const struct wp_pdb *pdb, const uint8_t guid[16], uint32_t age);

/* The function that covers the address; false when none does. Procedures come before publics. */
bool wp_pdb_function(struct wp_pdb *pdb, struct wp_rva rva, struct wp_pdb_function *ret);
/* The linker's name of the function that starts there ("?f@ns@@YAXH@Z"), or NULL; of the pdb. */
const char *wp_pdb_decorated(struct wp_pdb *pdb, const struct wp_pdb_function *function);
/*
 * The line of the function that covers the address. For inlined code that is the line of the call:
 * the innermost line is that of the last of wp_pdb_inlines().
 */
bool wp_pdb_line(struct wp_pdb *pdb, struct wp_rva rva, struct wp_pdb_line *ret);
/* False when no module has lines: the image may have DWARF then (GNU ld --pdb). */
bool wp_pdb_has_lines(const struct wp_pdb *pdb);
/* The functions inlined at an address, outermost first; returns how many. */
size_t wp_pdb_inlines(struct wp_pdb *pdb, struct wp_rva rva,
		      struct wp_pdb_inline ret[WP_PDB_INLINES_MAX]);
/*
 * Appends the unwind rules of an x86 image (format/pdb/pdb_frames.h) to rows that are empty. May be
 * called while another thread asks for something else.
 */
void wp_pdb_frames(const struct wp_pdb *pdb, struct wp_unwind_rows *rows);
/* Parts of the file that could not be read or made no sense, so far. */
uint64_t wp_pdb_damage(const struct wp_pdb *pdb);
/* NULL is fine. */
void wp_pdb_close(struct wp_pdb *pdb);

#endif
