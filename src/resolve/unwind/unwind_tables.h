/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_tables: the unwind rules of one module, from its sections or from the cache.
 *
 * .eh_frame (by its section, or by PT_GNU_EH_FRAME), then .debug_frame where it says nothing (Go),
 * that of the separate debug file when the module has neither; then what
 * unwind_extras and unwind_gaps know.
 */
#ifndef WP_UNWIND_TABLES_H
#define WP_UNWIND_TABLES_H

#include "format/unwind/cfi.h"
#include "resolve/symbols/symfile.h"

/*
 * Loads the rules of a module whose symbols are loaded. False when it has no unwind information.
 * The caller deinits *ret.
 */
bool wp_unwind_tables_load(const struct wp_symfile_source *source, const struct wp_symfile *file,
			   struct wp_unwind_rows *ret);
/* Compiles the rules without looking into the cache; adds to *stats. For tests and benchmarks. */
bool wp_unwind_tables_compile(const struct wp_symfile_source *source, const struct wp_symfile *file,
			      struct wp_unwind_rows *ret, struct wp_cfi_stats *stats);

#endif
