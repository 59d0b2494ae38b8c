/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_symbols: Python functions as symbols: one for each name, file and first line.
 *
 * Resolve stage. A function whose code object was made twice (reloaded, in several processes) is
 * one symbol. Its module is its source file, by whatever path the code object has.
 */
#ifndef WP_PYTHON_SYMBOLS_H
#define WP_PYTHON_SYMBOLS_H

#include "base/strpool.h"
#include "resolve/symbols/symbol_ids.h"

#define WP_PYTHON_SYMBOLS (1u << 20) /* further ones have no name */

/* All-zero is empty. */
struct wp_python_symbols {
	struct wp_strpool strings;
	struct wp_map file_of;	 /* string id of a path -> module + 1 */
	struct wp_map pair_of;	 /* name's string id and module -> number of the pair + 1 */
	struct wp_map symbol_of; /* pair and line -> symbol + 1 */
};

/* filename may be "". Strings are copied. */
uint32_t wp_python_symbols_id(struct wp_python_symbols *symbols, struct wp_symbol_ids *ids,
			      const char *name, const char *filename, uint32_t first_line);
/* The symbol of all Python frames whose code object is not known. */
uint32_t wp_python_symbols_unknown(struct wp_symbol_ids *ids);
void wp_python_symbols_deinit(struct wp_python_symbols *symbols);

#endif
