/* SPDX-License-Identifier: BSD-3-Clause */
/* branch_filter: which branches the CPU is to remember: -b, -j FILTER, in perf's words. */
#ifndef WP_BRANCH_FILTER_H
#define WP_BRANCH_FILTER_H

#include "base/err.h"
#include "core/machine.h"

/*
 * The branch_sample_type of perf_event_open(2) for a comma list; NULL: none are asked for, 0. Only
 * modes (u, k, hv): any branch in them.
 */
struct wp_err *wp_branch_filter_parse(const char *list, uint64_t *ret) WP_MUST_CHECK;
/* Refuses where no CPU can remember any. */
struct wp_err *wp_branch_filter_check(uint64_t filter,
				      const struct wp_machine *machine) WP_MUST_CHECK;

#endif
