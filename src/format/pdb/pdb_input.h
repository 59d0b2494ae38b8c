/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb_input: where the bytes of a PDB come from: a function of the caller's, or memory.
 */
#ifndef WP_PDB_INPUT_H
#define WP_PDB_INPUT_H

#include "core/budget.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file. All of it outlives what reads it. */
struct wp_pdb_input {
	const char *path; /* for error texts */
	uint64_t size;	  /* bytes */
	/* Copies len bytes from an offset; false when they cannot be had. */
	bool (*read)(void *arg, uint64_t offset, void *ret, size_t len);
	void *arg;
	struct wp_budget *budget; /* what is read is taken from it, for good */
};

/* Bytes in memory as an input: `struct wp_pdb_bytes` is borrowed as its arg. */
struct wp_pdb_bytes {
	const void *data;
	size_t size;
};
struct wp_pdb_input wp_pdb_input_of(const char *path, struct wp_pdb_bytes *bytes);

#endif
