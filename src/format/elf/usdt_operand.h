/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usdt_operand: the arguments of a marker, from the text of its note to operands.
 *
 * Format stage, pure. "-4@%edi 8@-8(%rbp) 4@$5 8@sym+8(%rip)" on x86-64, "4@w0 8@[sp, 8] -4@3" on
 * arm64: bytes (negative: signed), then an operand in the assembler's words. Source:
 * "UserSpaceProbeImplementation" of SystemTap's wiki; GNU as.
 */
#ifndef WP_USDT_OPERAND_H
#define WP_USDT_OPERAND_H

#include "core/operand.h"

#include <stddef.h>

#define WP_USDT_ARGS 12 /* of one marker (sys/sdt.h) */

struct wp_usdt_operand {
	/* With `symbol`, value counts from where that lies: memory of x86-64, base is %rip. */
	struct wp_operand operand;
	const char *text; /* as it stands in the note; borrowed, as symbol is */
	size_t text_len;
	const char *symbol; /* NULL: none */
	size_t symbol_len;
	bool known; /* else the operand is of a kind that is not read (a vector register) */
};

/* How many of WP_USDT_ARGS there are. */
size_t wp_usdt_operands(const char *arguments, bool arm64,
			struct wp_usdt_operand ret[WP_USDT_ARGS]);

#endif
