/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json: a JSON text (RFC 8259) as a tree of values.
 *
 * The text is untrusted: nesting is bounded, every value takes at least a byte of it, and nothing
 * refers to it afterwards. Numbers keep their spelling. Objects keep the order of their members; of
 * two with the same name the first is found.
 */
#ifndef WP_JSON_H
#define WP_JSON_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

#define WP_JSON_DEPTH 64

enum wp_json_kind {
	WP_JSON_NULL,
	WP_JSON_FALSE,
	WP_JSON_TRUE,
	WP_JSON_NUMBER,
	WP_JSON_STRING,
	WP_JSON_ARRAY,
	WP_JSON_OBJECT,
};

struct wp_json {
	enum wp_json_kind kind;
	uint32_t n;	  /* members of an array or object */
	const char *name; /* of a member of an object, else NULL */
	const char
		*text; /* of a string, in UTF-8 (U+0000 is left out), or of a number; else NULL */
	struct wp_json *first, *next; /* first member; next one beside it */
};

/* The value of a text of len bytes, in arena. Errors: WP_ERR_FORMAT, with line and reason. */
struct wp_err *wp_json_parse(struct wp_arena *arena, const char *text, size_t len,
			     const struct wp_json **ret) WP_MUST_CHECK;
/* The member of an object, or NULL; also when value is NULL or no object. */
const struct wp_json *wp_json_get(const struct wp_json *value, const char *name);
/* The text of a member of an object when it is a string or a number, else otherwise. */
const char *wp_json_text(const struct wp_json *value, const char *name, const char *otherwise);
#define wp_json_each(it, value) \
	for (const struct wp_json *it = (value) ? (value)->first : NULL; it; it = it->next)

#endif
