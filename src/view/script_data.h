/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * script_data: what a sample carries besides (core/sample_data.h), as `perf script` prints it, and
 * as members of JSON; for script_text.h.
 */
#ifndef WP_SCRIPT_DATA_H
#define WP_SCRIPT_DATA_H

#include "base/writer.h"
#include "view/script_sample.h"

/* Behind the event's name: address, source, weight, latency, cgroup. */
void wp_script_data_head(const struct wp_script_sample *sample, uint32_t fields,
			 struct wp_writer *out);
/* Behind the frames: registers, branches, physical address, sizes of pages. True: there was
 * something. */
bool wp_script_data_tail(const struct wp_script_sample *sample, uint32_t fields,
			 struct wp_writer *out);
/* *any: whether a member was there before, or is now. What a sample does not have is left out. */
void wp_script_data_json(const struct wp_script_sample *sample, uint32_t fields,
			 struct wp_writer *out, bool *any);

#endif
