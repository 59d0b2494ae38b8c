/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen_frame: a page drawn: lines of text with marks, exactly as wide as the screen.
 *
 * View stage. Pure: a page and a size in; what a terminal is to show out. Every character is one
 * that a terminal prints and obeys nothing of; where it knows ASCII alone, that.
 */
#ifndef WP_SCREEN_FRAME_H
#define WP_SCREEN_FRAME_H

#include "view/screen/screen_pages.h"

enum wp_screen_mark {
	WP_SCREEN_PLAIN,
	WP_SCREEN_BAR, /* the title, the status */
	WP_SCREEN_HEADING,
	WP_SCREEN_DIM, /* notes */
	WP_SCREEN_WARM,
	WP_SCREEN_HOT,
	WP_SCREEN_CURSOR,
};

struct wp_screen_span {
	size_t from, to; /* bytes */
	enum wp_screen_mark mark;
};

struct wp_screen_line {
	struct wp_str text;
	enum wp_screen_mark mark;
	WP_VEC(struct wp_screen_span) spans; /* of other marks; in order */
};

struct wp_screen_frame {
	WP_VEC(struct wp_screen_line) lines;
};

/* Between the headings and the status. */
size_t wp_screen_frame_height(const struct wp_screen_pages *pages, const struct wp_screen *screen);
/* The page that is shown, on screen->lines lines; the last one is the status. It scrolls to its
 * cursor. */
void wp_screen_frame_draw(struct wp_screen_frame *frame, struct wp_screen_pages *pages,
			  const char *status, const struct wp_screen *screen);
/* Lines of text instead, as many as fit. */
void wp_screen_frame_text(struct wp_screen_frame *frame, const char *text, const char *status,
			  const struct wp_screen *screen);
void wp_screen_frame_deinit(struct wp_screen_frame *frame);

#endif
