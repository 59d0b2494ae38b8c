/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_arm64: see flow_op.h. Instructions of arm64 are words whose fields say all that is asked, so
 * that no disassembler is needed. Arm ARM (DDI 0487), C4.1 "A64 instruction set encoding".
 */
#include "resolve/flow/flow_op.h"

#define ZERO_REG 31 /* or, as the instruction has it: */
#define SP	 31
#define CALLED	 (1u << 30) /* the link register */

static uint32_t bits(uint32_t word, unsigned int low, unsigned int n)
{
	return word >> low & ((1u << n) - 1);
}

static int64_t signed_field(uint32_t word, unsigned int low, unsigned int n)
{
	int64_t v = bits(word, low, n);

	return v >> (n - 1) & 1 ? v - ((int64_t)1 << n) : v;
}

static void lead_to(struct wp_flow_op *op, enum wp_flow_kind kind, uint64_t rva, int64_t words)
{
	op->kind = kind;
	op->has_target = true;
	op->target = rva + (uint64_t)(words * 4);
}

static enum wp_flow_when when_of(uint32_t cond)
{
	switch (cond) {
	case 2: return WP_WHEN_ABOVE_EQUAL; /* hs */
	case 3: return WP_WHEN_BELOW;	    /* lo */
	case 8: return WP_WHEN_ABOVE;	    /* hi */
	case 9: return WP_WHEN_BELOW_EQUAL; /* ls */
	default: return WP_WHEN_OTHER;
	}
}

/* blr, br, ret and their forms that check a signature. */
static void take_register_branch(uint32_t word, struct wp_flow_op *op)
{
	switch (bits(word, 21, 4) & 7) {
	case 0:
		op->kind = WP_FLOW_INDIRECT;
		op->base = (uint8_t)bits(word, 5, 5);
		break;
	case 1:
		op->kind = WP_FLOW_TO_CALL;
		op->writes = CALLED;
		break;
	default: op->kind = WP_FLOW_RETURN; break; /* eret and drps, too */
	}
}

/* False: it is none. */
static bool take_branch(uint32_t word, uint64_t rva, struct wp_flow_op *op)
{
	if (bits(word, 26, 5) == 5) { /* b, bl */
		bool call = word >> 31;

		lead_to(op, call ? WP_FLOW_TO_CALL : WP_FLOW_TO, rva, signed_field(word, 0, 26));
		op->writes = call ? CALLED : 0;
	} else if (bits(word, 24, 8) == 0x54) { /* b.cond, bc.cond; 14 and 15 are "always" */
		lead_to(op, bits(word, 1, 3) == 7 ? WP_FLOW_TO : WP_FLOW_BRANCH, rva,
			signed_field(word, 5, 19));
		op->when = when_of(bits(word, 0, 4));
	} else if (bits(word, 25, 6) == 0x1a) { /* cbz, cbnz */
		lead_to(op, WP_FLOW_BRANCH, rva, signed_field(word, 5, 19));
	} else if (bits(word, 25, 6) == 0x1b) { /* tbz, tbnz */
		lead_to(op, WP_FLOW_BRANCH, rva, signed_field(word, 5, 14));
	} else if (bits(word, 25, 7) == 0x6b) {
		take_register_branch(word, op);
	} else if (word >> 16 == 0 || bits(word, 21, 11) == 0x6a1 || bits(word, 21, 11) == 0x6a2) {
		op->kind = WP_FLOW_STOP; /* udf, brk, hlt */
	} else {
		return false;
	}
	return true;
}

static void write_to(struct wp_flow_op *op, uint32_t reg)
{
	if (reg != ZERO_REG)
		op->writes |= 1u << reg;
}

static void take_address(uint32_t word, uint64_t rva, struct wp_flow_op *op)
{
	int64_t imm = signed_field(word, 5, 19) * 4 + bits(word, 29, 2);

	op->what = WP_DOES_SET;
	op->imm =
		word >> 31 ? (int64_t)(rva & ~(uint64_t)0xfff) + imm * 0x1000 : (int64_t)rva + imm;
}

