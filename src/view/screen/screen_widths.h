/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_widths: how wide the columns of a page's table are on a screen. */
#ifndef WP_SCREEN_WIDTHS_H
#define WP_SCREEN_WIDTHS_H

#include "view/screen/screen_page.h"

/* 0 of a column that is left out. */
struct wp_screen_widths {
	size_t *v;
};

/* Of all rows, visible or not, so that nothing moves while they are looked at; within so many
 * columns if that can be. Of pages without a table there are none. */
void wp_screen_widths_init(struct wp_screen_widths *widths, struct wp_screen_page *page,
			   size_t columns, size_t gap);
void wp_screen_widths_deinit(struct wp_screen_widths *widths);

#endif
