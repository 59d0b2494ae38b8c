/* SPDX-License-Identifier: BSD-3-Clause */
/* script_text: see script_text.h. */
#include "view/script_text.h"

#include "base/choice.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/record.h"
#include "view/script_data.h"

#include <inttypes.h>
#include <string.h>

static const char *const names[WP_SCRIPT_FIELDS] = {
	[WP_SCRIPT_COMM] = "comm",
	[WP_SCRIPT_THREAD] = "thread",
	[WP_SCRIPT_PID] = "pid",
	[WP_SCRIPT_TID] = "tid",
	[WP_SCRIPT_CPU] = "cpu",
	[WP_SCRIPT_TIME] = "time",
	[WP_SCRIPT_PERIOD] = "period",
	[WP_SCRIPT_EVENT] = "event",
	[WP_SCRIPT_IP] = "ip",
	[WP_SCRIPT_SYM] = "sym",
	[WP_SCRIPT_SYMOFF] = "symoff",
	[WP_SCRIPT_DSO] = "dso",
	[WP_SCRIPT_SRCLINE] = "srcline",
	[WP_SCRIPT_ADDR] = "addr",
	[WP_SCRIPT_DATA_SRC] = "data_src",
	[WP_SCRIPT_WEIGHT] = "weight",
	[WP_SCRIPT_INS_LAT] = "ins_lat",
	[WP_SCRIPT_CGROUP] = "cgroup",
	[WP_SCRIPT_IREGS] = "iregs",
	[WP_SCRIPT_UREGS] = "uregs",
	[WP_SCRIPT_BRSTACK] = "brstack",
	[WP_SCRIPT_BRSTACKSYM] = "brstacksym",
	[WP_SCRIPT_PHYS_ADDR] = "phys_addr",
	[WP_SCRIPT_DATA_PAGE_SIZE] = "data_page_size",
	[WP_SCRIPT_CODE_PAGE_SIZE] = "code_page_size",
	[WP_SCRIPT_TRACE] = "trace",
	[WP_SCRIPT_VALUES] = WP_SCRIPT_NAMED "NAME",
};

const char *wp_script_field_name(enum wp_script_field field)
{
	return names[field];
}

static uint32_t script_field_of(const char *word)
{
	if (wp_str_has_prefix(word, WP_SCRIPT_NAMED) && word[strlen(WP_SCRIPT_NAMED)])
		return 1u << WP_SCRIPT_VALUES;
	for (uint32_t i = 0; i < WP_SCRIPT_FIELDS; i++)
		if (strcmp(names[i], word) == 0)
			return 1u << i;
	return 0;
}

static struct wp_err *refuse_field(const char *word)
{
	wp_autochoice struct wp_choice choice = wp_choice_of(word);

	for (uint32_t i = 0; i < WP_SCRIPT_FIELDS; i++)
		wp_choice_add(&choice, names[i]);
	return wp_choice_refuse(&choice, "-F");
}

struct wp_err *wp_script_fields_parse(const char *text, uint32_t *ret)
{
	wp_autofree char *copy = text ? wp_strdup(text) : NULL;
	char *rest = copy, *word;
	uint32_t fields = !text || *text == '+' || *text == '-' ? WP_SCRIPT_DEFAULT : 0;

	while (rest && (word = strsep(&rest, ","))) {
		const char *name = word + (*word == '+' || *word == '-');
		uint32_t field = script_field_of(name);

		if (!field)
			return refuse_field(name);
		fields = *word == '-' ? fields & ~field : fields | field;
	}
	*ret = fields;
	return NULL;
}

static bool has_field(uint32_t fields, enum wp_script_field field)
{
	return fields >> field & 1;
}

/* Names are what programs call themselves: nothing in them may end a line or move a cursor. */
static void put_safe_name(struct wp_writer *out, const char *name)
{
	while (*name) {
		size_t control = wp_utf8_control(name), n = control;

		while (!control && name[n] && !wp_utf8_control(name + n))
			n++;
		wp_writer_put(out, control ? "?" : name, control ? 1 : n);
		name += n;
	}
}

static void put_task_ids(const struct wp_script_sample *sample, uint32_t fields,
			 struct wp_writer *out)
{
	if (has_field(fields, WP_SCRIPT_PID))
		wp_writer_printf(out, "%" PRId32, (int32_t)sample->pid);
	if (has_field(fields, WP_SCRIPT_PID) && has_field(fields, WP_SCRIPT_TID))
		wp_writer_puts(out, "/");
	if (has_field(fields, WP_SCRIPT_TID))
		wp_writer_printf(out, "%" PRId32, (int32_t)sample->tid);
	if (has_field(fields, WP_SCRIPT_PID) || has_field(fields, WP_SCRIPT_TID))
		wp_writer_puts(out, " ");
}

