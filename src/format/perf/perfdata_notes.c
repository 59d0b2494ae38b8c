/* SPDX-License-Identifier: BSD-3-Clause */
/* perfdata_notes: see perfdata_notes.h. A body begins with four letters that say what it is. */
#include "format/perf/perfdata_notes.h"

#include "format/perf/perfdata_write.h"
#include "format/python/python_bytecode.h"

#include <string.h>

#define SET	   0x736e5057u /* "WPns" */
#define FUNCTION   0x6e665057u /* "WPfn" */
#define SAMPLE	   0x61735057u /* "WPsa" */
#define SAMPLES	   0x73735057u /* "WPss" */
#define FRAMES	   0x72665057u /* "WPfr" */
#define REST	   0x68635057u /* "WPch" */
#define RUN	   0x6e725057u /* "WPrn" */
#define NAME	   0x6d6e5057u /* "WPnm" */
#define WEIGHT	   0x74775057u /* "WPwt" */
#define PLACES	   0x6e695057u /* "WPin": instructions */
#define BYTECODE   0x63625057u /* "WPbc" */
#define PLACE	   0x6c705057u /* "WPpl" */
#define TYPE	   0x79745057u /* "WPty" */
#define BLOCK	   0x6b625057u /* "WPbk" */
#define FRAMES_MAX 8000	       /* of one note */

#define HEAD_BYTES   8	   /* struct perf_event_header */
#define SET_BYTES    8	   /* its letters, whether it goes on */
#define SIZE_BYTES   4	   /* of a note in a set */
#define SET_MAX	     65528 /* of a record: its size has 16 bits */
#define RECORD_LEAST 80	   /* struct perf_record_header_event_type */
#define PATH_KEPT    8192
#define BLOCK_MAX    16384  /* bytes of a block of pymalloc: a pool */
#define PIECE_MAX    32768u /* of bytecode in one note */

/* How much of a text is kept. Not strnlen(): gcc, linking, sees that some are shorter than `most`.
 */
static size_t kept_text_bytes(const char *text, size_t most)
{
	size_t n = strlen(text);

	return n < most ? n : most;
}

static void put_note_head(struct wp_str *out, size_t body)
{
	uint16_t head[2] = {0, (uint16_t)(HEAD_BYTES + body)};

	wp_perfdata_put_u32(out, WP_PERFDATA_NOTE_TYPE);
	wp_str_append(out, (const char *)head, sizeof(head));
}

/* Begins a note; its size is filled in by end_note(). Returns where it begins. */
static size_t begin_note(struct wp_perfdata_notes *out, uint32_t kind)
{
	size_t at = out->bytes.len;

	wp_perfdata_put_u32(&out->bytes, 0);
	wp_perfdata_put_u32(&out->bytes, kind);
	out->sample = 0;
	return at;
}

static void end_note(struct wp_perfdata_notes *out, size_t at)
{
	uint32_t size;

	wp_str_pad(&out->bytes, '\0', -(out->bytes.len - at) & 3);
	size = (uint32_t)(out->bytes.len - at - SIZE_BYTES);
	memcpy(out->bytes.s + at, &size, sizeof(size));
}

static void put_note_text(struct wp_str *out, const char *text, size_t most)
{
	wp_str_append(out, text, kept_text_bytes(text, most));
	wp_str_pad(out, '\0', 1);
}

void wp_perfdata_put_function(struct wp_perfdata_notes *out,
			      const struct wp_perfdata_function *function)
{
	size_t at = begin_note(out, FUNCTION);

	wp_perfdata_put_u32(&out->bytes, function->number);
	wp_perfdata_put_u32(&out->bytes, function->first_line);
	wp_perfdata_put_u32(&out->bytes, function->line_base);
	wp_perfdata_put_u32(&out->bytes, function->name != NULL);
	wp_perfdata_put_u32(&out->bytes, 0);
	put_note_text(&out->bytes, function->name ? function->name : "", WP_PERFDATA_TEXT_MAX);
	put_note_text(&out->bytes, function->file, WP_PERFDATA_TEXT_MAX);
	end_note(out, at);
}

