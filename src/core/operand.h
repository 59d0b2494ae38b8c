/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operand: where a probe finds one of its arguments when it is hit: in a register, in memory that a
 * register leads to, or nowhere but in the program's text.
 *
 * Core; plain data. The format stage reads it from a marker's note, the resolve stage makes it of
 * the calling convention; the source tells the kernel. Registers are numbered as in DWARF.
 */
#ifndef WP_CORE_OPERAND_H
#define WP_CORE_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

#define WP_OPERAND_NO_REG 255
/* The instruction's own address; x86-64 and arm64 have fewer registers. */
#define WP_OPERAND_IP_X86_64 16
#define WP_OPERAND_IP_ARM64  32

enum wp_operand_kind {
	WP_OPERAND_REGISTER,
	WP_OPERAND_CONSTANT,
	WP_OPERAND_MEMORY, /* at base + (index << shift) + value */
};

struct wp_operand {
	enum wp_operand_kind kind;
	uint8_t size; /* in bytes: 1, 2, 4 or 8 */
	bool is_signed;
	bool is_high;	     /* bits 8 to 15 of a register: %ah */
	uint8_t base, index; /* a register; WP_OPERAND_NO_REG: none */
	uint8_t shift;
	int64_t value; /* the constant, or what is added to an address */
};

#endif
