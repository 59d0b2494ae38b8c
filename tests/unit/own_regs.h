/* SPDX-License-Identifier: BSD-3-Clause */
/* own_regs: the registers of getcontext(), as a sample would bring them. */
#ifndef OWN_REGS_H
#define OWN_REGS_H

#include "core/stack.h"

#include <string.h>
#include <ucontext.h>

/* Returns the stack pointer. Inline, so that the caller's frame is the innermost one. */
static inline __attribute__((always_inline)) uint64_t own_regs(const ucontext_t *u,
							       struct wp_stack_regs *ret)
{
#ifdef __x86_64__
	ret->r[6] = (uint64_t)u->uc_mcontext.gregs[REG_RBP];
	ret->r[7] = (uint64_t)u->uc_mcontext.gregs[REG_RSP];
	ret->r[16] = (uint64_t)u->uc_mcontext.gregs[REG_RIP];
	ret->valid = 1 << 6 | 1 << 7 | 1 << 16;
	return ret->r[7];
#else
	memcpy(ret->r, u->uc_mcontext.regs, sizeof(u->uc_mcontext.regs));
	ret->r[31] = u->uc_mcontext.sp;
	ret->r[32] = u->uc_mcontext.pc;
	ret->valid = (1ull << 33) - 1;
	return ret->r[31];
#endif
}

#endif
