/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doc: one result, as a tree of named values and tables with lines of prose between them.
 *
 * Every verb makes one and every output renders any: text prints prose and tables and passes over
 * the values; JSON prints values and tables and passes over the prose; CSV prints values as
 * `key,value` lines, then tables. So the shape of a JSON document and the layout of the text are
 * both written down where the result is made, once.
 */
#ifndef WP_DOC_H
#define WP_DOC_H

#include "base/arena.h"
#include "core/screen.h"
#include "core/table.h"

#include <stdbool.h>
#include <stdint.h>

enum wp_node_kind {
	WP_NODE_OBJECT,
	WP_NODE_ARRAY, /* its children's keys are ignored */
	WP_NODE_TABLE,
	WP_NODE_STR,
	WP_NODE_INT,
	WP_NODE_REAL, /* decimals < 0: 6 significant digits */
	WP_NODE_BOOL,
	WP_NODE_PROSE,	/* text only: printed as it is, newlines and all */
	WP_NODE_TREE,	/* text only: the headings of the shares that follow */
	WP_NODE_SHARES, /* text only: a line of two percents, 14 and 8 wide, and a symbol */
};

/* Which outputs show a node (and what is below it). 0, the default, means all whose business it is.
 */
enum wp_node_only {
	WP_EVERYWHERE,
	WP_TEXT_ONLY,
	WP_DATA_ONLY, /* JSON and CSV, not text */
};

struct wp_node {
	enum wp_node_kind kind;
	enum wp_node_only only;
	const char *key;
	union {
		struct {
			struct wp_node *first, *last;
		};
		struct wp_table *table;
		const char *str;
		int64_t integer;
		struct {
			double value;
			int decimals;
		} real;
		bool boolean;
		struct {
			double pct[2];
			const char *indent, *text; /* the branches of a tree; the symbol */
			uint32_t depth;		   /* in the tree; 0: a root of it */
			struct wp_subject subject;
		} shares;
		const char *headings[3]; /* of the two percents and of the symbol */
	};
	struct wp_node *next;
};

#define wp_node_each(child, parent) \
	for (const struct wp_node *child = (parent)->first; child; child = child->next)

/* Owns everything in it; `root` is an object. */
struct wp_doc {
	struct wp_arena arena;
	struct wp_node *root;
	struct wp_screen screen; /* of the text */
	WP_VEC(struct wp_table *) tables;
};

/* What a part is of a whole, in percent; 0 of nothing. */
static inline double wp_percent(uint64_t part, uint64_t whole)
{
	return whole ? (double)part * 100.0 / (double)whole : 0.0;
}

struct wp_doc *wp_doc_new(void);
void wp_doc_free(struct wp_doc *doc);
/* How much memory it takes. */
uint64_t wp_doc_bytes(const struct wp_doc *doc);

/* All append to parent and return the new node. Strings are copied; key may be NULL inside an
 * array. */
struct wp_node *wp_doc_object(struct wp_doc *doc, struct wp_node *parent, const char *key);
struct wp_node *wp_doc_array(struct wp_doc *doc, struct wp_node *parent, const char *key);
struct wp_node *wp_doc_str(struct wp_doc *doc, struct wp_node *parent, const char *key,
			   const char *value);
struct wp_node *wp_doc_int(struct wp_doc *doc, struct wp_node *parent, const char *key,
			   int64_t value);
struct wp_node *wp_doc_real(struct wp_doc *doc, struct wp_node *parent, const char *key,
			    double value, int decimals);
struct wp_node *wp_doc_bool(struct wp_doc *doc, struct wp_node *parent, const char *key,
			    bool value);
struct wp_node *wp_doc_prose(struct wp_doc *doc, struct wp_node *parent, const char *fmt, ...)
	WP_PRINTF(3, 4);
/* The lines of a tree follow, in its order: each is below the last one before it that is less deep.
 */
struct wp_node *wp_doc_tree(struct wp_doc *doc, struct wp_node *parent, const char *first,
			    const char *second, const char *what);
struct wp_node *wp_doc_shares(struct wp_doc *doc, struct wp_node *parent, double first_pct,
			      double second_pct, const char *indent, const char *text);
/* A table under a key; the returned table is filled with wp_table_column() and wp_table_add(). */
struct wp_table *wp_doc_table(struct wp_doc *doc, struct wp_node *parent, const char *key);
/* A table that is a cell of another one. */
struct wp_table *wp_doc_nested(struct wp_doc *doc);

#endif
