/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit: how wide the columns of a table may be on a screen that is narrower than they want to be.
 *
 * View stage. Plain numbers in and out; shorten makes the cells follow.
 */
#ifndef WP_FIT_H
#define WP_FIT_H

#include "core/table.h"

#include <stddef.h>

struct wp_fit_column {
	enum wp_fit fit;
	size_t least; /* the heading: a column that is there is no narrower */
	size_t width; /* wanted; becomes what it gets: 0 is a column that is left out */
};

/*
 * Until the widths' sum, each with its gap, is at most the limit: texts give first, then the widest
 * of paths and symbols, and in the end texts are left out altogether. Fixed columns give nothing,
 * so that it may come to more than the limit.
 */
void wp_fit(struct wp_fit_column *columns, size_t n, size_t gap, size_t limit);

#endif
