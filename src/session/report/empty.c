/* SPDX-License-Identifier: BSD-3-Clause */
/* empty: see empty.h. */
#include "session/report/empty.h"

#include "base/clock.h"
#include "session/live/sampling.h"

#include <inttypes.h>
#include <string.h>

bool wp_empty_doc(const struct wp_doc *doc)
{
	wp_vec_each (struct wp_table *, table, &doc->tables)
		if ((*table)->rows.n)
			return false;
	return true;
}

void wp_empty_tell_samples(const struct wp_sampling *s, uint64_t taken)
{
	if (taken)
		return;
	if (s->samples_seen)
		wp_log(s->io->log, WP_LOG_WARNING,
		       "no samples: the filters keep all %" PRIu64 " of them out", s->samples_seen);
	else
		wp_log(s->io->log, WP_LOG_WARNING,
		       "no samples in the recording: what was watched slept, or ran for less"
		       " than one period");
}

static char *duration_text(uint64_t ns)
{
	if (ns < WP_NS_PER_S)
		return wp_asprintf("%.3g ms", (double)ns / 1e6);
	return wp_asprintf("%.3g s", (double)ns / 1e9);
}

/* 0: its period is no time. */
static uint64_t period_ns(const struct wp_event *event)
{
	if (event->freq_hz)
		return WP_NS_PER_S / event->freq_hz;
	return event->is_clock ? event->period : 0;
}

static bool sees_kernel(const struct wp_sampling *s, const struct wp_event *event)
{
	return !event->user_only &&
	       (s->options->target.kernel || event->kernel_only || event->in_kernel);
}

/* The rate, a power of ten, that takes ten samples in the time, or the highest one. */
static uint64_t better_hz(const struct wp_sampling *s, uint64_t ns)
{
	int64_t most = s->setup.machine->limits.perf_event_max_sample_rate;
	uint64_t hz = 1000;

	while (hz * ns < 10 * WP_NS_PER_S && (int64_t)hz * 10 <= most)
		hz *= 10;
	return hz;
}

/* Of a command that has ended. */
static char *why_short(const struct wp_sampling *s, const struct wp_event *event)
{
	uint64_t ns = s->launch.user_ns + s->launch.system_ns;
	uint64_t ran_ns = ns - (s->launch.held_ns < ns ? s->launch.held_ns : 0);
	wp_autofree char *ran = duration_text(ran_ns);
	wp_autofree char *period = duration_text(period_ns(event));
	wp_autofree char *whole = duration_text(s->elapsed_ns - s->laps.begun.elapsed_ns);

	return wp_asprintf("in %s the command ran %s on a CPU%s, one period is %s: sample more "
			   "often (-F %" PRIu64 "), or every page fault (-e page-faults:1)",
			   whole, ran, sees_kernel(s, event) ? "" : " (in the kernel too, see -k)",
			   period, better_hz(s, ran_ns));
}

/* Of an event whose period is no time; the first one stands for the others. */
static char *why_rare(const struct wp_event *event, const char *where)
{
	if (event->period == 1)
		return wp_asprintf("%s did not happen%s", event->name, where);
	return wp_asprintf("%s did not happen %" PRIu64
			   " times%s: a smaller number takes more samples (-e %s:N)",
			   event->name, event->period, where, event->name);
}

char *wp_empty_run_why(const struct wp_sampling *s)
{
	const struct wp_event *event = s->events.events.v;
	const char *where;

	if (s->samples_seen > s->laps.begun.seen || s->way->is_recording)
		return NULL;
	where = sees_kernel(s, event) ? "" : " outside the kernel (see -k)";
	if (s->lost > s->laps.begun.lost)
		return wp_strdup("all were lost: sample less often");
	if (!period_ns(event))
		return why_rare(event, where);
	if (s->launch.reaped)
		return why_short(s, event);
	wp_autofree char *period = duration_text(period_ns(event));
	return wp_asprintf("what was watched slept, or ran for less than one period (%s)%s", period,
			   where);
}

/* The pattern chooses among the rows of such a table. */
static bool is_of_functions(const char *key)
{
	static const char *const keys[] = {"samples", "functions", "python_functions", "rows"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (key && strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

static bool has_function_rows(const struct wp_node *node)
{
	if (node->kind == WP_NODE_TABLE)
		return is_of_functions(node->key) && node->table->rows.n;
	if (node->kind == WP_NODE_OBJECT || node->kind == WP_NODE_ARRAY)
		wp_node_each (child, node)
			if (has_function_rows(child))
				return true;
	return false;
}

void wp_empty_tell_symbol(const struct wp_sampling *s, const struct wp_doc *doc)
{
	const char *pattern = s->options->tables.symbol_filter;

	if (!pattern || s->samples_seen == s->recorded.left_out || has_function_rows(doc->root))
		return;
	wp_log(s->io->log, WP_LOG_WARNING,
	       "--symbol %s: no function with samples has such a name (name, ^prefix, suffix$,"
	       " ^whole$)",
	       pattern);
}
