/* SPDX-License-Identifier: BSD-3-Clause */
/* record_keep: see record_keep.h. */
#include "core/record_keep.h"

#include <string.h>

static void *copy_bytes(struct wp_arena *arena, const void *from, size_t bytes, size_t *total)
{
	*total += bytes;
	return bytes ? memcpy(wp_arena_alloc(arena, bytes), from, bytes) : NULL;
}

#define COPY(part, n) copy_bytes(arena, part, (n) * sizeof(*(part)), total)

static const struct wp_stack_note *keep_stack_note(struct wp_arena *arena,
						   const struct wp_stack_note *note, size_t *total)
{
	struct wp_stack_note *ret = COPY(note, 1);

	ret->frames = COPY(note->frames, note->n_frames);
	ret->rest = COPY(note->rest, note->n_rest);
	return ret;
}

static const struct wp_stack_raw *copy_raw_stack(struct wp_arena *arena,
						 const struct wp_stack_raw *raw, size_t *total)
{
	struct wp_stack_raw *ret = COPY(raw, 1);

	ret->kernel_ips = COPY(raw->kernel_ips, raw->n_kernel);
	ret->user_ips = COPY(raw->user_ips, raw->n_user);
	ret->regs = raw->regs ? COPY(raw->regs, 1) : NULL;
	ret->dump = COPY(raw->dump, raw->dump_bytes);
	ret->walked = COPY(raw->walked, raw->n_walked);
	ret->python = COPY(raw->python, raw->n_python);
	ret->note = raw->note ? keep_stack_note(arena, raw->note, total) : NULL;
	return ret;
}

static void keep_code(struct wp_arena *arena, struct wp_record_code *code, size_t *total)
{
	code->name.bytes = COPY(code->name.bytes, code->name.n);
	code->qualname.bytes = COPY(code->qualname.bytes, code->qualname.n);
	code->filename.bytes = COPY(code->filename.bytes, code->filename.n);
	code->lines = COPY(code->lines, code->lines_captured);
}

static const char *copy_record_text(struct wp_arena *arena, const char *text, size_t *total)
{
	return text ? copy_bytes(arena, text, strlen(text) + 1, total) : NULL;
}

static void copy_record_sample(struct wp_arena *arena, struct wp_record_sample *sample,
			       size_t *total)
{
	if (sample->stack)
		sample->stack = copy_raw_stack(arena, sample->stack, total);
	if (sample->data)
		sample->data = wp_sample_data_keep(arena, sample->data, total);
	sample->payload = COPY(sample->payload, sample->payload_bytes);
}

size_t wp_record_keep(struct wp_arena *arena, struct wp_record *record)
{
	size_t total = 0;

	if (record->kind == WP_RECORD_SAMPLE)
		copy_record_sample(arena, &record->sample, &total);
	else if (record->kind == WP_RECORD_AUX)
		record->aux.bytes = copy_bytes(arena, record->aux.bytes, record->aux.n, &total);
	else if (record->kind == WP_RECORD_CODE)
		keep_code(arena, &record->code, &total);
	else if (record->kind == WP_RECORD_COMM)
		record->comm.name = copy_record_text(arena, record->comm.name, &total);
	else if (record->kind == WP_RECORD_NAME)
		record->named.name = copy_record_text(arena, record->named.name, &total);
	else if (record->kind == WP_RECORD_CGROUP)
		record->cgroup.path = copy_record_text(arena, record->cgroup.path, &total);
	else if (record->kind == WP_RECORD_MAP)
		record->map.path = copy_record_text(arena, record->map.path, &total);
	return total;
}

void wp_records_deinit(struct wp_records *records)
{
	wp_vec_deinit(&records->records);
	wp_arena_deinit(&records->arena);
}
