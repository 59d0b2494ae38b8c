/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen_browser: what keys do to pages, and what is seen then.
 *
 * View stage. In: a document and keys, one after the other. Out: frames. Rows that the document
 * knows more of are opened as documents of their own by who made it (struct wp_screen_opener), so
 * that nothing here knows a verb. Of what goes on there is a document for each moment
 * (screen_moments.h): what was opened in one is opened again in the other. Pure but for the file
 * that a page is exported to.
 */
#ifndef WP_SCREEN_BROWSER_H
#define WP_SCREEN_BROWSER_H

#include "base/err.h"
#include "view/screen/screen_frame.h"
#include "view/screen/screen_moments.h"

/* Keys that are no characters; the others are their characters (U+000A enter, U+001B escape). */
enum wp_screen_key {
	WP_KEY_NONE = 0x110000, /* nothing came in time */
	WP_KEY_UP,
	WP_KEY_DOWN,
	WP_KEY_LEFT,
	WP_KEY_RIGHT,
	WP_KEY_PAGE_UP,
	WP_KEY_PAGE_DOWN,
	WP_KEY_HOME,
	WP_KEY_END,
	WP_KEY_BACKTAB,
	WP_KEY_BACKSPACE,
	WP_KEY_RESIZE,
	WP_KEY_QUIT, /* somebody wants us to end, or the terminal went away */
};

/* A document that is looked at. */
struct wp_screen_level {
	struct wp_doc *owned; /* NULL: somebody else's */
	struct wp_subject of; /* what it was opened for; the first one for nothing */
	const struct wp_screen_opener *opener; /* of its rows; NULL: nothing can be opened */
	struct wp_screen_pages pages;
};

enum wp_screen_mode {
	WP_SCREEN_BROWSES,
	WP_SCREEN_SEARCHES, /* a text is typed for: */
	WP_SCREEN_FILTERS,
	WP_SCREEN_EXPORTS,
	WP_SCREEN_WRITES,
	WP_SCREEN_HELPS,
};

struct wp_screen_browser {
	const struct wp_screen_moments *moments; /* NULL: there is one, which stays */
	bool is_held; /* the moment at hand is looked at, whatever comes */
	struct wp_screen screen;
	WP_VEC(struct wp_screen_level) levels;
	enum wp_screen_mode mode;
	bool awaits_more; /* asked for, and shown to be so: wp_screen_browser_work() */
	enum wp_screen_more more;
	struct wp_str typed;
	char *wanted;  /* searched for last */
	char *message; /* until the next key */
	bool is_done;
};

/* Borrows all. The caller deinits. */
void wp_screen_browser_init(struct wp_screen_browser *browser, const struct wp_doc *doc,
			    const struct wp_screen_opener *opener, const struct wp_screen *screen);
/* The newest moment, unless the user looks at another one; what is looked at stays if it is there.
 */
void wp_screen_browser_follow(struct wp_screen_browser *browser);
/* Does what takes its time, once that it is asked for was drawn. */
void wp_screen_browser_work(struct wp_screen_browser *browser);
/* A word to the user, until the next key. */
void wp_screen_browser_say(struct wp_screen_browser *browser, const char *text);
void wp_screen_browser_deinit(struct wp_screen_browser *browser);
void wp_screen_browser_key(struct wp_screen_browser *browser, uint32_t key);
/* The caller deinits. */
void wp_screen_browser_draw(struct wp_screen_browser *browser, struct wp_screen_frame *ret);
/* What the keys do, a line each; appends. */
void wp_screen_browser_help(const struct wp_screen_browser *browser, struct wp_str *out);

#endif
