/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort_branch: the values of the keys that are of a branch before a sample (at->branch): ids of
 * symbols, modules and lines, and of the rest in the strings of the report.
 */
#ifndef WP_SORT_BRANCH_H
#define WP_SORT_BRANCH_H

#include "session/recorded/sort_state.h"

/* The functions at both ends of at->branch, which keys and --symbol are asked about. */
void wp_sort_branch_find(struct wp_report_sort *sort, struct wp_sort_at *at);

uint32_t wp_sort_branch_symbol_from(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_branch_symbol_to(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_branch_module_from(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_branch_module_to(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_branch_line_from(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_branch_line_to(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_branch_address_from(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_branch_address_to(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_branch_mispredict(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_branch_in_tx(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_branch_abort(struct wp_report_sort *sort, const struct wp_sort_at *at);
uint32_t wp_sort_branch_cycles(struct wp_report_sort *sort, const struct wp_sort_at *at);

#endif
