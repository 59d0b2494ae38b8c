/* SPDX-License-Identifier: BSD-3-Clause */
/* disasm: see disasm.h. */
#include "resolve/lines/disasm.h"

#include "base/str.h"

#include <capstone/capstone.h>
#include <stdlib.h>
#include <string.h>

struct wp_disasm {
	csh handle;
	cs_arch arch;
	cs_insn *insn;
	size_t step; /* bytes to skip where nothing can be decoded */
};

static struct wp_err *open_arch(const char *arch, enum wp_disasm_style style, csh *ret,
				cs_arch *ret_which, size_t *ret_step)
{
	cs_arch which;
	cs_mode mode;
	cs_err err;

	if (strcmp(arch, "x86_64") == 0) {
		which = CS_ARCH_X86;
		mode = CS_MODE_64;
		*ret_step = 1;
	} else if (strcmp(arch, "aarch64") == 0) {
		which = CS_ARCH_ARM64;
		mode = CS_MODE_LITTLE_ENDIAN;
		*ret_step = 4;
	} else {
		return wp_err_new(WP_ERR_UNSUPPORTED, "cannot disassemble code for '%s'", arch);
	}
	err = cs_open(which, mode, ret);
	if (err != CS_ERR_OK)
		return wp_err_new(WP_ERR_UNSUPPORTED, "cannot disassemble: %s", cs_strerror(err));
	if (which == CS_ARCH_X86 && style == WP_DISASM_ATT)
		cs_option(*ret, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	cs_option(*ret, CS_OPT_DETAIL, CS_OPT_ON); /* groups and operands */
	*ret_which = which;
	return NULL;
}

struct wp_err *wp_disasm_open(const char *arch, enum wp_disasm_style style, struct wp_disasm **ret)
{
	struct wp_disasm *disasm;
	size_t step = 1;
	csh handle = 0;
	cs_arch which = CS_ARCH_ALL;

	TRY(open_arch(arch, style, &handle, &which, &step));
	disasm = wp_calloc(1, sizeof(*disasm));
	disasm->handle = handle;
	disasm->arch = which;
	disasm->step = step;
	disasm->insn = cs_malloc(handle);
	*ret = disasm;
	return NULL;
}

void wp_disasm_close(struct wp_disasm *disasm)
{
	if (!disasm)
		return;
	cs_free(disasm->insn, 1);
	cs_close(&disasm->handle);
	free(disasm);
}

static void put_byte_directive(struct wp_str *out, const uint8_t *bytes, size_t n)
{
	wp_str_puts(out, ".byte ");
	for (size_t i = 0; i < n; i++)
		wp_str_printf(out, "%s0x%02x", i ? ", " : "", bytes[i]);
}

/* An immediate operand, which capstone has made an address; of arm64's tbz it is the last one. */
static bool find_target(const struct wp_disasm *disasm, uint64_t *ret)
{
	const cs_detail *detail = disasm->insn->detail;

	if (disasm->arch == CS_ARCH_X86 && detail->x86.op_count == 1) {
		*ret = (uint64_t)detail->x86.operands[0].imm;
		return detail->x86.operands[0].type == X86_OP_IMM;
	}
	if (disasm->arch == CS_ARCH_ARM64 && detail->arm64.op_count > 0) {
		const cs_arm64_op *last = &detail->arm64.operands[detail->arm64.op_count - 1];

		*ret = (uint64_t)last->imm;
		return last->type == ARM64_OP_IMM;
	}
	return false;
}

/* Capstone 4 has no group for those of arm64: bl, blr, blraa ... */
static bool is_call(const struct wp_disasm *disasm)
{
	return cs_insn_group(disasm->handle, disasm->insn, CS_GRP_CALL) ||
	       (disasm->arch == CS_ARCH_ARM64 && strncmp(disasm->insn->mnemonic, "bl", 2) == 0);
}

static void find_flow(const struct wp_disasm *disasm, struct wp_instruction *ret)
{
	/* Some calls are in both groups. */
	if (is_call(disasm))
		ret->flow = WP_FLOW_CALL;
	else if (cs_insn_group(disasm->handle, disasm->insn, CS_GRP_JUMP))
		ret->flow = WP_FLOW_JUMP;
	ret->has_target = ret->flow != WP_FLOW_NEXT && find_target(disasm, &ret->target.v);
}

void wp_disasm_run(struct wp_disasm *disasm, const uint8_t *bytes, size_t n, struct wp_rva start,
		   void (*each)(void *arg, const struct wp_instruction *instruction), void *arg)
{
	wp_autostr struct wp_str text = {0};
	uint64_t address = start.v;

	while (n > 0) {
		const uint8_t *at = bytes;
		size_t left = n, used = disasm->step < n ? disasm->step : n;
		uint64_t next = address;
		struct wp_instruction instruction = {.address = {address}};

		text.len = 0;
		if (cs_disasm_iter(disasm->handle, &at, &left, &next, disasm->insn)) {
			used = n - left;
			wp_str_printf(&text, "%-5s %s", disasm->insn->mnemonic,
				      disasm->insn->op_str);
			find_flow(disasm, &instruction);
		} else {
			put_byte_directive(&text, bytes, used);
		}
		while (text.len && text.s[text.len - 1] == ' ')
			text.s[--text.len] = '\0';
		instruction.text = text.s;
		each(arg, &instruction);
		bytes += used;
		n -= used;
		address += used;
	}
}
