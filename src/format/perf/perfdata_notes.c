/* SPDX-License-Identifier: BSD-3-Clause */
/* perfdata_notes: see perfdata_notes.h. A body begins with four letters that say what it is. */
#include "format/perf/perfdata_notes.h"

#include "format/perf/perfdata_write.h"

#include <string.h>

#define FUNCTION   0x6e665057u /* "WPfn" */
#define SAMPLE	   0x61735057u /* "WPsa" */
#define FRAMES	   0x72665057u /* "WPfr" */
#define REST	   0x68635057u /* "WPch" */
#define RUN	   0x6e725057u /* "WPrn" */
#define NAME	   0x6d6e5057u /* "WPnm" */
#define FRAMES_MAX 8000	       /* of one record */

/* How much of a text is kept: a record's size has 16 bits. */
static size_t kept_bytes(const char *text)
{
	size_t bytes = strlen(text);

	return bytes < WP_PERFDATA_TEXT_MAX ? bytes : WP_PERFDATA_TEXT_MAX;
}

static void put_head(struct wp_str *out, size_t body)
{
	uint16_t head[2] = {0, (uint16_t)(8 + body)};

	wp_perfdata_put_u32(out, WP_PERFDATA_NOTE_TYPE);
	wp_str_append(out, (const char *)head, sizeof(head));
}

void wp_perfdata_put_function(struct wp_str *out, const struct wp_perfdata_function *function)
{
	size_t name = function->name ? kept_bytes(function->name) : 0;
	size_t file = kept_bytes(function->file), bytes = 24 + name + file + 2;
	size_t padded = (bytes + 7) & ~(size_t)7;

	put_head(out, padded);
	wp_perfdata_put_u32(out, FUNCTION);
	wp_perfdata_put_u32(out, function->number);
	wp_perfdata_put_u32(out, function->first_line);
	wp_perfdata_put_u32(out, function->line_base);
	wp_perfdata_put_u32(out, function->name != NULL);
	wp_perfdata_put_u32(out, 0);
	wp_str_append(out, function->name ? function->name : "", name);
	wp_str_pad(out, '\0', 1);
	wp_str_append(out, function->file, file);
	wp_str_pad(out, '\0', 1 + padded - bytes);
}

void wp_perfdata_put_sample_note(struct wp_str *out, const struct wp_stack_note *note)
{
	put_head(out, 24);
	wp_perfdata_put_u32(out, SAMPLE);
	wp_perfdata_put_u32(out, note->thread);
	wp_perfdata_put_u32(out, note->flags);
	wp_perfdata_put_u32(out, note->end);
	wp_perfdata_put_u32(out, note->unbound);
	wp_perfdata_put_u32(out, note->missing);
}

static void put_list(struct wp_str *out, uint32_t kind, const uint64_t *frames, size_t n)
{
	for (size_t at = 0; at < n; at += FRAMES_MAX) {
		size_t part = n - at < FRAMES_MAX ? n - at : FRAMES_MAX;

		put_head(out, 8 + 8 * part);
		wp_perfdata_put_u32(out, kind);
		wp_perfdata_put_u32(out, (uint32_t)part);
		wp_str_append(out, (const char *)(frames + at), 8 * part);
	}
}

void wp_perfdata_put_frames(struct wp_str *out, const uint64_t *frames, size_t n)
{
	put_list(out, FRAMES, frames, n);
}

void wp_perfdata_put_rest(struct wp_str *out, const uint64_t *frames, size_t n)
{
	put_list(out, REST, frames, n);
}

void wp_perfdata_put_run(struct wp_str *out, const struct wp_perfdata_run *run)
{
	const char *texts[] = {run->image_path, run->host, run->cwd, run->owners};
	size_t bytes = 24;

	for (size_t i = 0; i < WP_ARRAY_LEN(texts); i++)
		bytes += kept_bytes(texts[i]) + 1;
	put_head(out, (bytes + 7) & ~(size_t)7);
	wp_perfdata_put_u32(out, RUN);
	wp_perfdata_put_u32(out, run->image_pid);
	wp_perfdata_put_u64(out, (uint64_t)run->began);
	wp_perfdata_put_u64(out, run->has_sources);
	for (size_t i = 0; i < WP_ARRAY_LEN(texts); i++) {
		wp_str_append(out, texts[i], kept_bytes(texts[i]));
		wp_str_pad(out, '\0', 1);
	}
	wp_str_pad(out, '\0', -bytes & 7);
}