/* add, sub, adds (cmn), subs (cmp) of a number. */
static void take_add_number(uint32_t word, struct wp_flow_op *op)
{
	int64_t imm = (int64_t)bits(word, 10, 12) << (bits(word, 22, 1) ? 12 : 0);
	bool subtracts = bits(word, 30, 1), sets_flags = bits(word, 29, 1);

	op->what = WP_DOES_ADD;
	op->imm = subtracts ? -imm : imm;
	op->sets_flags = sets_flags;
	op->compares = sets_flags && subtracts;
	op->width = word >> 31 ? 8 : 4;
	op->frees_frame = !subtracts && op->dst == SP && !sets_flags;
	if (sets_flags && op->dst == ZERO_REG) {
		op->what = subtracts ? WP_DOES_COMPARE : WP_DOES_OTHER;
		op->imm = imm;
	}
}

/* The only masks that matter are those of low bits. */
static void take_and_number(uint32_t word, struct wp_flow_op *op)
{
	uint32_t ones = bits(word, 10, 6);
	bool low = !bits(word, 16, 6) && (bits(word, 22, 1) || ones < 0x1f) && ones < 31;

	op->sets_flags = bits(word, 29, 2) == 3;
	if ((bits(word, 29, 2) != 0 && !op->sets_flags) || !low)
		return;
	op->what = WP_DOES_AND;
	op->imm = ((int64_t)1 << (ones + 1)) - 1;
	if (ones == 7 || ones == 15) {
		op->what = WP_DOES_COPY;
		op->width = (uint8_t)((ones + 1) / 8);
	}
}

/* movz, movn, movk. */
static void take_wide_number(uint32_t word, struct wp_flow_op *op)
{
	if (bits(word, 29, 2) == 2) {
		op->what = WP_DOES_SET;
		op->imm = (int64_t)((uint64_t)bits(word, 5, 16) << 16 * bits(word, 21, 2));
	}
}

/* uxtb, uxth, sxtb, sxth, sxtw, and lsl. */
static void take_bitfield(uint32_t word, struct wp_flow_op *op)
{
	uint32_t from = bits(word, 16, 6), to = bits(word, 10, 6), opc = bits(word, 29, 2);
	uint32_t top = word >> 31 ? 63 : 31;

	if (opc == 1)
		return;
	if (from == 0 && (to == 7 || to == 15 || to == 31)) {
		op->what = WP_DOES_COPY;
		op->width = (uint8_t)((to + 1) / 8);
		op->is_signed = opc == 0;
	} else if (opc == 2 && to < top && to + 1 == from && top - to < 8) {
		op->what = WP_DOES_ADD;
		op->index = op->base;
		op->base = WP_FLOW_NO_REG;
		op->width = 8;
		op->shift = (uint8_t)(top - to);
	}
}

static void take_number(uint32_t word, uint64_t rva, struct wp_flow_op *op)
{
	op->dst = (uint8_t)bits(word, 0, 5);
	op->base = (uint8_t)bits(word, 5, 5);
	write_to(op, op->dst);
	switch (bits(word, 23, 3)) {
	case 0:
	case 1: take_address(word, rva, op); break;
	case 2: take_add_number(word, op); break;
	case 4: take_and_number(word, op); break;
	case 5: take_wide_number(word, op); break;
	case 6: take_bitfield(word, op); break;
	default: break;
	}
}

