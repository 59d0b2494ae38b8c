/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mem_access: one access to memory, as a sample of it says: load or store, who answered, how long
 * that took.
 *
 * Aggregate stage. In: PERF_SAMPLE_DATA_SRC, _WEIGHT and _ADDR (core/data_src.h), which x86, Power
 * and Arm SPE fill in differently; out: what they have in common.
 */
#ifndef WP_MEM_ACCESS_H
#define WP_MEM_ACCESS_H

#include "core/sample_data.h"

/* Who answered; an answer of another chip has `remote` beside. */
enum wp_mem_level {
	WP_MEM_L1,
	WP_MEM_LFB, /* it was on its way already: a line fill buffer */
	WP_MEM_L2,
	WP_MEM_L3, /* and what is behind it but not memory: L4, caches of other cores */
	WP_MEM_RAM,
	WP_MEM_OTHER, /* devices, uncached, "any cache"; or the sample does not say it */
	WP_MEM_LEVELS
};

struct wp_mem_access {
	bool has_source; /* else it is known by its address alone, as page faults are */
	bool load, store;
	bool remote, snooped;
	bool walk; /* no TLB had the translation */
	enum wp_mem_level level;
	uint64_t latency; /* cycles; 0: not measured */
};

/*
 * False when the sample is none of a load or store: it has no address and no source, or its source
 * says that it is of something else.
 */
bool wp_mem_access_read(const struct wp_sample_data *data, struct wp_mem_access *ret);

#endif
