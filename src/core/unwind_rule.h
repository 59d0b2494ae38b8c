/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_rule: how to get from one frame to its caller, for a range of addresses: one row of a
 * module's table.
 *
 * Compiled from .eh_frame/.debug_frame once per module and used alike by the BPF program in the
 * kernel and by the offline unwinder, so it is 12 bytes, little-endian, without pointers. A row
 * holds from its pc up to the next row's. Offsets are in words of 8 bytes (of 4 in x86 modules,
 * which only the offline unwinder reads); what does not fit is WP_UNWIND_NONE. Shared with BPF:
 * only fixed-width types.
 */
#ifndef WP_UNWIND_RULE_H
#define WP_UNWIND_RULE_H

#include <linux/types.h>

/* How the canonical frame address (the caller's sp) is found. */
enum wp_unwind_cfa {
	WP_UNWIND_NONE,	 /* no rule here: the walk ends (WP_STACK_NO_RULE) */
	WP_UNWIND_END,	 /* the outermost frame (return address undefined): the walk is complete */
	WP_UNWIND_SP,	 /* sp + cfa_off */
	WP_UNWIND_FP,	 /* fp + cfa_off (rbp, x29) */
	WP_UNWIND_AT_FP, /* the word at fp + cfa_off (x86 functions that realign their stack) */
	WP_UNWIND_PLT, /* x86-64 PLT: sp + 8 + ((ip & 15) >= cfa_off ? 8 : 0); cfa_off here in bytes
			*/
	WP_UNWIND_SIGNAL, /* a signal frame: ip, sp and fp are in the kernel's rt_sigframe at sp;
			     x86: in its struct sigcontext_32 cfa_off bytes above sp */
	WP_UNWIND_AT_SP,  /* the word at sp + cfa_off, plus 8 (libcrypto's assembly keeps the sp of
			     its entry so) */
	/*
	 * x86, offline: behind the first word at sp + cfa_off - 1 words or above that can be a
	 * return address; below it are arguments for a call that is being made.
	 */
	WP_UNWIND_SEARCH,
	/*
	 * + n: the general register of DWARF number n (x86-64, 0 to 15; x86, 0 to 7), + cfa_off.
	 * They are known in the innermost frame only, rbx (3) in all: glibc's _dl_runtime_resolve
	 * builds on it and calls others, prologues that realign the stack (r10, r13) or libcrypto's
	 * (rax) do not.
	 */
	WP_UNWIND_REG = 16,
};

#define WP_UNWIND_RBX 3 /* its DWARF number, and ebx's */

/*
 * Flags of a row. SAVED: the return address is at cfa + ra_off (else still in lr, arm64), the
 * caller's fp at cfa + fp_off (else unchanged), or with FP_AT_FP at fp + fp_off (x86-64 functions
 * that realign their stack). SIGNED: the return address carries a pointer authentication code
 * (arm64). BX: the caller's rbx (x86-64), else unchanged: saved at cfa + ra_off, or with AT_FP at
 * fp + ra_off, the return address then being at cfa - 8; or lost. PARAMS (x86): the return address
 * is at cfa - 4, and the function's arguments above it take ra_off words. A row without a rule has
 * its reason above them (enum wp_cfi_reason), 0 for code that nothing describes.
 */
#define WP_UNWIND_RA_SAVED  1
#define WP_UNWIND_FP_SAVED  2
#define WP_UNWIND_RA_SIGNED 4
#define WP_UNWIND_FP_AT_FP  8
#define WP_UNWIND_BX_SAVED  16
#define WP_UNWIND_BX_AT_FP  32
#define WP_UNWIND_BX_LOST   64
#define WP_UNWIND_PARAMS    128
#define WP_UNWIND_WHY_SHIFT 4

struct wp_unwind_rule {
	__u32 pc; /* rva minus the table's base */
	__u8 cfa; /* enum wp_unwind_cfa */
	__u8 flags;
	__s16 cfa_off, ra_off, fp_off;
};

/* Members of the rule of code that keeps a frame pointer: the caller's, and the return address
 * behind it, are where it points to. */
#define WP_UNWIND_RULE_CHAIN                                                                       \
	.cfa = WP_UNWIND_FP, .flags = WP_UNWIND_RA_SAVED | WP_UNWIND_FP_SAVED | WP_UNWIND_BX_LOST, \
	.cfa_off = 2, .ra_off = -1, .fp_off = -2

/* Where the return address is from the cfa, in words, where it is saved. */
static inline __s16 wp_unwind_ra_off(const struct wp_unwind_rule *rule)
{
	return rule->flags & (WP_UNWIND_BX_SAVED | WP_UNWIND_PARAMS) ? -1 : rule->ra_off;
}

#endif
