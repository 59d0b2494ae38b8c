/* SPDX-License-Identifier: BSD-3-Clause */
/* recorded_parts: what a run whose samples come from a recording has besides those of any run. */
#ifndef WP_RECORDED_PARTS_H
#define WP_RECORDED_PARTS_H

#include "core/owner.h"
#include "core/record.h"
#include "resolve/find/debuginfod.h"
#include "session/recorded/report_filter.h"
#include "session/recorded/report_sort.h"
#include "session/recorded/sample_recorded.h"

struct wp_sampling_recorded {
	struct wp_report_filter filter;
	struct wp_report_sort sort;
	struct wp_debuginfod *debuginfod;
	bool kernel_seen;	 /* where the recording's kernel lay */
	struct wp_owners owners; /* whose code it is of */
	uint64_t left_out;	 /* samples that a filter kept out */
	struct wp_sample_recorded sample;
	uint8_t kernel_id[WP_BUILD_ID_MAX]; /* its build-id */
	uint8_t kernel_id_len;
};

void wp_sampling_recorded_deinit(struct wp_sampling_recorded *recorded);

#endif
