/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_laps: see sampling_laps.h. */
#include "session/live/sampling_laps.h"

#include "aggregate/lap_doc.h"
#include "base/clock.h"
#include "session/emit.h"
#include "view/screen/screen_live.h"
#include "view/view.h"

#include <inttypes.h>
#include <time.h>

/* How long a key may wait for its answer. */
#define KEY_NS (50 * WP_NS_PER_MS)

void wp_sampling_laps_begin(struct wp_sampling *s, uint64_t length_ns, uint64_t most)
{
	s->laps.length_ns = s->laps.due_ns = length_ns;
	s->laps.most = most;
	wp_kept_laps_begin(&s->laps.kept, &s->data);
}

uint64_t wp_sampling_laps_pause(const struct wp_sampling *s, uint64_t until_ns)
{
	if (s->laps.live && s->elapsed_ns + KEY_NS < until_ns)
		until_ns = s->elapsed_ns + KEY_NS;
	return s->laps.length_ns && s->laps.due_ns < until_ns ? s->laps.due_ns : until_ns;
}

static bool is_due(const struct wp_sampling *s)
{
	return s->laps.length_ns && s->elapsed_ns >= s->laps.due_ns;
}

bool wp_sampling_laps_over(const struct wp_sampling *s)
{
	if (!s->laps.length_ns)
		return false;
	if (s->laps.left)
		return true;
	return (is_due(s) && s->laps.n + 1 == s->laps.most) || wp_writer_failed(s->io->out);
}

static struct wp_sampling_mark mark_now(const struct wp_sampling *s)
{
	return (struct wp_sampling_mark){
		.elapsed_ns = s->elapsed_ns,
		.lost = s->lost,
		.throttled = s->throttled,
		.seen = s->samples_seen,
		.unresolved = s->python.feed.unresolved,
		.refused = s->python.feed.codes.refused,
	};
}

/* Text a clock, JSON the whole of it (RFC 3339); nothing where no time passes. */
static void put_time(const struct wp_sampling *s, struct wp_str *clock, struct wp_str *date)
{
	time_t (*read_time)(time_t *) = s->setup.world->ops->time;
	char text[64];
	struct tm tm;
	time_t now;

	if (!read_time)
		return;
	now = read_time(NULL);
	if (!localtime_r(&now, &tm))
		return;
	if (strftime(text, sizeof(text), "%H:%M:%S", &tm))
		wp_str_puts(clock, text);
	if (gmtime_r(&now, &tm) && strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		wp_str_puts(date, text);
}

static struct wp_lap lap_now(const struct wp_sampling *s, bool last)
{
	const struct wp_sampling_mark *begun = &s->laps.begun;
	const char *label = s->targeting.label;

	return (struct wp_lap){
		.number = s->laps.n,
		.target = label ? label : "all CPUs",
		.ended_ns = s->elapsed_ns,
		.elapsed_ns = s->elapsed_ns - begun->elapsed_ns,
		.samples = wp_sampling_count(s),
		.lost = s->lost - begun->lost,
		.all_samples = s->laps.samples,
		.all_lost = s->lost,
		.last = last,
	};
}

static struct wp_err *show_lap(struct wp_sampling *s, bool last)
{
	wp_autostr struct wp_str clock = {0};
	wp_autostr struct wp_str date = {0};
	struct wp_lap lap;

	s->laps.n++;
	lap = lap_now(s, last);
	put_time(s, &clock, &date);
	lap.clock = clock.s;
	lap.time = date.s;
	return wp_sampling_report_lap(s, &lap);
}

struct wp_err *wp_sampling_laps_look(struct wp_sampling *s)
{
	struct wp_sampling_laps *laps = &s->laps;

	if (laps->live && !wp_screen_live_look(laps->live))
		laps->left = true;
	if (laps->left || !is_due(s))
		return NULL;
	laps->samples += wp_sampling_count(s);
	TRY(show_lap(s, false));
	wp_results_reset(&s->results);
	laps->begun = mark_now(s);
	/* Who was kept from looking does not show two at once. */
	laps->due_ns += laps->length_ns;
	if (laps->due_ns <= s->elapsed_ns)
		laps->due_ns = s->elapsed_ns + laps->length_ns;
	return NULL;
}

/*
 * A person who presses Ctrl-C looks at what is on the screen: that stays. Programs are told that
 * it is the last one.
 */
static bool wants_last(const struct wp_sampling *s)
{
	bool screen = s->options->output.screen.lines > 1;

	if (s->options->output.json || !s->laps.n)
		return true;
	return wp_sampling_count(s) && !(screen && (s->laps.left || wp_sampling_is_interrupted(s)));
}

struct wp_err *wp_sampling_laps_linger(struct wp_sampling *s)
{
	wp_autofree char *text = NULL;

	if (!s->laps.live || !s->ending)
		return NULL;
	s->laps.samples += wp_sampling_count(s);
	if (wp_sampling_count(s))
		TRY(show_lap(s, true));
	text = wp_asprintf("%s; q quits", s->ending);
	wp_screen_live_linger(s->laps.live, text);
	s->laps.left = true;
	return NULL;
}

/* As it would have come, behind the screens. */
static void put_command_output(struct wp_sampling *s)
{
	wp_autostr struct wp_str end = {0};
	uint64_t before;

	if (!s->output)
		return;
	before = wp_kept_output_close(s->output, &end);
	s->output = NULL;
	if (before)
		wp_writer_printf(s->io->out, "... %" PRIu64 " bytes of output before this ...\n",
				 before);
	wp_writer_put(s->io->out, end.s ? end.s : "", end.len);
	if (end.len && end.s[end.len - 1] != '\n')
		wp_writer_puts(s->io->out, "\n");
}

struct wp_err *wp_sampling_laps_end(struct wp_sampling *s)
{
	struct wp_lap lap;
	struct wp_doc *doc;

	wp_screen_live_close(s->laps.live);
	s->laps.live = NULL;
	s->laps.ended = true;
	s->notes.screens = false;
	wp_sampling_show_notes(s);
	put_command_output(s);
	s->laps.samples += wp_sampling_count(s);
	if (wants_last(s))
		TRY(show_lap(s, true));
	wp_sampling_tell_run(s);
	if (!wp_emit_wants_text(s->options))
		return NULL;
	lap = lap_now(s, true);
	doc = wp_lap_doc_end(&lap, s->ending);
	wp_writer_puts(s->io->out, "\n");
	wp_view_text.render(doc, s->io->out);
	wp_doc_free(doc);
	return NULL;
}
