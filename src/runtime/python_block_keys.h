/* SPDX-License-Identifier: BSD-3-Clause */
/* python_block_keys: whether a block of pymalloc is the keys of a dict, which are no object of
 * their own. Runtime stage, private to python_block.c; pure. */
#ifndef WP_PYTHON_BLOCK_KEYS_H
#define WP_PYTHON_BLOCK_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#define WP_PYTHON_BLOCK_KEYS_HEAD 40 /* bytes that are looked at */

/* head: what the block begins with; align: what sizes of blocks are multiples of. */
bool wp_python_block_keys(const uint8_t head[WP_PYTHON_BLOCK_KEYS_HEAD], uint32_t version,
			  uint32_t block, uint32_t align);

#endif
