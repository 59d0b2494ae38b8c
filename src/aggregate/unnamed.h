/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unnamed: which modules the samples without a name fell into, so that "stripped" says what to
 * install symbols for.
 *
 * Aggregate stage: flat rows and the symbol set in, a few words for the note below the tables out.
 */
#ifndef WP_UNNAMED_H
#define WP_UNNAMED_H

#include "aggregate/flat.h"
#include "base/str.h"
#include "core/symbol.h"

/*
 * Appends ": mostly bash, libfoo.so" for samples with that reason, the modules with most samples
 * first, at most three; nothing where no module is known.
 */
void wp_unnamed_modules(struct wp_str *out, const struct wp_flat *flat,
			const struct wp_symbol_set *set, enum wp_symbol_reason reason);

#endif
