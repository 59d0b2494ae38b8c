/* SPDX-License-Identifier: BSD-3-Clause */
/* test_gil_waits: spans of who waits for the GIL and of who has it, laid over each other. */
#include "aggregate/gil_waits.h"

#include "base/clock.h"
#include "check.h"
#include "core/python_plan.h"
#include "core/wait.h"

/* Event 0 is a clock, 1 the waits, 2 counts something else. */
static struct wp_event_set make_events(void)
{
	struct wp_event_set events = {0};

	wp_vec_push(&events.events, ((struct wp_event){.name = "cpu-clock", .is_clock = true}));
	wp_vec_push(&events.events, ((struct wp_event){.name = "offcpu-time"}));
	wp_vec_push(&events.events, ((struct wp_event){.name = "page-faults"}));
	return events;
}

struct told {
	uint32_t event, pid, tid, symbol;
	uint64_t begin_ns, end_ns;
	bool held;
	enum wp_wait_state state; /* of event 1 */
};

static void tell(struct wp_sink *sink, const struct told *told)
{
	struct wp_wait_payload payload;
	struct wp_spot_frame frame = {.symbol = told->symbol, .line = 7};
	struct wp_record record = {
		.kind = WP_RECORD_SAMPLE,
		.pid = told->pid,
		.tid = told->tid,
		.time_ns = told->end_ns,
		.sample = {.event = told->event, .period = told->end_ns - told->begin_ns},
	};
	struct wp_sample sample = {
		.record = &record,
		.is_wait = told->event == 1,
		.python = &frame,
		.n_python = 1,
		.thread = WP_PYTHON_GIL_KNOWN | (told->held ? WP_PYTHON_GIL_HELD : 0),
	};

	if (sample.is_wait) {
		wp_wait_fill(told->state, 1, record.sample.period, &payload);
		record.sample.payload = (const uint8_t *)&payload;
		record.sample.payload_bytes = sizeof(payload);
	}
	sink->ops->sample(sink, &sample);
}

/* Nanoseconds for which the one waited while the other had it. */
static uint64_t ns_of(const struct wp_gil_waits *waits, uint32_t waiter, uint32_t holder)
{
	uint64_t ns = 0;

	wp_vec_each (const struct wp_gil_row, row, &waits->rows)
		if (waits->places.v[row->waiter].symbol == waiter &&
		    waits->places.v[row->holder].symbol == holder)
			ns += row->ns;
	return ns;
}

/* A wait from 1000 to 2000: the holder runs until 1300, is preempted until 1700, and runs again. */
static void test_pairs(void)
{
	static const struct told all[] = {
		{.event = 0,
		 .pid = 1,
		 .tid = 2,
		 .symbol = 20,
		 .begin_ns = 900,
		 .end_ns = 1300,
		 .held = true},
		{.event = 0,
		 .pid = 9,
		 .tid = 9,
		 .symbol = 90,
		 .begin_ns = 900,
		 .end_ns = 1900,
		 .held = true},
		{.event = 2,
		 .pid = 1,
		 .tid = 2,
		 .symbol = 22,
		 .begin_ns = 900,
		 .end_ns = 1900,
		 .held = true},
		{.event = 0, .pid = 1, .tid = 4, .symbol = 40, .begin_ns = 900, .end_ns = 1900},
		{.event = 1,
		 .pid = 1,
		 .tid = 2,
		 .symbol = 21,
		 .begin_ns = 1300,
		 .end_ns = 1700,
		 .held = true,
		 .state = WP_WAIT_PREEMPTED},
		{.event = 1,
		 .pid = 1,
		 .tid = 3,
		 .symbol = 30,
		 .begin_ns = 1000,
		 .end_ns = 2000,
		 .state = WP_WAIT_GIL},
		{.event = 1,
		 .pid = 1,
		 .tid = 4,
		 .symbol = 41,
		 .begin_ns = 1000,
		 .end_ns = 2000,
		 .state = WP_WAIT_INTERRUPTIBLE},
		{.event = 0,
		 .pid = 1,
		 .tid = 2,
		 .symbol = 20,
		 .begin_ns = 1900,
		 .end_ns = 2300,
		 .held = true},
	};
	struct wp_event_set events = make_events();
	struct wp_gil_waits waits = {.events = &events};
	struct wp_sink *sink = wp_gil_waits_sink(&waits);

	for (size_t i = 0; i < WP_ARRAY_LEN(all); i++)
		tell(sink, &all[i]);
	wp_gil_waits_finish(&waits);
	CHECK_U64(waits.ns, 1000);
	CHECK_U64(ns_of(&waits, 30, 20), 400); /* 1000 to 1300, 1900 to 2000 */
	CHECK_U64(ns_of(&waits, 30, 21), 400);
	CHECK_U64(ns_of(&waits, 30, WP_GIL_NOBODY), 200);
	CHECK_U64(waits.rows.n, 3);
	CHECK(waits.rows.v[2].ns == 200); /* longest first */
	wp_gil_waits_deinit(&waits);
	wp_vec_deinit(&events.events);
}

