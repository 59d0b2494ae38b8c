/* SPDX-License-Identifier: BSD-3-Clause */
/* python_block_kind: what of pymalloc's memory an address is in. Core, plain data; recordings have
 * these numbers. */
#ifndef WP_PYTHON_BLOCK_KIND_H
#define WP_PYTHON_BLOCK_KIND_H

enum wp_python_block_kind {
	WP_PYTHON_BLOCK_BARE,	/* a block in which no object is proven: free, or no object's */
	WP_PYTHON_BLOCK_POOL,	/* the head of a pool of blocks; a type is of its first one */
	WP_PYTHON_BLOCK_REST,	/* what a pool has not handed out yet */
	WP_PYTHON_BLOCK_OBJECT, /* of a type */
	WP_PYTHON_BLOCK_KINDS,
};

#endif
