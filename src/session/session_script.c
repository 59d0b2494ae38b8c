/* session_script: `wperf script`, the samples of a recording, one after the other. */
#include "session/emit.h"
#include "session/empty.h"
#include "session/frame_places.h"
#include "view/script_text.h"

#include <inttypes.h>

struct script {
	uint32_t fields;
	uint64_t printed;
	struct wp_frame_filter filter;
	struct wp_frame_places places;
	WP_VEC(struct wp_script_frame) frames; /* of the sample at hand */
};

static void deinit(struct script *script)
{
	wp_frame_places_deinit(&script->places);
	wp_vec_deinit(&script->frames);
}

/* Where nothing is known, the address is the process's; return addresses stay such. */
static uint64_t address_of(const struct wp_recorded_frame *at)
{
	return at->rva.v && !at->is_kernel ? at->rva.v + at->is_caller : at->ip.v;
}

static uint64_t offset_of(const struct wp_recorded_frame *at, const struct wp_symbol *symbol)
{
	uint64_t address = symbol->kind == WP_SYMBOL_JIT ? at->ip.v : at->rva.v + at->is_caller;

	return address - symbol->start.v;
}

static void push_frame(struct script *script, const struct wp_symbol_set *set,
		       const struct wp_recorded_frame *at, const struct wp_profile_frame *point)
{
	const struct wp_symbol *symbol = &set->symbols.v[point->symbol];
	bool known = symbol->name && symbol->reason == WP_SYMBOL_KNOWN;
	struct wp_script_frame frame = {
		.address = address_of(at),
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
static void list_frames(struct script *script, struct wp_sampling *s)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);

	script->frames.n = 0;
	for (size_t i = 0; i < script->places.at.n; i++) {
		const struct wp_frame_place *place =
			&script->places.places.v[script->places.at.v[i]];

		for (uint32_t j = place->n; j-- > 0;)
			push_frame(script, set, &s->recorded.stack.frames.v[i],
				   &script->places.points.v[place->first + j].frame);
	}
}

static void take(void *arg, struct wp_sampling *s, const struct wp_record *sample)
{
	struct script *script = arg;
	enum wp_frames_found found;
	struct wp_script_sample print = {
		.comm = wp_thread_names_comm(&s->python.threads, sample->tid),
		.thread = wp_thread_names_get(&s->python.threads, sample->tid),
		.pid = sample->pid,
		.tid = sample->tid,
		.cpu = sample->cpu,
		.time_ns = sample->time_ns,
		.period = sample->sample.period,
		.event = s->events.events.v[sample->sample.event].name,
	};

	found = wp_frame_places_find(&script->places, s, &script->filter, sample);
	if (found == WP_FRAMES_NO_ROOM) { /* what was known of others is forgotten */
		wp_frame_places_deinit(&script->places);
		script->places = (struct wp_frame_places){0};
		found = wp_frame_places_find(&script->places, s, &script->filter, sample);
	}
	if (found != WP_FRAMES_FOUND)
		return;
	list_frames(script, s);
	print.frames = script->frames.v;
	print.n = script->frames.n;
	if (s->options->json)
		wp_script_json(&print, script->fields, s->io->out);
	else
		wp_script_text(&print, script->fields, s->io->out);
	script->printed++;
	s->ended = s->ended || wp_writer_failed(s->io->out); /* `| head` has seen enough */
}

struct wp_err *wp_session_script(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit)
{
	WP_CLEANUP(deinit) struct script script = {0};
	wp_autosampling struct wp_sampling s;

	(void)ret_exit;
	TRY(wp_sampling_init_recorded(options, io, &s));
	TRY(wp_script_fields_parse(options->fields, &script.fields));
	TRY(wp_frame_filter_parse(&s, &script.filter));
	wp_emit_begin_text(s.io);
	TRY(wp_sampling_hand_out(&s, (struct wp_recorded_taker){take, &script}));
	wp_empty_tell_samples(&s, script.printed);
	if (s.lost)
		wp_log(s.io->log, WP_LOG_NOTE, "%" PRIu64 " samples lost", s.lost);
	return NULL;
}
