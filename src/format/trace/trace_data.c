/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_data: see trace_data.h. Comments show the layouts. */
#include "format/trace/trace_data.h"

#include <string.h>

#define MAGIC	      "\x17\x08\x44tracing"
#define MAGIC_BYTES   10
#define VERSION	      "0.6"
#define VERSION_BYTES 16
#define NAME_BYTES    256
#define LONG_BYTES    8
#define PAGE_BYTES    4096

/* The word, which ends with a NUL; then u64 size and so many bytes. */
static void skip_named(struct wp_bytes *b, const char *word)
{
	const char *name = wp_bytes_str(b, NAME_BYTES);

	if (!name || strcmp(name, word) != 0)
		b->failed = true;
	wp_bytes_skip(b, wp_bytes_u64(b));
}

/* u32 n; n times u64 size and so many bytes: formats of ftrace itself, which no sample is of */
static void skip_ftrace(struct wp_bytes *b)
{
	uint32_t n = wp_bytes_u32(b);

	while (n-- && !b->failed)
		wp_bytes_skip(b, wp_bytes_u64(b));
}

/* magic, version, endian (0: little), bytes of a long, u32 bytes of a page, header_page,
 * header_event, ftrace, u32 systems ... */
bool wp_trace_data_open(const void *bytes, size_t size, struct wp_trace_data *ret)
{
	struct wp_bytes b = wp_bytes_of(bytes, size);
	const char *magic = wp_bytes_take(&b, MAGIC_BYTES);
	struct wp_trace_data data = {0};
	uint8_t endian;

	if (!magic || memcmp(magic, MAGIC, MAGIC_BYTES) != 0 || !wp_bytes_str(&b, VERSION_BYTES))
		return false;
	endian = wp_bytes_u8(&b);
	data.long_bytes = wp_bytes_u8(&b);
	data.page_bytes = wp_bytes_u32(&b);
	skip_named(&b, "header_page");
	skip_named(&b, "header_event");
	skip_ftrace(&b);
	data.systems = wp_bytes_u32(&b);
	if (b.failed || endian || (data.long_bytes != 4 && data.long_bytes != 8))
		return false;
	data.rest = b;
	*ret = data;
	return true;
}

/* of each system: name, u32 n, n times u64 size and so many bytes */
bool wp_trace_data_next(struct wp_trace_data *data, struct wp_trace_text *ret)
{
	struct wp_bytes *b = &data->rest;
	struct wp_trace_text text = {0};

	while (!data->formats && data->systems && !b->failed) {
		data->systems--;
		data->system = wp_bytes_str(b, NAME_BYTES);
		data->formats = wp_bytes_u32(b);
	}
	if (b->failed || !data->formats)
		return false;
	data->formats--;
	text.system = data->system;
	text.bytes = (size_t)wp_bytes_u64(b);
	text.text = wp_bytes_take(b, text.bytes);
	if (b->failed)
		return false;
	*ret = text;
	return true;
}

/* kallsyms (perf writes none) and printk: u32 size and so many bytes */
bool wp_trace_data_printk(struct wp_trace_data *data, struct wp_trace_text *ret)
{
	struct wp_bytes *b = &data->rest;
	struct wp_trace_text text = {0};

	if (data->formats || data->systems)
		return false;
	wp_bytes_skip(b, wp_bytes_u32(b));
	text.bytes = wp_bytes_u32(b);
	text.text = wp_bytes_take(b, text.bytes);
	if (b->failed)
		return false;
	*ret = text;
	return true;
}

static void put_u32(struct wp_str *out, uint32_t value)
{
	wp_str_append(out, (const char *)&value, sizeof(value));
}

static void put_u64(struct wp_str *out, uint64_t value)
{
	wp_str_append(out, (const char *)&value, sizeof(value));
}

static void put_trace_name(struct wp_str *out, const char *name)
{
	wp_str_append(out, name, strlen(name) + 1);
}

static void put_trace_text(struct wp_str *out, const struct wp_trace_text *text)
{
	put_u64(out, text->bytes);
	if (text->bytes)
		wp_str_append(out, text->text, text->bytes);
}

static uint32_t count_system(const struct wp_trace_text *texts, size_t n)
{
	uint32_t same = 0;

	while (same < n && strcmp(texts[same].system, texts->system) == 0)
		same++;
	return same;
}

static uint32_t count_systems(const struct wp_trace_text *texts, size_t n)
{
	uint32_t systems = 0;

	for (size_t i = 0; i < n; i += count_system(texts + i, n - i))
		systems++;
	return systems;
}

void wp_trace_data_put(struct wp_str *out, const struct wp_trace_text *texts, size_t n,
		       const struct wp_trace_extra *extra)
{
	wp_str_append(out, MAGIC, MAGIC_BYTES);
	put_trace_name(out, VERSION);
	wp_str_append(out, "\0", 1);
	wp_str_putc(out, LONG_BYTES);
	put_u32(out, PAGE_BYTES);
	put_trace_name(out, "header_page");
	put_trace_text(out, &extra->header_page);
	put_trace_name(out, "header_event");
	put_trace_text(out, &extra->header_event);
	put_u32(out, 0); /* of ftrace */
	put_u32(out, count_systems(texts, n));
	for (size_t i = 0; i < n;) {
		uint32_t same = count_system(texts + i, n - i);

		put_trace_name(out, texts[i].system);
		put_u32(out, same);
		for (uint32_t j = 0; j < same; j++)
			put_trace_text(out, &texts[i++]);
	}
	put_u32(out, 0); /* of kallsyms */
	put_u32(out, (uint32_t)extra->printk.bytes);
	if (extra->printk.bytes)
		wp_str_append(out, extra->printk.text, extra->printk.bytes);
	put_u64(out, 0); /* names of threads, which the records tell */
}
