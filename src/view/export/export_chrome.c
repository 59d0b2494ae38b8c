/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_chrome: what ui.perfetto.dev and chrome://tracing open (JSON of the Trace Event Format):
 * each thread's functions as slices over time.
 *
 * Perfetto shows no "stackFrames" and no "samples", so slices it is, made of begin and end events
 * (speedscope mistakes complete ones that meet). The samples of a time event are laid end to end,
 * each as long as the time it stands for, so that the lengths of a function's slices add up to its
 * time; a sample begins anew where the thread had not run. Other events last until their next
 * sample, as long as that is about as usual. All but the first event are threads of their own in
 * the same process, whose ids are above all real ones. Arrows lead from who woke a thread to the
 * wait that this ended (record --wakers).
 */
#include "view/view.h"

#include "view/export/export_funcs.h"
#include "view/export/export_tracks.h"
#include "view/json_text.h"

#define TID_BITS  22 /* PID_MAX_LIMIT of 64-bit kernels */
#define NS_PER_MS 1000000

struct state {
	const struct wp_profile *profile;
	struct wp_export_funcs funcs;
	struct wp_export_tracks tracks;
	WP_VEC(uint32_t) open, path; /* functions, outermost first */
	uint64_t zero_ns;	     /* all times are later by this, so that none is negative */
	uint32_t pid, tid;	     /* of the track at hand */
	bool any;
	struct wp_writer *out;
};

/* When a sample began, and ended, in the profile's time plus zero_ns. */
struct span {
	uint64_t begin_ns, end_ns;
};

static uint32_t chrome_tid_of(const struct state *s, const struct wp_export_track *track)
{
	return s->profile->threads.v[track->thread].tid + (track->event << TID_BITS);
}

static void put_track_ids(struct state *s)
{
	wp_writer_puts(s->out, "\"pid\":");
	wp_json_u64(s->out, s->pid);
	wp_writer_puts(s->out, ",\"tid\":");
	wp_json_u64(s->out, s->tid);
}

static void begin_event(struct state *s, const char *phase, const char *name)
{
	wp_json_comma(s->out, &s->any);
	wp_writer_puts(s->out, "\n{\"ph\":\"");
	wp_writer_puts(s->out, phase);
	wp_writer_puts(s->out, "\",\"name\":");
	wp_json_string(s->out, name);
	wp_writer_puts(s->out, ",");
	put_track_ids(s);
}

static void put_chrome_time(struct state *s, uint64_t ns)
{
	wp_writer_puts(s->out, ",\"ts\":");
	wp_json_ns(s->out, ns, 3);
}

/* Where the function is: "app.py:3", or the module. */
static void put_chrome_place(struct state *s, const struct wp_export_func *func)
{
	if (func->file) {
		wp_writer_puts(s->out, ",\"args\":{\"file\":\"");
		wp_json_chars(s->out, func->file, ' ');
		if (func->line)
			wp_writer_printf(s->out, ":%u", func->line);
		wp_writer_puts(s->out, "\"}");
	} else if (func->module != WP_NO_MODULE) {
		wp_writer_puts(s->out, ",\"args\":{\"module\":");
		wp_json_string(s->out, s->profile->modules.v[func->module].name);
		wp_writer_puts(s->out, "}");
	}
}

static void open_slice(struct state *s, uint32_t at, uint64_t ns)
{
	const struct wp_export_func *func = &s->funcs.funcs.v[at];

	begin_event(s, "B", func->name);
	put_chrome_time(s, ns);
	wp_writer_puts(s->out, ",\"cat\":\"");
	wp_writer_puts(s->out, wp_export_kind_name(func->kind));
	wp_writer_puts(s->out, "\"");
	put_chrome_place(s, func);
	wp_writer_puts(s->out, "}");
	wp_vec_push(&s->open, at);
}

/*
 * Ends a slice, with its name for consumers that check it. Arguments are not: speedscope would take
 * an end for that of an equal slice that begins at the same time.
 */
static void close_slice(struct state *s, uint64_t ns)
{
	begin_event(s, "E", s->funcs.funcs.v[s->open.v[--s->open.n]].name);
	put_chrome_time(s, ns);
	wp_writer_puts(s->out, "}");
}

static void close_down_to(struct state *s, size_t depth, uint64_t ns)
{
	while (s->open.n > depth)
		close_slice(s, ns);
}

static void fill_chrome_path(struct state *s, uint32_t stack)
{
	const struct wp_profile_stack *stacks = s->profile->stacks.v;
	size_t depth = 0;

	for (uint32_t at = stack; at != WP_NO_STACK; at = stacks[at].caller)
		depth++;
	while (s->path.n < depth)
		wp_vec_push(&s->path, 0);
	s->path.n = depth;
	for (uint32_t at = stack; at != WP_NO_STACK; at = stacks[at].caller)
		s->path.v[--depth] = s->funcs.of_frame[stacks[at].frame];
}

/* What both stacks share goes on. */
static void switch_to(struct state *s, uint32_t stack, uint64_t ns)
{
	size_t shared = 0;

	fill_chrome_path(s, stack);
	while (shared < s->open.n && shared < s->path.n && s->open.v[shared] == s->path.v[shared])
		shared++;
	close_down_to(s, shared, ns);
	while (s->open.n < s->path.n)
		open_slice(s, s->path.v[s->open.n], ns);
}

/*
 * Nanoseconds between samples of a track that are usual: the power of two above the median; of a
 * single one, a millisecond. It is what a sample that does not count time lasts at most.
 */
