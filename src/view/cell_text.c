/* SPDX-License-Identifier: BSD-3-Clause */
/* cell_text: see cell_text.h. */
#include "view/cell_text.h"

#include "base/utf8.h"

#define HOT  5.0
#define WARM 0.5

void wp_cell_text_clean(struct wp_str *out, const char *text)
{
	while (*text) {
		size_t n = wp_utf8_control(text);

		wp_str_putc(out, n ? '?' : *text);
		text += n ? n : 1;
	}
}

void wp_cell_text(struct wp_str *out, const struct wp_cell *cell)
{
	switch (cell->kind) {
	case WP_CELL_EMPTY:
	case WP_CELL_TABLE: break;
	case WP_CELL_STR: wp_cell_text_clean(out, cell->str); break;
	case WP_CELL_COUNT: wp_str_commas(out, cell->number); break;
	case WP_CELL_NUMBER: wp_str_printf(out, "%llu", (unsigned long long)cell->number); break;
	case WP_CELL_REAL: wp_str_printf(out, "%.*f", cell->real.decimals, cell->real.value); break;
	case WP_CELL_NOT_COUNTED: wp_str_puts(out, "<not counted>"); break;
	case WP_CELL_NOT_IMPLEMENTED: wp_str_puts(out, "<not implemented>"); break;
	case WP_CELL_NOT_SUPPORTED: wp_str_puts(out, "<not supported>"); break;
	}
}

enum wp_heat wp_cell_text_heat(double pct)
{
	return pct < WARM ? WP_HEAT_COLD : pct < HOT ? WP_HEAT_WARM : WP_HEAT_HOT;
}
