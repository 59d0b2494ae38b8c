/* SPDX-License-Identifier: BSD-3-Clause */
/* python_block: see python_block.h. */
#include "runtime/python_block.h"

#include "base/bytes.h"
#include "base/keyed.h"
#include "runtime/python_block_keys.h"
#include "runtime/python_value.h"

#include <string.h>

#define READS	    24	 /* of one address, at most */
#define CHAIN_MOST  4	 /* metatypes up to `type` */
#define TYPES_MOST  4096 /* of one interpreter */
#define SMALL_MOST  512	 /* bytes of a block */
#define POOL_HEAD   48	 /* struct pool_header, rounded up */
#define ARENAS_MOST (1u << 24)
#define PRE_BYTES   16		/* dict and weakref list, in front of the GC head */
#define KEYS	    "dict keys" /* no type has that name */
#define STR_LEAST   40		/* PyASCIIObject since 3.12 */

/* tp_flags, Include/object.h */
#define INLINE_VALUES	 (UINT64_C(1) << 2) /* 3.13 and newer */
#define MANAGED_WEAKREF	 (UINT64_C(1) << 3) /* 3.12 and newer */
#define MANAGED_DICT	 (UINT64_C(1) << 4) /* 3.11 and newer */
#define HAVE_GC		 (UINT64_C(1) << 14)
#define UNICODE_SUBCLASS (UINT64_C(1) << 28)

struct pool {
	uint64_t start;
	uint32_t bytes, block, align; /* block: the size of each */
	uint32_t next;		      /* what was never handed out begins there */
};

static bool is_between(uint64_t value, uint64_t least, uint64_t most)
{
	return value >= least && value <= most;
}

/* Blocks begin behind the head, one after the other. */
static bool begins_block(const struct pool *pool, uint64_t offset)
{
	return offset >= POOL_HEAD && (offset - POOL_HEAD) % pool->block == 0;
}

/*
 * Of the size of blocks speak szidx (in units of 8 or 16) and maxnextoffset; the count of blocks
 * in use, the first free one and nextoffset have to fit it.
 */
static bool is_pool_head(const uint8_t *head, struct pool *pool)
{
	uint32_t used = wp_u32_at(head), units = wp_u32_at(head + 36) + 1;
	uint32_t last = wp_u32_at(head + 44);
	uint64_t free = wp_u64_at(head + 8) - pool->start;

	if (!is_between(units, 1, SMALL_MOST / 8) || last >= pool->bytes ||
	    wp_u32_at(head + 32) >= ARENAS_MOST)
		return false;
	pool->block = pool->bytes - last;
	pool->align = pool->block / units;
	pool->next = wp_u32_at(head + 40);
	return pool->align * units == pool->block && (pool->align == 8 || pool->align == 16) &&
	       pool->block <= SMALL_MOST && begins_block(pool, pool->next) &&
	       pool->next < pool->bytes + pool->block &&
	       is_between(used, 0, (pool->bytes - POOL_HEAD) / pool->block) &&
	       (!wp_u64_at(head + 8) || (free < pool->bytes && begins_block(pool, free)));
}

static bool read_pool(struct wp_python_objects *o, uint32_t version, uint64_t addr,
		      struct pool *ret)
{
	uint8_t head[POOL_HEAD];

	ret->bytes = version >= 0x030a0000 ? 16384 : 4096;
	ret->start = addr & ~(uint64_t)(ret->bytes - 1);
	return ret->start && wp_python_object_bytes(o, ret->start, head, sizeof(head)) &&
	       is_pool_head(head, ret);
}

/* From a type's ob_type on: what tells it from another one that takes its place. */
static bool read_type_head(struct wp_python_objects *o, uint64_t type,
			   struct wp_python_block_type *ret)
{
	uint8_t head[WP_PYTHON_TYPE_FLAGS + 8];

	if (!type || type % 8 || !wp_python_object_part(o, type, 0, head, sizeof(head)))
		return false;
	*ret = (struct wp_python_block_type){
		.metatype = wp_u64_at(head),
		.name_at = wp_u64_at(head + WP_PYTHON_TYPE_NAME),
		.basicsize = wp_u64_at(head + WP_PYTHON_TYPE_BASICSIZE),
		.itemsize = wp_u64_at(head + WP_PYTHON_TYPE_BASICSIZE + 8),
		.flags = wp_u64_at(head + WP_PYTHON_TYPE_FLAGS),
	};
	return ret->metatype % 8 == 0 && ret->name_at;
}

/* Its metatype, or one of that's, is `type`: the one of code objects' type, which is its own. */
static bool leads_to_type(struct wp_python_objects *o, uint64_t metatype)
{
	uint64_t root = wp_python_object_field(o, o->plan->code_type, 0);

	for (int i = 0; i < CHAIN_MOST && root && metatype; i++) {
		if (metatype == root)
			return wp_python_object_field(o, root, 0) == root;
		metatype = wp_python_object_field(o, metatype, 0);
	}
	return false;
}

static bool is_readable_name(const char *name)
{
	for (const char *at = name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == '\\')
			return false;
	return *name != '\0';
}

static void prove_type(struct wp_python_objects *o, uint64_t type, struct wp_python_block_type *at)
{
	struct wp_python_value_type value;

	_Static_assert(sizeof(value.name) <= sizeof(at->name), "a name has room");
	if (!leads_to_type(o, at->metatype) || !wp_python_value_type(o, type, &value))
		return;
	memcpy(at->name, value.name, sizeof(value.name));
	at->proven = is_readable_name(at->name);
}

