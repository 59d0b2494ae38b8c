/* SPDX-License-Identifier: BSD-3-Clause */
/* python_value: see python_value.h. */
#include "runtime/python_value.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "runtime/python_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX   80 /* characters of a str, bytes of a bytes */
#define DIGITS_MAX 8  /* of 30 bits, of an int that is told in full */
#define BILLION	   1000000000u

/* Include/object.h: tp_flags */
#define HEAPTYPE	 (1u << 9)
#define LONG_SUBCLASS	 (1u << 24)
#define LIST_SUBCLASS	 (1u << 25)
#define TUPLE_SUBCLASS	 (1u << 26)
#define BYTES_SUBCLASS	 (1u << 27)
#define UNICODE_SUBCLASS (1u << 28)
#define DICT_SUBCLASS	 (1u << 29)
#define SUBCLASSES	 0xff000000u

/* CPython's own types: by name, and by the flags that they have, so that nobody else's are. */
static const struct {
	const char *name;
	uint32_t flags;
	enum wp_python_value_kind kind;
} own_types[] = {
	{"NoneType", 0, WP_PYTHON_VALUE_NONE},
	{"bool", LONG_SUBCLASS, WP_PYTHON_VALUE_BOOL},
	{"int", LONG_SUBCLASS, WP_PYTHON_VALUE_INT},
	{"float", 0, WP_PYTHON_VALUE_FLOAT},
	{"str", UNICODE_SUBCLASS, WP_PYTHON_VALUE_STR},
	{"bytes", BYTES_SUBCLASS, WP_PYTHON_VALUE_BYTES},
	{"set", 0, WP_PYTHON_VALUE_SET},
	{"frozenset", 0, WP_PYTHON_VALUE_SET},
	{"cell", 0, WP_PYTHON_VALUE_CELL},
};

static enum wp_python_value_kind kind_of_object(const char *name, uint32_t flags)
{
	for (size_t i = 0; !(flags & HEAPTYPE) && i < WP_ARRAY_LEN(own_types); i++)
		if (strcmp(name, own_types[i].name) == 0 &&
		    (flags & SUBCLASSES) == own_types[i].flags)
			return own_types[i].kind;
	return flags & (LIST_SUBCLASS | TUPLE_SUBCLASS | DICT_SUBCLASS) ? WP_PYTHON_VALUE_SIZED
									: WP_PYTHON_VALUE_OTHER;
}

/* A C string of a program, in small pieces: the next page may not be there. */
static void read_type_name(struct wp_python_objects *o, uint64_t at,
			   char ret[WP_PYTHON_VALUE_NAME * 4 + 4])
{
	uint8_t bytes[WP_PYTHON_VALUE_NAME];
	struct wp_code_text text = {.width = 1, .bytes = bytes};
	wp_autostr struct wp_str name = {0};
	bool ended = false;

	for (size_t n = 0; n < sizeof(bytes) && !ended; n += 8) {
		if (!wp_python_object_bytes(o, at + n, bytes + n, 8))
			break;
		ended = memchr(bytes + n, '\0', 8);
		text.n += 8;
	}
	text.n = (uint32_t)strnlen((const char *)bytes, text.n);
	text.length = text.n + !ended;
	wp_python_text_put(&name, &text, true);
	memcpy(ret, name.s ? name.s : "", name.len + 1);
}

bool wp_python_value_type(struct wp_python_objects *o, uint64_t type,
			  struct wp_python_value_type *ret)
{
	uint64_t name = wp_python_object_field(o, type, WP_PYTHON_TYPE_NAME);
	uint8_t flags[8];

	if (!name || !wp_python_object_part(o, type, WP_PYTHON_TYPE_FLAGS, flags, sizeof(flags)))
		return false;
	read_type_name(o, name, ret->name);
	ret->kind = kind_of_object(ret->name, wp_u32_at(flags));
	return true;
}

/* Digits of 30 bits, the lowest first. */
static void put_decimal(struct wp_str *out, uint32_t *digits, uint64_t n)
{
	uint32_t parts[DIGITS_MAX + 1]; /* of nine decimal digits: a little less than 30 bits */
	size_t n_parts = 0;

	while (n && n_parts < WP_ARRAY_LEN(parts)) {
		uint64_t rest = 0;

		for (uint64_t i = n; i-- > 0;) {
			rest = rest << 30 | digits[i];
			digits[i] = (uint32_t)(rest / BILLION);
			rest %= BILLION;
		}
		parts[n_parts++] = (uint32_t)rest;
		while (n && !digits[n - 1])
			n--;
	}
	wp_str_printf(out, "%u", n_parts ? parts[n_parts - 1] : 0);
	while (n_parts-- > 1)
		wp_str_printf(out, "%09u", parts[n_parts - 1]);
}

/* Include/cpython/longintrepr.h. */
static bool read_digits(struct wp_python_objects *o, uint64_t object, bool tagged, bool *negative,
			uint64_t *n, uint32_t digits[DIGITS_MAX])
{
	uint8_t bytes[4 * DIGITS_MAX];
	int64_t size;

	if (!wp_python_object_part(o, object, WP_PYTHON_OBJECT_SIZE, bytes, 8))
		return false;
	size = (int64_t)wp_u64_at(bytes);
	*negative = tagged ? (size & 3) == 2 : size < 0;
	*n = tagged ? (uint64_t)size >> 3 : size < 0 ? -(uint64_t)size : (uint64_t)size;
	if (*n > DIGITS_MAX)
		return *n < UINT32_MAX;
	if (*n && !wp_python_object_part(o, object, 16, bytes, *n * 4))
		return false;
	for (uint64_t i = 0; i < *n; i++) {
		digits[i] = wp_u32_at(bytes + 4 * i);
		if (digits[i] >> 30)
			return false;
	}
	return true;
}

