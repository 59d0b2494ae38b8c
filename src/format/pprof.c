/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pprof: see pprof.h.
 *
 * A message is a run of fields: a varint of (number << 3 | wire type), then a varint, or a length
 * and as many bytes. Fields that are 0 or empty are left out, as proto3 has it. A message within
 * another needs its length first, so each is made in memory of its own; none is long.
 */
#include "format/pprof.h"

#include "base/strpool.h"
#include "base/utf8.h"

#include <string.h>
#include <zlib.h>

#define WIRE_VARINT 0
#define WIRE_BYTES  2
#define VARINT_MAX  10
#define CHUNK_BYTES (64 * 1024)
#define GZIP_WINDOW (15 + 16) /* the largest window; 16 more: a gzip header */
#define GZIP_MEMORY 8
#define REPLACEMENT "\xef\xbf\xbd"

/* Field numbers. */
#define PROFILE_TYPE	      1
#define PROFILE_SAMPLE	      2
#define PROFILE_MAPPING	      3
#define PROFILE_LOCATION      4
#define PROFILE_FUNCTION      5
#define PROFILE_STRING	      6
#define PROFILE_TIME	      9
#define PROFILE_DURATION      10
#define PROFILE_PERIOD_TYPE   11
#define PROFILE_PERIOD	      12
#define PROFILE_COMMENT	      13
#define PROFILE_DEFAULT_TYPE  14
#define TYPE_TYPE	      1
#define TYPE_UNIT	      2
#define SAMPLE_LOCATION	      1
#define SAMPLE_VALUE	      2
#define SAMPLE_LABEL	      3
#define LABEL_KEY	      1
#define LABEL_TEXT	      2
#define LABEL_NUMBER	      3
#define MAPPING_ID	      1
#define MAPPING_START	      2
#define MAPPING_LIMIT	      3
#define MAPPING_PATH	      5
#define MAPPING_BUILD_ID      6
#define MAPPING_HAS_FUNCTIONS 7
#define MAPPING_HAS_FILES     8
#define MAPPING_HAS_LINES     9
#define MAPPING_HAS_INLINES   10
#define LOCATION_ID	      1
#define LOCATION_MAPPING      2
#define LOCATION_ADDRESS      3
#define LOCATION_LINE	      4
#define LINE_FUNCTION	      1
#define LINE_LINE	      2
#define FUNCTION_ID	      1
#define FUNCTION_NAME	      2
#define FUNCTION_FILE	      4
#define FUNCTION_LINE	      5

struct wp_pprof {
	struct wp_writer *out;
	z_stream gzip;
	struct wp_strpool strings;	     /* valid UTF-8; id 0 is "" */
	struct wp_str profile;		     /* fields not compressed yet */
	struct wp_str message, inner, clean; /* at hand */
};

static void put_varint(struct wp_str *to, uint64_t number)
{
	char bytes[VARINT_MAX];
	size_t n = 0;

	for (; number >= 0x80; number >>= 7)
		bytes[n++] = (char)(number | 0x80);
	bytes[n++] = (char)number;
	wp_str_append(to, bytes, n);
}

static void put_varint_field(struct wp_str *to, unsigned int field, uint64_t number)
{
	if (!number)
		return;
	put_varint(to, field << 3 | WIRE_VARINT);
	put_varint(to, number);
}

static void put_bytes_field(struct wp_str *to, unsigned int field, const char *bytes, size_t n)
{
	put_varint(to, field << 3 | WIRE_BYTES);
	put_varint(to, n);
	wp_str_append(to, bytes, n);
}

/* Hands the message over as a field of one around it, and empties it. */
static void put_message(struct wp_str *to, unsigned int field, struct wp_str *message)
{
	put_bytes_field(to, field, message->s ? message->s : "", message->len);
	message->len = 0;
}

static void put_numbers(struct wp_pprof *p, unsigned int field, const uint64_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_varint(&p->inner, numbers[i]);
	if (n)
		put_message(&p->message, field, &p->inner);
}

/* proto3 has only valid UTF-8. */
static const char *valid_utf8(struct wp_str *clean, const char *text)
{
	uint32_t character;

	clean->len = 0;
	wp_str_puts(clean, "");
	while (*text) {
		size_t n = wp_utf8_get(text, strnlen(text, WP_UTF8_MAX), &character);

		if (n)
			wp_str_append(clean, text, n);
		else
			wp_str_puts(clean, REPLACEMENT);
		text += n ? n : 1;
	}
	return clean->s;
}

static uint64_t pprof_string_id(struct wp_pprof *p, const char *text)
{
	return wp_strpool_id(&p->strings, valid_utf8(&p->clean, text));
}

static void put_string_field(struct wp_pprof *p, struct wp_str *to, unsigned int field,
			     const char *text)
{
	put_varint_field(to, field, pprof_string_id(p, text));
}

/* deflate() fails only when it is called in another order than this. */
static void compress_profile(struct wp_pprof *p, int flush)
{
	unsigned char chunk[4096];

	p->gzip.next_in = (unsigned char *)p->profile.s;
	p->gzip.avail_in = (unsigned int)p->profile.len;
	do {
		p->gzip.next_out = chunk;
		p->gzip.avail_out = sizeof(chunk);
		deflate(&p->gzip, flush);
		wp_writer_put(p->out, chunk, sizeof(chunk) - p->gzip.avail_out);
	} while (p->gzip.avail_out == 0);
	p->profile.len = 0;
}

