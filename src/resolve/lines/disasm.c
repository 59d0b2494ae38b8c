/* SPDX-License-Identifier: BSD-3-Clause */
/* disasm: see disasm.h. */
#include "resolve/lines/disasm.h"

#include "base/str.h"

#include <capstone/capstone.h>
#include <stdlib.h>
#include <string.h>

struct wp_disasm {
	csh handle;
	cs_insn *insn;
	size_t step; /* bytes to skip where nothing can be decoded */
};

static struct wp_err *open_arch(const char *arch, csh *ret, size_t *ret_step)
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
	if (which == CS_ARCH_X86)
		cs_option(*ret, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	return NULL;
}

struct wp_err *wp_disasm_open(const char *arch, struct wp_disasm **ret)
{
	struct wp_disasm *disasm;
	size_t step = 1;
	csh handle = 0;

	TRY(open_arch(arch, &handle, &step));
	disasm = wp_calloc(1, sizeof(*disasm));
	disasm->handle = handle;
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

void wp_disasm_run(struct wp_disasm *disasm, const uint8_t *bytes, size_t n, struct wp_rva start,
		   void (*each)(void *arg, struct wp_rva address, const char *text), void *arg)
{
	wp_autostr struct wp_str text = {0};
	uint64_t address = start.v;

	while (n > 0) {
		const uint8_t *at = bytes;
		size_t left = n, used = disasm->step < n ? disasm->step : n;
		uint64_t next = address;

		text.len = 0;
		if (cs_disasm_iter(disasm->handle, &at, &left, &next, disasm->insn)) {
			used = n - left;
			wp_str_printf(&text, "%-5s %s", disasm->insn->mnemonic,
				      disasm->insn->op_str);
		} else {
			put_byte_directive(&text, bytes, used);
		}
		while (text.len && text.s[text.len - 1] == ' ')
			text.s[--text.len] = '\0';
		each(arg, (struct wp_rva){address}, text.s);
		bytes += used;
		n -= used;
		address += used;
	}
}
