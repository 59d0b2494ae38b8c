/* SPDX-License-Identifier: BSD-3-Clause */
/* disasm: instruction bytes to text, x86-64 (as llvm-objdump prints it) and arm64. */
#ifndef WP_DISASM_H
#define WP_DISASM_H

#include "base/err.h"
#include "core/addr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_disasm;

/* Of x86-64. */
enum wp_disasm_style { WP_DISASM_ATT, WP_DISASM_INTEL };

enum wp_flow {
	WP_FLOW_NEXT, /* it goes on behind it */
	WP_FLOW_JUMP, /* conditional or not */
	WP_FLOW_CALL,
};

struct wp_instruction {
	struct wp_rva address;
	const char *text; /* "mov      x0, x1" */
	enum wp_flow flow;
	bool has_target; /* of a jump or call whose operand says where it goes: */
	struct wp_rva target;
};

/* arch as in struct wp_machine; fails for one that is neither x86_64 nor aarch64. */
struct wp_err *wp_disasm_open(const char *arch, enum wp_disasm_style style,
			      struct wp_disasm **ret) WP_MUST_CHECK;
void wp_disasm_close(struct wp_disasm *disasm);
/*
 * Decodes n bytes that begin at the address, which must be an instruction's first; calls back for
 * each, which is valid during the call. What is no instruction becomes one of `.byte`s and decoding
 * goes on behind it.
 */
void wp_disasm_run(struct wp_disasm *disasm, const uint8_t *bytes, size_t n, struct wp_rva start,
		   void (*each)(void *arg, const struct wp_instruction *instruction), void *arg);

#endif
