/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks_doc: functions as basic blocks, and the hottest blocks of a program, as documents. */
#ifndef WP_BLOCKS_DOC_H
#define WP_BLOCKS_DOC_H

#include "aggregate/flat.h"
#include "core/blocks.h"
#include "core/doc.h"
#include "core/event.h"

struct wp_blocks_report {
	struct wp_blocks_list *list;
	const struct wp_event_set *events;
	const struct wp_flat *flat; /* all samples, by event */
	bool hottest;  /* blocks by falling samples, those without left out, instead of their order
			*/
	uint64_t rows; /* of the hottest blocks of a program */
	uint64_t lost; /* samples */
	/* Finds the lines of a block of the list; NULL: they are there already. */
	void (*find_lines)(void *arg, struct wp_blocks *blocks, struct wp_block *block);
	void *find_lines_arg;
};

/* The caller frees. Of events without a sample there is nothing. */
struct wp_doc *wp_blocks_doc(const struct wp_blocks_report *report);
struct wp_doc *wp_hot_blocks_doc(const struct wp_blocks_report *report);

/* Samples of all functions at that event. */
uint64_t wp_blocks_event_samples(const struct wp_blocks_report *report, uint32_t event);
/* "sum.c:3-5"; NULL: not known. From the arena. */
const char *wp_blocks_lines(struct wp_arena *arena, const struct wp_block *block);

#endif
