/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_disasm: code as text. An ELF file: its sections, what is loaded at their addresses, and the
 * pointers there. Else the first byte chooses the machine, and the rest is code.
 */
#include "resolve/lines/disasm.h"
#include "resolve/lines/elf_code.h"

#include "scratch.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CODE_BYTES 4096

static void check(void *arg, const struct wp_instruction *instruction)
{
	uint64_t *next = arg;

	if (instruction->address.v < *next || !*instruction->text ||
	    strchr(instruction->text, '\n'))
		abort();
	*next = instruction->address.v + 1;
}

/* Opening takes far longer than the rest. */
static void run(const char *arch, const uint8_t *code, size_t n, uint64_t at)
{
	static struct wp_disasm *disasms[2];
	struct wp_disasm **disasm = &disasms[arch[0] == 'x'];

	if (!*disasm)
		wp_err_free(wp_disasm_open(arch, arch[0] == 'x' ? WP_DISASM_INTEL : WP_DISASM_ATT,
					   disasm));
	if (*disasm)
		wp_disasm_run(*disasm, code, n, (struct wp_rva){at}, check, &at);
}

static void read_file(const uint8_t *data, size_t size)
{
	struct wp_elf_section section;
	struct wp_elf_code *code;
	uint64_t pointer;
	wp_autoerr struct wp_err *err = wp_elf_code_open(scratch_file(data, size), "x", &code);

	if (err)
		return;
	for (size_t i = 0; i < 16 && wp_elf_code_section(code, i, &section); i++) {
		uint8_t bytes[CODE_BYTES];
		size_t n = wp_elf_code_read(code, section.start, bytes, sizeof(bytes));

		if (n > sizeof(bytes) || !section.name)
			abort();
		wp_elf_code_pointer(code, section.start, &pointer);
		if (*wp_elf_code_arch(code) && section.start.v < UINT64_MAX - CODE_BYTES)
			run(wp_elf_code_arch(code), bytes, n, section.start.v);
	}
	wp_elf_code_close(code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= 4 && memcmp(data, "\177ELF", 4) == 0)
		read_file(data, size);
	else if (size && size <= CODE_BYTES)
		run(data[0] & 1 ? "aarch64" : "x86_64", data + 1, size - 1, 0x1000);
	return 0;
}
