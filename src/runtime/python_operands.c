/* SPDX-License-Identifier: BSD-3-Clause */
/* python_operands: see python_operands.h. */
#include "runtime/python_operands.h"

#include "base/bytes.h"

#include <elf.h>
#include <stdbool.h>

static int64_t signed_bits(uint32_t word, unsigned int low, unsigned int bits)
{
	uint64_t value = word >> low & ((1u << bits) - 1);

	return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* Bytes before the 32-bit displacement or immediate of an operand of that kind; 0: it is none. */
static size_t x86_lead(const uint8_t *p, enum wp_python_operand kind)
{
	bool rip = (p[1] & 0xc7) == 0x05; /* ModRM: disp32(%rip) */

	switch (kind) {
	case WP_PYTHON_OPERAND_ADDRESS:
		if ((p[0] & 0xf8) == 0xb8)
			return 1; /* mov $imm32, %reg */
		return p[0] == 0x8d && rip ? 2 : 0;
	case WP_PYTHON_OPERAND_LOAD: return p[0] == 0x8b && rip ? 2 : 0;
	case WP_PYTHON_OPERAND_JUMP:
		if (p[0] == 0xe9)
			return 1;
		return p[0] == 0x0f && (p[1] & 0xf0) == 0x80 ? 2 : 0;
	}
	return 0;
}

static void x86_operands(const struct wp_python_code_bytes *code, enum wp_python_operand kind,
			 void (*take)(void *arg, uint64_t target), void *arg)
{
	for (size_t i = 0; i + 6 <= code->n; i++) {
		const uint8_t *p = code->bytes + i;
		size_t lead = x86_lead(p, kind);

		if (!lead)
			continue;
		uint32_t value = wp_u32_at(p + lead);
		bool absolute = kind == WP_PYTHON_OPERAND_ADDRESS && lead == 1;
		uint64_t next = code->addr + i + lead + 4;

		take(arg, absolute ? value : next + (uint64_t)(int64_t)(int32_t)value);
	}
}

/* Distance of a branch, 0: the word is none. */
static int64_t arm_jump(uint32_t word)
{
	if ((word & 0xfc000000) == 0x14000000)
		return signed_bits(word, 0, 26) * 4; /* b */
	if ((word & 0xff000000) == 0x54000000)
		return signed_bits(word, 5, 19) * 4; /* b.cond, bc.cond */
	if ((word & 0x7e000000) == 0x34000000)
		return signed_bits(word, 5, 19) * 4; /* cbz, cbnz */
	if ((word & 0x7e000000) == 0x36000000)
		return signed_bits(word, 5, 14) * 4; /* tbz, tbnz */
	return 0;
}

static void arm_jumps(const struct wp_python_code_bytes *code,
		      void (*take)(void *arg, uint64_t target), void *arg)
{
	for (size_t i = 0; i + 4 <= code->n; i += 4) {
		int64_t distance = arm_jump(wp_u32_at(code->bytes + i));

		if (distance)
			take(arg, code->addr + i + (uint64_t)distance);
	}
}

/* What is added to the page in the register n: -1: the word does something else. */
static int64_t arm_low_part(uint32_t word, enum wp_python_operand kind)
{
	uint32_t imm12 = word >> 10 & 0xfff;

	if (kind == WP_PYTHON_OPERAND_ADDRESS)
		return (word & 0xffc00000) == 0x91000000 ? (int64_t)imm12
							 : -1; /* add Xd, Xn, #imm */
	if ((word & 0xbfc00000) == 0xb9400000)		       /* ldr Wt/Xt, [Xn, #imm] */
		return (int64_t)imm12 << (word >> 30);
	return -1;
}

static void arm_operands(const struct wp_python_code_bytes *code, enum wp_python_operand kind,
			 void (*take)(void *arg, uint64_t target), void *arg)
{
	uint64_t page[32] = {0};

	for (size_t i = 0; i + 4 <= code->n; i += 4) {
		uint32_t word = wp_u32_at(code->bytes + i);
		uint64_t pc = code->addr + i;

		if ((word & 0x9f000000) == 0x90000000) { /* adrp */
			uint32_t imm = (word >> 5 & 0x7ffff) << 2 | (word >> 29 & 3);

			page[word & 31] =
				(pc & ~0xfffull) + ((uint64_t)signed_bits(imm, 0, 21) << 12);
			continue;
		}
		int64_t low = arm_low_part(word, kind);
		if (low >= 0 && page[word >> 5 & 31])
			take(arg, page[word >> 5 & 31] + (uint64_t)low);
	}
}

void wp_python_operands(const struct wp_python_code_bytes *code, enum wp_python_operand kind,
			void (*take)(void *arg, uint64_t target), void *arg)
{
	if (code->machine == EM_X86_64)
		x86_operands(code, kind, take, arg);
	else if (kind == WP_PYTHON_OPERAND_JUMP)
		arm_jumps(code, take, arg);
	else
		arm_operands(code, kind, take, arg);
}