/* Most samples have the note of the one before. */
static bool repeat_sample(struct wp_perfdata_notes *out, const uint32_t *words, size_t n)
{
	uint32_t samples;
	char *last;

	if (!out->sample)
		return false;
	last = out->bytes.s + out->sample;
	memcpy(&samples, last + n * sizeof(*words), sizeof(samples));
	if (memcmp(last, words, n * sizeof(*words)) != 0 || samples == UINT32_MAX)
		return false;
	samples++;
	memcpy(last + n * sizeof(*words), &samples, sizeof(samples));
	return true;
}

void wp_perfdata_put_sample_note(struct wp_perfdata_notes *out, const struct wp_stack_note *note)
{
	const uint32_t words[] = {note->thread, note->flags, note->end, note->unbound,
				  note->missing};
	size_t at;

	wp_vec_push(&out->instructions, note->instruction);
	out->has_instruction |= note->instruction.code != 0;
	if (repeat_sample(out, words, WP_ARRAY_LEN(words)))
		return;
	at = begin_note(out, SAMPLES);
	wp_str_append(&out->bytes, (const char *)words, sizeof(words));
	wp_perfdata_put_u32(&out->bytes, 1);
	end_note(out, at);
	if (!note->n_frames && !note->n_rest) /* lists are of one sample */
		out->sample = at + SIZE_BYTES + 4;
}

static void put_list(struct wp_perfdata_notes *out, uint32_t kind, const void *words, size_t n)
{
	for (size_t at = 0; at < n; at += FRAMES_MAX) {
		size_t part = n - at < FRAMES_MAX ? n - at : FRAMES_MAX;
		size_t note = begin_note(out, kind);

		wp_perfdata_put_u32(&out->bytes, (uint32_t)part);
		wp_str_append(&out->bytes, (const char *)words + 8 * at, 8 * part);
		end_note(out, note);
	}
}

void wp_perfdata_put_frames(struct wp_perfdata_notes *out, const uint64_t *frames, size_t n)
{
	put_list(out, FRAMES, frames, n);
}

void wp_perfdata_put_rest(struct wp_perfdata_notes *out, const uint64_t *frames, size_t n)
{
	put_list(out, REST, frames, n);
}

void wp_perfdata_put_run(struct wp_perfdata_notes *out, const struct wp_perfdata_run *run)
{
	size_t at = begin_note(out, RUN);

	wp_perfdata_put_u32(&out->bytes, run->image_pid);
	wp_perfdata_put_u64(&out->bytes, (uint64_t)run->began);
	wp_perfdata_put_u64(&out->bytes, run->has_sources);
	put_note_text(&out->bytes, run->image_path, PATH_KEPT);
	put_note_text(&out->bytes, run->host, PATH_KEPT);
	put_note_text(&out->bytes, run->cwd, PATH_KEPT);
	put_note_text(&out->bytes, run->owners, WP_PERFDATA_TEXT_MAX);
	end_note(out, at);
}

void wp_perfdata_put_name(struct wp_perfdata_notes *out, const struct wp_perfdata_name *name)
{
	size_t at = begin_note(out, NAME);

	wp_perfdata_put_u32(&out->bytes, name->pid);
	wp_perfdata_put_u32(&out->bytes, name->tid);
	wp_perfdata_put_u32(&out->bytes, 0);
	wp_perfdata_put_u64(&out->bytes, name->time_ns);
	put_note_text(&out->bytes, name->name, WP_PERFDATA_TEXT_MAX);
	end_note(out, at);
}

void wp_perfdata_put_weight(struct wp_perfdata_notes *out, const struct wp_perfdata_weight *weight)
{
	size_t at = begin_note(out, WEIGHT);

	wp_perfdata_put_u32(&out->bytes, weight->event);
	put_note_text(&out->bytes, weight->field, WP_PERFDATA_TEXT_MAX);
	end_note(out, at);
}

