/* SPDX-License-Identifier: BSD-3-Clause */
/* recording_notes: see recording_notes.h. */
#include "recording/recording_notes.h"

#include "base/keyed.h"

#include <string.h>

#define GAP_MAX	      4096	 /* numbers that damage may have swallowed at once */
#define TEXT_OVERHEAD 32	 /* of a text: its places in tables */
#define FRAMES_MAX    (1u << 20) /* that wait: for one sample, ten times what a walker brings */
#define COMING_MAX    (1u << 16) /* notes that wait: many times what a record has */
#define WEIGHTS_MAX   1024	 /* events that have one */

static bool take_notes_room(struct wp_recording_notes *notes, uint64_t bytes)
{
	if (!wp_budget_take(notes->budget, WP_BUDGET_PYTHON, bytes))
		return false;
	notes->taken += bytes;
	return true;
}

/* NULL: there is no room for a new one. */
static const char *keep_note_text(struct wp_recording_notes *notes, const char *text)
{
	const char *known = wp_strpool_find(&notes->strings, text);

	if (known)
		return known;
	if (!take_notes_room(notes, strlen(text) + TEXT_OVERHEAD))
		return NULL;
	return wp_strpool_get(&notes->strings, wp_strpool_id(&notes->strings, text));
}

/* A number far beyond those before it is damage: writers count up. */
static void take_function(struct wp_recording_notes *notes,
			  const struct wp_perfdata_function *function)
{
	struct wp_recording_function add = {
		.number = function->number,
		.first_line = function->first_line,
		.line_base = function->line_base,
		.told = true,
	};

	if (function->number > notes->n_functions + GAP_MAX) {
		notes->damaged++;
		return;
	}
	if (!take_notes_room(notes, sizeof(add)))
		return;
	if (function->name)
		add.name = keep_note_text(notes, function->name);
	add.file = keep_note_text(notes, function->file);
	if (!add.file) {
		add.name = NULL; /* as one that was not known */
		add.file = "";
	}
	if (notes->n_functions <= function->number)
		notes->n_functions = (size_t)function->number + 1;
	wp_vec_push(&notes->told, add);
}

void wp_recording_notes_apply(const struct wp_recording_functions *told,
			      struct wp_recording_functions *by_number)
{
	for (size_t i = 0; i < told->n; i++) {
		while (by_number->n <= told->v[i].number)
			wp_vec_push(by_number, (struct wp_recording_function){0});
		by_number->v[told->v[i].number] = told->v[i];
	}
}

static void take_frames(struct wp_recording_notes *notes, const struct wp_perfdata_note *note)
{
	for (size_t i = 0; i < note->n_frames && notes->frames.n < FRAMES_MAX; i++) {
		uint64_t address;

		memcpy(&address, note->frames + 8 * i, sizeof(address));
		wp_vec_push(&notes->frames, address);
	}
}

static void take_rest(struct wp_recording_notes *notes, const struct wp_perfdata_note *note)
{
	for (size_t i = 0; i < note->n_frames && notes->rest.n < FRAMES_MAX; i++) {
		uint64_t address;

		memcpy(&address, note->frames + 8 * i, sizeof(address));
		wp_vec_push(&notes->rest, address);
	}
}

static void take_instructions(struct wp_recording_notes *notes, const struct wp_perfdata_note *note)
{
	for (size_t i = 0; i < note->n_frames && notes->instructions.n < FRAMES_MAX; i++) {
		struct wp_stack_instruction add;

		memcpy(&add, note->frames + sizeof(add) * i, sizeof(add));
		wp_vec_push(&notes->instructions, add);
	}
}

static bool is_next_piece(const struct wp_recording_bytecode *of,
			  const struct wp_perfdata_bytecode *piece)
{
	return of->bytes.len == piece->from && of->head.code_bytes == piece->code_bytes &&
	       of->head.lines_bytes == piece->lines_bytes;
}

/* Pieces come in order; what begins anew stands instead of what was told before. */
static void take_bytecode(struct wp_recording_notes *notes,
			  const struct wp_perfdata_bytecode *piece)
{
	struct wp_recording_bytecode *of;

	if (!take_notes_room(notes, sizeof(*of) + piece->n))
		return;
	of = wp_keyed_put(&notes->bytecodes, &notes->bytecode_of, piece->number,
			  (struct wp_recording_bytecode){.head = *piece});
	if (!piece->from) {
		of->head = *piece;
		of->bytes.len = 0;
	}
	of->head.bytes = NULL;
	if (is_next_piece(of, piece))
		wp_str_append(&of->bytes, (const char *)piece->bytes, piece->n);
	else
		notes->damaged++;
}

