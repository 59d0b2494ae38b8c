/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_variables: the DWARF of a file: parameters and variables by name, at addresses all over the
 * code of the seeds (0x2000 to 0x2100), and the unwind tables that frames are found by.
 */
#include "resolve/lines/variables.h"

#include "scratch.h"

#include <libelf.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink;

static void ask(struct wp_srclines *lines, Elf *program, const char *name, uint64_t rva, bool other)
{
	struct wp_variable_query query = {name, {rva}, program, other, other};
	struct wp_variable found;
	enum wp_variable_answer answer = wp_variable_find(lines, &query, &found);

	if (memchr(found.text, '\0', sizeof(found.text)) == NULL)
		abort();
	sink += strlen(found.text);
	if (answer == WP_VARIABLE_FOUND || answer == WP_VARIABLE_PASSED) {
		uint8_t size = found.operand.size;

		if ((size != 1 && size != 2 && size != 4 && size != 8) ||
		    found.operand.index != WP_OPERAND_NO_REG ||
		    (answer == WP_VARIABLE_PASSED && !found.nth))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"number", "text", "kept", "fixed", "behind", "none"};
	int fd = scratch_file(data, size), own = dup(fd);
	struct wp_srclines *lines = wp_srclines_open(fd, 0, NULL);
	Elf *program;

	if (!lines) {
		close(own);
		return 0;
	}
	elf_version(EV_CURRENT);
	program = elf_begin(own, ELF_C_READ, NULL);
	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++)
		for (uint64_t rva = 0x2000; rva < 0x2100; rva += 16)
			ask(lines, program, names[i], rva, i & 1);
	ask(lines, program, "number", UINT64_MAX, false);
	elf_end(program);
	wp_srclines_free(lines);
	close(own);
	return 0;
}
