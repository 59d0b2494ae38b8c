/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * undname_parser: what the two halves of undname (names and types) share.
 *
 * A cursor over the decorated name and the two lists that digits refer back to: the first ten names
 * and the first ten types of parameters. Template arguments have lists of their own. Strings live
 * in the arena until the whole name is done.
 */
#ifndef WP_UNDNAME_PARSER_H
#define WP_UNDNAME_PARSER_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define WP_UNDNAME_BACK 10

/* A type around a name: "int (*" and ")(char)". */
struct wp_undname_type {
	const char *pre, *post;
};

struct wp_undname_lists {
	const char *names[WP_UNDNAME_BACK];
	struct wp_undname_type params[WP_UNDNAME_BACK];
	int n_names, n_params;
};

struct wp_undname_parser {
	const char *at; /* ends with a NUL */
	struct wp_arena arena;
	struct wp_undname_lists lists;
	int depth;
	size_t spent; /* bytes of strings made: bounds what back references multiply */
	bool failed;  /* stays so; everything returns "" then */
};

/* Takes the word if it is next. */
bool wp_undname_take(struct wp_undname_parser *p, const char *word);
/* Marks the name as one that cannot be read. */
const char *wp_undname_fail(struct wp_undname_parser *p);
const char *wp_undname_print(struct wp_undname_parser *p, const char *fmt, ...) WP_PRINTF(2, 3);
/* Bounds the nesting: every enter that returns true has its leave. */
bool wp_undname_enter(struct wp_undname_parser *p);
void wp_undname_leave(struct wp_undname_parser *p);
/* A number; *ret_negative says its sign. */
uint64_t wp_undname_number(struct wp_undname_parser *p, bool *ret_negative);

/* A whole symbol, which begins with '?': its name. */
const char *wp_undname_symbol(struct wp_undname_parser *p);
/* The name of a class: its own, then what it stands in, up to '@'. */
const char *wp_undname_class(struct wp_undname_parser *p);
/* One name without what it stands in; remembered for back references. */
const char *wp_undname_piece(struct wp_undname_parser *p);

enum wp_undname_quals {
	WP_UNDNAME_PLAIN,  /* none are written */
	WP_UNDNAME_QUALS,  /* some are always written */
	WP_UNDNAME_RESULT, /* some may be written behind a '?' */
};

struct wp_undname_type wp_undname_type(struct wp_undname_parser *p, enum wp_undname_quals quals);
/* What is behind a '?$': "<int,char>". */
const char *wp_undname_arguments(struct wp_undname_parser *p);
/* What follows a function's name; the type that it returns (nothing for constructors). */
struct wp_undname_type wp_undname_function(struct wp_undname_parser *p, bool is_member,
					   const char **ret_params);
/* What follows the name of a variable. */
void wp_undname_variable(struct wp_undname_parser *p);

#endif
