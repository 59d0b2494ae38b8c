/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals that are kept: how many, how long, and that the one looked at stays. */
#include "check.h"

#include "base/clock.h"
#include "resolve/resolver.h"
#include "session/live/kept_laps.h"
#include "session/session.h"

#define MB (UINT64_C(1) << 20)

static struct wp_processes processes;
static const struct wp_session_options options;

struct run {
	struct wp_resolver *resolver;
	struct wp_results results;
	struct wp_kept_laps laps;
};

static void begin_run(struct run *run)
{
	struct wp_results_parts parts = {.options = &options};
	struct wp_sink *sinks[WP_RESULTS_SINKS];

	*run = (struct run){0};
	run->resolver = wp_resolver_new(
		&(struct wp_resolver_options){.processes = &processes, .offline = true});
	parts.resolver = run->resolver;
	wp_results_begin(&run->results, &parts, sinks);
	wp_kept_laps_begin(&run->laps, NULL);
}

static void end_run(struct run *run)
{
	wp_kept_laps_deinit(&run->laps);
	wp_results_deinit(&run->results);
	wp_resolver_free(run->resolver);
	wp_processes_deinit(&processes);
}

/* An interval with so many samples, whose document takes so much memory. */
static void add_lap(struct run *run, uint64_t ended_s, uint64_t samples, uint64_t bytes)
{
	struct wp_doc *doc = wp_doc_new();

	if (bytes)
		wp_arena_alloc(&doc->arena, bytes);
	for (uint64_t i = 0; i < samples; i++)
		wp_flat_add(&run->results.flat, 0, 1, 10);
	wp_flat_sort(&run->results.flat);
	wp_kept_laps_add(&run->laps, doc, &run->results, ended_s * WP_NS_PER_S);
}

static bool go(struct run *run, long by)
{
	struct wp_screen_moment moment = {0};
	bool went = run->laps.moments.go(run->laps.moments.arg, by, &moment);

	if (went)
		CHECK(moment.doc == run->laps.all.v[run->laps.at]->doc);
	return went;
}

static uint64_t samples_at(const struct run *run, size_t i)
{
	return run->laps.all.v[i]->results.flat.events.v[0].samples;
}

static void test_counts(void)
{
	struct run run;

	begin_run(&run);
	add_lap(&run, 1, 3, 0);
	add_lap(&run, 2, 5, 0);
	CHECK_U64(samples_at(&run, 0), 3);
	CHECK_U64(samples_at(&run, 1), 5);
	CHECK_U64(run.results.flat.events.n, 0);
	CHECK(go(&run, WP_SCREEN_NEWEST));
	CHECK_U64(run.laps.at, 1);
	CHECK(!go(&run, WP_SCREEN_NEWEST));
	CHECK(!go(&run, 1));
	CHECK(go(&run, -7));
	CHECK_U64(run.laps.at, 0);
	CHECK(!go(&run, -1));
	CHECK_U64(run.laps.moments.count_newer(run.laps.moments.arg), 1);
	end_run(&run);
}

/* The last five minutes; the one that is looked at, for as long as it is. */
static void test_age(void)
{
	struct run run;

	begin_run(&run);
	for (uint64_t i = 1; i <= 4; i++)
		add_lap(&run, i * 100, i, 0);
	CHECK_U64(run.laps.all.n, 4);
	go(&run, -3);
	go(&run, WP_SCREEN_NEWEST);
	go(&run, -3);
	CHECK_U64(samples_at(&run, run.laps.at), 1);
	add_lap(&run, 500, 5, 0);
	add_lap(&run, 600, 6, 0);
	CHECK_U64(run.laps.all.n, 5);
	CHECK_U64(samples_at(&run, run.laps.at), 1);
	CHECK_U64(samples_at(&run, 1), 3);
	CHECK(go(&run, 1));
	add_lap(&run, 601, 7, 0);
	CHECK_U64(samples_at(&run, 0), 3);
	CHECK_U64(run.laps.at, 0);
	end_run(&run);
}

static void test_memory(void)
{
	struct run run;

	begin_run(&run);
	for (uint64_t i = 1; i <= 20; i++)
		add_lap(&run, i, i, 10 * MB);
	CHECK_U64(run.laps.all.n, 6);
	CHECK_U64(samples_at(&run, 5), 20);
	CHECK(run.laps.bytes <= WP_KEPT_LAPS_BYTES);
	add_lap(&run, 21, 21, 100 * MB);
	CHECK_U64(run.laps.all.n, 1);
	add_lap(&run, 22, 22, 0);
	CHECK_U64(run.laps.all.n, 1);
	CHECK(run.laps.bytes < MB);
	end_run(&run);
}

int main(void)
{
	test_counts();
	test_age();
	test_memory();
	return check_done();
}
