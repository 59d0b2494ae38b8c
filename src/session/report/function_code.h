/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * function_code: the instructions of a sampled function, and the source lines that they are of, as
 * the world of the run has them.
 */
#ifndef WP_FUNCTION_CODE_H
#define WP_FUNCTION_CODE_H

#include "core/symbol.h"
#include "resolve/lines/disasm.h"
#include "resolve/resolver.h"

#define WP_FUNCTION_CODE_MOST ((uint64_t)1 << 20) /* bytes of a function that are listed */

struct wp_sampling;

/* False when the module does not say of which line the address is. */
bool wp_function_code_line(struct wp_sampling *s, uint32_t module, struct wp_rva rva,
			   struct wp_resolver_line *ret);
/* Line and innermost inlined function of each of n addresses. */
void wp_function_code_places(struct wp_sampling *s, uint32_t module, const struct wp_rva *rvas,
			     size_t n, struct wp_resolver_place *ret);
/*
 * Tells `each` of the function's instructions, from its module's file; returns of how many bytes
 * they are. 0, and a note with that name, when there are none to be had. The symbol is in a module.
 */
size_t wp_function_code_list(struct wp_sampling *s, const struct wp_symbol *symbol,
			     const char *name,
			     void (*each)(void *arg, const struct wp_instruction *instruction),
			     void *arg);

#endif
