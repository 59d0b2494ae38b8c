/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_save: what a page shows, as a file. */
#ifndef WP_SCREEN_SAVE_H
#define WP_SCREEN_SAVE_H

#include "base/err.h"
#include "view/screen/screen_page.h"

/*
 * The visible rows in their order: CSV or JSON when the path ends so, else text. Branches of a tree
 * become rows with their depth. Refused when there is such a file already.
 */
struct wp_err *wp_screen_save(const struct wp_screen_page *page, const char *path) WP_MUST_CHECK;

#endif
