/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * code_exit: how machine code that nothing describes is left, told from its next instructions.
 *
 * Walk, shared with BPF: fixed-width types, no memory but the state. In: the 16 bytes at a return
 * address, or where execution is; out: the rule that leads to the caller, when an epilogue follows
 * right there (x86-64: CPython's -X perf trampolines, JIT code without frame pointers). Exact
 * where it says anything: it follows what the processor will do.
 */
#ifndef WP_CODE_EXIT_H
#define WP_CODE_EXIT_H

#include "core/unwind_rule.h"

#define WP_CODE_EXIT_BYTES 16
#define WP_CODE_EXIT_STEPS 10 /* instructions; endbr64, sub, call, add, six pops, ... */

#define WP_CODE_EXIT_FN static inline __attribute__((always_inline, unused))

/* In: code, little-endian, and may_call; else zeros. */
struct wp_code_exit {
	__u64 code[2];
	__u32 may_call; /* execution is here: a call that is still to come leaves sp as it is */
	__s32 depth;	/* bytes from sp to what will be sp */
	__s32 fp_at;	/* bytes from sp to the caller's frame pointer ... */
	__u32 fp_saved; /* ... if it is there */
	__u32 bx_lost;
	__u32 leaving;	  /* sp has risen: what lay there may be overwritten from here on */
	__u32 fp_changed; /* the frame pointer is this code's own */
	__s32 pushed_at;  /* where it is since it was pushed (below 0); 0: it was not */
};

/* An instruction of 1 to 7 bytes has been read. */
WP_CODE_EXIT_FN int wp_code_exit_next(struct wp_code_exit *e, __u32 bytes, __s32 depth)
{
	__u32 shift = bytes * 8 & 63;

	if (e->leaving && depth < 0)
		return -1;
	e->leaving |= depth > 0;
	e->code[0] = e->code[0] >> shift | e->code[1] << (64 - shift);
	e->code[1] >>= shift;
	e->depth += depth;
	return 0;
}

/* push and pop of the registers 0 to 7, or with REX.B 8 to 15; reg: 5 is rbp, 3 rbx. */
WP_CODE_EXIT_FN int wp_code_exit_stack(struct wp_code_exit *e, __u32 opcode, __u32 prefix)
{
	__u32 reg = (opcode & 7) + prefix * 8;

	if (opcode < 0x58) {
		if (reg == 5)
			e->pushed_at = e->depth - 8;
		return wp_code_exit_next(e, 1 + prefix, -8);
	}
	if (reg == 4 || (reg == 5 && e->depth < 0 && e->depth != e->pushed_at))
		return -1;
	if (reg == 5) {
		e->fp_at = e->depth;
		e->fp_saved = e->depth >= 0;
		e->fp_changed = 0;
	}
	e->bx_lost |= reg == 3 && e->depth >= 0;
	return wp_code_exit_next(e, 1 + prefix, 8);
}

/* 0: on; 1: it was the return; -1: something else, nothing is known. */
WP_CODE_EXIT_FN int wp_code_exit_step(struct wp_code_exit *e)
{
	__u64 code = e->code[0];
	__u32 low = (__u32)code, byte = low & 0xff;

	if (byte == 0xc3 || (low & 0xffff) == 0xc3f3)
		return 1;
	if (byte >= 0x50 && byte < 0x60)
		return wp_code_exit_stack(e, byte, 0);
	if (byte == 0x41 && (low >> 8 & 0xff) >= 0x50 && (low >> 8 & 0xff) < 0x60)
		return wp_code_exit_stack(e, low >> 8 & 0xff, 1);
	if (low == 0xfa1e0ff3) /* endbr64 */
		return wp_code_exit_next(e, 4, 0);
	if ((low & 0xffffff) == 0xc48348) /* add imm8, %rsp */
		return wp_code_exit_next(e, 4, (signed char)(low >> 24));
	if ((low & 0xffffff) == 0xec8348) /* sub imm8, %rsp */
		return wp_code_exit_next(e, 4, -(signed char)(low >> 24));
	if ((low & 0xffffff) == 0xc48148 && (code >> 24 & 0xffffffff) < 0x8000) /* imm32 */
		return wp_code_exit_next(e, 7, (__s32)(code >> 24 & 0x7fff));
	if ((low & 0xffffff) == 0xe58948) { /* mov %rsp, %rbp */
		e->fp_changed = 1;
		return wp_code_exit_next(e, 3, 0);
	}
	if ((low & 0xf8ff) == 0xd0ff && e->may_call) { /* call *reg */
		e->may_call = 0;
		return wp_code_exit_next(e, 2, 0);
	}
	return -1;
}

/* The rule, when the return has been reached; 0: there is none. */
WP_CODE_EXIT_FN int wp_code_exit_rule(const struct wp_code_exit *e, struct wp_unwind_rule *ret)
{
	__s32 depth = e->depth;

	if (depth < 0 || depth > 0x8000 || depth & 7 || e->fp_changed ||
	    (e->fp_saved && (e->fp_at & 7 || e->fp_at >= depth)))
		return 0;
	ret->pc = 0;
	ret->cfa = WP_UNWIND_SP;
	ret->flags = WP_UNWIND_RA_SAVED | (e->fp_saved ? WP_UNWIND_FP_SAVED : 0) |
		     (e->bx_lost ? WP_UNWIND_BX_LOST : 0);
	ret->cfa_off = (__s16)(((__u32)depth >> 3) + 1);
	ret->ra_off = -1;
	ret->fp_off = (__s16) - (((__u32)(depth - e->fp_at) >> 3) + 1);
	return 1;
}

#endif