void wp_perfdata_put_bytecode(struct wp_perfdata_notes *out,
			      const struct wp_perfdata_bytecode *bytecode)
{
	uint32_t n = bytecode->code_bytes + bytecode->lines_bytes, piece;

	for (uint32_t from = 0; from < n; from += piece) {
		size_t at = begin_note(out, BYTECODE);

		piece = n - from < PIECE_MAX ? n - from : PIECE_MAX;
		wp_perfdata_put_u32(&out->bytes, bytecode->number);
		wp_perfdata_put_u32(&out->bytes, bytecode->version);
		wp_perfdata_put_u32(&out->bytes, bytecode->form);
		wp_perfdata_put_u32(&out->bytes, bytecode->first_line);
		wp_perfdata_put_u32(&out->bytes, bytecode->code_bytes);
		wp_perfdata_put_u32(&out->bytes, bytecode->lines_bytes);
		wp_perfdata_put_u32(&out->bytes, from);
		wp_perfdata_put_u32(&out->bytes, piece);
		wp_str_append(&out->bytes, (const char *)bytecode->bytes + from, piece);
		end_note(out, at);
	}
}

void wp_perfdata_put_place(struct wp_perfdata_notes *out, const struct wp_perfdata_place *place)
{
	size_t at = begin_note(out, PLACE);

	wp_perfdata_put_u32(&out->bytes, place->number);
	wp_perfdata_put_u32(&out->bytes, place->function);
	wp_perfdata_put_u32(&out->bytes, place->pid);
	wp_perfdata_put_u32(&out->bytes, place->bytes);
	wp_perfdata_put_u64(&out->bytes, place->start);
	wp_perfdata_put_u64(&out->bytes, place->first_ns);
	wp_perfdata_put_u64(&out->bytes, place->last_ns);
	end_note(out, at);
}

void wp_perfdata_put_type(struct wp_perfdata_notes *out, const struct wp_perfdata_type *type)
{
	size_t at = begin_note(out, TYPE);

	wp_perfdata_put_u32(&out->bytes, type->number);
	put_note_text(&out->bytes, type->name, WP_PERFDATA_TEXT_MAX);
	end_note(out, at);
}

void wp_perfdata_put_block(struct wp_perfdata_notes *out, const struct wp_perfdata_block *block)
{
	size_t at = begin_note(out, BLOCK);

	wp_perfdata_put_u32(&out->bytes, block->pid);
	wp_perfdata_put_u32(&out->bytes, block->bytes);
	wp_perfdata_put_u32(&out->bytes, block->kind);
	wp_perfdata_put_u32(&out->bytes, block->type);
	wp_perfdata_put_u64(&out->bytes, block->start);
	wp_perfdata_put_u64(&out->bytes, block->first_ns);
	wp_perfdata_put_u64(&out->bytes, block->last_ns);
	wp_perfdata_put_u64(&out->bytes, block->late_ns);
	end_note(out, at);
}

/* Instructions stand before the notes of their samples. */
static void put_places_first(struct wp_perfdata_notes *notes)
{
	struct wp_str rest = notes->bytes;

	_Static_assert(sizeof(*notes->instructions.v) == 8, "a word of a list");
	if (notes->has_instruction) {
		notes->bytes = (struct wp_str){0};
		put_list(notes, PLACES, notes->instructions.v, notes->instructions.n);
		wp_str_append(&notes->bytes, rest.s, rest.len);
		wp_str_deinit(&rest);
	}
	notes->instructions.n = 0;
	notes->has_instruction = false;
}

/* As many whole notes from `at` on as a record has room for. */
static size_t find_part(const struct wp_str *notes, size_t at)
{
	size_t end = at;
	uint32_t size;

	while (end < notes->len) {
		memcpy(&size, notes->s + end, sizeof(size));
		if (end + SIZE_BYTES + size - at > SET_MAX - HEAD_BYTES - SET_BYTES)
			break;
		end += SIZE_BYTES + size;
	}
	return end - at;
}

void wp_perfdata_put_notes(struct wp_str *out, struct wp_perfdata_notes *notes)
{
	put_places_first(notes);
	for (size_t at = 0, n; at < notes->bytes.len; at += n) {
		size_t body;

		n = find_part(&notes->bytes, at);
		body = (SET_BYTES + n + 7) & ~(size_t)7;
		if (body < RECORD_LEAST - HEAD_BYTES)
			body = RECORD_LEAST - HEAD_BYTES;
		put_note_head(out, body);
		wp_perfdata_put_u32(out, SET);
		wp_perfdata_put_u32(out, at > 0);
		wp_str_append(out, notes->bytes.s + at, n);
		wp_str_pad(out, '\0', body - SET_BYTES - n);
	}
	notes->bytes.len = 0;
	notes->sample = 0;
}

