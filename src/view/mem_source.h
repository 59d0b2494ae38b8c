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

#endif