/* The holder keeps it in a call of 3 s, which is told at its end; meanwhile others come and go. */
static void test_long(void)
{
	const uint64_t ms = WP_NS_PER_MS;
	struct wp_event_set events = make_events();
	struct wp_gil_waits waits = {.events = &events, .by_thread = true};
	struct wp_sink *sink = wp_gil_waits_sink(&waits);

	for (uint64_t t = 1000; t < 4000; t += 5) {
		tell(sink, &(struct told){.event = 1,
					  .pid = 1,
					  .tid = 3,
					  .symbol = 30,
					  .begin_ns = t * ms,
					  .end_ns = (t + 5) * ms,
					  .state = WP_WAIT_GIL});
		tell(sink, &(struct told){.event = 0,
					  .pid = 2,
					  .tid = 5,
					  .symbol = 50,
					  .begin_ns = t * ms,
					  .end_ns = (t + 5) * ms,
					  .held = true});
	}
	tell(sink, &(struct told){.event = 1,
				  .pid = 1,
				  .tid = 2,
				  .symbol = 20,
				  .begin_ns = 1000 * ms,
				  .end_ns = 4000 * ms,
				  .held = true});
	wp_gil_waits_finish(&waits);
	CHECK_U64(ns_of(&waits, 30, 20), 3000 * ms);
	CHECK_U64(waits.rows.n, 1);
	CHECK_U64(waits.places.v[waits.rows.v[0].holder].tid, 2);
	wp_gil_waits_deinit(&waits);
	wp_vec_deinit(&events.events);
}

/* An hour of it: what is settled is forgotten. */
static void test_bounded(void)
{
	const uint64_t ms = WP_NS_PER_MS;
	struct wp_event_set events = make_events();
	struct wp_gil_waits waits = {.events = &events};
	struct wp_sink *sink = wp_gil_waits_sink(&waits);
	size_t most = 0;

	for (uint64_t t = 5; t < 3600 * 1000; t += 5) {
		tell(sink, &(struct told){.event = 0,
					  .pid = 1,
					  .tid = 2,
					  .symbol = 20,
					  .begin_ns = t * ms,
					  .end_ns = (t + 5) * ms,
					  .held = true});
		tell(sink, &(struct told){.event = 1,
					  .pid = 1,
					  .tid = 3,
					  .symbol = 30,
					  .begin_ns = t * ms,
					  .end_ns = (t + 5) * ms,
					  .state = WP_WAIT_GIL});
		most = waits.held.n + waits.waits.n > most ? waits.held.n + waits.waits.n : most;
	}
	wp_gil_waits_finish(&waits);
	CHECK_U64(ns_of(&waits, 30, 20), waits.ns);
	CHECK_U64(waits.ns, (3600 * 1000 - 5) * ms);
	CHECK(most <= 1u << 17);
	wp_gil_waits_deinit(&waits);
	wp_vec_deinit(&events.events);
}

int main(void)
{
	RUN(test_pairs);
	RUN(test_long);
	RUN(test_bounded);
	return check_done();
}
