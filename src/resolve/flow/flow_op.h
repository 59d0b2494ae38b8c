/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_op: what matters of an instruction to know where a function goes on, alike for x86-64 and
 * arm64: where it leads, and the few operations that addresses of jump tables are made with.
 */
#ifndef WP_FLOW_OP_H
#define WP_FLOW_OP_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WP_FLOW_NO_REG 63 /* registers are 0 to 31 */

enum wp_flow_kind {
	WP_FLOW_ON,
	WP_FLOW_TO_CALL,
	WP_FLOW_TO, /* a jump */
	WP_FLOW_BRANCH,
	WP_FLOW_INDIRECT, /* to the address in `base`, or that `what` loads */
	WP_FLOW_RETURN,
	WP_FLOW_STOP,	 /* a trap */
	WP_FLOW_TABLE,	 /* an indirect jump whose table was read */
	WP_FLOW_POINTER, /* an indirect one through a pointer that is in no table */
};

enum wp_flow_what {
	WP_DOES_OTHER,
	WP_DOES_SET,		/* dst = imm */
	WP_DOES_COPY,		/* dst = base, of which `width` bytes are taken */
	WP_DOES_ADD,		/* dst = base + (index << shift) + imm */
	WP_DOES_AND,		/* dst = base & imm */
	WP_DOES_LOAD,		/* dst = `width` bytes at base + (index << shift) + imm */
	WP_DOES_STORE,		/* dst goes to base + (index << shift) + imm */
	WP_DOES_COMPARE,	/* base with imm */
	WP_DOES_COMPARE_MEMORY, /* width bytes at base + (index << shift) with value */
};

/* What a conditional jump is taken on, of numbers without sign. */
enum wp_flow_when {
	WP_WHEN_OTHER,
	WP_WHEN_ABOVE,
	WP_WHEN_ABOVE_EQUAL,
	WP_WHEN_BELOW,
	WP_WHEN_BELOW_EQUAL,
};

struct wp_flow_op {
	uint32_t at;		  /* bytes from the function's begin */
	uint8_t size;		  /* bytes */
	uint8_t kind;		  /* enum wp_flow_kind */
	uint8_t what;		  /* enum wp_flow_what */
	uint8_t when;		  /* enum wp_flow_when */
	uint8_t dst, base, index; /* registers; WP_FLOW_NO_REG: none */
	uint8_t shift, width;
	bool is_signed; /* what is loaded, copied, or of ADD the index's lowest `width` bytes */
	bool compares;	/* an ADD that compares, too: base as it was with -imm */
	bool sets_flags;
	bool has_target; /* of calls and jumps: */
	bool is_padding;
	bool frees_frame; /* pops, or moves the stack pointer back */
	uint32_t writes;  /* bit per register */
	int64_t imm;
	uint64_t target; /* rva; of COMPARE_MEMORY the value */
};

struct wp_flow_decoder;

/* arch as in struct wp_machine; fails for one that is neither x86_64 nor aarch64. */
struct wp_err *wp_flow_decoder_open(const char *arch, struct wp_flow_decoder **ret) WP_MUST_CHECK;
void wp_flow_decoder_close(struct wp_flow_decoder *decoder);
/* Bytes that an instruction begins at a multiple of: 1 or 4. */
size_t wp_flow_decoder_step(const struct wp_flow_decoder *decoder);
/* Registers that a called function may change. */
uint32_t wp_flow_decoder_clobbers(const struct wp_flow_decoder *decoder);
/* True for the stack pointer and what may be the frame pointer. */
bool wp_flow_decoder_is_frame(const struct wp_flow_decoder *decoder, uint8_t reg);
/* The instruction at the address, of which n bytes are there; false when it is none. `at` is left.
 */
bool wp_flow_decode(struct wp_flow_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t rva,
		    struct wp_flow_op *ret);

/* The one for arm64, of a word of code. Arm ARM (DDI 0487) C4.1. */
void wp_flow_decode_arm64(uint32_t word, uint64_t rva, struct wp_flow_op *ret);

#endif
