/* SPDX-License-Identifier: BSD-3-Clause */
/* report_blocks: basic blocks of chosen functions, and the hottest ones of a program. */
#ifndef WP_REPORT_BLOCKS_H
#define WP_REPORT_BLOCKS_H

#include "session/report/listing_choice.h"

/* `wperf annotate --blocks`; the run's results are sorted. Fails when no native one is chosen. */
struct wp_err *wp_report_blocks_of(struct wp_sampling *s,
				   const struct wp_listing_choice *choice) WP_MUST_CHECK;
/* `wperf report --blocks`, after the run. */
struct wp_err *wp_report_hot_blocks(struct wp_sampling *s) WP_MUST_CHECK;

#endif
