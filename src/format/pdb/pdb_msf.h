/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb_msf: the container of a PDB: numbered streams, each a list of blocks of the file.
 *
 * Format stage: the file's bytes go in, ranges of streams come out. The blocks of all streams
 * together are no more than the file has, which is checked at the opening: a small hostile file
 * cannot make large streams. Source: LLVM's "The MSF File Format".
 */
#ifndef WP_PDB_MSF_H
#define WP_PDB_MSF_H

#include "base/err.h"
#include "format/pdb/pdb_input.h"

#define WP_PDB_NO_STREAM UINT32_MAX

struct wp_pdb_stream {
	uint64_t first; /* index of its first block in the list of blocks */
	uint32_t size;	/* bytes; 0 for a stream that does not exist */
};

/* All-zero is empty. */
struct wp_pdb_msf {
	struct wp_pdb_input input;
	uint32_t block_bytes, blocks;
	struct wp_pdb_stream *streams;
	uint32_t n;
	uint32_t *block_list; /* of all streams, one behind the other */
};

/* Fails on what is no MSF 7.0 file, and says what it is if it is of a kind that people have. */
struct wp_err *wp_pdb_msf_open(const struct wp_pdb_input *input,
			       struct wp_pdb_msf *ret) WP_MUST_CHECK;
/* Bytes of a stream; 0 when there is no such one. */
uint32_t wp_pdb_msf_size(const struct wp_pdb_msf *msf, uint32_t stream);
/* Copies len bytes of a stream; false when they are not all there. */
bool wp_pdb_msf_read(const struct wp_pdb_msf *msf, uint32_t stream, uint64_t offset, void *ret,
		     size_t len);
/* A range of a stream in memory of its own, which the caller frees; NULL when it is not there. */
void *wp_pdb_msf_load(const struct wp_pdb_msf *msf, uint32_t stream, uint64_t offset, size_t len);
void wp_pdb_msf_deinit(struct wp_pdb_msf *msf);

#endif
