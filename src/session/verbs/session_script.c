/* SPDX-License-Identifier: BSD-3-Clause */
/* session_script: `wperf script`, the samples of a recording, one after the other. */
#include "session/emit.h"
#include "session/report/empty.h"
#include "session/recorded/cgroup_names.h"
#include "session/recorded/frame_places.h"
#include "recording/recording.h"
#include "session/recorded/sampling_recorded.h"
#include "view/script_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct script {
	struct wp_sink sink;
	struct wp_sampling *s;
	uint32_t fields;
	uint64_t printed;
	struct wp_cgroup_names cgroups;
	struct wp_frame_filter filter;
	struct wp_frame_places places;
	WP_VEC(char *) named;		       /* field:NAME */
	WP_VEC(struct wp_script_frame) frames; /* of the sample at hand */
	WP_VEC(struct wp_script_value) values;
	WP_VEC(struct wp_script_end) ends;
	struct wp_arena texts;
	struct wp_str trace;
};

static void deinit_script(struct script *script)
{
	wp_frame_places_deinit(&script->places);
	wp_vec_deinit(&script->frames);
	wp_cgroup_names_deinit(&script->cgroups);
	wp_vec_deinit(&script->values);
	wp_vec_deinit(&script->ends);
	wp_vec_each (char *, name, &script->named)
		free(*name);
	wp_vec_deinit(&script->named);
	wp_arena_deinit(&script->texts);
	wp_str_deinit(&script->trace);
}

/* The names behind "field:" in -F. */
static void list_named(struct script *script, const char *text)
{
	wp_autofree char *copy = text ? wp_strdup(text) : NULL;
	char *rest = copy, *word;

	while (rest && (word = strsep(&rest, ","))) {
		word += *word == '+' || *word == '-';
		if (wp_str_has_prefix(word, WP_SCRIPT_NAMED))
			wp_vec_push(&script->named, wp_strdup(word + strlen(WP_SCRIPT_NAMED)));
	}
}

static struct wp_err *check_named(struct script *script)
{
	wp_vec_each (char *, name, &script->named) {
		wp_autofree char *word = wp_asprintf(WP_SCRIPT_NAMED "%s", *name);

		TRY(wp_event_fields_known(&script->s->events, "-F", word));
	}
	return NULL;
}

static void add_value(struct script *script, const struct wp_record *record,
		      const struct wp_field *field)
{
	wp_autostr struct wp_str text = {0};

	wp_str_puts(&text, "");
	wp_field_text(field, record->sample.payload, record->sample.payload_bytes, &text);
	wp_vec_push(
		&script->values,
		(struct wp_script_value){
			.name = field->name,
			.text = wp_arena_strndup(&script->texts, text.s, text.len),
			.is_number = wp_field_is_number(field) && !field->is_pointer && text.len,
		});
}

static void list_field_values(struct script *script, const struct wp_record *record,
			      const struct wp_fields *fields)
{
	wp_arena_deinit(&script->texts);
	script->values.n = 0;
	if (!fields || !record->sample.payload)
		return;
	if (script->s->options->output.json && !script->named.n) {
		for (size_t i = 0; i < fields->n; i++)
			if (!wp_str_has_prefix(fields->v[i].name, WP_FIELD_COMMON))
				add_value(script, record, &fields->v[i]);
		return;
	}
	wp_vec_each (char *, name, &script->named) {
		const struct wp_field *field = wp_fields_find(fields, *name);

		if (field)
			add_value(script, record, field);
	}
}

/* What is printed of the event's own words. */
static void list_event_fields(struct script *script, const struct wp_record *record,
			      struct wp_script_sample *print)
{
	struct wp_sampling *s = script->s;
	const struct wp_event *event = &s->events.events.v[record->sample.event];

	list_field_values(script, record, event->fields);
	print->values = script->values.v;
	print->n_values = script->values.n;
	script->trace.len = 0;
	if (script->fields >> WP_SCRIPT_TRACE & 1)
		wp_event_fields_print(&s->fields, event, record, &script->trace);
	wp_str_puts(&script->trace, "");
	print->trace = event->fields ? script->trace.s : NULL;
}

/* Where nothing is known, the address is the process's; return addresses stay such. */
static uint64_t printed_address(const struct wp_frame *at)
{
	return at->rva.v && at->kind != WP_FRAME_KERNEL ? at->rva.v + at->is_caller : at->ip.v;
}

static uint64_t offset_of(const struct wp_frame *at, const struct wp_symbol *symbol)
{
	uint64_t address = symbol->kind == WP_SYMBOL_JIT ? at->ip.v : at->rva.v + at->is_caller;

	return address - symbol->start.v;
}

static void push_script_frame(struct script *script, const struct wp_symbol_set *set,
			      const struct wp_frame *at, const struct wp_profile_frame *point)
{
	const struct wp_symbol *symbol = &set->symbols.v[point->symbol];
	bool known = symbol->name && symbol->reason == WP_SYMBOL_KNOWN;
	struct wp_script_frame frame = {
		.address = printed_address(at),
		.name = known ? symbol->name : NULL,
		.kind = symbol->kind,
		.offset = offset_of(at, symbol),
		.module =
			symbol->module == WP_NO_MODULE ? NULL : set->modules.v[symbol->module].path,
		.file = point->file,
		.line = point->line,
	};

	wp_vec_push(&script->frames, frame);
}

