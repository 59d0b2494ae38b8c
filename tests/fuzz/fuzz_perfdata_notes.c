/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_perfdata_notes: the body of a note in a recording. What is read of it is written again, and
 * what is read of that is the same.
 */
#include "format/perf/perfdata.h"
#include "format/perf/perfdata_notes.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As the instructions of so many samples, which have no other notes. */
static void put_instructions(struct wp_perfdata_notes *out, const struct wp_perfdata_note *note)
{
	for (size_t i = 0; i < note->n_frames; i++) {
		struct wp_stack_note sample = {.thread = 0};

		memcpy(&sample.instruction, note->frames + 8 * i, sizeof(sample.instruction));
		wp_perfdata_put_sample_note(out, &sample);
	}
}

static bool is_whole(const struct wp_perfdata_bytecode *bytecode)
{
	return bytecode->n == (uint64_t)bytecode->code_bytes + bytecode->lines_bytes;
}

static void put(struct wp_perfdata_notes *out, const struct wp_perfdata_note *note)
{
	wp_autofree uint64_t *frames = NULL;

	switch (note->kind) {
	case WP_PERFDATA_NOTE_FUNCTION: wp_perfdata_put_function(out, &note->function); break;
	case WP_PERFDATA_NOTE_SAMPLE: wp_perfdata_put_sample_note(out, &note->sample); break;
	case WP_PERFDATA_NOTE_RUN: wp_perfdata_put_run(out, &note->run); break;
	case WP_PERFDATA_NOTE_NAME: wp_perfdata_put_name(out, &note->name); break;
	case WP_PERFDATA_NOTE_WEIGHT: wp_perfdata_put_weight(out, &note->weight); break;
	case WP_PERFDATA_NOTE_INSTRUCTIONS: put_instructions(out, note); break;
	case WP_PERFDATA_NOTE_BYTECODE:
		if (is_whole(&note->bytecode))
			wp_perfdata_put_bytecode(out, &note->bytecode);
		break;
	case WP_PERFDATA_NOTE_PLACE: wp_perfdata_put_place(out, &note->place); break;
	case WP_PERFDATA_NOTE_OBJECT_TYPE: wp_perfdata_put_type(out, &note->type); break;
	case WP_PERFDATA_NOTE_BLOCK: wp_perfdata_put_block(out, &note->block); break;
	case WP_PERFDATA_NOTE_FRAMES:
	case WP_PERFDATA_NOTE_REST:
		frames = wp_calloc(note->n_frames + 1, sizeof(*frames));
		memcpy(frames, note->frames, note->n_frames * sizeof(*frames));
		(note->kind == WP_PERFDATA_NOTE_REST
			 ? wp_perfdata_put_rest
			 : wp_perfdata_put_frames)(out, frames, note->n_frames);
		break;
	default: break;
	}
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_function(const struct wp_perfdata_function *a,
			  const struct wp_perfdata_function *b)
{
	return a->number == b->number && a->first_line == b->first_line &&
	       a->line_base == b->line_base && same_text(a->name, b->name) &&
	       same_text(a->file, b->file);
}

static bool same_run(const struct wp_perfdata_run *a, const struct wp_perfdata_run *b)
{
	return a->image_pid == b->image_pid && a->began == b->began &&
	       a->has_sources == b->has_sources && same_text(a->image_path, b->image_path) &&
	       same_text(a->host, b->host) && same_text(a->cwd, b->cwd) &&
	       same_text(a->owners, b->owners);
}

static bool same_sample(const struct wp_stack_note *a, const struct wp_stack_note *b)
{
	return a->thread == b->thread && a->flags == b->flags && a->end == b->end &&
	       a->unbound == b->unbound && a->missing == b->missing;
}

/* One that is longer than a piece is cut again. */
static bool same_bytecode(const struct wp_perfdata_bytecode *a,
			  const struct wp_perfdata_bytecode *b)
{
	return a->number == b->number && a->version == b->version && a->form == b->form &&
	       a->first_line == b->first_line && a->code_bytes == b->code_bytes &&
	       a->lines_bytes == b->lines_bytes && a->from == b->from && b->n <= a->n &&
	       memcmp(a->bytes, b->bytes, b->n) == 0;
}

static bool same_place(const struct wp_perfdata_place *a, const struct wp_perfdata_place *b)
{
	return a->number == b->number && a->function == b->function && a->pid == b->pid &&
	       a->bytes == b->bytes && a->start == b->start && a->first_ns == b->first_ns &&
	       a->last_ns == b->last_ns;
}

static bool same_block(const struct wp_perfdata_block *a, const struct wp_perfdata_block *b)
{
	return a->pid == b->pid && a->bytes == b->bytes && a->kind == b->kind &&
	       a->type == b->type && a->start == b->start && a->first_ns == b->first_ns &&
	       a->last_ns == b->last_ns && a->late_ns == b->late_ns;
}

static bool same(const struct wp_perfdata_note *a, const struct wp_perfdata_note *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case WP_PERFDATA_NOTE_FUNCTION: return same_function(&a->function, &b->function);
	case WP_PERFDATA_NOTE_SAMPLE: return same_sample(&a->sample, &b->sample);
	case WP_PERFDATA_NOTE_RUN: return same_run(&a->run, &b->run);
	case WP_PERFDATA_NOTE_NAME:
		return a->name.pid == b->name.pid && a->name.tid == b->name.tid &&
		       a->name.time_ns == b->name.time_ns && same_text(a->name.name, b->name.name);
	case WP_PERFDATA_NOTE_WEIGHT:
		return a->weight.event == b->weight.event &&
		       same_text(a->weight.field, b->weight.field);
	case WP_PERFDATA_NOTE_PLACE: return same_place(&a->place, &b->place);
	case WP_PERFDATA_NOTE_OBJECT_TYPE:
		return a->type.number == b->type.number && same_text(a->type.name, b->type.name);
	case WP_PERFDATA_NOTE_BLOCK: return same_block(&a->block, &b->block);
	case WP_PERFDATA_NOTE_BYTECODE: return same_bytecode(&a->bytecode, &b->bytecode);
	default:
		return a->n_frames == b->n_frames &&
		       memcmp(a->frames, b->frames, 8 * a->n_frames) == 0;
	}
}

