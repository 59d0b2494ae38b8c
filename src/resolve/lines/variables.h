/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * variables: where a function's parameters and variables are at one of its instructions, by DWARF.
 *
 * Resolve stage. libdw reads a file that may be a stranger's: ask on a thread that may be left
 * (line_asker). Locations are those of DWARF 5, 2.6; numbers of registers are the machine's own in
 * DWARF, as in core/operand.h.
 */
#ifndef WP_VARIABLES_H
#define WP_VARIABLES_H

#include "core/operand.h"
#include "resolve/lines/srclines.h"

#define WP_VARIABLE_TEXT 160

enum wp_variable_answer {
	WP_VARIABLE_FOUND,
	WP_VARIABLE_PASSED,	 /* it is still where its caller put it: see `nth` */
	WP_VARIABLE_NO_FUNCTION, /* no function of the debug information has the address */
	WP_VARIABLE_NONE,	 /* it has none of that name; text: which it has */
	WP_VARIABLE_NO_NUMBER,	 /* text: what it is instead: a struct, a double */
	WP_VARIABLE_AWAY,	 /* the compiler keeps no value of it there */
	WP_VARIABLE_UNBORN,	 /* the function has only begun, and has not stored it yet */
	WP_VARIABLE_TANGLED,	 /* text: what its location begins with */
};

struct wp_variable_query {
	const char *name;
	struct wp_rva rva; /* of the instruction */
	Elf *program;	   /* its unwind tables say where a frame begins */
	bool arm64;
	bool windows; /* numbers in vector registers take the place of others */
};

struct wp_variable {
	struct wp_operand operand; /* PASSED: without where */
	uint32_t nth;		   /* PASSED: which of the registers for numbers, from 1 */
	bool is_text;		   /* the address of characters */
	char text[WP_VARIABLE_TEXT];
};

/* *ret is set as far as the answer says. */
enum wp_variable_answer wp_variable_find(struct wp_srclines *lines,
					 const struct wp_variable_query *query,
					 struct wp_variable *ret);

#endif
