/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_recorded: see sample_recorded.h. */
#include "session/recorded/sample_recorded.h"

#include "format/perf/perfdata_notes.h"
#include "recording/recording.h"
#include "resolve/resolver_stack.h"

#include <stdlib.h>

void wp_sample_recorded_deinit(struct wp_sample_recorded *recorded)
{
	wp_vec_deinit(&recorded->symbol_of);
	wp_vec_deinit(&recorded->python);
	wp_vec_deinit(&recorded->frames);
}

static uint32_t make_symbol(struct wp_sample_recorded *recorded, uint32_t number)
{
	const struct wp_recording_function *function =
		wp_recording_function(recorded->of.source, number);

	if (!function || !function->name)
		return wp_resolver_python_unknown(recorded->of.resolver);
	return wp_resolver_python_symbol(recorded->of.resolver, function->name, function->file,
					 function->first_line);
}

/* The Python frame that an address of a chain stands for; false: it is none. */
static bool python_frame_of_address(struct wp_sample_recorded *recorded, uint64_t address,
				    struct wp_frame *ret)
{
	const struct wp_recording_function *function;
	uint32_t number, line;

	if (!wp_perfdata_python_parts(address, &number, &line))
		return false;
	function = wp_recording_function(recorded->of.source, number);
	*ret = (struct wp_frame){
		.kind = WP_FRAME_PYTHON,
		.symbol = wp_resolver_python_unknown(recorded->of.resolver),
		.ip = {address},
	};
	if (!function)
		return true;
	while (recorded->symbol_of.n <= number)
		wp_vec_push(&recorded->symbol_of, 0);
	if (!recorded->symbol_of.v[number])
		recorded->symbol_of.v[number] = make_symbol(recorded, number) + 1;
	ret->symbol = recorded->symbol_of.v[number] - 1;
	ret->line = line || function->line_base ? function->line_base + line : 0;
	recorded->of.python->unresolved += !function->name;
	return true;
}

static void add_python(struct wp_sample_recorded *recorded, const uint64_t *from, size_t n)
{
	struct wp_frame frame;

	for (size_t i = 0; i < n; i++)
		if (python_frame_of_address(recorded, from[i], &frame))
			wp_vec_push(&recorded->python,
				    (struct wp_spot_frame){frame.symbol, frame.line});
}

static void list_recorded_python(struct wp_sample_recorded *recorded,
				 const struct wp_stack_raw *raw)
{
	const struct wp_stack_note *note = raw->note;

	if (note->n_frames) {
		add_python(recorded, note->frames, note->n_frames);
		return;
	}
	add_python(recorded, raw->user_ips, raw->n_user);
	add_python(recorded, note->rest, note->n_rest);
}

static enum wp_python_word noted_word_of(const struct wp_stack_note *note)
{
	if (note->flags & WP_STACK_NOTE_PYTHON)
		return WP_PYTHON_WALKED;
	if (note->flags & WP_STACK_NOTE_EARLY)
		return WP_PYTHON_EARLY;
	return note->flags & WP_STACK_NOTE_LOST ? WP_PYTHON_LOST : WP_PYTHON_NO_WORD;
}

static void make_recorded_python(struct wp_sample_recorded *recorded,
				 const struct wp_stack_raw *raw, struct wp_sample *ret)
{
	const struct wp_stack_note *note = raw->note;

	recorded->python.n = 0;
	list_recorded_python(recorded, raw);
	ret->python = recorded->python.v;
	ret->n_python = recorded->python.n;
	ret->instruction = note->instruction;
	ret->thread = note->thread;
	ret->unbound = note->unbound;
	ret->missing = note->missing;
	ret->word = noted_word_of(note);
	if (ret->word == WP_PYTHON_NO_WORD)
		return;
	recorded->of.python->met = true;
	recorded->transport = wp_python_mode_name(
		note->flags & WP_STACK_NOTE_PINNED ? WP_PYTHON_PINNED : WP_PYTHON_BPF);
}

static void push_native(struct wp_sample_recorded *recorded, const struct wp_record *record,
			struct wp_va ip, bool caller, bool kernel)
{
	size_t n = recorded->frames.n;
	struct wp_frame frame = {
		.kind = kernel ? WP_FRAME_KERNEL : WP_FRAME_NATIVE,
		.ip = ip,
		.is_caller = caller,
	};

	frame.symbol =
		wp_sampling_symbol(recorded->of.resolver, record, ip, caller, kernel, &frame.rva);
	if (recorded->of.interpreter_frames ||
	    !wp_sampling_is_trampoline(recorded->of.resolver, &frame,
				       n ? &recorded->frames.v[n - 1] : NULL))
		wp_vec_push(&recorded->frames, frame);
}

/* Of our own recordings: as it was woven. */
static void push_woven(struct wp_sample_recorded *recorded, const struct wp_record *record,
		       const struct wp_stack_raw *raw)
{
	bool exact = raw->note->flags & WP_STACK_NOTE_EXACT;
	struct wp_frame frame;

	for (size_t i = 0; i < raw->n_kernel; i++)
		push_native(recorded, record, (struct wp_va){raw->kernel_ips[i]}, i > 0, true);
	for (size_t i = 0; i < raw->n_user + raw->note->n_rest; i++) {
		uint64_t ip = i < raw->n_user ? raw->user_ips[i] : raw->note->rest[i - raw->n_user];

		if (python_frame_of_address(recorded, ip, &frame)) {
			wp_vec_push(&recorded->frames, frame);
			continue;
		}
		push_native(recorded, record, (struct wp_va){ip}, !exact, false);
		exact = false;
	}
}

static void push_unwound(struct wp_sample_recorded *recorded, const struct wp_record *record,
			 const struct wp_stack *stack)
{
	for (size_t i = 0; i < stack->n_kernel + stack->n_user; i++)
		push_native(recorded, record, stack->frames[i].ip, i > 0 && i != stack->n_kernel,
			    i < stack->n_kernel);
}

static void make_recorded_stack(struct wp_sample_recorded *recorded, const struct wp_record *record,
				struct wp_sampling_stack *stack, struct wp_sample *ret)
{
	uint64_t unresolved = recorded->of.python->unresolved; /* a frame is counted once */
	const struct wp_stack_raw *raw = record->sample.stack;

	recorded->frames.n = 0;
	if (raw && raw->note) {
		push_woven(recorded, record, raw);
		ret->n_kernel = raw->n_kernel;
		ret->end = (enum wp_stack_end)raw->note->end;
	} else {
		wp_resolver_stack(recorded->of.resolver, record, &stack->frames);
		push_unwound(recorded, record, &stack->frames);
		ret->n_kernel = stack->frames.n_kernel;
		ret->end = stack->frames.end;
	}
	recorded->of.python->unresolved = unresolved;
	ret->has_stack = true;
	ret->frames = recorded->frames.v;
	ret->n = recorded->frames.n;
}

void wp_sample_recorded_make(struct wp_sample_recorded *recorded, const struct wp_record *record,
			     struct wp_sampling_stack *stack, struct wp_sample *ret)
{
	const struct wp_stack_raw *raw = record->sample.stack;

	if (raw && raw->note)
		make_recorded_python(recorded, raw, ret);
	if (stack)
		make_recorded_stack(recorded, record, stack, ret);
}
