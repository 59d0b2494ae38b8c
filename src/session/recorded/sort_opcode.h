/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort_opcode: keys of `report --sort` about the bytecode instruction that a sample's innermost
 * Python frame is at.
 *
 * Session stage. A recording tells its bytecode at its end: until then a value stands for a place
 * in a code object, and afterwards for the opcode's name.
 */
#ifndef WP_SORT_OPCODE_H
#define WP_SORT_OPCODE_H

#include "session/recorded/sort_state.h"

struct wp_doc;

uint32_t wp_sort_opcode_of(struct wp_report_sort *sort, const struct wp_sort_at *at);
/*
 * Once for each value, when the recording was read: the name's id in sort->strings. base: of what
 * the opcode is a form of.
 */
uint32_t wp_sort_opcode_name(struct wp_report_sort *sort, uint32_t value, bool base);
/* What has no opcode, and why. */
void wp_sort_opcode_notes(const struct wp_report_sort *sort, struct wp_doc *doc);

#endif