void wp_perfdata_notes_deinit(struct wp_perfdata_notes *notes)
{
	wp_str_deinit(&notes->bytes);
	wp_vec_deinit(&notes->instructions);
	notes->sample = 0;
}

void wp_perfdata_put_single(struct wp_str *out, struct wp_bytes body)
{
	size_t n = (size_t)wp_bytes_left(&body), padded = (n + 7) & ~(size_t)7;

	put_note_head(out, padded);
	wp_str_append(out, (const char *)body.data + body.pos, n);
	wp_str_pad(out, '\0', padded - n);
}

static void read_name_note(struct wp_bytes *b, struct wp_perfdata_note *ret)
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

static void read_weight_note(struct wp_bytes *b, struct wp_perfdata_note *ret)
{
	ret->weight.event = wp_bytes_u32(b);
	ret->weight.field = wp_bytes_str(b, WP_PERFDATA_TEXT_MAX);
	if (!b->failed)
		ret->kind = WP_PERFDATA_NOTE_WEIGHT;
}

static void read_run(struct wp_bytes *b, struct wp_perfdata_note *ret)
{
	struct wp_perfdata_run *run = &ret->run;

	run->image_pid = wp_bytes_u32(b);
	run->began = (int64_t)wp_bytes_u64(b);
	run->has_sources = wp_bytes_u64(b) != 0;
	run->image_path = wp_bytes_str(b, PATH_KEPT);
	run->host = wp_bytes_str(b, PATH_KEPT);
	run->cwd = wp_bytes_str(b, PATH_KEPT);
	if (!b->failed)
		ret->kind = WP_PERFDATA_NOTE_RUN;
	run->owners = wp_bytes_str(b, WP_PERFDATA_TEXT_MAX); /* older recordings have none */
	if (b->failed)
		run->owners = "";
}

static void read_function_note(struct wp_bytes *b, struct wp_perfdata_note *ret)
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

static void read_sample_note(struct wp_bytes *b, bool many, struct wp_perfdata_note *ret)
{
	struct wp_stack_note *note = &ret->sample;

	note->thread = wp_bytes_u32(b);
	note->flags = wp_bytes_u32(b);
	note->end = wp_bytes_u32(b);
	note->unbound = wp_bytes_u32(b);
	note->missing = wp_bytes_u32(b);
	ret->samples = many ? wp_bytes_u32(b) : 1;
	if (!b->failed && note->end < WP_STACK_ENDS && ret->samples)
		ret->kind = WP_PERFDATA_NOTE_SAMPLE;
}

static void read_frames_note(struct wp_bytes *b, enum wp_perfdata_note_kind kind,
			     struct wp_perfdata_note *ret)
{
	ret->n_frames = wp_bytes_u32(b);
	ret->frames = wp_bytes_take(b, 8 * (uint64_t)ret->n_frames);
	if (!b->failed)
		ret->kind = kind;
}

static void read_bytecode_note(struct wp_bytes *b, struct wp_perfdata_note *ret)
{
	struct wp_perfdata_bytecode *bytecode = &ret->bytecode;

	bytecode->number = wp_bytes_u32(b);
	bytecode->version = wp_bytes_u32(b);
	bytecode->form = wp_bytes_u32(b);
	bytecode->first_line = wp_bytes_u32(b);
	bytecode->code_bytes = wp_bytes_u32(b);
	bytecode->lines_bytes = wp_bytes_u32(b);
	bytecode->from = wp_bytes_u32(b);
	bytecode->n = wp_bytes_u32(b);
	bytecode->bytes = wp_bytes_take(b, bytecode->n);
	if (b->failed || bytecode->code_bytes > WP_PYTHON_BYTECODE_MAX ||
	    bytecode->lines_bytes > WP_PYTHON_BYTECODE_MAX ||
	    (uint64_t)bytecode->from + bytecode->n >
		    (uint64_t)bytecode->code_bytes + bytecode->lines_bytes)
		return;
	ret->kind = WP_PERFDATA_NOTE_BYTECODE;
}

