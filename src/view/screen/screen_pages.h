/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen_pages: a document as pages: one of every table and tree, and of notes that have neither.
 *
 * View stage. In: what the text view would print, all of it. Out: pages in its order. Headlines
 * ("===== words =====") become titles.
 */
#ifndef WP_SCREEN_PAGES_H
#define WP_SCREEN_PAGES_H

#include "view/screen/screen_page.h"

struct wp_screen_pages {
	struct wp_arena arena; /* notes that came in parts */
	WP_VEC(struct wp_screen_page) v;
	size_t at;  /* the one that is shown */
	char *head; /* the line that the document begins with, above all headlines; or NULL */
};

/* Borrows from the document. There is at least one page. The caller deinits. */
void wp_screen_pages_init(struct wp_screen_pages *pages, const struct wp_doc *doc);
void wp_screen_pages_deinit(struct wp_screen_pages *pages);

/* Looks at them as at the former ones of the same titles: sorted, filtered, scrolled so. */
void wp_screen_pages_follow(struct wp_screen_pages *pages, struct wp_screen_pages *former);

struct wp_screen_page *wp_screen_pages_shown(const struct wp_screen_pages *pages);
/* Goes so many pages on (or back), from the last to the first. */
void wp_screen_pages_turn(struct wp_screen_pages *pages, long by);
/* To the next page that is a tree, of the same group if that has one; false: there is none. */
bool wp_screen_pages_next_tree(struct wp_screen_pages *pages);
/* The index of the first page that has the title of the one shown there; 0: none has. */
size_t wp_screen_pages_like(const struct wp_screen_pages *pages,
			    const struct wp_screen_pages *other);
/* To the page of the next group that is most like the one shown; false: there is one group. */
bool wp_screen_pages_next_group(struct wp_screen_pages *pages);

#endif
