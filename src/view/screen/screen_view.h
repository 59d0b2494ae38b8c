/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen_view: a document to be looked at on a terminal, until a person has seen enough.
 *
 * View stage, and this room's door: pages (what is to be seen), a browser (what keys do), frames
 * (how it looks) and the terminal are behind it.
 */
#ifndef WP_SCREEN_VIEW_H
#define WP_SCREEN_VIEW_H

#include "view/screen/screen_browser.h"

/* True when this build has screens, and $TERM is a terminal whose cursor can be moved. */
bool wp_screen_view_is_possible(void);
/* On standard output, with keys from standard input, both terminals; the terminal is then as it
 * was. opener: NULL when nothing can be opened. */
struct wp_err *wp_screen_view_show(const struct wp_doc *doc,
				   const struct wp_screen_opener *opener) WP_MUST_CHECK;

#endif
