/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mem_source: where a sampled access found its data, in perf's words; the layout is union
 * perf_mem_data_src of include/uapi/linux/perf_event.h.
 */
#ifndef WP_MEM_SOURCE_H
#define WP_MEM_SOURCE_H

#include "base/writer.h"

#include <stdint.h>

/* "|OP LOAD|LVL L1 hit|SNP None|TLB L1 hit|LCK No|BLK  N/A" */
void wp_mem_source_put(uint64_t source, struct wp_writer *out);
/* One of them: "L1 hit", "None", "L1 hit", "No", "N/A". */
enum wp_mem_source_part {
	WP_MEM_SOURCE_LEVEL,
	WP_MEM_SOURCE_SNOOP,
	WP_MEM_SOURCE_TLB,
	WP_MEM_SOURCE_LOCKED,
	WP_MEM_SOURCE_BLOCKED,
};
void wp_mem_source_put_part(uint64_t source, enum wp_mem_source_part part, struct wp_writer *out);

#endif
