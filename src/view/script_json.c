/* SPDX-License-Identifier: BSD-3-Clause */
/* script_json: the JSON of script_text.h. */
#include "base/clock.h"
#include "core/record.h"
#include "view/json_text.h"
#include "view/script_data.h"
#include "view/script_text.h"

#include <inttypes.h>
#include <string.h>

#define SAFE_DIGITS 15 /* with a sign, of 53 bits */

struct object {
	struct wp_writer *out;
	uint32_t fields;
	bool any; /* it has a member */
};

/* The next member's name, if the field is wanted. */
static bool put_field_key(struct object *object, enum wp_script_field field, const char *key)
{
	if (!(object->fields >> field & 1))
		return false;
	wp_json_comma(object->out, &object->any);
	wp_json_string(object->out, key);
	wp_writer_puts(object->out, ":");
	return true;
}

static void put_number_member(struct object *object, enum wp_script_field field, const char *key,
			      uint64_t number)
{
	if (put_field_key(object, field, key))
		wp_json_u64(object->out, number);
}

/* -1 is one that was exiting. */
static void put_task_number(struct object *object, enum wp_script_field field, const char *key,
			    uint32_t task)
{
	if ((int32_t)task >= 0)
		put_number_member(object, field, key, task);
	else if (put_field_key(object, field, key))
		wp_writer_printf(object->out, "%" PRId32, (int32_t)task);
}

static void put_string_member(struct object *object, enum wp_script_field field, const char *key,
			      const char *text)
{
	if (put_field_key(object, field, key))
		wp_json_string(object->out, text);
}

/* Addresses are strings: numbers of JSON's readers have 53 bits. */
static void put_address(struct object *object, enum wp_script_field field, const char *key,
			uint64_t address)
{
	if (put_field_key(object, field, key))
		wp_writer_printf(object->out, "\"0x%" PRIx64 "\"", address);
}

static const char *frame_kind_text(const struct wp_script_frame *frame)
{
	switch (frame->kind) {
	case WP_SYMBOL_PYTHON: return "python";
	case WP_SYMBOL_INLINE: return "inline";
	default: return "native";
	}
}

/* What is not known is left out. Python code has its line, other code where it is asked for. */
static void put_json_frame(const struct wp_script_frame *frame, uint32_t fields,
			   struct wp_writer *out)
{
	struct object object = {.out = out, .fields = fields};
	bool is_python = frame->kind == WP_SYMBOL_PYTHON;
	enum wp_script_field line = is_python ? WP_SCRIPT_DSO : WP_SCRIPT_SRCLINE;

	wp_writer_puts(out, "{");
	if (!is_python)
		put_address(&object, WP_SCRIPT_IP, "ip", frame->address);
	if (frame->name)
		put_string_member(&object, WP_SCRIPT_SYM, "symbol", frame->name);
	put_string_member(&object, WP_SCRIPT_SYM, "kind", frame_kind_text(frame));
	if (frame->name && !is_python && frame->kind != WP_SYMBOL_INLINE)
		put_address(&object, WP_SCRIPT_SYMOFF, "offset", frame->offset);
	if (frame->module && !is_python)
		put_string_member(&object, WP_SCRIPT_DSO, "module", frame->module);
	if (frame->file)
		put_string_member(&object, line, "file", frame->file);
	if (frame->file && frame->line)
		put_number_member(&object, line, "line", frame->line);
	wp_writer_puts(out, "}");
}

static void put_json_frames(const struct wp_script_sample *sample, struct object *object)
{
	bool any = false;

	wp_json_comma(object->out, &object->any);
	wp_writer_puts(object->out, "\"frames\":[");
	for (size_t i = 0; i < sample->n; i++) {
		wp_json_comma(object->out, &any);
		put_json_frame(&sample->frames[i], object->fields, object->out);
	}
	wp_writer_puts(object->out, "]");
}

/* Numbers as they are, if a reader of JSON keeps all of their digits. */
static void put_script_value(struct wp_writer *out, const struct wp_script_value *value)
{
	if (value->is_number && strlen(value->text) <= SAFE_DIGITS)
		wp_writer_puts(out, value->text);
	else
		wp_json_string(out, value->text);
}

static void put_values(struct object *object, const struct wp_script_sample *sample)
{
	bool any = false;

	if (!sample->n_values || (!put_field_key(object, WP_SCRIPT_VALUES, "fields") &&
				  !put_field_key(object, WP_SCRIPT_TRACE, "fields")))
		return;
	wp_writer_puts(object->out, "{");
	for (size_t i = 0; i < sample->n_values; i++) {
		wp_json_comma(object->out, &any);
		wp_json_string(object->out, sample->values[i].name);
		wp_writer_puts(object->out, ":");
		put_script_value(object->out, &sample->values[i]);
	}
	wp_writer_puts(object->out, "}");
}

void wp_script_json(const struct wp_script_sample *sample, uint32_t fields, struct wp_writer *out)
{
	struct object object = {.out = out, .fields = fields};

	wp_writer_puts(out, "{");
	if (sample->comm)
		put_string_member(&object, WP_SCRIPT_COMM, "comm", sample->comm);
	if (sample->thread)
		put_string_member(&object, WP_SCRIPT_THREAD, "thread", sample->thread);
	put_task_number(&object, WP_SCRIPT_PID, "pid", sample->pid);
	put_task_number(&object, WP_SCRIPT_TID, "tid", sample->tid);
	if (sample->cpu != WP_ANY_CPU)
		put_number_member(&object, WP_SCRIPT_CPU, "cpu", sample->cpu);
	if (!sample->no_time && put_field_key(&object, WP_SCRIPT_TIME, "time"))
		wp_json_ns(out, sample->time_ns, 9);
	put_number_member(&object, WP_SCRIPT_PERIOD, "period", sample->period);
	put_string_member(&object, WP_SCRIPT_EVENT, "event", sample->event);
	if (sample->trace)
		put_string_member(&object, WP_SCRIPT_TRACE, "trace", sample->trace);
	put_values(&object, sample);
	if (sample->python)
		put_string_member(&object, WP_SCRIPT_SYM, "python", sample->python);
	wp_script_data_json(sample, fields, out, &object.any);
	if (fields & WP_SCRIPT_STACK)
		put_json_frames(sample, &object);
	wp_writer_puts(out, "}\n");
}
