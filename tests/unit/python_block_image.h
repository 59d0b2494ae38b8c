/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_block_image: the memory of a process with one pool of pymalloc and, behind it, type
 * objects: `type`, a metatype of its kind, types for each way an object lies in a block.
 */
#ifndef WP_PYTHON_BLOCK_IMAGE_H
#define WP_PYTHON_BLOCK_IMAGE_H

#include "runtime/python_block.h"

#include <string.h>

#define BLOCK_BASE  UINT64_C(0x7f0000000000)
#define BLOCK_TYPES (BLOCK_BASE + 16384)
#define BLOCK_BYTES (16384 + 4096)

enum { BLOCK_TYPE, BLOCK_CODE, BLOCK_META, BLOCK_FLOAT, BLOCK_ROW, BLOCK_TUPLE, BLOCK_N };

struct block_image {
	struct wp_python_plan plan;
	uint32_t version, pool, block;
	uint8_t bytes[BLOCK_BYTES];
};

static inline bool block_read(void *arg, uint64_t addr, void *ret, size_t n)
{
	struct block_image *image = arg;
	uint64_t at = addr - BLOCK_BASE;

	if (at > BLOCK_BYTES || n > BLOCK_BYTES - at)
		return false;
	memcpy(ret, image->bytes + at, n);
	return true;
}

static inline void block_put(struct block_image *image, uint64_t addr, uint64_t value)
{
	memcpy(image->bytes + (addr - BLOCK_BASE), &value, sizeof(value));
}

static inline void block_put32(struct block_image *image, uint64_t addr, uint32_t value)
{
	memcpy(image->bytes + (addr - BLOCK_BASE), &value, sizeof(value));
}

static inline uint64_t block_type(int which)
{
	return BLOCK_TYPES + 256 * (uint64_t)which;
}

static inline void block_put_type(struct block_image *image, int which, int metatype,
				  const char *name, uint64_t basicsize, uint64_t itemsize,
				  uint64_t flags)
{
	uint64_t type = block_type(which), text = type + 200;

	strcpy((char *)image->bytes + (text - BLOCK_BASE), name);
	block_put(image, type, 1);
	block_put(image, type + 8, block_type(metatype));
	block_put(image, type + 24, text);
	block_put(image, type + 32, basicsize);
	block_put(image, type + 40, itemsize);
	block_put(image, type + 168, flags);
}

/* Blocks of that size, ten handed out; each is free. */
static inline void block_make(struct block_image *image, uint32_t version, uint32_t block)
{
	uint64_t gc = 1u << 14, dict = 1u << 4;

	*image = (struct block_image){.version = version, .block = block};
	image->plan =
		(struct wp_python_plan){.object_type = 8, .code_type = block_type(BLOCK_CODE)};
	image->pool = version >= 0x030a0000 ? 16384 : 4096;
	block_put32(image, BLOCK_BASE, 9);
	block_put(image, BLOCK_BASE + 8, BLOCK_BASE + 48);
	block_put32(image, BLOCK_BASE + 32, 3);
	block_put32(image, BLOCK_BASE + 36, block / 16 - 1);
	block_put32(image, BLOCK_BASE + 40, 48 + 10 * block);
	block_put32(image, BLOCK_BASE + 44, image->pool - block);
	block_put_type(image, BLOCK_TYPE, BLOCK_TYPE, "type", 800, 40, gc);
	block_put_type(image, BLOCK_CODE, BLOCK_TYPE, "code", 100, 0, 0);
	block_put_type(image, BLOCK_META, BLOCK_TYPE, "ABCMeta", 900, 40, gc);
	block_put_type(image, BLOCK_FLOAT, BLOCK_TYPE, "float", 24, 0, 0);
	block_put_type(image, BLOCK_ROW, BLOCK_META, "Row", version >= 0x030c0000 ? 16 : 32, 0,
		       gc | (version >= 0x030c0000 ? dict : 0));
	block_put_type(image, BLOCK_TUPLE, BLOCK_TYPE, "tuple", 24, 8, gc);
}

static inline uint64_t block_at(const struct block_image *image, uint32_t i)
{
	return BLOCK_BASE + 48 + (uint64_t)image->block * i;
}

/* Puts an object into a block, so far behind its begin. */
static inline void block_put_object(struct block_image *image, uint32_t i, uint64_t front, int type)
{
	block_put(image, block_at(image, i) + front, 2);
	block_put(image, block_at(image, i) + front + 8, block_type(type));
}

#endif
