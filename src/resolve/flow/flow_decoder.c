/* SPDX-License-Identifier: BSD-3-Clause */
/* flow_decoder: see flow_op.h. x86-64 by Capstone, in Intel's order of operands. */
#include "resolve/flow/flow_op.h"

#include "base/bytes.h"
#include "base/mem.h"

#include <capstone/capstone.h>
#include <stdlib.h>
#include <string.h>

/* rax, rcx, rdx, rsi, rdi and r8 to r11; x0 to x18 and x30. */
#define X86_CLOBBERS   0x0fc7u
#define ARM64_CLOBBERS 0x4007ffffu
#define X86_SP	       4
#define X86_BP	       5
#define ARM64_FP       29
#define ARM64_SP       31
#define MOST_X86_BYTES 15

struct wp_flow_decoder {
	bool is_arm64;
	csh handle;
	cs_insn *insn;
	uint8_t reg_of[X86_REG_ENDING]; /* number + 1 as instructions encode it; 0: none of these */
};

/* All parts of a register are one, but ah, bh, ch and dh, whose place is another. */
static void number_registers(struct wp_flow_decoder *d)
{
	static const x86_reg numbered[][4] = {
		{X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL},
		{X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL},
		{X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL},
		{X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL},
		{X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL},
		{X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL},
		{X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL},
		{X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL},
	};

	for (uint8_t i = 0; i < 8; i++) {
		for (uint8_t k = 0; k < 4; k++)
			d->reg_of[numbered[i][k]] = (uint8_t)(i + 1);
		d->reg_of[X86_REG_R8 + i] = (uint8_t)(i + 9);
		d->reg_of[X86_REG_R8D + i] = (uint8_t)(i + 9);
		d->reg_of[X86_REG_R8W + i] = (uint8_t)(i + 9);
		d->reg_of[X86_REG_R8B + i] = (uint8_t)(i + 9);
	}
	d->reg_of[X86_REG_AH] = 1; /* as far as something is written */
	d->reg_of[X86_REG_CH] = 2;
	d->reg_of[X86_REG_DH] = 3;
	d->reg_of[X86_REG_BH] = 4;
}

struct wp_err *wp_flow_decoder_open(const char *arch, struct wp_flow_decoder **ret)
{
	bool is_arm64 = strcmp(arch, "aarch64") == 0;
	struct wp_flow_decoder *d;

	if (!is_arm64 && strcmp(arch, "x86_64") != 0)
		return wp_err_new(WP_ERR_UNSUPPORTED, "cannot follow code for '%s'", arch);
	d = wp_calloc(1, sizeof(*d));
	d->is_arm64 = is_arm64;
	if (!is_arm64 && cs_open(CS_ARCH_X86, CS_MODE_64, &d->handle) != CS_ERR_OK) {
		free(d);
		return wp_err_new(WP_ERR_UNSUPPORTED, "cannot disassemble x86-64");
	}
	if (!is_arm64) {
		cs_option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
		d->insn = cs_malloc(d->handle);
		number_registers(d);
	}
	*ret = d;
	return NULL;
}

void wp_flow_decoder_close(struct wp_flow_decoder *d)
{
	if (!d)
		return;
	if (!d->is_arm64) {
		cs_free(d->insn, 1);
		cs_close(&d->handle);
	}
	free(d);
}

size_t wp_flow_decoder_step(const struct wp_flow_decoder *d)
{
	return d->is_arm64 ? 4 : 1;
}

uint32_t wp_flow_decoder_clobbers(const struct wp_flow_decoder *d)
{
	return d->is_arm64 ? ARM64_CLOBBERS : X86_CLOBBERS;
}

bool wp_flow_decoder_is_frame(const struct wp_flow_decoder *d, uint8_t reg)
{
	return d->is_arm64 ? reg == ARM64_FP || reg == ARM64_SP : reg == X86_SP || reg == X86_BP;
}

