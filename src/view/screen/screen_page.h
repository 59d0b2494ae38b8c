/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen_page: a part of a document that is looked at on its own, and how it is looked at.
 *
 * View stage. A page has the rows of a table or the lines of a tree, with the document's notes
 * about it above and below, which stay where they are. Sorting, filters and folding choose which
 * rows are visible; the cursor stands on one of these. Pure: knows no terminal, no key and no verb.
 */
#ifndef WP_SCREEN_PAGE_H
#define WP_SCREEN_PAGE_H

#include "base/str.h"
#include "core/doc.h"

enum wp_screen_row_kind {
	WP_SCREEN_NOTE,	  /* a line of prose */
	WP_SCREEN_CELLS,  /* a row of the page's table */
	WP_SCREEN_BRANCH, /* a line of the page's tree */
};

/* Everything is the document's. */
struct wp_screen_row {
	enum wp_screen_row_kind kind;
	union {
		struct {
			const char *text;
			size_t length;
		} note;
		const struct wp_cell *cells;
		const struct wp_node *branch;
	};
	struct wp_subject subject;
	uint32_t depth; /* of branches */
	bool is_folded; /* what is below it is not visible */
	bool is_foot;	/* a note behind the rows */
};

struct wp_screen_page {
	char *title;
	const struct wp_node *group;  /* what it is one page of several of: an event; or NULL */
	const struct wp_table *table; /* NULL: a tree, or notes alone */
	const char *const *headings;  /* of a tree's three columns; else NULL */
	WP_VEC(struct wp_screen_row) rows;

	WP_VEC(size_t) visible; /* indexes of rows */
	size_t cursor, top;	/* indexes of visible */
	size_t shift;		/* so many columns to the left are out of sight */
	bool is_sorted, is_descending;
	size_t sort_column;
	size_t *widths; /* of the columns, once they were measured (screen_widths) */
	char *filter;	/* only rows that contain it; NULL: all */
	char *only;	/* only rows whose cell in only_column is that; NULL: all */
	size_t only_column;
};

/* 0 of what has none. */
size_t wp_screen_page_columns(const struct wp_screen_page *page);
/* Makes the rows visible anew after a change; the cursor keeps its row where that is still there.
 */
void wp_screen_page_refresh(struct wp_screen_page *page);
/* Looks at it as at the former one, whose filters it takes over: the cursor has the same place. */
void wp_screen_page_follow(struct wp_screen_page *page, struct wp_screen_page *former);
void wp_screen_page_deinit(struct wp_screen_page *page);

/* The row under the cursor, or NULL. */
struct wp_screen_row *wp_screen_page_row(const struct wp_screen_page *page);
/* Up or down by so many rows, not beyond the ends. */
void wp_screen_page_move(struct wp_screen_page *page, long rows);
/* To the first row that the source line is in; false: there is none. */
bool wp_screen_page_find_line(struct wp_screen_page *page, uint32_t line);
/* To the row with the greatest share; stays where there are none. */
void wp_screen_page_find_hottest(struct wp_screen_page *page);
/* Moves what is shown so that the cursor is within so many rows. */
void wp_screen_page_scroll(struct wp_screen_page *page, size_t height);

/* By the next column that has values, behind the last one in the document's order again; false:
 * trees and notes stay as they are. Numbers begin with the greatest. */
bool wp_screen_page_sort_next(struct wp_screen_page *page);
/* The other way round. */
bool wp_screen_page_reverse(struct wp_screen_page *page);
/* Only rows that contain the text, whatever the case; empty or NULL: all. Of trees with what they
 * are below. */
void wp_screen_page_filter(struct wp_screen_page *page, const char *text);
/* Only rows whose cell under the heading is the cursor's, or all again; false: no such column. */
bool wp_screen_page_only(struct wp_screen_page *page, const char *heading);
/* To the next (previous) visible row that contains the text, beyond the ends from the other one. */
bool wp_screen_page_search(struct wp_screen_page *page, const char *text, bool backwards);
/* Folds or unfolds the branch under the cursor, or all of them (all but the outermost); false: it
 * has nothing below it. */
bool wp_screen_page_fold(struct wp_screen_page *page);
bool wp_screen_page_fold_all(struct wp_screen_page *page);
/* True when rows are below that one (an index of rows). */
bool wp_screen_page_has_below(const struct wp_screen_page *page, size_t row);
/* Appends the row's cells as a person reads them, two spaces between. */
void wp_screen_page_text(const struct wp_screen_page *page, const struct wp_screen_row *row,
			 struct wp_str *out);

#endif
