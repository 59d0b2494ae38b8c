/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * field: what an event says of each of its hits, by name: a tracepoint's fields, a probe's
 * arguments.
 *
 * Core. A description of the bytes that come with a sample (its payload), and their reader. Both
 * come from strangers: every read is checked against the payload's length.
 */
#ifndef WP_FIELD_H
#define WP_FIELD_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WP_FIELDS_MAX	256
#define WP_PAYLOAD_MAX	65535 /* no record has room for more */
#define WP_FIELD_COMMON "common_"

struct wp_field {
	const char *name;
	uint32_t offset, size; /* of the payload: in bytes */
	uint32_t element;      /* bytes of one of an array's */
	bool is_signed;
	bool is_pointer;  /* shown as 0x... */
	bool is_array;	  /* of numbers, or with is_string of characters up to a NUL */
	bool is_string;	  /* an array of characters */
	bool is_dynamic;  /* at offset is a u32: low half where it lies, high half its bytes */
	bool is_relative; /* and that counts from behind the u32 */
};

/* In the order of the description; common_* (of every tracepoint) are among them. */
struct wp_fields {
	const struct wp_field *v;
	size_t n;
};

/* NULL: there is none of that name. */
const struct wp_field *wp_fields_find(const struct wp_fields *fields, const char *name);
/* The value of a field that is one number; false: it is none, or the payload is too short. */
bool wp_field_number(const struct wp_field *field, const uint8_t *payload, size_t bytes,
		     int64_t *ret);
/* True for a field that can be a number, whatever a payload has. */
bool wp_field_is_number(const struct wp_field *field);
/* Appends what it is: a number, 0x... of a pointer, text, [1, 2] of an array; nothing where the
 * payload is too short. */
void wp_field_text(const struct wp_field *field, const uint8_t *payload, size_t bytes,
		   struct wp_str *out);
/* Appends "name=value name=value" of all fields but the common ones. */
void wp_fields_text(const struct wp_fields *fields, const uint8_t *payload, size_t bytes,
		    struct wp_str *out);

#endif
