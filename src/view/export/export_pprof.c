/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_pprof: what `go tool pprof` and its kin open: gzipped messages of profile.proto, written
 * by format/pprof.
 *
 * Samples with the same stack on the same thread are one. Its values are how many there are and
 * what they stand for, of each event, then the measures (latency, who answered). A place in native
 * code is a location at its address, with a line for each function that was inlined there; a Python
 * frame is a location without an address. Processes that share a module have it at different
 * addresses, so addresses are rvas, in mappings of the whole address space: pprof takes them as
 * they are then.
 */
#include "view/view.h"

#include "base/map.h"
#include "format/pprof.h"
#include "view/export/export_funcs.h"

#include <string.h>

#define NONE UINT32_MAX

/* Functions inlined into one another at one place: each refers to the one around it. */
struct location {
	uint32_t frame;
	uint32_t around; /* index of locations, or NONE: the frame is not inlined */
	bool used;
};

/* Samples with the same stack on the same thread. */
struct row {
	uint32_t stack, thread;
};

struct state {
	const struct wp_profile *profile;
	struct wp_export_funcs funcs;
	WP_VEC(struct location) locations;
	uint32_t *of_stack;  /* for each stack: its location */
	uint32_t *around;    /* for each stack: the outermost one at the same place */
	uint64_t *outermost; /* for each module: the weight of stacks that begin in it */
	WP_VEC(struct row) rows;
	WP_VEC(uint64_t) values;	    /* of each row, n_values */
	WP_VEC(uint64_t) path;		    /* locations of a stack, innermost first */
	WP_VEC(struct wp_pprof_line) lines; /* of a location */
	struct wp_pprof *out;
};

static const struct wp_profile_frame *pprof_frame_of(const struct state *s, uint32_t stack)
{
	return &s->profile->frames.v[s->profile->stacks.v[stack].frame];
}

/* True when the stack's function was inlined into its caller's, at the place where that is. */
static bool is_inlined(const struct state *s, uint32_t stack)
{
	const struct wp_profile_frame *frame = pprof_frame_of(s, stack), *caller;

	if (frame->kind != WP_SYMBOL_INLINE || s->profile->stacks.v[stack].caller == WP_NO_STACK)
		return false;
	caller = pprof_frame_of(s, s->profile->stacks.v[stack].caller);
	return caller->kind != WP_SYMBOL_PYTHON && caller->module == frame->module &&
	       caller->rva.v == frame->rva.v;
}

/* A stack comes behind its callers, so one pass is enough. */
static void find_locations(struct state *s)
{
	struct wp_map known = {0};

	s->of_stack = wp_calloc(s->profile->stacks.n + 1, sizeof(*s->of_stack));
	s->around = wp_calloc(s->profile->stacks.n + 1, sizeof(*s->around));
	for (uint32_t i = 0; i < s->profile->stacks.n; i++) {
		const struct wp_profile_stack *stack = &s->profile->stacks.v[i];
		bool inlined = is_inlined(s, i);
		uint32_t around = inlined ? s->of_stack[stack->caller] : NONE;
		uint64_t *at = wp_map_put(&known, (uint64_t)around << 32 | stack->frame);

		if (!*at) {
			wp_vec_push(&s->locations, (struct location){stack->frame, around, false});
			*at = s->locations.n;
		}
		s->of_stack[i] = (uint32_t)(*at - 1);
		s->around[i] = inlined ? s->around[stack->caller] : i;
	}
	wp_map_deinit(&known);
}

static bool has_several(const struct state *s)
{
	return s->profile->events.n > 1;
}

/* Two columns for each event, one for each measure. */
static size_t n_values(const struct state *s)
{
	return s->profile->events.n * 2 + s->profile->measures.n;
}

static uint64_t *values_of(struct state *s, size_t row)
{
	return s->values.v + row * n_values(s);
}

static size_t add_sample_row(struct state *s, const struct wp_profile_sample *sample)
{
	wp_vec_push(&s->rows, (struct row){sample->stack, sample->thread});
	for (size_t i = 0; i < n_values(s); i++)
		wp_vec_push(&s->values, 0);
	return s->rows.n;
}