static bool is_unchanged(const struct wp_python_block_type *a, const struct wp_python_block_type *b)
{
	return a->metatype == b->metatype && a->name_at == b->name_at &&
	       a->basicsize == b->basicsize && a->itemsize == b->itemsize && a->flags == b->flags;
}

/* NULL: there is no type object at the address. */
static const struct wp_python_block_type *type_at(struct wp_python_block_types *types,
						  struct wp_python_objects *o, uint64_t type)
{
	struct wp_python_block_type now, *known;

	if (!read_type_head(o, type, &now))
		return NULL;
	known = wp_keyed_get(&types->all, &types->type_of, type);
	if (known && known->proven && is_unchanged(known, &now))
		return known;
	prove_type(o, type, &now);
	if (!now.proven && !known)
		return NULL; /* memory has many words that are no types */
	if (!known && types->all.n >= TYPES_MOST)
		wp_python_block_types_deinit(types);
	known = wp_keyed_put(&types->all, &types->type_of, type, now);
	*known = now;
	return now.proven ? known : NULL;
}

/* What stands in a block in front of an object of the type. */
static uint64_t front_bytes(uint32_t version, const struct wp_python_block_type *type)
{
	uint64_t managed = version >= 0x030c0000   ? MANAGED_DICT | MANAGED_WEAKREF
			   : version >= 0x030b0000 ? MANAGED_DICT
						   : 0;
	uint64_t gc = version >= 0x03080000 ? 16 : 32;

	return (type->flags & HAVE_GC ? gc : 0) + (type->flags & managed ? PRE_BYTES : 0);
}

/* An object that has no items is as large as its type says; others, at least. */
static bool fits_block(const struct pool *pool, uint32_t version, uint64_t front,
		       const struct wp_python_block_type *type)
{
	bool is_str = type->flags & UNICODE_SUBCLASS;
	bool more =
		type->itemsize || is_str || (version >= 0x030d0000 && type->flags & INLINE_VALUES);
	uint64_t bytes = is_str ? STR_LEAST : type->basicsize;

	if (front_bytes(version, type) != front || bytes > SMALL_MOST)
		return false;
	bytes = (front + bytes + pool->align - 1) / pool->align * pool->align;
	return more ? bytes <= pool->block : bytes == pool->block;
}

/* A free block has in the count's place a pointer to the next one, 0, or what it fell to. */
static bool is_alive(uint32_t version, uint64_t count)
{
	uint64_t flags = version >= 0x030e0000 ? UINT64_C(0xffff) << 48 : 0;

	return (uint32_t)count && !(count & ~flags & ~(uint64_t)UINT32_MAX);
}

/* False: none is proven. */
static bool find_object(struct wp_python_block_types *types, struct wp_python_objects *o,
			uint32_t version, const struct pool *pool, uint64_t block,
			char ret[WP_PYTHON_BLOCK_TYPE])
{
	static const uint32_t fronts[] = {0, 16, 32};
	uint8_t bytes[64] = {0};
	uint32_t head = o->plan->object_type + 8u;
	size_t n = pool->block < sizeof(bytes) ? pool->block : sizeof(bytes);

	if (o->plan->object_type != 8 || !wp_python_object_bytes(o, block, bytes, n))
		return false;
	for (size_t i = 0; i < WP_ARRAY_LEN(fronts) && fronts[i] + head <= n; i++) {
		const uint8_t *object = bytes + fronts[i];
		const struct wp_python_block_type *type;

		if (!is_alive(version, wp_u64_at(object)))
			continue;
		type = type_at(types, o, wp_u64_at(object + o->plan->object_type));
		if (!type || !fits_block(pool, version, fronts[i], type))
			continue;
		memcpy(ret, type->name, WP_PYTHON_BLOCK_TYPE);
		return true;
	}
	if (n < WP_PYTHON_BLOCK_KEYS_HEAD ||
	    !wp_python_block_keys(bytes, version, pool->block, pool->align))
		return false;
	strcpy(ret, KEYS);
	return true;
}

bool wp_python_block_read(struct wp_python_block_types *types, const struct wp_memory *memory,
			  const struct wp_python_plan *plan, uint32_t version, uint64_t addr,
			  struct wp_python_block *ret)
{
	struct wp_python_objects o = {.memory = memory, .plan = plan, .left = READS};
	struct pool pool;
	uint64_t offset;

	if (plan->flags & WP_PYTHON_FREE_THREADED || !read_pool(&o, version, addr, &pool))
		return false;
	offset = addr - pool.start;
	if (offset < POOL_HEAD) {
		*ret = (struct wp_python_block){WP_PYTHON_BLOCK_POOL, pool.start, POOL_HEAD, ""};
		find_object(types, &o, version, &pool, pool.start + POOL_HEAD, ret->type);
	} else if (offset >= pool.next) {
		*ret = (struct wp_python_block){WP_PYTHON_BLOCK_REST, pool.start + pool.next,
						pool.bytes - pool.next, ""};
	} else {
		*ret = (struct wp_python_block){WP_PYTHON_BLOCK_BARE,
						addr - (offset - POOL_HEAD) % pool.block,
						pool.block, ""};
		if (find_object(types, &o, version, &pool, ret->start, ret->type))
			ret->kind = WP_PYTHON_BLOCK_OBJECT;
	}
	return true;
}

void wp_python_block_types_deinit(struct wp_python_block_types *types)
{
	wp_map_deinit(&types->type_of);
	wp_vec_deinit(&types->all);
	*types = (struct wp_python_block_types){0};
}
