/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_operands: the addresses that a short function's machine code mentions, and the jumps in a
 * long one's.
 *
 * Runtime stage, private to python_*.c; pure. No disassembler: the handful of encodings that
 * compilers use for these, x86-64 found at any byte (a caller checks what it gets), AArch64 at
 * every word. Sources: Intel SDM volume 2; Arm ARM DDI 0487 section C4.1.
 */
#ifndef WP_PYTHON_OPERANDS_H
#define WP_PYTHON_OPERANDS_H

#include <stddef.h>
#include <stdint.h>

struct wp_python_code_bytes {
	uint16_t machine; /* EM_X86_64, EM_AARCH64 */
	const uint8_t *bytes;
	size_t n;
	uint64_t addr; /* of the first byte */
};

enum wp_python_operand {
	WP_PYTHON_OPERAND_ADDRESS, /* lea, mov $imm32; adrp and add */
	WP_PYTHON_OPERAND_LOAD,	   /* mov disp(%rip), %reg; adrp and ldr */
	WP_PYTHON_OPERAND_JUMP,	   /* jmp, jcc; b, b.cond, cbz, tbz and their kin */
};

/* Calls take for every operand of a kind. */
void wp_python_operands(const struct wp_python_code_bytes *code, enum wp_python_operand kind,
			void (*take)(void *arg, uint64_t target), void *arg);

#endif
