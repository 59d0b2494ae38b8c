/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb_search: finds and opens the PDB that belongs to a Windows image.
 *
 * Resolve stage: an image's RSDS record and path go in, an opened PDB with the same GUID and age
 * comes out. Places, in this order: a file the user names, the folder of the image, the path that
 * the linker wrote, the entries of the symbol path. The layout of stores is that of symstore.exe:
 * NAME.pdb/GUIDAGE/NAME.pdb, or with an index2.txt in it NA/NAME.pdb/GUIDAGE/NAME.pdb.
 */
#ifndef WP_PDB_SEARCH_H
#define WP_PDB_SEARCH_H

#include "base/log.h"
#include "resolve/find/pdb_file.h"

#include <signal.h>

struct wp_pdb_search {
	const char *image_path; /* of the PE file as we see it; NULL: not known */
	const char *named;	/* a PDB that the user names: nothing else is tried; NULL: none */
	/*
	 * Entries between semicolons: FOLDER, srv*STORE, srv*CACHE*URL, cache*FOLDER, http(s)
	 * addresses. NULL: as _NT_SYMBOL_PATH says.
	 */
	const char *symbol_path;
	const uint8_t *guid; /* of the RSDS record, 16 bytes as they lie there */
	uint32_t age;
	const char *rsds_path;	  /* of the RSDS record: a Windows or Unix path */
	struct wp_budget *budget; /* what is kept of it */
	uint32_t pid;		  /* in whose root that path is looked for; 0: in ours */
	const struct wp_log *log; /* downloads at WP_LOG_NOTE, what was tried at WP_LOG_VERBOSE; may
				     be NULL */
	const volatile sig_atomic_t *interrupted; /* not 0: a silent server is left; may be NULL */
};

#define WP_PDB_ID 44 /* bytes of one as text */

/* GUID and age as symbol stores and servers write them. */
void wp_pdb_id_write(const uint8_t *guid, uint32_t age, char ret[WP_PDB_ID]);

/*
 * Fails when no place has it (WP_ERR_NOT_FOUND; the text says how to say where it is), or with what
 * is wrong with a file that lies there: another build, fastlink, damaged. The caller closes with
 * wp_pdb_file_close().
 */
struct wp_err *wp_pdb_search(const struct wp_pdb_search *search,
			     struct wp_pdb_file **ret) WP_MUST_CHECK;

#endif
