/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort_data: the values of the keys that are of what a sample carries besides: see
 * core/sample_data.h. Where nothing else is said they are ids in the strings of the report.
 */
#ifndef WP_SORT_DATA_H
#define WP_SORT_DATA_H

#include "session/recorded/sort_state.h"

struct wp_doc;

uint32_t wp_sort_data_cgroup(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_data_address(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_data_page(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_data_line(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_data_physical(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_data_weight(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_data_latency(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_data_level(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_data_snoop(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_data_tlb(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_data_locked(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_data_blocked(struct wp_report_sort *sort, const struct wp_sort_at *at);
/* A string's id with this bit, of Python's memory; else a symbol as below. */
#define WP_SORT_DATA_PYTHON (1u << 31)
uint32_t wp_sort_data_type(struct wp_report_sort *sort, const struct wp_sort_at *at);
/* Of these two the ids are the resolver's, of symbols and modules. */
uint32_t wp_sort_data_symbol(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_data_module(struct wp_report_sort *sort, const struct wp_sort_at *at);
/* Says, behind the tables, what the recording could have said of addresses and does not. */
void wp_sort_data_note(const struct wp_report_sort *sort, struct wp_doc *doc);

#endif