void wp_perfdata_put_name(struct wp_str *out, const struct wp_perfdata_name *name)
{
	size_t text = kept_bytes(name->name), bytes = 24 + text + 1;
	size_t padded = (bytes + 7) & ~(size_t)7;

	put_head(out, padded);
	wp_perfdata_put_u32(out, NAME);
	wp_perfdata_put_u32(out, name->pid);
	wp_perfdata_put_u32(out, name->tid);
	wp_perfdata_put_u32(out, 0);
	wp_perfdata_put_u64(out, name->time_ns);
	wp_str_append(out, name->name, text);
	wp_str_pad(out, '\0', 1 + padded - bytes);
}

static void read_name(struct wp_bytes *b, struct wp_perfdata_note *ret)
{
	struct wp_perfdata_name *name = &ret->name;

	name->pid = wp_bytes_u32(b);
	name->tid = wp_bytes_u32(b);
	wp_bytes_skip(b, 4);
	name->time_ns = wp_bytes_u64(b);
	name->name = wp_bytes_str(b, WP_PERFDATA_TEXT_MAX);
	if (!b->failed)
		ret->kind = WP_PERFDATA_NOTE_NAME;
}

static void read_run(struct wp_bytes *b, struct wp_perfdata_note *ret)
{
	struct wp_perfdata_run *run = &ret->run;

	run->image_pid = wp_bytes_u32(b);
	run->began = (int64_t)wp_bytes_u64(b);
	run->has_sources = wp_bytes_u64(b) != 0;
	run->image_path = wp_bytes_str(b, WP_PERFDATA_TEXT_MAX);
	run->host = wp_bytes_str(b, WP_PERFDATA_TEXT_MAX);
	run->cwd = wp_bytes_str(b, WP_PERFDATA_TEXT_MAX);
	if (!b->failed)
		ret->kind = WP_PERFDATA_NOTE_RUN;
	run->owners = wp_bytes_str(b, WP_PERFDATA_TEXT_MAX); /* older recordings have none */
	if (b->failed)
		run->owners = "";
}

static void read_function(struct wp_bytes *b, struct wp_perfdata_note *ret)
{
	struct wp_perfdata_function *function = &ret->function;
	bool known;

	function->number = wp_bytes_u32(b);
	function->first_line = wp_bytes_u32(b);
	function->line_base = wp_bytes_u32(b);
	known = wp_bytes_u32(b);
	wp_bytes_skip(b, 4);
	function->name = wp_bytes_str(b, WP_PERFDATA_TEXT_MAX);
	function->file = wp_bytes_str(b, WP_PERFDATA_TEXT_MAX);
	if (b->failed || function->number >= WP_PERFDATA_PYTHON_MAX)
		return;
	if (!known)
		function->name = NULL;
	ret->kind = WP_PERFDATA_NOTE_FUNCTION;
}

static void read_sample(struct wp_bytes *b, struct wp_perfdata_note *ret)
{
	struct wp_stack_note *note = &ret->sample;

	note->thread = wp_bytes_u32(b);
	note->flags = wp_bytes_u32(b);
	note->end = wp_bytes_u32(b);
	note->unbound = wp_bytes_u32(b);
	note->missing = wp_bytes_u32(b);
	if (!b->failed && note->end < WP_STACK_ENDS)
		ret->kind = WP_PERFDATA_NOTE_SAMPLE;
}

static void read_frames(struct wp_bytes *b, enum wp_perfdata_note_kind kind,
			struct wp_perfdata_note *ret)
{
	ret->n_frames = wp_bytes_u32(b);
	ret->frames = wp_bytes_take(b, 8 * (uint64_t)ret->n_frames);
	if (!b->failed)
		ret->kind = kind;
}

struct wp_perfdata_note wp_perfdata_note_read(struct wp_bytes body)
{
	struct wp_perfdata_note ret = {.kind = WP_PERFDATA_NOTE_NONE};

	switch (wp_bytes_u32(&body)) {
	case FUNCTION: read_function(&body, &ret); break;
	case SAMPLE: read_sample(&body, &ret); break;
	case FRAMES: read_frames(&body, WP_PERFDATA_NOTE_FRAMES, &ret); break;
	case REST: read_frames(&body, WP_PERFDATA_NOTE_REST, &ret); break;
	case RUN: read_run(&body, &ret); break;
	case NAME: read_name(&body, &ret); break;
	default: break;
	}
	return ret;
}