static uint8_t flow_reg(const struct wp_flow_decoder *d, unsigned int reg)
{
	uint8_t n = reg < X86_REG_ENDING ? d->reg_of[reg] : 0;

	return n ? (uint8_t)(n - 1) : WP_FLOW_NO_REG;
}

static bool in_flow_group(const cs_insn *insn, uint8_t group)
{
	for (uint8_t i = 0; i < insn->detail->groups_count; i++)
		if (insn->detail->groups[i] == group)
			return true;
	return false;
}

/* False: it has a part that is not understood (a segment, a register of vectors). */
static bool take_memory_operand(const struct wp_flow_decoder *d, const cs_x86_op *from,
				struct wp_flow_op *op)
{
	const x86_op_mem *mem = &from->mem;
	bool by_rip = mem->base == X86_REG_RIP;

	op->base = by_rip ? WP_FLOW_NO_REG : flow_reg(d, mem->base);
	op->index = flow_reg(d, mem->index);
	op->shift = mem->scale == 8 ? 3 : mem->scale == 4 ? 2 : mem->scale == 2 ? 1 : 0;
	op->imm = mem->disp + (by_rip ? (int64_t)(d->insn->address + d->insn->size) : 0);
	op->width = from->size;
	return mem->segment == X86_REG_INVALID &&
	       (by_rip || mem->base == X86_REG_INVALID || op->base != WP_FLOW_NO_REG) &&
	       (mem->index == X86_REG_INVALID || op->index != WP_FLOW_NO_REG);
}

static bool is_high_byte(const cs_x86_op *operand)
{
	return operand->reg == X86_REG_AH || operand->reg == X86_REG_BH ||
	       operand->reg == X86_REG_CH || operand->reg == X86_REG_DH;
}

/* mov and its forms that widen: to a whole register, or to memory. */
static void take_mov(const struct wp_flow_decoder *d, const cs_x86_op *to, const cs_x86_op *from,
		     bool is_signed, struct wp_flow_op *op)
{
	if (to->type == X86_OP_MEM && from->type == X86_OP_REG) {
		op->dst = flow_reg(d, from->reg);
		if (op->dst != WP_FLOW_NO_REG && take_memory_operand(d, to, op))
			op->what = WP_DOES_STORE;
		return;
	}
	if (to->type != X86_OP_REG || to->size < 4 || flow_reg(d, to->reg) == WP_FLOW_NO_REG)
		return;
	op->dst = flow_reg(d, to->reg);
	op->is_signed = is_signed;
	if (from->type == X86_OP_MEM && take_memory_operand(d, from, op)) {
		op->what = WP_DOES_LOAD;
	} else if (from->type == X86_OP_IMM) {
		op->what = WP_DOES_SET;
		op->imm = from->imm;
	} else if (from->type == X86_OP_REG && flow_reg(d, from->reg) != WP_FLOW_NO_REG &&
		   !is_high_byte(from)) {
		op->what = WP_DOES_COPY;
		op->base = flow_reg(d, from->reg);
		op->width = from->size;
	}
}

static void take_arithmetic(const struct wp_flow_decoder *d, const cs_x86_op *to,
			    const cs_x86_op *from, struct wp_flow_op *op)
{
	bool is_sub = d->insn->id == X86_INS_SUB;

	if (to->type != X86_OP_REG || flow_reg(d, to->reg) == WP_FLOW_NO_REG || is_high_byte(to))
		return;
	op->dst = op->base = flow_reg(d, to->reg);
	op->width = 8;
	if (from->type == X86_OP_IMM) {
		op->what = WP_DOES_ADD;
		op->imm = is_sub ? (int64_t)(0 - (uint64_t)from->imm) : from->imm;
		op->compares = is_sub;
	} else if (from->type == X86_OP_REG && !is_sub &&
		   flow_reg(d, from->reg) != WP_FLOW_NO_REG) {
		op->what = WP_DOES_ADD;
		op->index = flow_reg(d, from->reg);
	}
}

