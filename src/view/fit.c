/* SPDX-License-Identifier: BSD-3-Clause */
/* fit: see fit.h. */
#include "view/fit.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Fewer columns of a source line say nothing; names and paths are still told apart. */
#define TEXT_COLUMNS  16
#define NAME_COLUMNS  16
#define BRIEF_COLUMNS 12 /* of a name, to save the source line */
#define LEAST_COLUMNS 8

static size_t sum(const struct wp_fit_column *columns, size_t n, size_t gap)
{
	size_t total = 0;

	for (size_t i = 0; i < n; i++)
		total += columns[i].width ? gap + columns[i].width : 0;
	return total;
}

/* Takes one column from the widest that is a text, or is none, and wider than the floor. */
static bool take_one_column(struct wp_fit_column *columns, size_t n, bool text, size_t floor)
{
	struct wp_fit_column *widest = NULL;

	for (size_t i = 0; i < n; i++) {
		struct wp_fit_column *column = &columns[i];

		if (column->fit == WP_FIT_FIXED || (column->fit == WP_FIT_TEXT) != text ||
		    column->width <= floor || column->width <= column->least)
			continue;
		if (!widest || column->width > widest->width)
			widest = column;
	}
	if (widest)
		widest->width--;
	return widest;
}

static bool shrink(struct wp_fit_column *columns, size_t n, size_t gap, size_t limit,
		   size_t name_floor)
{
	size_t total = sum(columns, n, gap);

	while (total > limit && take_one_column(columns, n, true, TEXT_COLUMNS))
		total--;
	while (total > limit && take_one_column(columns, n, false, name_floor))
		total--;
	return total <= limit;
}

void wp_fit(struct wp_fit_column *columns, size_t n, size_t gap, size_t limit)
{
	wp_autofree struct wp_fit_column *wanted = wp_calloc(n + 1, sizeof(*wanted));

	memcpy(wanted, columns, n * sizeof(*wanted));
	if (shrink(columns, n, gap, limit, NAME_COLUMNS) ||
	    shrink(columns, n, gap, limit, BRIEF_COLUMNS))
		return;
	memcpy(columns, wanted, n * sizeof(*wanted));
	for (size_t i = 0; i < n; i++)
		if (columns[i].fit == WP_FIT_TEXT)
			columns[i].width = 0;
	shrink(columns, n, gap, limit, LEAST_COLUMNS);
}
