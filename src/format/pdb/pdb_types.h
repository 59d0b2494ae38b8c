/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb_types: names of functions and classes by their number in the id stream (IPI) and the type
 * stream (TPI) of a PDB.
 *
 * Format stage. The streams are the largest part of a PDB and sorted by nothing but that number; an
 * index beside them says where about every thousandth record is, so that a name costs reading a few
 * kilobytes. Names are kept once they were made. Source: cvinfo.h of microsoft-pdb.
 */
#ifndef WP_PDB_TYPES_H
#define WP_PDB_TYPES_H

#include "base/map.h"
#include "base/strpool.h"
#include "base/vec.h"
#include "format/pdb/pdb_msf.h"

/* Where a record is in a stream of types. */
struct wp_pdb_type_offset {
	uint32_t type, offset; /* offset behind the stream's header */
};

/* One of the two streams. */
struct wp_pdb_type_stream {
	bool tried;
	uint32_t stream, header, first, end, bytes; /* first: the number of its first record */
	WP_VEC(struct wp_pdb_type_offset) places;   /* sorted */
};

/* All-zero is empty. */
struct wp_pdb_types {
	struct wp_pdb_type_stream types, ids;
	struct wp_map name_of; /* function id -> number in names + 1 */
	struct wp_strpool names;
};

/* "ns::Class::f" of a function's id, or NULL; belongs to the types. */
const char *wp_pdb_types_function(struct wp_pdb_types *types, const struct wp_pdb_msf *msf,
				  uint32_t id);
void wp_pdb_types_deinit(struct wp_pdb_types *types);

#endif
