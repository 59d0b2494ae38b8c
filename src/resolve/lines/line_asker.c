/* SPDX-License-Identifier: BSD-3-Clause */
/* line_asker: see line_asker.h. */
#include "resolve/lines/line_asker.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stddef.h>

#define MOST_NS	   (10 * WP_NS_PER_S) /* of one question about a stranger's file, and of all own */
#define STOPPED_NS (1 * WP_NS_PER_S)  /* of all own behind a run that was interrupted */
#define TELL_NS	   (800 * WP_NS_PER_MS) /* before a terminal shows how far it is */
#define LOOK_NS	   (20 * WP_NS_PER_MS)	/* how often it is asked whether anybody waits */
#define LEFT_MAX   3			/* each has a processor for itself until we end */

bool wp_line_asker_may_ask(const struct wp_line_asker *asker)
{
	return asker->left < LEFT_MAX && !wp_patience_is_over(asker->patience);
}

/* Another thread is for the questions that follow. */
static void leave_question(struct wp_line_asker *asker)
{
	asker->worker = NULL;
	asker->left++;
}

static bool is_stopped(const struct wp_line_asker *asker)
{
	const struct wp_patience *patience = asker->patience;

	return patience && patience->interrupted && *patience->interrupted;
}

/* Of all questions, also about strangers' files. */
static void begin_asking(struct wp_line_asker *asker)
{
	if (!asker->begun)
		asker->was_interrupted = is_stopped(asker);
	asker->begun = true;
}

static void add_question(struct wp_line_asker *asker, struct wp_job *question)
{
	begin_asking(asker);
	if (!asker->worker)
		asker->worker = wp_worker_new();
	wp_worker_add(asker->worker, question);
}

bool wp_line_asker_ask(struct wp_line_asker *asker, struct wp_job *question)
{
	uint64_t end_ns = wp_clock_now_ns() + MOST_NS;

	add_question(asker, question);
	while (!wp_worker_wait_for(asker->worker, question, LOOK_NS))
		if (wp_patience_is_over(asker->patience) || wp_clock_now_ns() >= end_ns) {
			leave_question(asker);
			return false;
		}
	return true;
}

/* True when questions that took so long are enough. */
static bool had_enough(const struct wp_line_asker *asker, uint64_t spent_ns)
{
	if (is_stopped(asker))
		return !asker->was_interrupted || spent_ns >= STOPPED_NS;
	return asker->patience && asker->patience->until_ns && spent_ns >= MOST_NS;
}

bool wp_line_asker_may_ask_own(struct wp_line_asker *asker)
{
	begin_asking(asker);
	if (asker->left < LEFT_MAX && !had_enough(asker, asker->spent_ns))
		return true;
	asker->refused++;
	return false;
}

static void tell_long(struct wp_line_asker *asker, uint64_t spent_ns, const char *path)
{
	if (asker->told || spent_ns < TELL_NS)
		return;
	asker->told = true;
	wp_log(asker->log, WP_LOG_NOTE,
	       "reading debug information takes long, now that of %s (Ctrl-C goes on without)",
	       path);
}

bool wp_line_asker_ask_own(struct wp_line_asker *asker, struct wp_job *question, const char *path)
{
	uint64_t begin_ns = wp_clock_now_ns(), spent_ns = asker->spent_ns;
	bool done;

	add_question(asker, question);
	while (!(done = wp_worker_wait_for(asker->worker, question, LOOK_NS)) &&
	       !had_enough(asker, spent_ns)) {
		spent_ns = asker->spent_ns + (wp_clock_now_ns() - begin_ns);
		tell_long(asker, spent_ns, path);
	}
	asker->spent_ns += wp_clock_now_ns() - begin_ns;
	tell_long(asker, asker->spent_ns, path);
	if (done)
		return true;
	leave_question(asker);
	asker->refused++;
	return false;
}

void wp_line_asker_tell(const struct wp_line_asker *asker, const struct wp_log *log)
{
	if (asker->refused)
		wp_log(log, WP_LOG_NOTE,
		       "%" PRIu64 " places were not looked up in debug information (lines, inlined "
		       "functions): it took longer than one waits for, %s",
		       asker->refused,
		       is_stopped(asker) ? "behind a Ctrl-C"
					 : "10 s behind a run (a report of a recording waits)");
}

void wp_line_asker_deinit(struct wp_line_asker *asker)
{
	wp_worker_free(asker->worker);
	*asker = (struct wp_line_asker){0};
}