bool wp_recording_notes_bytecode(const struct wp_recording_notes *notes, uint32_t number,
				 struct wp_python_bytecode *ret)
{
	const uint64_t *index = wp_map_get(&notes->bytecode_of, number);
	const struct wp_recording_bytecode *of = index ? &notes->bytecodes.v[*index - 1] : NULL;

	if (!of || of->bytes.len != (size_t)of->head.code_bytes + of->head.lines_bytes)
		return false;
	*ret = (struct wp_python_bytecode){
		.version = of->head.version,
		.code = (const uint8_t *)of->bytes.s,
		.n = of->head.code_bytes,
		.lines = {.form = (enum wp_python_lines_form)of->head.form,
			  .first_line = of->head.first_line,
			  .bytes = (const uint8_t *)of->bytes.s + of->head.code_bytes,
			  .n = of->head.lines_bytes},
	};
	return true;
}

static void take_code_place(struct wp_recording_notes *notes, const struct wp_perfdata_place *place)
{
	if (take_notes_room(notes, sizeof(*place)))
		wp_vec_push(&notes->places, *place);
}

static void take_object_type(struct wp_recording_notes *notes, const struct wp_perfdata_type *type)
{
	struct wp_perfdata_type add = {type->number, keep_note_text(notes, type->name)};

	if (add.name && take_notes_room(notes, sizeof(add)))
		wp_vec_push(&notes->types, add);
}

static void take_touched_block(struct wp_recording_notes *notes,
			       const struct wp_perfdata_block *block)
{
	if (take_notes_room(notes, sizeof(*block)))
		wp_vec_push(&notes->blocks, *block);
}

static void take_run(struct wp_recording_notes *notes, const struct wp_perfdata_run *run)
{
	notes->run = *run;
	notes->run.image_path = keep_note_text(notes, run->image_path);
	notes->run.host = keep_note_text(notes, run->host);
	notes->run.cwd = keep_note_text(notes, run->cwd);
	notes->run.owners = keep_note_text(notes, run->owners);
}

static void take_weight(struct wp_recording_notes *notes, const struct wp_perfdata_weight *weight)
{
	struct wp_perfdata_weight add = {weight->event, keep_note_text(notes, weight->field)};

	if (add.field && notes->weights.n < WEIGHTS_MAX)
		wp_vec_push(&notes->weights, add);
	else
		notes->damaged++;
}

/* A sample's note ends what was told of its frames. */
static void take_sample_note(struct wp_recording_notes *notes, const struct wp_perfdata_note *note)
{
	struct wp_recording_coming add = {
		.note = note->sample,
		.frames_at = notes->n_frames,
		.rest_at = notes->n_rest,
		.samples = note->samples,
	};

	if (notes->coming.n >= COMING_MAX) {
		notes->damaged++;
		return;
	}
	add.note.n_frames = notes->frames.n - notes->n_frames;
	add.note.n_rest = notes->rest.n - notes->n_rest;
	notes->n_frames = notes->frames.n;
	notes->n_rest = notes->rest.n;
	wp_vec_push(&notes->coming, add);
}

/* What is left are notes of samples that are not there. */
static void drop_coming(struct wp_recording_notes *notes)
{
	notes->instructions.n = notes->instruction_at = 0;
	if (!notes->coming.n)
		return;
	notes->coming.n = notes->at = 0;
	notes->frames.n = notes->rest.n = 0;
	notes->n_frames = notes->n_rest = 0;
}

static void take_timed_name(struct wp_recording_notes *notes, const struct wp_perfdata_note *note,
			    struct wp_bytes body, wp_recording_timed_fn *timed, void *arg)
{
	notes->name.len = 0;
	wp_perfdata_put_single(&notes->name, body);
	timed(arg, note->name.time_ns, (const uint8_t *)notes->name.s, notes->name.len);
}

