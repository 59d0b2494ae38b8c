/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_elf_symbols: an ELF file in memory, as far as a module's symbols: segments, notes, both
 * symbol tables (functions and objects), PLT, .gnu_debugdata, demangling. */
#include "resolve/symbols/demangle.h"
#include "resolve/symbols/symfile.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	void *copy = malloc(size ? size : 1);
	struct wp_symfile_source source = {
		.path = "x", .fd = -1, .memory = copy, .memory_size = size};
	struct wp_symfile file;

	memcpy(copy, data, size);
	wp_autoerr struct wp_err *err = wp_symfile_load(&source, &file);
	if (!err) {
		struct wp_rva rva;

		for (size_t i = 0; i < file.symbols.n && i < 100; i++)
			free(wp_demangle_display(wp_symtab_name(&file.symbols, i)));
		for (uint64_t off = 0; off < size; off += 97)
			if (wp_elf_image_rva(&file.image, (struct wp_off){off}, &rva))
				wp_symtab_find(&file.symbols, rva.v);
		struct wp_symtab objects = {0};

		wp_symfile_objects(&source, &file, &objects);
		wp_symtab_find(&objects, 0x1100);
		wp_symtab_deinit(&objects);
		wp_symfile_deinit(&file);
	}
	free(copy);
	return 0;
}
