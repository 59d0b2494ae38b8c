/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * listing: functions as they are written: each instruction or line of Python source, in order, with
 * the samples that were there.
 *
 * Aggregate stage. In: instructions and lines, then counts of addresses and lines. Out: rows. A
 * native function's rows are instructions, which know their source line; a Python function's are
 * its source lines, or the instructions of its bytecode.
 */
#ifndef WP_LISTING_H
#define WP_LISTING_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct wp_listing_row {
	uint64_t address; /* rva; 0 of Python lines; of bytecode the offset */
	const char *text; /* the instruction (of bytecode its opcode) or line; NULL: unknown */
	const char *base; /* of bytecode: what the opcode is a form of; NULL: of none */
	bool has_arg;	  /* of bytecode: */
	uint32_t arg;
	bool is_entry;	     /* of bytecode: before the first instruction; the first row */
	const char *file;    /* that the line is of; NULL: not known */
	uint32_t line;	     /* 0: not known */
	const char *inlined; /* the function that the line is of, if that was inlined; else NULL */
	bool is_jump;	     /* within the function: */
	uint64_t target;
	bool is_target;	   /* of a jump within the function */
	bool leaves;	   /* it calls, or jumps to, another function: */
	uint32_t callee;   /* symbol */
	uint64_t *samples; /* by event */
	uint64_t *totals;  /* by event: there, or called from there; NULL of instructions */
};

struct wp_listing {
	const char *name;
	const char *module; /* of native functions */
	const char *file;   /* of Python functions; else NULL */
	uint32_t line;	    /* their first one */
	uint64_t start, size;
	uint32_t bytecode;    /* rows are bytecode of that version, 0x030b: 3.11; 0: they are not */
	uint32_t objects;     /* so many code objects are of it, */
	uint32_t other_forms; /* of these so many have other forms of opcodes */
	uint64_t *samples, *totals; /* of the function, by event; totals NULL of native ones */
	WP_VEC(struct wp_listing_row) rows; /* by address, or by line */
};

/* n_events is to be set before the first is added. */
struct wp_listings {
	size_t n_events;
	struct wp_arena arena; /* owns texts and counts */
	WP_VEC(struct wp_listing) functions;
};

/* Without rows and counts, the text copied; valid until the next is added. */
struct wp_listing *wp_listings_add(struct wp_listings *listings, const char *name);
/* The next row of the function, without counts; valid until the next one is added. */
struct wp_listing_row *wp_listing_add(struct wp_listings *listings, struct wp_listing *listing);
/* Ends adding: which rows are targets of jumps. */
void wp_listing_finish(struct wp_listing *listing);
/*
 * The instruction whose bytes have the address: the last one that does not begin behind it; NULL
 * when none does.
 */
struct wp_listing_row *wp_listing_at(const struct wp_listing *listing, uint64_t address);
void wp_listings_deinit(struct wp_listings *listings);
#define wp_autolistings WP_CLEANUP(wp_listings_deinit)

#endif