static void read_place_note(struct wp_bytes *b, struct wp_perfdata_note *ret)
{
	struct wp_perfdata_place *place = &ret->place;

	place->number = wp_bytes_u32(b);
	place->function = wp_bytes_u32(b);
	place->pid = wp_bytes_u32(b);
	place->bytes = wp_bytes_u32(b);
	place->start = wp_bytes_u64(b);
	place->first_ns = wp_bytes_u64(b);
	place->last_ns = wp_bytes_u64(b);
	if (b->failed || !place->number || place->function >= WP_PERFDATA_PYTHON_MAX ||
	    !place->bytes || place->bytes > WP_PYTHON_BYTECODE_MAX ||
	    place->start > UINT64_MAX - place->bytes || place->first_ns > place->last_ns)
		return;
	ret->kind = WP_PERFDATA_NOTE_PLACE;
}

static void read_type_note(struct wp_bytes *b, struct wp_perfdata_note *ret)
{
	ret->type.number = wp_bytes_u32(b);
	ret->type.name = wp_bytes_str(b, WP_PERFDATA_TEXT_MAX);
	if (!b->failed)
		ret->kind = WP_PERFDATA_NOTE_OBJECT_TYPE;
}

static void read_block_note(struct wp_bytes *b, struct wp_perfdata_note *ret)
{
	struct wp_perfdata_block *block = &ret->block;
	uint32_t kind;

	block->pid = wp_bytes_u32(b);
	block->bytes = wp_bytes_u32(b);
	kind = wp_bytes_u32(b);
	block->type = wp_bytes_u32(b);
	block->start = wp_bytes_u64(b);
	block->first_ns = wp_bytes_u64(b);
	block->last_ns = wp_bytes_u64(b);
	block->late_ns = wp_bytes_u64(b);
	if (b->failed || kind >= WP_PYTHON_BLOCK_KINDS || !block->bytes ||
	    block->bytes > BLOCK_MAX || block->start > UINT64_MAX - BLOCK_MAX ||
	    block->first_ns > block->last_ns)
		return;
	block->kind = (enum wp_python_block_kind)kind;
	ret->kind = WP_PERFDATA_NOTE_BLOCK;
}

static void read_set(struct wp_bytes *b, struct wp_perfdata_note *ret)
{
	uint32_t goes_on = wp_bytes_u32(b);

	if (b->failed || goes_on > 1)
		return;
	ret->kind = WP_PERFDATA_NOTE_SET;
	ret->goes_on = goes_on;
	ret->set = *b;
}

bool wp_perfdata_note_next(struct wp_bytes *set, struct wp_bytes *ret_body)
{
	uint32_t size;
	const uint8_t *body;

	if (wp_bytes_left(set) < SIZE_BYTES)
		return false;
	size = wp_bytes_u32(set);
	if (!size)
		return false;
	body = wp_bytes_take(set, size);
	if (set->failed)
		return false;
	*ret_body = wp_bytes_of(body, size);
	return true;
}

struct wp_perfdata_note wp_perfdata_note_read(struct wp_bytes body)
{
	struct wp_perfdata_note ret = {.kind = WP_PERFDATA_NOTE_NONE};

	switch (wp_bytes_u32(&body)) {
	case SET: read_set(&body, &ret); break;
	case FUNCTION: read_function_note(&body, &ret); break;
	case SAMPLE: read_sample_note(&body, false, &ret); break;
	case SAMPLES: read_sample_note(&body, true, &ret); break;
	case FRAMES: read_frames_note(&body, WP_PERFDATA_NOTE_FRAMES, &ret); break;
	case REST: read_frames_note(&body, WP_PERFDATA_NOTE_REST, &ret); break;
	case RUN: read_run(&body, &ret); break;
	case NAME: read_name_note(&body, &ret); break;
	case WEIGHT: read_weight_note(&body, &ret); break;
	case PLACES: read_frames_note(&body, WP_PERFDATA_NOTE_INSTRUCTIONS, &ret); break;
	case BYTECODE: read_bytecode_note(&body, &ret); break;
	case PLACE: read_place_note(&body, &ret); break;
	case TYPE: read_type_note(&body, &ret); break;
	case BLOCK: read_block_note(&body, &ret); break;
	default: ret.kind = WP_PERFDATA_NOTE_FOREIGN; break;
	}
	return ret;
}
