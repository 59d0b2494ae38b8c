/* SPDX-License-Identifier: BSD-3-Clause */
/* recording_notes: see recording_notes.h. */
#include "recording/recording_notes.h"

#include <string.h>

#define GAP_MAX	      4096	 /* numbers that damage may have swallowed at once */
#define TEXT_OVERHEAD 32	 /* of a text: its places in tables */
#define FRAMES_MAX    (1u << 20) /* of one sample: ten times what a walker brings */

static bool take_room(struct wp_recording_notes *notes, uint64_t bytes)
{
	if (!wp_budget_take(notes->budget, WP_BUDGET_PYTHON, bytes))
		return false;
	notes->taken += bytes;
	return true;
}

/* NULL: there is no room for a new one. */
static const char *keep_text(struct wp_recording_notes *notes, const char *text)
{
	const char *known = wp_strpool_find(&notes->strings, text);

	if (known)
		return known;
	if (!take_room(notes, strlen(text) + TEXT_OVERHEAD))
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
	if (!take_room(notes, sizeof(add)))
		return;
	if (function->name)
		add.name = keep_text(notes, function->name);
	add.file = keep_text(notes, function->file);
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

static void take_run(struct wp_recording_notes *notes, const struct wp_perfdata_run *run)
{
	notes->run = *run;
	notes->run.image_path = keep_text(notes, run->image_path);
	notes->run.host = keep_text(notes, run->host);
	notes->run.cwd = keep_text(notes, run->cwd);
	notes->run.owners = keep_text(notes, run->owners);
}

bool wp_recording_notes_take(struct wp_recording_notes *notes, struct wp_bytes body,
			     uint64_t *ret_time_ns)
{
	struct wp_perfdata_note note = wp_perfdata_note_read(body);

	switch (note.kind) {
	case WP_PERFDATA_NOTE_FUNCTION: take_function(notes, &note.function); break;
	case WP_PERFDATA_NOTE_FRAMES: take_frames(notes, &note); break;
	case WP_PERFDATA_NOTE_REST: take_rest(notes, &note); break;
	case WP_PERFDATA_NOTE_SAMPLE:
		notes->next = note.sample;
		notes->has_next = true;
		break;
	case WP_PERFDATA_NOTE_RUN: take_run(notes, &note.run); break;
	case WP_PERFDATA_NOTE_NAME: *ret_time_ns = note.name.time_ns; return true;
	case WP_PERFDATA_NOTE_NONE: notes->damaged++; break;
	}
	return false;
}

const struct wp_stack_note *wp_recording_notes_of_sample(struct wp_recording_notes *notes)
{
	if (!notes->has_next)
		return NULL;
	notes->next.frames = notes->frames.n ? notes->frames.v : NULL;
	notes->next.n_frames = notes->frames.n;
	notes->next.rest = notes->rest.v;
	notes->next.n_rest = notes->rest.n;
	return &notes->next;
}

void wp_recording_notes_deinit(struct wp_recording_notes *notes)
{
	wp_vec_deinit(&notes->told);
	wp_vec_deinit(&notes->frames);
	wp_vec_deinit(&notes->rest);
	wp_strpool_deinit(&notes->strings);
	wp_budget_give(notes->budget, WP_BUDGET_PYTHON, notes->taken);
	*notes = (struct wp_recording_notes){.budget = notes->budget};
}