/* add of a shifted or extended register; mov, which is orr with the zero register. */
static void take_two_registers(uint32_t word, struct wp_flow_op *op)
{
	uint32_t kind = bits(word, 24, 5), how = bits(word, 13, 3);

	op->dst = (uint8_t)bits(word, 0, 5);
	op->base = (uint8_t)bits(word, 5, 5);
	write_to(op, op->dst);
	op->sets_flags = kind == 0x0b ? bits(word, 29, 1) : true;
	if (kind == 0x0b && !bits(word, 29, 2) && bits(word, 21, 1)) { /* extended */
		op->what = WP_DOES_ADD;
		op->index = (uint8_t)bits(word, 16, 5);
		op->shift = (uint8_t)bits(word, 10, 3);
		op->width = (uint8_t)(1u << (how & 3));
		op->is_signed = how & 4;
	} else if (kind == 0x0b && !bits(word, 29, 2) && !bits(word, 22, 2) &&
		   bits(word, 10, 6) < 8) {
		op->what = WP_DOES_ADD;
		op->index = (uint8_t)bits(word, 16, 5);
		op->shift = (uint8_t)bits(word, 10, 6);
		op->width = 8;
	} else if (kind == 0x0a) {
		op->sets_flags = bits(word, 29, 2) == 3;
		if (bits(word, 29, 2) == 1 && !bits(word, 21, 3) && op->base == ZERO_REG &&
		    !bits(word, 10, 6)) {
			op->what = WP_DOES_COPY;
			op->base = (uint8_t)bits(word, 16, 5);
			op->width = word >> 31 ? 8 : 4;
		}
	}
}

/* ldrb, ldrh, ldr, ldrsw ... of one register; what they are of SIMD registers changes none. */
static void take_load(uint32_t word, struct wp_flow_op *op)
{
	uint32_t size = bits(word, 30, 2), opc = bits(word, 22, 2), how = bits(word, 13, 3);
	bool scaled = bits(word, 24, 1), is_simd = bits(word, 26, 1);
	bool by_register = !scaled && bits(word, 21, 1) && bits(word, 10, 2) == 2;
	bool written_back = !scaled && !bits(word, 21, 1) && bits(word, 10, 1);

	op->dst = (uint8_t)bits(word, 0, 5);
	op->base = (uint8_t)bits(word, 5, 5);
	op->width = (uint8_t)(1u << size);
	op->is_signed = opc >= 2;
	op->frees_frame = opc == 1 && written_back && op->base == SP;
	if (written_back)
		write_to(op, op->base);
	if (opc && !is_simd)
		write_to(op, op->dst);
	if (is_simd || written_back || (size == 3 && opc >= 2))
		return;
	if (scaled)
		op->imm = (int64_t)bits(word, 10, 12) << size;
	else if (!bits(word, 21, 1) && !bits(word, 10, 2))
		op->imm = signed_field(word, 12, 9);
	else if (!by_register)
		return;
	if (by_register) {
		op->index = (uint8_t)bits(word, 16, 5);
		op->shift = bits(word, 12, 1) ? (uint8_t)size : 0;
		if ((how & 3) < 2)
			return;
	}
	op->what = opc ? WP_DOES_LOAD : WP_DOES_STORE;
}

static void take_memory(uint32_t word, struct wp_flow_op *op)
{
	bool loads = bits(word, 22, 1);

	if (bits(word, 27, 3) == 7) {
		take_load(word, op);
		return;
	}
	if (bits(word, 27, 3) == 5) { /* pairs */
		if (bits(word, 23, 1))
			write_to(op, bits(word, 5, 5));
		op->frees_frame = loads && bits(word, 5, 5) == SP;
		if (loads && !bits(word, 26, 1)) {
			write_to(op, bits(word, 0, 5));
			write_to(op, bits(word, 10, 5));
		}
		return;
	}
	/* Literals, exclusive and atomic ones: what they may change. */
	write_to(op, bits(word, 0, 5));
	write_to(op, bits(word, 16, 5));
}

void wp_flow_decode_arm64(uint32_t word, uint64_t rva, struct wp_flow_op *ret)
{
	uint32_t group = bits(word, 25, 4);

	if (take_branch(word, rva, ret)) {
		ret->is_padding = word == 0;
		return;
	}
	ret->is_padding = word == 0xd503201f; /* nop */
	if (group >> 1 == 4) {
		take_number(word, rva, ret);
	} else if ((group & 7) == 5) {
		take_two_registers(word, ret);
	} else if ((group & 5) == 4) {
		take_memory(word, ret);
	} else if ((group & 7) != 5 && bits(word, 22, 10) != 0x354) {
		write_to(ret, bits(word, 0, 5)); /* SIMD, which may move into a register */
	} else if (bits(word, 21, 1)) {
		write_to(ret, bits(word, 0, 5)); /* mrs */
	}
}
