/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data_src: the bits that say where a sample's data came from.
 *
 * Core. PERF_SAMPLE_DATA_SRC: union perf_mem_data_src of include/uapi/linux/perf_event.h, where
 * `level` is the older way to say what `number`, `remote` and `hops` say.
 */
#ifndef WP_DATA_SRC_BITS_H
#define WP_DATA_SRC_BITS_H

#include <stdint.h>

#define WP_SRC_OP(bits)	      ((uint64_t)(bits) << 0)
#define WP_SRC_LEVEL(bits)    ((uint64_t)(bits) << 5)
#define WP_SRC_SNOOP(bits)    ((uint64_t)(bits) << 19)
#define WP_SRC_LOCK(bits)     ((uint64_t)(bits) << 24)
#define WP_SRC_TLB(bits)      ((uint64_t)(bits) << 26)
#define WP_SRC_NUMBER(number) ((uint64_t)(number) << 33)
#define WP_SRC_REMOTE	      ((uint64_t)1 << 37)
#define WP_SRC_SNOOPX(bits)   ((uint64_t)(bits) << 38)

enum wp_src_op {
	WP_OP_NA = 1,
	WP_OP_LOAD = 2,
	WP_OP_STORE = 4,
	WP_OP_PREFETCH = 8,
	WP_OP_EXEC = 16
};

enum wp_src_level {
	WP_LEVEL_NA = 0x01,
	WP_LEVEL_HIT = 0x02,
	WP_LEVEL_MISS = 0x04,
	WP_LEVEL_L1 = 0x08,
	WP_LEVEL_BUFFER = 0x10, /* a line that was on its way */
	WP_LEVEL_L2 = 0x20,
	WP_LEVEL_L3 = 0x40,
	WP_LEVEL_RAM = 0x80,
	WP_LEVEL_REMOTE_RAM1 = 0x100,
	WP_LEVEL_REMOTE_RAM2 = 0x200,
	WP_LEVEL_REMOTE_CACHE1 = 0x400,
	WP_LEVEL_REMOTE_CACHE2 = 0x800,
	WP_LEVEL_IO = 0x1000,
	WP_LEVEL_UNCACHED = 0x2000,
};

enum wp_src_snoop {
	WP_SNOOP_NA = 0x01,
	WP_SNOOP_NONE = 0x02,
	WP_SNOOP_HIT = 0x04,
	WP_SNOOP_MISS = 0x08,
	WP_SNOOP_MODIFIED = 0x10,
};

enum wp_src_snoopx { WP_SNOOPX_FORWARDED = 1, WP_SNOOPX_PEER = 2 };

enum wp_src_lock { WP_LOCK_NA = 1, WP_LOCK_LOCKED = 2 };

enum wp_src_tlb {
	WP_TLB_NA = 0x01,
	WP_TLB_HIT = 0x02,
	WP_TLB_MISS = 0x04,
	WP_TLB_L1 = 0x08,
	WP_TLB_L2 = 0x10,
	WP_TLB_WALKER = 0x20,
	WP_TLB_OS = 0x40,
};

/* WP_SRC_NUMBER */
enum wp_src_number {
	WP_NUMBER_L1 = 1,
	WP_NUMBER_L2 = 2,
	WP_NUMBER_L3 = 3,
	WP_NUMBER_L4 = 4,
	WP_NUMBER_CXL = 9,
	WP_NUMBER_IO = 10,
	WP_NUMBER_CACHE = 11, /* any */
	WP_NUMBER_BUFFER = 12,
	WP_NUMBER_RAM = 13,
	WP_NUMBER_PERSISTENT = 14,
	WP_NUMBER_NA = 15,
};

static inline unsigned int wp_src_op(uint64_t src)
{
	return src & 0x1f;
}
static inline unsigned int wp_src_level(uint64_t src)
{
	return src >> 5 & 0x3fff;
}
static inline unsigned int wp_src_snoop(uint64_t src)
{
	return src >> 19 & 0x1f;
}
static inline unsigned int wp_src_lock(uint64_t src)
{
	return src >> 24 & 3;
}
static inline unsigned int wp_src_tlb(uint64_t src)
{
	return src >> 26 & 0x7f;
}
static inline unsigned int wp_src_number(uint64_t src)
{
	return src >> 33 & 0xf;
}
static inline unsigned int wp_src_snoopx(uint64_t src)
{
	return src >> 38 & 3;
}

#endif
