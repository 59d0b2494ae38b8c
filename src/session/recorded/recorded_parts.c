/* SPDX-License-Identifier: BSD-3-Clause */
/* recorded_parts: see recorded_parts.h. */
#include "session/recorded/recorded_parts.h"

void wp_sampling_recorded_deinit(struct wp_sampling_recorded *recorded)
{
	wp_owners_deinit(&recorded->owners);
	wp_debuginfod_free(recorded->debuginfod);
	wp_sample_recorded_deinit(&recorded->sample);
	wp_report_filter_deinit(&recorded->filter);
	wp_report_sort_deinit(&recorded->sort);
}