static uint64_t usual_gap(const struct state *s, const struct wp_export_track *track)
{
	const uint32_t *samples = s->tracks.samples + track->first;
	size_t of_bits[65] = {0}, seen = 0, bits = 0;

	if (track->n < 2)
		return NS_PER_MS;
	for (size_t i = 1; i < track->n; i++) {
		uint64_t gap = s->profile->samples.v[samples[i]].time_ns -
			       s->profile->samples.v[samples[i - 1]].time_ns;

		of_bits[gap ? 64 - __builtin_clzll(gap) : 0]++;
	}
	while (bits < 40 && (seen += of_bits[bits]) * 2 < track->n)
		bits++;
	return 1ull << bits;
}

/*
 * Where a sample of that length lies behind the one that ended at last_ns: right behind it as long
 * as the clock is less than another length ahead, else where the clock says.
 */
static struct span place_span(uint64_t last_ns, uint64_t now_ns, uint64_t length_ns)
{
	struct span span = {.begin_ns = last_ns, .end_ns = last_ns + length_ns};

	if (now_ns > span.end_ns && now_ns - span.end_ns > length_ns)
		span = (struct span){now_ns - length_ns, now_ns};
	else if (span.end_ns > now_ns + length_ns)
		span.end_ns = now_ns + length_ns; /* a thread on two CPUs: the idle one */
	if (span.end_ns < span.begin_ns)
		span.end_ns = span.begin_ns;
	return span;
}

/* An arrow from the end of who wakes to the end of the wait: in the slices that are open there. */
static void put_arrow(struct state *s, uint64_t wake, bool ends, uint64_t ns)
{
	begin_event(s, ends ? "f" : "s", "wake");
	put_chrome_time(s, ns);
	wp_writer_puts(s->out, ",\"cat\":\"wake\",\"id\":");
	wp_json_u64(s->out, wake);
	wp_writer_puts(s->out, ends ? ",\"bp\":\"e\"}" : "}");
}

static void put_slices(struct state *s, const struct wp_export_track *track)
{
	bool is_time = s->profile->events.v[track->event].is_time;
	uint64_t usual_ns = is_time ? 0 : usual_gap(s, track);
	uint64_t last_ns = 0, before_ns = 0;

	for (size_t i = 0; i < track->n; i++) {
		const struct wp_profile_sample *sample =
			&s->profile->samples.v[s->tracks.samples[track->first + i]];
		uint64_t now_ns = s->zero_ns + sample->time_ns;
		uint64_t gap_ns = i ? now_ns - before_ns : usual_ns;
		uint64_t length_ns = gap_ns < usual_ns ? gap_ns : usual_ns;
		struct span span =
			place_span(last_ns, now_ns, is_time ? sample->weight : length_ns);

		before_ns = now_ns;
		if (span.begin_ns == span.end_ns)
			continue;
		if (span.begin_ns != last_ns)
			close_down_to(s, 0, last_ns);
		switch_to(s, sample->stack, span.begin_ns);
		if (sample->wake)
			put_arrow(s, sample->wake, is_time, now_ns ? now_ns - 1 : 0);
		last_ns = span.end_ns;
	}
	close_down_to(s, 0, last_ns);
}

static void put_metadata(struct state *s, const char *what, const char *value)
{
	begin_event(s, "M", what);
	wp_writer_puts(s->out, ",\"args\":{\"name\":");
	wp_json_string(s->out, value);
	wp_writer_puts(s->out, "}}");
}

static void put_names(struct state *s, const struct wp_export_track *track)
{
	wp_autostr struct wp_str name = {0}, process = {0};

	wp_export_track_name(&name, s->profile, track);
	wp_export_process_name(&process, &s->profile->threads.v[track->thread]);
	put_metadata(s, "process_name", process.s);
	put_metadata(s, "thread_name", name.s);
}

/* What the first sample of a thread may stand for lies before the profile's zero. */
static uint64_t time_before(const struct state *s)
{
	uint64_t longest = 0;

	wp_vec_each (struct wp_export_track, track, &s->tracks.tracks) {
		const struct wp_profile_sample *first =
			&s->profile->samples.v[s->tracks.samples[track->first]];
		bool is_time = s->profile->events.v[track->event].is_time;
		uint64_t length = is_time ? first->weight : usual_gap(s, track);

		if (length > first->time_ns && length - first->time_ns > longest)
			longest = length - first->time_ns;
	}
	return longest;
}

static void put_trace(struct state *s)
{
	wp_writer_puts(s->out,
		       "{\"displayTimeUnit\":\"ms\",\n\"otherData\":{\"exporter\":\"wperf\","
		       "\"command\":");
	wp_json_string(s->out, s->profile->command);
	wp_writer_puts(s->out, ",\"host\":");
	wp_json_string(s->out, s->profile->host);
	wp_writer_puts(s->out, "},\n\"traceEvents\":[");
	s->zero_ns = time_before(s);
	wp_vec_each (struct wp_export_track, track, &s->tracks.tracks) {
		s->pid = s->profile->threads.v[track->thread].pid;
		s->tid = chrome_tid_of(s, track);
		put_names(s, track);
		put_slices(s, track);
	}
	wp_writer_puts(s->out, "]}\n");
}

static void render_chrome(const struct wp_profile *profile, struct wp_writer *out)
{
	struct state s = {.profile = profile, .out = out};

	wp_export_funcs_init(&s.funcs, profile);
	wp_export_tracks_init(&s.tracks, profile);
	put_trace(&s);
	wp_vec_deinit(&s.open);
	wp_vec_deinit(&s.path);
	wp_export_tracks_deinit(&s.tracks);
	wp_export_funcs_deinit(&s.funcs);
}

const struct wp_export_ops wp_export_chrome = {
	.name = "chrome",
	.suffix = ".trace.json",
	.text = "ui.perfetto.dev, chrome://tracing: functions over time",
	.render = render_chrome,
};
