/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb_file: an opened PDB and the file that it is read from.
 *
 * Resolve stage. The file is read piecemeal, never mapped: one that shrinks meanwhile (a build that
 * writes it anew) must not kill us.
 */
#ifndef WP_PDB_FILE_H
#define WP_PDB_FILE_H

#include "format/pdb/pdb.h"

struct wp_pdb_file {
	struct wp_pdb *pdb;
	char *path;
	int fd;
};

/*
 * Opens a regular file, as the process sees its path; pid 0: as we do. Anything else is not even
 * opened: images name files, and opening a device does things. What is read is taken from the
 * budget. The caller closes.
 */
struct wp_err *wp_pdb_file_open(uint32_t pid, const char *path, struct wp_budget *budget,
				struct wp_pdb_file **ret) WP_MUST_CHECK;
/* NULL is fine. */
void wp_pdb_file_close(struct wp_pdb_file *file);

#endif