/* A task that nothing named is ":TID", as in perf; the idle ones never have a name told. */
static void put_task_name(struct wp_writer *out, const char *name, uint32_t tid)
{
	if (name || !tid)
		put_safe_name(out, name ? name : "swapper");
	else
		wp_writer_printf(out, ":%" PRId32, (int32_t)tid);
	wp_writer_puts(out, " ");
}

/* "trace name=value name=value" */
static void put_event_values(const struct wp_script_sample *sample, uint32_t fields,
			     struct wp_writer *out)
{
	if (has_field(fields, WP_SCRIPT_TRACE) && sample->trace) {
		wp_writer_puts(out, " ");
		put_safe_name(out, sample->trace);
	}
	for (size_t i = 0; has_field(fields, WP_SCRIPT_VALUES) && i < sample->n_values; i++) {
		wp_writer_printf(out, " %s=", sample->values[i].name);
		put_safe_name(out, sample->values[i].text);
	}
}

/* "comm pid/tid [cpu] time: period event: fields" */
static void put_sample_line(const struct wp_script_sample *sample, uint32_t fields,
			    struct wp_writer *out)
{
	if (has_field(fields, WP_SCRIPT_COMM))
		put_task_name(out, sample->comm, sample->tid);
	if (has_field(fields, WP_SCRIPT_THREAD))
		put_task_name(out, sample->thread, sample->tid);
	put_task_ids(sample, fields, out);
	if (has_field(fields, WP_SCRIPT_CPU) && sample->cpu != WP_ANY_CPU)
		wp_writer_printf(out, "[%03" PRIu32 "] ", sample->cpu);
	if (has_field(fields, WP_SCRIPT_TIME) && !sample->no_time)
		wp_writer_printf(out, "%llu.%06llu: ", sample->time_ns / WP_NS_PER_S,
				 sample->time_ns % WP_NS_PER_S / 1000);
	if (has_field(fields, WP_SCRIPT_PERIOD))
		wp_writer_printf(out, "%10" PRIu64 " ", sample->period);
	if (has_field(fields, WP_SCRIPT_EVENT)) {
		put_safe_name(out, sample->event);
		wp_writer_puts(out, ":");
	}
	put_event_values(sample, fields, out);
}

static void put_source_line(const struct wp_script_frame *frame, struct wp_writer *out)
{
	put_safe_name(out, frame->file ? frame->file : "[unknown]");
	if (frame->file && frame->line)
		wp_writer_printf(out, ":%" PRIu32, frame->line);
}

static void put_module(const struct wp_script_frame *frame, struct wp_writer *out)
{
	wp_writer_puts(out, " (");
	if (frame->kind == WP_SYMBOL_INLINE)
		wp_writer_puts(out, "inlined");
	else if (frame->kind == WP_SYMBOL_PYTHON)
		put_source_line(frame, out);
	else
		put_safe_name(out, frame->module ? frame->module : "[unknown]");
	wp_writer_puts(out, ")");
}

static void put_text_frame(const struct wp_script_frame *frame, uint32_t fields,
			   struct wp_writer *out)
{
	bool is_code = frame->kind != WP_SYMBOL_INLINE && frame->kind != WP_SYMBOL_PYTHON;

	wp_writer_puts(out, "\t");
	if (has_field(fields, WP_SCRIPT_IP))
		wp_writer_printf(out, "%16" PRIx64, frame->address);
	if (has_field(fields, WP_SCRIPT_SYM)) {
		wp_writer_puts(out, " ");
		put_safe_name(out, frame->name ? frame->name : "[unknown]");
	}
	if (has_field(fields, WP_SCRIPT_SYM) && has_field(fields, WP_SCRIPT_SYMOFF) &&
	    frame->name && is_code)
		wp_writer_printf(out, "+0x%" PRIx64, frame->offset);
	if (has_field(fields, WP_SCRIPT_DSO))
		put_module(frame, out);
	wp_writer_puts(out, "\n");
	if (!has_field(fields, WP_SCRIPT_SRCLINE) || frame->kind == WP_SYMBOL_PYTHON ||
	    !frame->file)
		return;
	wp_writer_puts(out, "  ");
	put_source_line(frame, out);
	wp_writer_puts(out, "\n");
}

void wp_script_text(const struct wp_script_sample *sample, uint32_t fields, struct wp_writer *out)
{
	put_sample_line(sample, fields, out);
	wp_script_data_head(sample, fields, out);
	if (!(fields & WP_SCRIPT_STACK)) {
		wp_script_data_tail(sample, fields, out);
		wp_writer_puts(out, "\n");
		return;
	}
	wp_writer_puts(out, "\n");
	for (size_t i = 0; i < sample->n; i++)
		put_text_frame(&sample->frames[i], fields, out);
	if (wp_script_data_tail(sample, fields, out))
		wp_writer_puts(out, "\n");
	wp_writer_puts(out, "\n");
}
