/* SPDX-License-Identifier: BSD-3-Clause */
/* function_flow: sampled functions as basic blocks, from the code that the world of the run has. */
#ifndef WP_FUNCTION_FLOW_H
#define WP_FUNCTION_FLOW_H

#include "aggregate/blocks.h"
#include "resolve/lines/elf_code.h"

#define WP_FUNCTION_FLOW_FILES 32

struct wp_sampling;

/* Files of code are open from one function to the next. The caller deinits. */
struct wp_function_flow {
	struct wp_sampling *s;
	struct {
		uint32_t module; /* + 1; 0: none */
		struct wp_elf_code *code;
	} files[WP_FUNCTION_FLOW_FILES];
	uint32_t module; /* of the function at hand: */
	const char *path;
	struct wp_elf_code *code; /* NULL: the world has the code */
};

/*
 * Adds the function of that symbol id with its samples of all events; the run's instructions
 * (results.pcs) are sorted. False, and a note if it `tells`, where its code is not to be had.
 */
bool wp_function_flow_add(struct wp_function_flow *flow, uint32_t symbol, bool tells,
			  struct wp_blocks_list *list);
/* The first event of the run that has samples: what paths and colours are of. */
uint32_t wp_function_flow_event(const struct wp_function_flow *flow);
/* Finds the source lines of a block; the arena gets the path. */
void wp_function_flow_lines(struct wp_function_flow *flow, struct wp_arena *arena,
			    const struct wp_blocks *blocks, struct wp_block *block);
void wp_function_flow_deinit(struct wp_function_flow *flow);
#define wp_autofunction_flow WP_CLEANUP(wp_function_flow_deinit)

#endif