/* Of a place the innermost function first. */
static void list_script_frames(struct script *script, const struct wp_sample *sample)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(script->s->resolver);

	script->frames.n = 0;
	for (size_t i = 0; i < script->places.at.n; i++) {
		const struct wp_frame_place *place =
			&script->places.places.v[script->places.at.v[i]];

		for (uint32_t j = place->n; j-- > 0;)
			push_script_frame(script, set, &sample->frames[i],
					  &script->places.points.v[place->first + j].frame);
	}
}

static void add_end(struct script *script, const struct wp_record *record, uint64_t address)
{
	struct wp_resolver *resolver = script->s->resolver;
	struct wp_rva rva;
	uint32_t id = wp_resolver_symbol_at(resolver, record, (struct wp_va){address},
					    address >> 63 ? WP_MODE_KERNEL : WP_MODE_USER, &rva);
	const struct wp_symbol *symbol = wp_resolver_symbol_of(resolver, id);
	uint64_t at = symbol->kind == WP_SYMBOL_JIT ? address : rva.v;

	wp_vec_push(&script->ends, (struct wp_script_end){symbol->name, at - symbol->start.v});
}

/* The functions at both ends of each branch; NULL: nobody asks. */
static const struct wp_script_end *list_ends(struct script *script, const struct wp_record *record)
{
	const struct wp_sample_data *data = record->sample.data;

	if (!(script->fields >> WP_SCRIPT_BRSTACKSYM & 1) || !data)
		return NULL;
	script->ends.n = 0;
	for (size_t i = 0; i < data->n_branches; i++) {
		add_end(script, record, data->branches[i].from);
		add_end(script, record, data->branches[i].to);
	}
	return script->ends.v;
}

static const char *python_fault(const struct wp_sample *sample)
{
	return sample->word == WP_PYTHON_WALKED
		       ? wp_python_fault(WP_PYTHON_THREAD_END(sample->thread))
		       : NULL;
}

static enum wp_frames_found find_script_places(struct script *script,
					       const struct wp_sample *sample)
{
	return wp_frame_places_find(&script->places, script->s->resolver, &script->filter, sample);
}

static void take_script_record(struct wp_sink *sink, const struct wp_record *record)
{
	struct script *script = (struct script *)sink;

	wp_cgroup_names_take(&script->cgroups, record);
}

static enum wp_script_machine script_machine_of(const struct wp_recording_head *head)
{
	if (!head->arm)
		return WP_SCRIPT_X86;
	return head->bits32 ? WP_SCRIPT_ARM : WP_SCRIPT_ARM64;
}

static void print_sample(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct script *script = (struct script *)sink;
	struct wp_sampling *s = script->s;
	const struct wp_record *record = sample->record;
	enum wp_frames_found found = find_script_places(script, sample);
	struct wp_script_sample print = {
		.comm = wp_thread_names_comm(&s->python.threads, record->tid),
		.thread = wp_thread_names_get(&s->python.threads, record->tid),
		.pid = record->pid,
		.tid = record->tid,
		.cpu = record->cpu,
		.time_ns = record->time_ns,
		.no_time = !wp_recording_has_time(s->source, record->sample.event),
		.period = record->sample.period,
		.event = s->events.events.v[record->sample.event].name,
		.data = record->sample.data,
		.cgroup = wp_cgroup_names_of(&script->cgroups, record->sample.data),
		.machine = script_machine_of(wp_recording_head(s->source)),
		.python = python_fault(sample),
	};

	if (found == WP_FRAMES_NO_ROOM) { /* what was known of others is forgotten */
		wp_frame_places_deinit(&script->places);
		script->places = (struct wp_frame_places){0};
		found = find_script_places(script, sample);
	}
	if (found != WP_FRAMES_FOUND)
		return;
	list_script_frames(script, sample);
	list_event_fields(script, record, &print);
	print.frames = script->frames.v;
	print.n = script->frames.n;
	print.ends = list_ends(script, record);
	if (s->options->output.json)
		wp_script_json(&print, script->fields, s->io->out);
	else
		wp_script_text(&print, script->fields, s->io->out);
	script->printed++;
	s->ended = s->ended || wp_writer_failed(s->io->out); /* `| head` has seen enough */
}

struct wp_err *wp_session_script(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit)
{
	static const struct wp_sink_ops ops = {.sample = print_sample,
					       .record = take_script_record};
	uint32_t fields;

	(void)ret_exit;
	TRY(wp_script_fields_parse(options->exports.fields, &fields));
	unsigned int wants = WP_SAMPLE_STACK | WP_SAMPLE_PAYLOAD |
			     (fields & WP_SCRIPT_DATA ? WP_SAMPLE_DATA : 0u);

	wp_autosampling struct wp_sampling s;
	WP_CLEANUP(deinit_script)
	struct script script = {.sink = {.ops = &ops, .wants = wants}, .s = &s, .fields = fields};

	TRY(wp_sampling_init_recorded(options, io, &s));
	list_named(&script, options->exports.fields);
	TRY(check_named(&script));
	TRY(wp_frame_filter_parse(&s, &script.filter));
	wp_emit_begin_text(s.io);
	wp_sampling_attach(&s, &script.sink);
	TRY(wp_sampling_run_recorded(&s));
	wp_empty_tell_samples(&s, script.printed);
	if (s.lost)
		wp_log(s.io->log, WP_LOG_NOTE, "%" PRIu64 " samples lost", s.lost);
	return NULL;
}

struct wp_err *wp_session_script_fields(const struct wp_session_options *options,
					struct wp_session_io *io, int *ret_exit)
{
	(void)options, (void)ret_exit;
	for (uint32_t i = 0; i < WP_SCRIPT_FIELDS; i++)
		wp_writer_printf(io->out, "%s\n", wp_script_field_name((enum wp_script_field)i));
	return NULL;
}
