/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes of the progress line. */
#include "check.h"

#include "base/clock.h"
#include "session/progress.h"

static void check_bytes(bool on_terminal, bool deferred, bool interrupted, const char *before_done,
			const char *all)
{
	struct wp_str text = {0};
	struct wp_writer *out = wp_writer_of_str(&text);
	struct wp_progress progress = {
		.out = out, .on_terminal = on_terminal, .deferred = deferred};

	wp_progress_begin(&progress, "counting");
	for (uint64_t ms = 0; ms <= 520; ms += 20)
		wp_progress_tick(&progress, ms * WP_NS_PER_MS);
	CHECK_STR(text.s ? text.s : "", before_done);
	wp_progress_done(&progress, interrupted);
	CHECK_STR(text.s, all);
	CHECK_OK(wp_writer_close(out));
	wp_str_deinit(&text);
}

/* After a second, once for each percent and not more often than every 100 ms; erased at the end. */
static void test_share(void)
{
	struct wp_str text = {0};
	struct wp_writer *out = wp_writer_of_str(&text);
	struct wp_progress_share share;

	wp_progress_share_begin(&share, out, "reading x", 5);
	wp_progress_share_tick(&share, WP_NS_PER_S, 10, 1000);
	CHECK(!wp_progress_share_end(&share));
	CHECK_STR(text.s ? text.s : "", "");
	wp_progress_share_tick(&share, WP_NS_PER_S + 5, 420, 1000);
	wp_progress_share_tick(&share, WP_NS_PER_S + 50 * WP_NS_PER_MS, 500, 1000);
	wp_progress_share_tick(&share, 2 * WP_NS_PER_S, 421, 1000);
	wp_progress_share_tick(&share, 2 * WP_NS_PER_S, 1200, 1000);
	CHECK(wp_progress_share_end(&share));
	CHECK_STR(text.s, "\rreading x ... 42%\33[K\rreading x ... 100%\33[K\r\33[K");
	CHECK_OK(wp_writer_close(out));
	wp_str_deinit(&text);
}

/* Nobody knows of how many; the clock is the machine's, of which a second has long passed. */
static void test_bytes(void)
{
	struct wp_str text = {0};
	struct wp_writer *out = wp_writer_of_str(&text);
	struct wp_progress_share share;
	struct wp_watch watch = wp_progress_share_watch(&share);

	wp_progress_share_begin(&share, out, "reading x", 5);
	wp_watch_tell(&watch, 12345678);
	CHECK(wp_progress_share_end(&share));
	CHECK_STR(text.s, "\rreading x ... 12 MB\33[K\r\33[K");
	CHECK_OK(wp_writer_close(out));
	wp_str_deinit(&text);
}

static void test_spinner(void)
{
	check_bytes(true, false, false, "counting ... -\b/\b|\b\\\b-\b/",
		    "counting ... -\b/\b|\b\\\b-\b/\bdone\n");
}

/* Files and logs get words only. */
static void test_still(void)
{
	check_bytes(false, false, false, "counting ... ", "counting ... done\n");
}

static void test_deferred(void)
{
	check_bytes(true, true, false, "", "counting ... done\n");
	check_bytes(false, true, false, "", "counting ... done\n");
}

/* A terminal has put ^C behind the spinner, or where the line is to begin. */
static void test_interrupted(void)
{
	const char *turned = "counting ... -\b/\b|\b\\\b-\b/";

	check_bytes(false, false, true, "counting ... ",
		    "counting ... Ctrl-C received, quit counting... done\n");
	check_bytes(true, false, true, turned,
		    "counting ... -\b/\b|\b\\\b-\b/"
		    "\ncounting ... Ctrl-C received, quit counting... done\n");
	check_bytes(true, true, true, "",
		    "\ncounting ... Ctrl-C received, quit counting... done\n");
}

static void test_silent(void)
{
	struct wp_progress progress = {.on_terminal = true};

	wp_progress_begin(&progress, "counting");
	wp_progress_tick(&progress, WP_NS_PER_S);
	wp_progress_done(&progress, true);
	CHECK(!progress.out);
}

int main(void)
{
	RUN(test_share);
	RUN(test_bytes);
	RUN(test_spinner);
	RUN(test_still);
	RUN(test_deferred);
	RUN(test_interrupted);
	RUN(test_silent);
	return check_done();
}
