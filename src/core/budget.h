/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * budget: how much memory the words of strangers may take, all kinds of them together.
 *
 * Files, processes and recordings say as much as they like; what is kept of that for the run is
 * taken from here first. What finds no room is left out, counted, and told of at the end. Taken
 * and given by any thread. Everywhere NULL is a budget without a bound.
 */
#ifndef WP_BUDGET_H
#define WP_BUDGET_H

#include "base/log.h"

#include <stdbool.h>
#include <stdint.h>

enum wp_budget_kind {
	WP_BUDGET_SYMBOLS, /* of files */
	WP_BUDGET_RULES,   /* of unwinding, of files */
	WP_BUDGET_LINES,   /* DWARF of files */
	WP_BUDGET_PDB,	   /* parts of PDBs */
	WP_BUDGET_JIT,	   /* names of code */
	WP_BUDGET_PYTHON,  /* code objects and their texts, live and of recordings */
	WP_BUDGET_SOURCE,  /* source files of Python */
	WP_BUDGET_KINDS,
};

/* No kind takes more than half of all, so that one leaves room for the others. */
struct wp_budget {
	uint64_t limit; /* bytes of all */
	uint64_t used;
	struct wp_budget_part {
		uint64_t used;	   /* bytes */
		uint64_t left_out; /* things that found no room */
	} parts[WP_BUDGET_KINDS];
};

/* A quarter of the machine's memory, 1 GB at most: in bytes. */
uint64_t wp_budget_default(void);
/* Room for a thing of so many bytes; false: there is none, it is to be left out. */
bool wp_budget_take(struct wp_budget *budget, enum wp_budget_kind kind, uint64_t bytes);
/* So many bytes of what was taken are free again. */
void wp_budget_give(struct wp_budget *budget, enum wp_budget_kind kind, uint64_t bytes);
/* True when something of the kind was left out. */
bool wp_budget_is_spent(const struct wp_budget *budget, enum wp_budget_kind kind);
/* One note when something was left out: what, and how often. */
void wp_budget_tell(const struct wp_budget *budget, const struct wp_log *log);

#endif