static void add_up_measures(struct state *s, const struct wp_profile_sample *sample,
			    uint64_t *values)
{
	for (size_t i = 0; i < s->profile->measures.n; i++)
		values[s->profile->events.n * 2 + i] +=
			wp_profile_measured(&s->profile->measures.v[i], sample);
}

static void add_up(struct state *s)
{
	struct wp_map known = {0};

	wp_vec_each (struct wp_profile_sample, sample, &s->profile->samples) {
		uint64_t *at = wp_map_put(&known, (uint64_t)sample->stack << 32 | sample->thread);
		uint64_t *values;

		if (!*at)
			*at = add_sample_row(s, sample);
		values = values_of(s, *at - 1);
		values[sample->event * 2]++;
		values[sample->event * 2 + 1] += sample->weight;
		add_up_measures(s, sample, values);
	}
	wp_map_deinit(&known);
}

static const char *pprof_unit_of(const struct wp_profile_event *event)
{
	if (event->unit)
		return event->unit;
	return event->is_time ? "nanoseconds" : "count";
}

static void put_types(struct state *s)
{
	wp_vec_each (struct wp_profile_event, event, &s->profile->events) {
		wp_autofree char *samples = wp_asprintf("%s.samples", event->name);

		wp_pprof_put_type(s->out, has_several(s) ? samples : "samples", "count");
		wp_pprof_put_type(s->out, event->name, pprof_unit_of(event));
	}
	wp_vec_each (struct wp_profile_measure, measure, &s->profile->measures)
		wp_pprof_put_type(s->out, measure->name, measure->unit);
}

/* Outermost last; what the outermost code is in is likely the program. */
static void fill_pprof_path(struct state *s, uint32_t stack, uint64_t weight)
{
	uint32_t module = WP_NO_MODULE;

	s->path.n = 0;
	while (stack != WP_NO_STACK) {
		module = pprof_frame_of(s, stack)->module;
		s->locations.v[s->of_stack[stack]].used = true;
		wp_vec_push(&s->path, s->of_stack[stack] + 1ull);
		stack = s->profile->stacks.v[s->around[stack]].caller;
	}
	if (module != WP_NO_MODULE)
		s->outermost[module] += weight;
}

static size_t find_labels(const struct state *s, uint32_t at, struct wp_pprof_label labels[4])
{
	const struct wp_profile_thread *thread = &s->profile->threads.v[at];
	size_t n = 0;

	labels[n++] = (struct wp_pprof_label){.key = "pid", .number = thread->pid};
	labels[n++] = (struct wp_pprof_label){.key = "tid", .number = thread->tid};
	if (*thread->name)
		labels[n++] = (struct wp_pprof_label){.key = "thread", .text = thread->name};
	if (*thread->process)
		labels[n++] = (struct wp_pprof_label){.key = "process", .text = thread->process};
	return n;
}

static void put_pprof_samples(struct state *s)
{
	for (size_t i = 0; i < s->rows.n; i++) {
		struct wp_pprof_label labels[4];
		struct wp_pprof_sample sample = {
			.values = values_of(s, i),
			.n_values = n_values(s),
			.labels = labels,
			.n_labels = find_labels(s, s->rows.v[i].thread, labels),
		};

		fill_pprof_path(s, s->rows.v[i].stack, sample.values[1]);
		sample.locations = s->path.v;
		sample.n_locations = s->path.n;
		wp_pprof_put_sample(s->out, &sample);
	}
}

static void put_mapping(struct state *s, size_t lib)
{
	const struct wp_profile_module *module = &s->profile->modules.v[s->funcs.libs.v[lib]];
	wp_pprof_put_mapping(s->out, &(struct wp_pprof_mapping){
					     .id = lib + 1,
					     .limit = UINT64_MAX,
					     .path = module->path,
					     .build_id = module->build_id,
				     });
}