/* Lists are cut in parts: the first is enough. */
static void check_first(const struct wp_perfdata_note *note, struct wp_bytes set)
{
	struct wp_perfdata_note again, want = *note;
	struct wp_bytes body;
	bool is_list = note->kind == WP_PERFDATA_NOTE_FRAMES ||
		       note->kind == WP_PERFDATA_NOTE_REST ||
		       note->kind == WP_PERFDATA_NOTE_INSTRUCTIONS;

	if (!wp_perfdata_note_next(&set, &body))
		abort();
	again = wp_perfdata_note_read(body);
	if (is_list && again.n_frames < want.n_frames && again.n_frames)
		want.n_frames = again.n_frames;
	if (!same(&want, &again))
		abort();
}

static void check_again(const struct wp_perfdata_note *note)
{
	wp_autostr struct wp_str out = {0};
	struct wp_perfdata_notes notes = {0};
	struct wp_perfdata_record record;
	struct wp_perfdata_note set;

	put(&notes, note);
	if (note->kind == WP_PERFDATA_NOTE_INSTRUCTIONS && !notes.has_instruction) {
		wp_perfdata_notes_deinit(&notes); /* no sample had one */
		return;
	}
	wp_perfdata_put_notes(&out, &notes);
	wp_perfdata_notes_deinit(&notes);
	if (!out.len)
		return; /* a list without frames, a piece */
	if (wp_perfdata_record_read((const uint8_t *)out.s, out.len, &record) !=
		    WP_PERFDATA_WHOLE ||
	    record.type != WP_PERFDATA_NOTE_TYPE || record.size < 80)
		abort();
	set = wp_perfdata_note_read(wp_perfdata_body((const uint8_t *)out.s, &record));
	if (set.kind != WP_PERFDATA_NOTE_SET || set.goes_on)
		abort();
	check_first(note, set.set);
}

/* Of each of its notes. */
static void check_set(struct wp_bytes set)
{
	struct wp_perfdata_note note;
	struct wp_bytes body;

	while (wp_perfdata_note_next(&set, &body)) {
		note = wp_perfdata_note_read(body);
		if (note.kind > WP_PERFDATA_NOTE_SET)
			check_again(&note);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_perfdata_note note;

	if (size > UINT16_MAX)
		return 0; /* no record has more */
	note = wp_perfdata_note_read(wp_bytes_of(data, size));
	if (note.kind == WP_PERFDATA_NOTE_SET)
		check_set(note.set);
	else if (note.kind > WP_PERFDATA_NOTE_SET)
		check_again(&note);
	return 0;
}