static bool put_int(struct wp_python_objects *o, uint64_t object, bool is_bool, bool tagged,
		    struct wp_str *out)
{
	uint32_t digits[DIGITS_MAX];
	bool negative;
	uint8_t top[4];
	uint64_t n;

	if (!read_digits(o, object, tagged, &negative, &n, digits))
		return false;
	if (is_bool) {
		wp_str_puts(out, n && digits[0] ? "True" : "False");
		return n <= 1;
	}
	if (n <= DIGITS_MAX) {
		wp_str_puts(out, negative ? "-" : "");
		put_decimal(out, digits, n);
		return true;
	}
	if (!wp_python_object_part(o, object, (uint32_t)(16 + 4 * (n - 1)), top, 4) ||
	    !wp_u32_at(top) || wp_u32_at(top) >> 30)
		return false;
	wp_str_printf(out, "<int, %llu bits>",
		      (unsigned long long)(30 * n + 2 - (uint64_t)__builtin_clz(wp_u32_at(top))));
	return true;
}

/* The fewest digits that mean that number, laid out as format code 'r' does. */
void wp_python_value_put_float(struct wp_str *out, double value)
{
	char text[40];
	int digits = 1, exponent;

	if (!isfinite(value)) {
		wp_str_puts(out, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
		return;
	}
	for (; digits < 17; digits++) {
		snprintf(text, sizeof(text), "%.*e", digits - 1, value);
		if (strtod(text, NULL) == value)
			break;
	}
	snprintf(text, sizeof(text), "%.*e", digits - 1, value);
	exponent = atoi(strchr(text, 'e') + 1);
	if (exponent < -4 || exponent >= 16)
		wp_str_puts(out, text);
	else if (digits - 1 > exponent)
		wp_str_printf(out, "%.*f", digits - 1 - exponent, value);
	else
		wp_str_printf(out, "%.1f", value);
}

static bool put_float(struct wp_python_objects *o, uint64_t object, struct wp_str *out)
{
	uint8_t bytes[8];
	double value;

	if (!wp_python_object_part(o, object, 8, bytes, sizeof(bytes)))
		return false;
	memcpy(&value, bytes, sizeof(value));
	wp_python_value_put_float(out, value);
	return true;
}

static bool put_text(struct wp_python_objects *o, uint64_t object, bool is_bytes,
		     struct wp_str *out)
{
	uint8_t bytes[TEXT_MAX * 4];
	struct wp_code_text text;
	uint64_t data, length;

	if (is_bytes) {
		length = wp_python_object_word(o, object + o->plan->bytes_size);
		text = (struct wp_code_text){.width = 1, .length = (uint32_t)length};
		data = object + o->plan->bytes_data;
		if (length > UINT32_MAX)
			return false;
	} else if (!wp_python_object_text(o, object, &text, &data)) {
		return false;
	}
	text.n = (text.length < TEXT_MAX ? text.length : TEXT_MAX) * text.width;
	text.bytes = bytes;
	if (!text.width || !wp_python_text_is_sane(&text, is_bytes) ||
	    (text.n && !wp_python_object_bytes(o, data, bytes, text.n)))
		return false;
	wp_python_text_repr(out, &text, is_bytes);
	return true;
}

static bool put_items(struct wp_python_objects *o, uint64_t object, uint32_t at, const char *name,
		      struct wp_str *out)
{
	uint8_t bytes[8];
	uint64_t n;

	if (!wp_python_object_part(o, object, at, bytes, sizeof(bytes)))
		return false;
	n = wp_u64_at(bytes);
	if (n >> 48)
		return false;
	wp_str_printf(out, "<%s, %llu item%s>", name, (unsigned long long)n, n == 1 ? "" : "s");
	return true;
}

bool wp_python_value_put(struct wp_python_objects *o, uint64_t object,
			 const struct wp_python_value_type *type, bool tagged, struct wp_str *out)
{
	switch (type->kind) {
	case WP_PYTHON_VALUE_NONE: wp_str_puts(out, "None"); return true;
	case WP_PYTHON_VALUE_BOOL: return put_int(o, object, true, tagged, out);
	case WP_PYTHON_VALUE_INT: return put_int(o, object, false, tagged, out);
	case WP_PYTHON_VALUE_FLOAT: return put_float(o, object, out);
	case WP_PYTHON_VALUE_STR: return put_text(o, object, false, out);
	case WP_PYTHON_VALUE_BYTES: return put_text(o, object, true, out);
	case WP_PYTHON_VALUE_SIZED:
		return put_items(o, object, WP_PYTHON_OBJECT_SIZE, type->name, out);
	/* {fill, used} */
	case WP_PYTHON_VALUE_SET: return put_items(o, object, 16, type->name, out);
	default: wp_str_printf(out, "<%s>", type->name); return true;
	}
}
