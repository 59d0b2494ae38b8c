/* SPDX-License-Identifier: BSD-3-Clause */
/* test_wall: a clock and the waits are shown as one event, all others as they are. */
#include "check.h"
#include "core/wait.h"
#include "session/report/wall.h"

#include <linux/perf_event.h>

static struct wp_event clock_event(const char *name)
{
	return (struct wp_event){.name = name, .is_clock = true, .freq_hz = 999};
}

static struct wp_event other_event(const char *name)
{
	return (struct wp_event){.name = name, .type = PERF_TYPE_HARDWARE, .period = 1000};
}

static struct wp_event waits_event(void)
{
	return (struct wp_event){.name = WP_EVENT_OFF_CPU,
				 .type = PERF_TYPE_SOFTWARE,
				 .config = PERF_COUNT_SW_BPF_OUTPUT,
				 .switch_id = 314,
				 .period = 1};
}

static uint32_t shown_as(const struct wp_wall *wall, uint32_t event)
{
	struct wp_record record = {.kind = WP_RECORD_SAMPLE};

	record.sample.event = event;
	wp_wall_take(wall, &record);
	return record.sample.event;
}

static void test_merged(void)
{
	struct wp_event_set set = {0};
	struct wp_wall wall = {0};

	wp_vec_push(&set.events, other_event("cycles"));
	wp_vec_push(&set.events, waits_event());
	wp_vec_push(&set.events, other_event("misses"));
	wp_vec_push(&set.events, clock_event("cpu-clock"));
	wp_vec_push(&set.events, clock_event("task-clock"));
	CHECK_OK(wp_wall_begin(&wall, &set));
	CHECK_U64(wall.clock, 4);
	CHECK(set.events.v[3].in_kernel && !set.events.v[4].in_kernel);
	for (int again = 0; again < 2; again++)
		wp_wall_show(&wall, &set);
	CHECK_U64(wall.shown.events.n, 4);
	CHECK_STR(wall.shown.events.v[0].name, "cycles");
	CHECK_STR(wall.shown.events.v[1].name, "wall");
	CHECK_STR(wall.shown.events.v[2].name, "misses");
	CHECK_STR(wall.shown.events.v[3].name, "task-clock");
	CHECK_STR(wall.shown.events.v[1].weight, WP_WAIT_WEIGHT);
	CHECK_STR(wp_event_weight_unit(&wall.shown.events.v[1]), "nanoseconds");
	CHECK(wp_event_is_time(&wall.shown.events.v[1]) &&
	      !wp_event_is_time(&wall.shown.events.v[0]));
	CHECK_U64(shown_as(&wall, 0), 0);
	CHECK_U64(shown_as(&wall, 1), 1);
	CHECK_U64(shown_as(&wall, 2), 2);
	CHECK_U64(shown_as(&wall, 3), 1);
	CHECK_U64(shown_as(&wall, 4), 3);
	CHECK_U64(set.events.n, 5);
	wp_wall_deinit(&wall);
	wp_event_set_deinit(&set);
}

/* What counts user code only, because that was asked for, stays so. */
static void test_first_clock(void)
{
	struct wp_event clock = clock_event("cpu-clock:u");
	struct wp_event_set set = {0};
	struct wp_wall wall = {0};

	clock.user_only = true;
	wp_vec_push(&set.events, clock);
	wp_vec_push(&set.events, waits_event());
	CHECK_OK(wp_wall_begin(&wall, &set));
	wp_wall_show(&wall, &set);
	CHECK(!set.events.v[0].in_kernel);
	CHECK_U64(wall.shown.events.n, 1);
	CHECK_U64(wall.shown.events.v[0].freq_hz, 0);
	CHECK(!wall.shown.events.v[0].is_clock && !wall.shown.events.v[0].switch_id);
	CHECK_U64(shown_as(&wall, 0), 0);
	CHECK_U64(shown_as(&wall, 1), 0);
	wp_wall_deinit(&wall);
	wp_event_set_deinit(&set);
}

static void check_refusal(struct wp_event event, const char *missing)
{
	struct wp_event_set set = {0};
	struct wp_wall wall = {0};

	wp_vec_push(&set.events, event);
	wp_autoerr struct wp_err *err = wp_wall_begin(&wall, &set);
	CHECK(err && strstr(err->text, missing) && !wall.on);
	wp_wall_show(&wall, &set);
	CHECK_U64(wall.shown.events.n, 0);
	wp_event_set_deinit(&set);
}

static void test_refused(void)
{
	check_refusal(clock_event("cpu-clock"), "there is no off-cpu");
	check_refusal(waits_event(), "there is no cpu-clock");
	check_refusal(other_event("cycles"), "there is no cpu-clock");
}

int main(void)
{
	RUN(test_merged);
	RUN(test_first_clock);
	RUN(test_refused);
	return check_done();
}
