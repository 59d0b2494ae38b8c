/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort_keys: the keys of `report --sort`: what a sample's value is, and how that reads.
 *
 * Session stage. A value is a number, an index in a table that the report keeps, so that adding a
 * sample makes no strings where it can be helped.
 */
#ifndef WP_SORT_KEYS_H
#define WP_SORT_KEYS_H

#include "base/err.h"
#include "core/table.h"
#include "session/recorded/sort_state.h"

struct wp_arena;

enum wp_sort_needs {
	WP_SORT_PYTHON = 1, /* it is of Python code: what called the interpreter has none */
	WP_SORT_ADDRESS = 2,
	WP_SORT_FUNCTION = 4, /* --symbol chooses among its rows */
	WP_SORT_PAYLOAD = 8,
	WP_SORT_DATA = 16,   /* what the sample carries besides */
	WP_SORT_BRANCH = 32, /* a branch: with --branch only */
	WP_SORT_BYTECODE =
		64, /* of the innermost Python frame: neither of stacks nor of branches */
	WP_SORT_TOUCHES = 128, /* what of Python's memory samples touched */
};

struct wp_sort_key {
	const char *name, *perf; /* what perf's --sort calls it; "": nothing */
	uint32_t (*value)(struct wp_report_sort *sort, const struct wp_sort_at *at);
	const char *(*text)(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value);
	enum wp_fit fit;
	unsigned int needs; /* enum wp_sort_needs, or'ed */
};

/* By its name or perf's; NULL: there is none. */
const struct wp_sort_key *wp_sort_key_find(const char *word);
/* "field:NAME" */
bool wp_sort_key_is_field(const struct wp_sort_key *key);
/* Its values are symbols of functions, or none. */
bool wp_sort_key_is_function(const struct wp_sort_key *key);
/* Of a key of bytecode: it is about opcodes without their forms. */
bool wp_sort_key_is_base(const struct wp_sort_key *key);
/* Says what there is instead. */
struct wp_err *wp_sort_key_refuse(const char *word) WP_MUST_CHECK;

/* For keys whose values are ids in sort->strings. */
const char *wp_sort_text_pooled(struct wp_report_sort *sort, struct wp_arena *arena,
				uint32_t value);
#endif