static void take_known_note(struct wp_recording_notes *notes, const struct wp_perfdata_note *note,
			    struct wp_bytes body, wp_recording_timed_fn *timed, void *arg)
{
	switch (note->kind) {
	case WP_PERFDATA_NOTE_FUNCTION: take_function(notes, &note->function); break;
	case WP_PERFDATA_NOTE_FRAMES: take_frames(notes, note); break;
	case WP_PERFDATA_NOTE_REST: take_rest(notes, note); break;
	case WP_PERFDATA_NOTE_SAMPLE: take_sample_note(notes, note); break;
	case WP_PERFDATA_NOTE_RUN: take_run(notes, &note->run); break;
	case WP_PERFDATA_NOTE_INSTRUCTIONS: take_instructions(notes, note); break;
	case WP_PERFDATA_NOTE_BYTECODE: take_bytecode(notes, &note->bytecode); break;
	case WP_PERFDATA_NOTE_PLACE: take_code_place(notes, &note->place); break;
	case WP_PERFDATA_NOTE_OBJECT_TYPE: take_object_type(notes, &note->type); break;
	case WP_PERFDATA_NOTE_BLOCK: take_touched_block(notes, &note->block); break;
	case WP_PERFDATA_NOTE_WEIGHT: take_weight(notes, &note->weight); break;
	case WP_PERFDATA_NOTE_NAME: take_timed_name(notes, note, body, timed, arg); break;
	case WP_PERFDATA_NOTE_FOREIGN: break;
	case WP_PERFDATA_NOTE_SET: /* inside of another one */
	case WP_PERFDATA_NOTE_NONE: notes->damaged++; break;
	}
}

static void take_set(struct wp_recording_notes *notes, struct wp_perfdata_note *set,
		     wp_recording_timed_fn *timed, void *arg)
{
	struct wp_perfdata_note note;
	struct wp_bytes body;

	if (!set->goes_on)
		drop_coming(notes);
	while (wp_perfdata_note_next(&set->set, &body)) {
		note = wp_perfdata_note_read(body);
		take_known_note(notes, &note, body, timed, arg);
	}
	notes->damaged += set->set.failed;
}

void wp_recording_notes_take(struct wp_recording_notes *notes, struct wp_bytes body,
			     wp_recording_timed_fn *timed, void *arg)
{
	struct wp_perfdata_note note = wp_perfdata_note_read(body);

	if (note.kind == WP_PERFDATA_NOTE_SET) {
		take_set(notes, &note, timed, arg);
		return;
	}
	if (note.kind == WP_PERFDATA_NOTE_SAMPLE)
		drop_coming(notes); /* 0.2 and before: one for the next sample */
	take_known_note(notes, &note, body, timed, arg);
}

const struct wp_stack_note *wp_recording_notes_of_sample(struct wp_recording_notes *notes)
{
	struct wp_recording_coming *next;

	if (!wp_recording_notes_has(notes))
		return NULL;
	next = &notes->coming.v[notes->at];
	next->note.frames = next->note.n_frames ? notes->frames.v + next->frames_at : NULL;
	next->note.rest = next->note.n_rest ? notes->rest.v + next->rest_at : NULL;
	next->note.instruction = (struct wp_stack_instruction){0};
	if (notes->instruction_at < notes->instructions.n)
		next->note.instruction = notes->instructions.v[notes->instruction_at];
	return &next->note;
}

void wp_recording_notes_forget(struct wp_recording_notes *notes)
{
	if (!wp_recording_notes_has(notes)) {
		notes->frames.n = notes->n_frames = 0;
		notes->rest.n = notes->n_rest = 0;
		return;
	}
	notes->instruction_at++;
	if (--notes->coming.v[notes->at].samples == 0 && ++notes->at == notes->coming.n)
		drop_coming(notes);
}

void wp_recording_notes_deinit(struct wp_recording_notes *notes)
{
	wp_vec_deinit(&notes->told);
	wp_vec_deinit(&notes->weights);
	wp_vec_deinit(&notes->coming);
	wp_vec_deinit(&notes->frames);
	wp_vec_deinit(&notes->rest);
	wp_vec_deinit(&notes->instructions);
	wp_vec_each (struct wp_recording_bytecode, it, &notes->bytecodes)
		wp_str_deinit(&it->bytes);
	wp_vec_deinit(&notes->bytecodes);
	wp_map_deinit(&notes->bytecode_of);
	wp_vec_deinit(&notes->places);
	wp_vec_deinit(&notes->types);
	wp_vec_deinit(&notes->blocks);
	wp_str_deinit(&notes->name);
	wp_strpool_deinit(&notes->strings);
	wp_budget_give(notes->budget, WP_BUDGET_PYTHON, notes->taken);
	*notes = (struct wp_recording_notes){.budget = notes->budget};
}
