/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_widths: see screen_widths.h. */
#include "view/screen/screen_widths.h"

#include "base/utf8.h"
#include "view/cell_text.h"
#include "view/fit.h"

#include <stdlib.h>
#include <string.h>

static size_t width_of_cell(const struct wp_cell *cell)
{
	wp_autostr struct wp_str text = {0};

	wp_cell_text(&text, cell);
	return text.s ? wp_utf8_width(text.s, text.len) : 0;
}

/* Once for a page: its rows do not change. */
static void measure_columns(struct wp_screen_page *page)
{
	const struct wp_table *table = page->table;

	page->widths = wp_calloc(table->n_columns + 1, sizeof(*page->widths));
	for (size_t i = 0; i < table->n_columns; i++) {
		const char *heading = table->columns[i].heading;

		page->widths[i] = wp_utf8_width(heading, strlen(heading));
		for (size_t row = 0; row < table->rows.n; row++) {
			size_t width = width_of_cell(&table->rows.v[row][i]);

			if (width > page->widths[i])
				page->widths[i] = width;
		}
	}
}

void wp_screen_widths_init(struct wp_screen_widths *widths, struct wp_screen_page *page,
			   size_t columns, size_t gap)
{
	const struct wp_table *table = page->table;
	wp_autofree struct wp_fit_column *fits = NULL;

	if (!table)
		return;
	if (!page->widths)
		measure_columns(page);
	widths->v = wp_calloc(table->n_columns + 1, sizeof(*widths->v));
	fits = wp_calloc(table->n_columns + 1, sizeof(*fits));
	for (size_t i = 0; i < table->n_columns; i++) {
		const char *heading = table->columns[i].heading;

		fits[i] = (struct wp_fit_column){
			.fit = table->columns[i].fit,
			.least = wp_utf8_width(heading, strlen(heading)),
			.width = page->widths[i],
		};
	}
	wp_fit(fits, table->n_columns, gap, columns);
	for (size_t i = 0; i < table->n_columns; i++)
		widths->v[i] = fits[i].width;
}

void wp_screen_widths_deinit(struct wp_screen_widths *widths)
{
	free(widths->v);
}
