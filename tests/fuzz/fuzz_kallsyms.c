/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_kallsyms: lines of /proc/kallsyms and the table made of them. */
#include "resolve/symbols/kernel_symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_kernel_symbols symbols;

	wp_kernel_symbols_parse((const char *)data, size, &symbols);
	for (size_t i = 0; i < symbols.table.n; i++)
		if (wp_symtab_find(&symbols.table, symbols.table.starts[i]) != i &&
		    symbols.table.pieces[i].len)
			abort();
	wp_kernel_symbols_deinit(&symbols);
	return 0;
}
