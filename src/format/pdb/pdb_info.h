/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb_info: stream 1 of a PDB: which build it belongs to, and the numbers of streams that have
 * names.
 *
 * Format stage. A PDB of /debug:fastlink says so here; its functions are in the object files.
 */
#ifndef WP_PDB_INFO_H
#define WP_PDB_INFO_H

#include "format/pdb/pdb_msf.h"

struct wp_pdb_info {
	uint8_t guid[16];
	uint32_t age;
	uint32_t names; /* the stream "/names", or WP_PDB_NO_STREAM */
	bool is_fastlink;
};

struct wp_err *wp_pdb_info_read(const struct wp_pdb_msf *msf,
				struct wp_pdb_info *ret) WP_MUST_CHECK;

#endif