static void take_cmp(const struct wp_flow_decoder *d, const cs_x86_op *a, const cs_x86_op *b,
		     struct wp_flow_op *op)
{
	if (b->type != X86_OP_IMM)
		return;
	if (a->type == X86_OP_REG && !is_high_byte(a)) {
		op->base = flow_reg(d, a->reg);
		op->what = op->base == WP_FLOW_NO_REG ? WP_DOES_OTHER : WP_DOES_COMPARE;
		op->imm = b->imm;
	} else if (a->type == X86_OP_MEM && take_memory_operand(d, a, op)) {
		op->what = WP_DOES_COMPARE_MEMORY;
		op->target = (uint64_t)b->imm;
	}
}

static void take_operands(const struct wp_flow_decoder *d, struct wp_flow_op *op)
{
	const cs_x86 *x = &d->insn->detail->x86;
	const cs_x86_op *a = &x->operands[0], *b = &x->operands[1];

	if (d->insn->id == X86_INS_CDQE) {
		op->what = WP_DOES_COPY;
		op->dst = op->base = 0;
		op->width = 4;
		op->is_signed = true;
	}
	if (x->op_count != 2)
		return;
	switch (d->insn->id) {
	case X86_INS_MOV:
	case X86_INS_MOVABS:
	case X86_INS_MOVZX: take_mov(d, a, b, false, op); break;
	case X86_INS_MOVSX:
	case X86_INS_MOVSXD: take_mov(d, a, b, true, op); break;
	case X86_INS_ADD:
	case X86_INS_SUB: take_arithmetic(d, a, b, op); break;
	case X86_INS_CMP: take_cmp(d, a, b, op); break;
	case X86_INS_LEA:
		op->dst = flow_reg(d, a->reg);
		if (op->dst != WP_FLOW_NO_REG && take_memory_operand(d, b, op))
			op->what = WP_DOES_ADD;
		op->width = 8;
		break;
	case X86_INS_SHL:
		if (a->type == X86_OP_REG && b->type == X86_OP_IMM && b->imm > 0 && b->imm < 4) {
			op->dst = op->index = flow_reg(d, a->reg);
			op->shift = (uint8_t)b->imm;
			op->width = 8;
			op->what = op->dst == WP_FLOW_NO_REG ? WP_DOES_OTHER : WP_DOES_ADD;
		}
		break;
	case X86_INS_AND:
		if (a->type == X86_OP_REG && b->type == X86_OP_IMM && !is_high_byte(a)) {
			op->dst = op->base = flow_reg(d, a->reg);
			op->what = op->dst == WP_FLOW_NO_REG ? WP_DOES_OTHER : WP_DOES_AND;
			op->imm = b->imm;
			op->width = 1;
			if (b->imm == 0xff && op->dst != WP_FLOW_NO_REG)
				op->what = WP_DOES_COPY;
		}
		break;
	default: break;
	}
}

static enum wp_flow_when x86_when(unsigned int id)
{
	switch (id) {
	case X86_INS_JA: return WP_WHEN_ABOVE;
	case X86_INS_JAE: return WP_WHEN_ABOVE_EQUAL;
	case X86_INS_JB: return WP_WHEN_BELOW;
	case X86_INS_JBE: return WP_WHEN_BELOW_EQUAL;
	default: return WP_WHEN_OTHER;
	}
}

/* The operand of a jump or call. */
static void take_target(const struct wp_flow_decoder *d, struct wp_flow_op *op)
{
	const cs_x86 *x = &d->insn->detail->x86;
	const cs_x86_op *to = &x->operands[0];

	if (x->op_count != 1)
		return;
	if (to->type == X86_OP_IMM) {
		op->has_target = true;
		op->target = (uint64_t)to->imm;
	} else if (op->kind == WP_FLOW_INDIRECT && to->type == X86_OP_REG) {
		op->base = flow_reg(d, to->reg);
	} else if (op->kind == WP_FLOW_INDIRECT && to->type == X86_OP_MEM &&
		   take_memory_operand(d, to, op)) {
		op->what = WP_DOES_LOAD;
	}
}

