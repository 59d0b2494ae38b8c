/* SPDX-License-Identifier: BSD-3-Clause */
/* mem_access: see mem_access.h. */
#include "aggregate/mem_access.h"

#include "core/data_src.h"

#define REMOTE_RAM   (WP_LEVEL_REMOTE_RAM1 | WP_LEVEL_REMOTE_RAM2)
#define REMOTE_CACHE (WP_LEVEL_REMOTE_CACHE1 | WP_LEVEL_REMOTE_CACHE2)

/* The newer way to say it; WP_MEM_LEVELS: it does not. */
static enum wp_mem_level level_of_number(unsigned int number)
{
	switch (number) {
	case WP_NUMBER_L1: return WP_MEM_L1;
	case WP_NUMBER_L2: return WP_MEM_L2;
	case WP_NUMBER_L3:
	case WP_NUMBER_L4: return WP_MEM_L3;
	case WP_NUMBER_BUFFER: return WP_MEM_LFB;
	case WP_NUMBER_RAM:
	case WP_NUMBER_PERSISTENT:
	case WP_NUMBER_CXL: return WP_MEM_RAM;
	case WP_NUMBER_IO:
	case WP_NUMBER_CACHE: return WP_MEM_OTHER;
	default: return WP_MEM_LEVELS;
	}
}

/*
 * The older one. "L1 miss" says who did not answer; memory answers also where the bit of a miss is
 * set, since that is said of the cache before it.
 */
static enum wp_mem_level level_of_bits(unsigned int level)
{
	if (level & (WP_LEVEL_RAM | REMOTE_RAM))
		return WP_MEM_RAM;
	if (level & WP_LEVEL_MISS && !(level & WP_LEVEL_HIT))
		return WP_MEM_OTHER;
	if (level & WP_LEVEL_L1)
		return WP_MEM_L1;
	if (level & WP_LEVEL_BUFFER)
		return WP_MEM_LFB;
	if (level & WP_LEVEL_L2)
		return WP_MEM_L2;
	return level & (WP_LEVEL_L3 | REMOTE_CACHE) ? WP_MEM_L3 : WP_MEM_OTHER;
}

/* A number stands beside the bits, which tell a hit from a miss: "L1 miss" has both. */
static enum wp_mem_level read_answering_level(uint64_t src)
{
	unsigned int bits = wp_src_level(src);
	enum wp_mem_level level = level_of_number(wp_src_number(src));

	if (level == WP_MEM_LEVELS)
		return level_of_bits(bits);
	if (level != WP_MEM_RAM && bits & WP_LEVEL_MISS && !(bits & WP_LEVEL_HIT))
		return level_of_bits(bits);
	return level;
}

/*
 * Intel says of a walk that the second level missed; Arm SPE calls whatever was translated the
 * walker's, which then hit (a TLB had it) or missed. A miss of the first level alone is none.
 */
static bool read_table_walk(unsigned int tlb)
{
	if (tlb & WP_TLB_OS)
		return true;
	if (tlb & WP_TLB_HIT)
		return false;
	return tlb & WP_TLB_WALKER ||
	       (tlb & WP_TLB_MISS && (tlb & WP_TLB_L2 || !(tlb & WP_TLB_L1)));
}

static void read_source(uint64_t src, struct wp_mem_access *ret)
{
	ret->has_source = true;
	ret->load = wp_src_op(src) & WP_OP_LOAD;
	ret->store = wp_src_op(src) & WP_OP_STORE;
	ret->level = read_answering_level(src);
	ret->remote = src & WP_SRC_REMOTE || wp_src_level(src) & (REMOTE_RAM | REMOTE_CACHE);
	ret->snooped = wp_src_snoop(src) & (WP_SNOOP_HIT | WP_SNOOP_MODIFIED) || wp_src_snoopx(src);
	ret->walk = read_table_walk(wp_src_tlb(src));
}

bool wp_mem_access_read(const struct wp_sample_data *data, struct wp_mem_access *ret)
{
	*ret = (struct wp_mem_access){.level = WP_MEM_OTHER};
	if (!data)
		return false;
	if (data->has & WP_DATA_SRC && wp_src_op(data->src) & ~(unsigned int)WP_OP_NA)
		read_source(data->src, ret);
	else if (!(data->has & WP_DATA_ADDR) || !data->addr || data->has & WP_DATA_OPERATION)
		return false; /* page faults have a source that says nothing (PERF_MEM_NA) */
	if (ret->has_source && !ret->load && !ret->store)
		return false;
	if (data->has & WP_DATA_OPERATION && data->operation.facts & WP_OPERATION_REMOTE)
		ret->remote = true;
	ret->latency = data->has & WP_DATA_WEIGHT ? data->weight : 0;
	return true;
}