/* pprof takes the first one for the program. */
static void put_mappings(struct state *s)
{
	size_t main = 0;

	for (size_t i = 1; i < s->funcs.libs.n; i++)
		if (s->outermost[s->funcs.libs.v[i]] > s->outermost[s->funcs.libs.v[main]])
			main = i;
	if (s->funcs.libs.n)
		put_mapping(s, main);
	for (size_t i = 0; i < s->funcs.libs.n; i++)
		if (i != main)
			put_mapping(s, i);
}

static void put_location(struct state *s, uint32_t at)
{
	const struct wp_profile_frame *frame = &s->profile->frames.v[s->locations.v[at].frame];
	uint32_t lib =
		frame->module == WP_NO_MODULE ? WP_NO_MODULE : s->funcs.lib_of[frame->module];
	struct wp_pprof_location location = {.id = at + 1ull};

	if (frame->kind != WP_SYMBOL_PYTHON && lib != WP_NO_MODULE) {
		location.mapping = lib + 1ull;
		location.address = frame->rva.v;
	}
	s->lines.n = 0;
	for (; at != NONE; at = s->locations.v[at].around) {
		uint32_t i = s->locations.v[at].frame;

		wp_vec_push(&s->lines, (struct wp_pprof_line){s->funcs.of_frame[i] + 1ull,
							      s->profile->frames.v[i].line});
	}
	location.lines = s->lines.v;
	location.n_lines = s->lines.n;
	wp_pprof_put_location(s->out, &location);
}

static void put_pprof_function(struct state *s, size_t i)
{
	const struct wp_export_func *func = &s->funcs.funcs.v[i];

	wp_pprof_put_function(s->out, &(struct wp_pprof_function){
					      .id = i + 1,
					      .name = func->name,
					      .file = func->file ? func->file : "",
					      .line = func->line,
				      });
}

/* The first event's samples are as far apart as they are on average. */
static void finish_profile(struct state *s)
{
	const struct wp_profile *profile = s->profile;
	struct wp_pprof_facts facts = {.time_unix_ns = profile->start_unix_ns,
				       .period_type = "",
				       .period_unit = "",
				       .default_type = "",
				       .comment = profile->command};
	uint64_t samples = 0, weight = 0;

	for (size_t i = 0; i < s->rows.n; i++) {
		samples += values_of(s, i)[0];
		weight += values_of(s, i)[1];
	}
	if (profile->samples.n)
		facts.duration_ns = profile->samples.v[profile->samples.n - 1].time_ns;
	if (profile->events.n) {
		facts.period_type = facts.default_type = profile->events.v[0].name;
		facts.period_unit = pprof_unit_of(&profile->events.v[0]);
		facts.period = samples ? weight / samples : 0;
	}
	wp_pprof_finish(s->out, &facts);
}

static void put_pprof_profile(struct state *s)
{
	put_types(s);
	put_pprof_samples(s);
	put_mappings(s);
	for (uint32_t i = 0; i < s->locations.n; i++)
		if (s->locations.v[i].used)
			put_location(s, i);
	for (size_t i = 0; i < s->funcs.funcs.n; i++)
		put_pprof_function(s, i);
	finish_profile(s);
}

static void render_pprof(const struct wp_profile *profile, struct wp_writer *out)
{
	struct state s = {.profile = profile, .out = wp_pprof_new(out)};

	wp_export_funcs_init(&s.funcs, profile);
	s.outermost = wp_calloc(profile->modules.n + 1, sizeof(*s.outermost));
	find_locations(&s);
	add_up(&s);
	put_pprof_profile(&s);
	free(s.of_stack);
	free(s.around);
	free(s.outermost);
	wp_vec_deinit(&s.locations);
	wp_vec_deinit(&s.rows);
	wp_vec_deinit(&s.values);
	wp_vec_deinit(&s.path);
	wp_vec_deinit(&s.lines);
	wp_export_funcs_deinit(&s.funcs);
}

const struct wp_export_ops wp_export_pprof = {
	.name = "pprof",
	.suffix = ".pb.gz",
	.text = "go tool pprof: top, tree, lines, flame graph; gzipped protobuf",
	.render = render_pprof,
};
