/* SPDX-License-Identifier: BSD-3-Clause */
/* field: see field.h. */
#include "core/field.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <string.h>

/* Elements of an array that are shown; no field of Linux has as many. */
#define SHOWN_MAX 4096

const struct wp_field *wp_fields_find(const struct wp_fields *fields, const char *name)
{
	for (size_t i = 0; fields && i < fields->n; i++)
		if (strcmp(fields->v[i].name, name) == 0)
			return &fields->v[i];
	return NULL;
}

static bool is_width(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

bool wp_field_is_number(const struct wp_field *field)
{
	return !field->is_array && !field->is_string && !field->is_dynamic && is_width(field->size);
}

static int64_t read_field_number(const uint8_t *at, uint32_t size, bool is_signed)
{
	uint64_t value = 0;
	unsigned int unused = 64 - 8 * size;

	memcpy(&value, at, size); /* little-endian, as all that is read here */
	if (!is_signed)
		return (int64_t)value;
	return (int64_t)(value << unused) >> unused;
}

bool wp_field_number(const struct wp_field *field, const uint8_t *payload, size_t bytes,
		     int64_t *ret)
{
	if (!wp_field_is_number(field) || field->offset > bytes ||
	    field->size > bytes - field->offset)
		return false;
	*ret = read_field_number(payload + field->offset, field->size, field->is_signed);
	return true;
}

/* Where an array or text lies, and how many bytes it has; false: outside of the payload. */
static bool find_content(const struct wp_field *field, size_t bytes, const uint8_t *payload,
			 struct wp_bytes *ret)
{
	struct wp_bytes all = wp_bytes_of(payload, bytes);
	uint32_t where;

	wp_bytes_seek(&all, field->offset);
	if (!field->is_dynamic) {
		*ret = wp_bytes_sub(&all, field->size);
		return !ret->failed;
	}
	where = wp_bytes_u32(&all);
	if (all.failed)
		return false;
	wp_bytes_seek(&all, (where & 0xffff) + (field->is_relative ? field->offset + 4 : 0));
	*ret = wp_bytes_sub(&all, where >> 16);
	return !ret->failed;
}

static void put_field_number(const struct wp_field *field, const uint8_t *at, uint32_t size,
			     struct wp_str *out)
{
	int64_t value = read_field_number(at, size, field->is_signed);

	if (field->is_pointer)
		wp_str_printf(out, "0x%" PRIx64, (uint64_t)value);
	else if (field->is_signed)
		wp_str_printf(out, "%" PRId64, value);
	else
		wp_str_printf(out, "%" PRIu64, (uint64_t)value);
}

static void put_array(const struct wp_field *field, const struct wp_bytes *content,
		      struct wp_str *out)
{
	uint32_t each = is_width(field->element) ? field->element : 1;
	size_t n = content->size / each;

	wp_str_puts(out, "[");
	for (size_t i = 0; i < n && i < SHOWN_MAX; i++) {
		wp_str_puts(out, i ? ", " : "");
		put_field_number(field, content->data + i * each, each, out);
	}
	wp_str_puts(out, "]");
}

void wp_field_text(const struct wp_field *field, const uint8_t *payload, size_t bytes,
		   struct wp_str *out)
{
	struct wp_bytes content;

	if (!find_content(field, bytes, payload, &content))
		return;
	if (field->is_string)
		wp_str_append(out, (const char *)content.data,
			      strnlen((const char *)content.data, content.size));
	else if (wp_field_is_number(field))
		put_field_number(field, content.data, field->size, out);
	else
		put_array(field, &content, out);
}

void wp_fields_text(const struct wp_fields *fields, const uint8_t *payload, size_t bytes,
		    struct wp_str *out)
{
	bool any = false;

	for (size_t i = 0; i < fields->n; i++) {
		if (wp_str_has_prefix(fields->v[i].name, WP_FIELD_COMMON))
			continue;
		wp_str_printf(out, "%s%s=", any ? " " : "", fields->v[i].name);
		wp_field_text(&fields->v[i], payload, bytes, out);
		any = true;
	}
}
