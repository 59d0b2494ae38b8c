/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack_mode: the words of --call-graph: how the stacks of samples are taken.
 */
#ifndef WP_STACK_MODE_H
#define WP_STACK_MODE_H

#include "core/source.h"

struct wp_stack_mode {
	enum wp_stacks stacks;
	uint64_t bytes; /* of a copy of the stack */
	bool chosen;	/* by us: `auto` */
};

/* Without -g there are no stacks; text is that of --call-graph, NULL for `auto`. */
struct wp_err *wp_stack_mode_parse(bool wanted, const char *text,
				   struct wp_stack_mode *ret) WP_MUST_CHECK;
/* "bpf", "fp", "dwarf". */
const char *wp_stack_mode_name(enum wp_stacks stacks);

#endif
