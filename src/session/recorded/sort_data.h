/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort_data: the values of the keys that are of what a sample carries besides: see
 * core/sample_data.h. All are ids in the strings of the report.
 */
#ifndef WP_SORT_DATA_H
#define WP_SORT_DATA_H

#include "session/recorded/sort_state.h"

uint32_t wp_sort_data_cgroup(struct wp_report_sort *sort, const struct wp_sort_at *at);

#endif
