/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_recorded: a run whose samples come from a recording, where a live one has walkers and
 * processes.
 */
#ifndef WP_SAMPLING_RECORDED_H
#define WP_SAMPLING_RECORDED_H

#include "core/owner.h"
#include "base/vec.h"
#include "core/record.h"
#include "resolve/find/debuginfod.h"
#include "session/recorded/report_filter.h"
#include "session/recorded/report_sort.h"
#include "session/recorded/sample_recorded.h"

#define WP_RECORDED_FILE "perf.data" /* without -i */

struct wp_sampling;

struct wp_sampling_recorded {
	const char *transport; /* how Python frames were read; NULL: there were none */
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

extern const struct wp_sampling_way wp_sampling_recorded_way;

/* Opens the recording that the options name. */
struct wp_err *wp_sampling_open_recorded(struct wp_sampling *s) WP_MUST_CHECK;
/* Takes all of its samples (or those until Ctrl-C), and what it says of its run. */
struct wp_err *wp_sampling_run_recorded(struct wp_sampling *s) WP_MUST_CHECK;
void wp_sampling_recorded_deinit(struct wp_sampling_recorded *recorded);

#endif
