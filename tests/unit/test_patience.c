/* SPDX-License-Identifier: BSD-3-Clause */
/* patience: half a second beyond the end of a run or a signal, whichever is first. */
#include "base/clock.h"
#include "base/patience.h"
#include "check.h"

static void test_end(void)
{
	struct wp_patience patience = {0};
	uint64_t now_ns = wp_clock_now_ns();

	CHECK(!wp_patience_is_over(NULL));
	CHECK(!wp_patience_is_over(&patience));
	wp_patience_end_at(&patience, now_ns + 100 * WP_NS_PER_S);
	CHECK(!wp_patience_is_over(&patience));
	wp_patience_end_at(&patience, now_ns - WP_NS_PER_S);
	CHECK(wp_patience_is_over(&patience));
	wp_patience_end_at(&patience, now_ns + 100 * WP_NS_PER_S); /* the earliest counts */
	CHECK(wp_patience_is_over(&patience));
}

static void test_signal(void)
{
	volatile sig_atomic_t interrupted = 0;
	struct wp_patience patience = {.interrupted = &interrupted};
	uint64_t begin_ns = wp_clock_now_ns();

	wp_patience_end_at(&patience, begin_ns + 100 * WP_NS_PER_S);
	CHECK(!wp_patience_is_over(&patience));
	interrupted = 1;
	CHECK(!wp_patience_is_over(&patience));
	wp_clock_sleep_until_ns(begin_ns + 700 * WP_NS_PER_MS);
	CHECK(wp_patience_is_over(&patience));
}

int main(void)
{
	RUN(test_end);
	RUN(test_signal);
	return check_done();
}