static bool is_trap(const cs_insn *insn)
{
	return insn->id == X86_INS_HLT || insn->id == X86_INS_UD2 || insn->id == X86_INS_INT3 ||
	       (insn->id == X86_INS_INT && insn->detail->x86.operands[0].imm == 0x29);
}

static void take_flow(const struct wp_flow_decoder *d, struct wp_flow_op *op)
{
	const cs_insn *insn = d->insn;

	if (insn->id == X86_INS_JMP) {
		bool direct = insn->detail->x86.operands[0].type == X86_OP_IMM;

		op->kind = direct ? WP_FLOW_TO : WP_FLOW_INDIRECT;
	} else if (insn->id == X86_INS_CALL || insn->id == X86_INS_LCALL) {
		op->kind = WP_FLOW_TO_CALL;
	} else if (insn->id == X86_INS_LJMP) {
		op->kind = WP_FLOW_INDIRECT;
		return;
	} else if (in_flow_group(insn, CS_GRP_RET) || in_flow_group(insn, CS_GRP_IRET)) {
		op->kind = WP_FLOW_RETURN;
	} else if (is_trap(insn)) {
		op->kind = WP_FLOW_STOP;
	} else if (in_flow_group(insn, CS_GRP_JUMP)) {
		op->kind = WP_FLOW_BRANCH;
		op->when = x86_when(insn->id);
	}
	if (op->kind != WP_FLOW_ON && op->kind != WP_FLOW_RETURN && op->kind != WP_FLOW_STOP)
		take_target(d, op);
}

static void take_writes(const struct wp_flow_decoder *d, struct wp_flow_op *op)
{
	cs_regs read, written;
	uint8_t n_read, n_written;

	if (cs_regs_access(d->handle, d->insn, read, &n_read, written, &n_written) != CS_ERR_OK) {
		op->writes = UINT32_MAX;
		return;
	}
	for (uint8_t i = 0; i < n_written; i++) {
		uint8_t reg = flow_reg(d, written[i]);

		if (reg != WP_FLOW_NO_REG)
			op->writes |= 1u << reg;
		op->sets_flags |= written[i] == X86_REG_EFLAGS;
	}
	op->writes &= ~(1u << X86_SP);
}

static bool frees_x86_frame(const struct wp_flow_decoder *d)
{
	const cs_x86 *x = &d->insn->detail->x86;

	return d->insn->id == X86_INS_POP || d->insn->id == X86_INS_LEAVE ||
	       (d->insn->id == X86_INS_ADD && x->operands[0].type == X86_OP_REG &&
		x->operands[0].reg == X86_REG_RSP);
}

static bool decode_x86_op(struct wp_flow_decoder *d, const uint8_t *bytes, size_t n, uint64_t rva,
			  struct wp_flow_op *ret)
{
	size_t left = n < MOST_X86_BYTES ? n : MOST_X86_BYTES;

	if (!cs_disasm_iter(d->handle, &bytes, &left, &rva, d->insn))
		return false;
	ret->size = (uint8_t)d->insn->size;
	take_flow(d, ret);
	take_writes(d, ret);
	if (ret->kind == WP_FLOW_ON)
		take_operands(d, ret);
	ret->frees_frame = frees_x86_frame(d);
	ret->is_padding = d->insn->id == X86_INS_NOP || d->insn->id == X86_INS_INT3 ||
			  (d->insn->bytes[0] == 0 && d->insn->bytes[1] == 0);
	return true;
}

bool wp_flow_decode(struct wp_flow_decoder *d, const uint8_t *bytes, size_t n, uint64_t rva,
		    struct wp_flow_op *ret)
{
	struct wp_flow_op op = {
		.at = ret->at,
		.dst = WP_FLOW_NO_REG,
		.base = WP_FLOW_NO_REG,
		.index = WP_FLOW_NO_REG,
		.size = 4,
	};

	*ret = op;
	if (!d->is_arm64)
		return decode_x86_op(d, bytes, n, rva, ret);
	if (n < 4)
		return false;
	wp_flow_decode_arm64(wp_u32_at(bytes), rva, ret);
	return true;
}
