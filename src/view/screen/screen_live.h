/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen_live: screens whose document changes while they are looked at, by somebody who has more to
 * do than to wait for keys.
 *
 * View stage, and a door of this room.
 */
#ifndef WP_SCREEN_LIVE_H
#define WP_SCREEN_LIVE_H

#include "base/err.h"
#include "core/doc.h"

struct wp_screen_live;

/* Opens them when *live is NULL; shows the document, which it takes, instead of the one before. */
struct wp_err *wp_screen_live_show(struct wp_screen_live **live, struct wp_doc *doc) WP_MUST_CHECK;
/* Does what the keys say that came meanwhile; false: the user has seen enough. */
bool wp_screen_live_look(struct wp_screen_live *live);
/* Gives the terminal back. NULL is fine. */
void wp_screen_live_close(struct wp_screen_live *live);

#endif
