/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_pe: a PE file: headers, its PDB's name, symbols, its ELF form as ELF readers take it, unwind
 * rules. */
#include "format/elf/elf_file.h"
#include "format/elf/elf_symbols.h"
#include "format/pe/pe_symbols.h"
#include "format/pe/pe_unwind.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *arg, const struct wp_pe_symbol *symbol)
{
	*(size_t *)arg += symbol->name[symbol->len - 1] != 0;
}

static void read_rules(const struct wp_pe_image *image, const struct wp_pe_file *file)
{
	struct wp_unwind_rows rows = {0};

	wp_pe_unwind_compile(image, file, &rows);
	for (size_t i = 1; i < rows.rows.n; i++)
		if (rows.rows.v[i].pc <= rows.rows.v[i - 1].pc)
			__builtin_trap();
	wp_unwind_rows_deinit(&rows);
}

static void read_view(void *bytes, size_t size)
{
	struct wp_elf_file file = wp_elf_file_of_memory(bytes, size, true);
	struct wp_symtab_builder builder = {0};
	struct wp_elf_image image;
	wp_autoerr struct wp_err *err = wp_elf_image_read(file.elf, &image);

	if (!err) {
		wp_elf_symbols_add(file.elf, &image, 0, &builder);
		wp_symtab_builder_deinit(&builder);
		wp_elf_image_deinit(&image);
	}
	wp_elf_file_close(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	wp_autofree uint8_t *copy = wp_calloc(size ? size : 1, 1);
	struct wp_pe_file file = {copy, size};
	struct wp_pe_codeview codeview;
	struct wp_pe_image image;
	size_t symbols = 0;

	memcpy(copy, data, size);
	wp_autoerr struct wp_err *err = wp_pe_image_read(&file, &image);
	if (err)
		return 0;
	wp_pe_image_codeview(&image, &file, &codeview);
	wp_pe_symbols_each(&image, &file, count, &symbols);
	read_rules(&image, &file);
	read_view(copy, size);
	wp_pe_image_deinit(&image);
	return 0;
}
