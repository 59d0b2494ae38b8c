/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen_live: screens of what goes on, by somebody who has more to do than to wait for keys.
 *
 * View stage, and a door of this room.
 */
#ifndef WP_SCREEN_LIVE_H
#define WP_SCREEN_LIVE_H

#include "core/screen.h"
#include "view/screen/screen_moments.h"

struct wp_screen_live;

/* Opens them when *live is NULL: then the moments are borrowed. There is a new moment, which is
 * shown unless the user looks at another one. */
struct wp_err *wp_screen_live_show(struct wp_screen_live **live,
				   const struct wp_screen_moments *moments,
				   const struct wp_screen *screen) WP_MUST_CHECK;
/* Does what the keys say that came meanwhile; false: the user has seen enough. */
bool wp_screen_live_look(struct wp_screen_live *live);
/* Nothing new will come: what there is is looked at until the user has seen enough. text: why. */
void wp_screen_live_linger(struct wp_screen_live *live, const char *text);
/* Gives the terminal back. NULL is fine. */
void wp_screen_live_close(struct wp_screen_live *live);

#endif
