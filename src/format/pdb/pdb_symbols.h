/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb_symbols: the symbol records of one module of a PDB: its procedures, thunks and pieces of
 * code that were moved away from their procedure.
 *
 * Format stage: the first part of a module's stream goes in, procedures sorted by address come out.
 * Records inside of a procedure (variables, blocks, inlined calls) are jumped over by the position
 * of its end. Source: cvinfo.h of microsoft-pdb.
 */
#ifndef WP_PDB_SYMBOLS_H
#define WP_PDB_SYMBOLS_H

#include "format/pdb/pdb_dbi.h"

/* Symbol records: S_... */
enum wp_pdb_symbol_kind {
	WP_PDB_S_END = 0x0006,
	WP_PDB_S_THUNK32 = 0x1102,
	WP_PDB_S_PUB32 = 0x110e,
	WP_PDB_S_LPROC32 = 0x110f,
	WP_PDB_S_GPROC32 = 0x1110,
	WP_PDB_S_TRAMPOLINE = 0x112c,
	WP_PDB_S_SEPCODE = 0x1132,
	WP_PDB_S_LPROC32_ID = 0x1146,
	WP_PDB_S_GPROC32_ID = 0x1147,
	WP_PDB_S_INLINESITE = 0x114d,
	WP_PDB_S_INLINESITE_END = 0x114e,
	WP_PDB_S_LPROC32_DPC = 0x1155,
	WP_PDB_S_LPROC32_DPC_ID = 0x1156,
	WP_PDB_S_INLINESITE2 = 0x115d,
};

struct wp_pdb_proc {
	uint32_t start, size;
	uint32_t inside, end; /* positions of the records in it, and of its end; both 0: none */
	const char *name;     /* never empty; NULL: that of the procedure at `target` */
	uint32_t target;      /* what a trampoline jumps to, or a moved piece belongs to */
	bool is_trampoline;
};

/* All-zero is empty. */
struct wp_pdb_symbols {
	char *bytes; /* of the module's stream from its beginning, so that positions are offsets */
	uint32_t size;
	WP_VEC(struct wp_pdb_proc) procs; /* sorted by start; of equal ones the first counts */
	uint32_t *starts;		  /* theirs, apart so that a search stays in the cache */
};

/* Empty when the module has none; false when they cannot be read. */
bool wp_pdb_symbols_read(const struct wp_pdb_msf *msf, const struct wp_pdb_dbi *dbi,
			 const struct wp_pdb_module_info *info, struct wp_pdb_symbols *ret);
void wp_pdb_symbols_deinit(struct wp_pdb_symbols *symbols);
/* The procedure that covers the address, or NULL. */
const struct wp_pdb_proc *wp_pdb_symbols_find(const struct wp_pdb_symbols *symbols, uint32_t rva);

/*
 * The next record of a cursor: its kind, and a cursor over what follows the kind; 0 at the end, and
 * when its length makes no sense (the cursor has failed then).
 */
uint16_t wp_pdb_symbols_next(struct wp_bytes *b, struct wp_bytes *ret);

#endif