/* The message at hand is complete. */
static void end_message(struct wp_pprof *p, unsigned int field)
{
	put_message(&p->profile, field, &p->message);
	if (p->profile.len >= CHUNK_BYTES)
		compress_profile(p, Z_NO_FLUSH);
}

struct wp_pprof *wp_pprof_new(struct wp_writer *out)
{
	struct wp_pprof *p = wp_calloc(1, sizeof(*p));

	p->out = out;
	if (deflateInit2(&p->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		abort(); /* no memory */
	pprof_string_id(p, "");
	return p;
}

static void put_type(struct wp_pprof *p, const char *type, const char *unit)
{
	put_string_field(p, &p->message, TYPE_TYPE, type);
	put_string_field(p, &p->message, TYPE_UNIT, unit);
}

void wp_pprof_put_type(struct wp_pprof *p, const char *type, const char *unit)
{
	put_type(p, type, unit);
	end_message(p, PROFILE_TYPE);
}

void wp_pprof_put_mapping(struct wp_pprof *p, const struct wp_pprof_mapping *mapping)
{
	struct wp_str *to = &p->message;

	put_varint_field(to, MAPPING_ID, mapping->id);
	put_varint_field(to, MAPPING_START, mapping->start);
	put_varint_field(to, MAPPING_LIMIT, mapping->limit);
	put_string_field(p, to, MAPPING_PATH, mapping->path);
	put_string_field(p, to, MAPPING_BUILD_ID, mapping->build_id);
	put_varint_field(to, MAPPING_HAS_FUNCTIONS, 1);
	put_varint_field(to, MAPPING_HAS_FILES, 1);
	put_varint_field(to, MAPPING_HAS_LINES, 1);
	put_varint_field(to, MAPPING_HAS_INLINES, 1);
	end_message(p, PROFILE_MAPPING);
}

void wp_pprof_put_location(struct wp_pprof *p, const struct wp_pprof_location *location)
{
	struct wp_str *to = &p->message;

	put_varint_field(to, LOCATION_ID, location->id);
	put_varint_field(to, LOCATION_MAPPING, location->mapping);
	put_varint_field(to, LOCATION_ADDRESS, location->address);
	for (size_t i = 0; i < location->n_lines; i++) {
		put_varint_field(&p->inner, LINE_FUNCTION, location->lines[i].function);
		put_varint_field(&p->inner, LINE_LINE, location->lines[i].line);
		put_message(to, LOCATION_LINE, &p->inner);
	}
	end_message(p, PROFILE_LOCATION);
}

/* Without a system name: pprof would take the name for one to demangle, and drop what is in <>. */
void wp_pprof_put_function(struct wp_pprof *p, const struct wp_pprof_function *function)
{
	struct wp_str *to = &p->message;

	put_varint_field(to, FUNCTION_ID, function->id);
	put_string_field(p, to, FUNCTION_NAME, function->name);
	put_string_field(p, to, FUNCTION_FILE, function->file);
	put_varint_field(to, FUNCTION_LINE, function->line);
	end_message(p, PROFILE_FUNCTION);
}

static void put_pprof_label(struct wp_pprof *p, const struct wp_pprof_label *label)
{
	put_string_field(p, &p->inner, LABEL_KEY, label->key);
	if (label->text)
		put_string_field(p, &p->inner, LABEL_TEXT, label->text);
	else
		put_varint_field(&p->inner, LABEL_NUMBER, label->number);
	put_message(&p->message, SAMPLE_LABEL, &p->inner);
}

void wp_pprof_put_sample(struct wp_pprof *p, const struct wp_pprof_sample *sample)
{
	put_numbers(p, SAMPLE_LOCATION, sample->locations, sample->n_locations);
	put_numbers(p, SAMPLE_VALUE, sample->values, sample->n_values);
	for (size_t i = 0; i < sample->n_labels; i++)
		put_pprof_label(p, &sample->labels[i]);
	end_message(p, PROFILE_SAMPLE);
}

static void put_facts(struct wp_pprof *p, const struct wp_pprof_facts *facts)
{
	struct wp_str *to = &p->profile;

	put_varint_field(to, PROFILE_TIME, facts->time_unix_ns);
	put_varint_field(to, PROFILE_DURATION, facts->duration_ns);
	put_type(p, facts->period_type, facts->period_unit);
	put_message(to, PROFILE_PERIOD_TYPE, &p->message);
	put_varint_field(to, PROFILE_PERIOD, facts->period);
	put_string_field(p, to, PROFILE_COMMENT, facts->comment);
	put_string_field(p, to, PROFILE_DEFAULT_TYPE, facts->default_type);
}

void wp_pprof_finish(struct wp_pprof *p, const struct wp_pprof_facts *facts)
{
	put_facts(p, facts);
	wp_vec_each (const char *, string, &p->strings.strings) {
		wp_str_puts(&p->message, *string);
		end_message(p, PROFILE_STRING);
	}
	compress_profile(p, Z_FINISH);
	deflateEnd(&p->gzip);
	wp_strpool_deinit(&p->strings);
	wp_str_deinit(&p->profile);
	wp_str_deinit(&p->message);
	wp_str_deinit(&p->inner);
	wp_str_deinit(&p->clean);
	free(p);
}
