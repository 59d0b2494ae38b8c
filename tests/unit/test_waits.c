/* SPDX-License-Identifier: BSD-3-Clause */
/* test_waits: what stops is weighed when it runs again, with its state, its stack and the
 * nanoseconds in between. */
#include "check.h"
#include "session/live/waits.h"

#define THRESHOLD_NS 1000

static const struct wp_field prev_state = {
	.name = "prev_state", .offset = 0, .size = 8, .is_signed = true};

struct run {
	struct wp_waits waits;
	struct wp_event_set events;
	const struct wp_record *wait; /* that the last record ended */
};

static void begin_run(struct run *run)
{
	struct wp_event clock = {.name = "cpu-clock", .type = 1};
	struct wp_event wait = {.name = WP_EVENT_OFF_CPU,
				.type = 1,
				.config = 10,
				.switch_id = 314,
				.min_ns = THRESHOLD_NS};

	*run = (struct run){0};
	wp_vec_push(&run->events.events, clock);
	wp_vec_push(&run->events.events, wait);
}

static void end_run(struct run *run)
{
	wp_waits_deinit(&run->waits);
	wp_event_set_deinit(&run->events);
}

static bool take(struct run *run, const struct wp_record *record)
{
	return wp_waits_take(&run->waits, &run->events, &prev_state, record, &run->wait);
}

/* The stack and payload are gone afterwards, as those of a batch. */
static void stop(struct run *run, uint32_t tid, uint64_t time_ns, int64_t state)
{
	struct wp_stack_frame walked[] = {{{tid}, 8}};
	struct wp_python_slot slot = {.lasti = 4};
	struct wp_stack_raw raw = {
		.walked = walked, .n_walked = 1, .python = &slot, .n_python = tid == 5};
	struct wp_record record = {
		.kind = WP_RECORD_SAMPLE, .pid = 7, .tid = tid, .time_ns = time_ns};

	record.sample = (struct wp_record_sample){.event = 1,
						  .period = 1,
						  .stack = &raw,
						  .payload = (const uint8_t *)&state,
						  .payload_bytes = sizeof(state)};
	CHECK(take(run, &record));
	CHECK(!run->wait);
	memset(walked, 0xff, sizeof(walked));
}

static void change(struct run *run, uint32_t tid, uint64_t time_ns, bool out)
{
	struct wp_record record = {
		.kind = WP_RECORD_SWITCH, .pid = 7, .tid = tid, .time_ns = time_ns};

	record.switched.out = out;
	CHECK(take(run, &record));
}

static void check_wait(const struct run *run, uint64_t ns, enum wp_wait_state want, uint32_t n)
{
	enum wp_wait_state state = WP_WAIT_NONE;
	uint32_t waits = 0;

	CHECK(run->wait);
	if (!run->wait)
		return;
	CHECK_U64(run->wait->sample.period, ns);
	CHECK(wp_wait_read(&run->wait->sample, &state, &waits));
	CHECK_U64(state, want);
	CHECK_U64(waits, n);
}

static void test_states(void)
{
	static const struct {
		int64_t prev_state;
		enum wp_wait_state state;
	} cases[] = {
		{1, WP_WAIT_INTERRUPTIBLE},    {2, WP_WAIT_UNINTERRUPTIBLE},
		{0x80, WP_WAIT_INTERRUPTIBLE}, {0, WP_WAIT_PREEMPTED},
		{0x100, WP_WAIT_PREEMPTED},    {4, WP_WAIT_STOPPED},
		{8, WP_WAIT_STOPPED},	       {0x40, WP_WAIT_STOPPED},
		{0x10, WP_WAIT_NONE},	       {0x20, WP_WAIT_NONE},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(cases); i++)
		CHECK_U64(wp_wait_state_of(cases[i].prev_state), cases[i].state);
	CHECK(wp_wait_is_traced(8) && !wp_wait_is_traced(4));
}

static void test_weight(void)
{
	struct wp_record other = {.kind = WP_RECORD_SAMPLE, .pid = 7, .tid = 5};
	struct run run;

	begin_run(&run);
	CHECK(!take(&run, &other)); /* the clock's */
	change(&run, 5, 90, false); /* it waited before anyone looked */
	CHECK(!run.wait);
	stop(&run, 5, 100, 2);
	stop(&run, 6, 150, 1);
	change(&run, 5, 200, true); /* here it leaves: the walk is no wait */
	change(&run, 5, 5200, false);
	check_wait(&run, 5000, WP_WAIT_UNINTERRUPTIBLE, 1);
	CHECK_U64(run.wait->time_ns, 5200);
	CHECK_U64(run.wait->sample.waited_ns, 5000);
	CHECK_U64(run.wait->sample.event, 1);
	CHECK_U64(run.wait->sample.stack->walked[0].ip.v, 5);
	CHECK_U64(run.wait->sample.stack->n_python, 1);
	change(&run, 5, 9999, false);
	CHECK(!run.wait);	       /* nothing was begun */
	change(&run, 6, 10150, false); /* the record of its leaving was lost */
	check_wait(&run, 10000, WP_WAIT_INTERRUPTIBLE, 1);
	end_run(&run);
}

static void test_own_stops(void)
{
	struct run run;

	begin_run(&run);
	run.waits.followed = 7;
	stop(&run, 5, 100, 8);
	change(&run, 5, 9000, false);
	CHECK(!run.wait);
	stop(&run, 5, 10000, 1);
	change(&run, 5, 20000, false);
	check_wait(&run, 10000, WP_WAIT_INTERRUPTIBLE, 1);
	stop(&run, 5, 30000, 0x10); /* it ends */
	end_run(&run);
}

static void test_end(void)
{
	struct wp_record there = {.kind = WP_RECORD_COMM, .pid = 7, .tid = 9};
	struct run run;
	size_t i = 0;

	begin_run(&run);
	wp_waits_expect(&run.waits, &there);
	for (uint64_t t = 0; t < 3; t++) {
		stop(&run, 5, 10000 * t, 1);
		change(&run, 5, 10000 * t + 999, false);
		CHECK(!run.wait);
	}
	stop(&run, 6, 40000, 0);
	stop(&run, 6, 50000, 4); /* when it ran in between was lost */
	CHECK_U64(run.waits.lost, 1);
	run.wait = wp_waits_finish(&run.waits, 90000, &i);
	check_wait(&run, 40000, WP_WAIT_STOPPED, 1);
	CHECK_U64(run.wait->tid, 6);
	run.wait = wp_waits_finish(&run.waits, 90000, &i);
	check_wait(&run, 3 * 999, WP_WAIT_SHORT, 3);
	CHECK_U64(run.wait->tid, 5);
	CHECK_U64(run.wait->time_ns, 90000);
	CHECK_U64(run.wait->sample.waited_ns, 0);
	CHECK_U64(run.wait->sample.stack->n_python, 1);
	CHECK(!wp_waits_finish(&run.waits, 90000, &i));
	CHECK_U64(run.waits.lasting, 1);
	CHECK_U64(run.waits.lasting_ns, 40000);
	CHECK_U64(run.waits.short_waits, 3);
	end_run(&run);
}

/* Who has ended is forgotten, after the sum of its short waits; the others stay. */
static void test_forgotten(void)
{
	int64_t dead = 0x10;
	struct wp_record last = {.kind = WP_RECORD_SAMPLE, .pid = 7, .tid = 5, .time_ns = 30000};
	struct run run;
	size_t i = 0;

	last.sample = (struct wp_record_sample){
		.event = 1, .payload = (const uint8_t *)&dead, .payload_bytes = sizeof(dead)};
	begin_run(&run);
	stop(&run, 5, 10000, 1);
	change(&run, 5, 10999, false);
	stop(&run, 6, 20000, 1);
	CHECK(take(&run, &last));
	check_wait(&run, 999, WP_WAIT_SHORT, 1);
	CHECK_U64(run.wait->time_ns, 30000);
	CHECK_U64(run.waits.threads.n, 1);
	CHECK(take(&run, &last));
	CHECK(!run.wait);
	CHECK_U64(run.waits.threads.n, 1);
	run.wait = wp_waits_finish(&run.waits, 90000, &i);
	check_wait(&run, 70000, WP_WAIT_INTERRUPTIBLE, 1);
	CHECK(!wp_waits_finish(&run.waits, 90000, &i));
	end_run(&run);
}

/* A sample of the clock at that time, whose period is 100. */
static void tick(struct run *run, uint32_t tid, uint64_t time_ns)
{
	struct wp_record record = {
		.kind = WP_RECORD_SAMPLE, .pid = tid ? 7 : 0, .tid = tid, .time_ns = time_ns};

	record.sample.period = 100;
	CHECK(take(run, &record));
}

/* With --wall a sample of the clock weighs what its thread ran, whatever the clock missed. */
static void test_clock(void)
{
	struct wp_record fork = {.kind = WP_RECORD_FORK, .pid = 7, .tid = 5};
	struct wp_record there = {.kind = WP_RECORD_COMM, .pid = 7, .tid = 9};
	struct run run;

	begin_run(&run);
	run.waits.clock = 1;
	tick(&run, 5, 1000); /* since when it ran is not known */
	CHECK(run.wait);
	CHECK_U64(run.wait->sample.period, 100);
	tick(&run, 5, 1350);
	CHECK_U64(run.wait->sample.period, 350);
	CHECK_U64(run.wait->sample.event, 0);
	stop(&run, 5, 1400, 1);
	change(&run, 5, 1410, true);
	change(&run, 5, 9410, false);
	check_wait(&run, 8000, WP_WAIT_INTERRUPTIBLE, 1);
	tick(&run, 5, 9450);
	CHECK_U64(run.wait->sample.period, 60 + 40);
	stop(&run, 5, 9460, 1); /* short */
	change(&run, 5, 9470, true);
	change(&run, 5, 9570, false);
	tick(&run, 5, 9600);
	CHECK_U64(run.wait->sample.period, 20 + 30);
	change(&run, 5, 9700, true);
	tick(&run, 5, 9900); /* when it ran again was lost */
	CHECK_U64(run.wait->sample.period, 100 + 100);
	tick(&run, 0, 9950);
	CHECK(!run.wait); /* a CPU that idles */
	CHECK(!take(&run, &fork));
	tick(&run, 5, 20000);
	CHECK_U64(run.wait->sample.period, 100);
	wp_waits_expect(&run.waits, &there);
	tick(&run, 9, 21000);
	change(&run, 9, 22000, false);
	CHECK_U64(run.waits.before, 0); /* no wait that had begun before: it ran */
	end_run(&run);
}

/* Bytes of another program are none of ours. */
static void test_payload(void)
{
	struct wp_wait_payload payload;
	struct wp_record_sample sample = {.payload = (const uint8_t *)&payload,
					  .payload_bytes = sizeof(payload)};
	wp_autostr struct wp_str text = {0};
	enum wp_wait_state state;
	uint32_t waits;

	wp_wait_fill(WP_WAIT_UNINTERRUPTIBLE, 2, 3, &payload);
	CHECK(wp_wait_read(&sample, &state, &waits) && state == WP_WAIT_UNINTERRUPTIBLE &&
	      waits == 2);
	wp_fields_text(wp_wait_fields(), sample.payload, sample.payload_bytes, &text);
	CHECK_STR(text.s, "waits=2 ns=3 state=uninterruptible kind=unknown call=-1 fd=-1 "
			  "argument=0x0 inode=0 on= waker= waker_tid=0 wake=0");
	sample.payload_bytes = WP_WAIT_BASE_BYTES; /* of older recordings */
	CHECK(wp_wait_read(&sample, &state, &waits));
	sample.payload_bytes--;
	CHECK(!wp_wait_read(&sample, &state, &waits));
	sample.payload_bytes = sizeof(payload);
	payload.magic++;
	CHECK(!wp_wait_read(&sample, &state, &waits));
	payload.magic--;
	memset(payload.state, 'x', sizeof(payload.state));
	CHECK(!wp_wait_read(&sample, &state, &waits));
}

static struct wp_wait_payload payload_of(const struct wp_wait_payload *whole, size_t bytes)
{
	struct wp_record_sample sample = {.payload = (const uint8_t *)whole,
					  .payload_bytes = (uint32_t)bytes};
	struct wp_wait_payload ret = {.kind = "none"};

	if (!wp_wait_read_all(&sample, &ret))
		CHECK_STR(ret.kind, "none");
	return ret;
}

/* A payload is as long as its name; what lies behind is nobody's, and nothing of it need be ended.
 */
static void test_names(void)
{
	char longest[2 * WP_WAIT_ON];
	struct wp_wait_payload payload;

	wp_wait_fill(WP_WAIT_INTERRUPTIBLE, 1, 9, &payload);
	CHECK_U64(wp_wait_bytes(&payload), offsetof(struct wp_wait_payload, on));
	CHECK_STR(payload_of(&payload, wp_wait_bytes(&payload)).on, "");
	wp_wait_name("pipe:[7]", &payload);
	CHECK_U64(wp_wait_bytes(&payload) % 8, 0);
	CHECK_STR(payload_of(&payload, wp_wait_bytes(&payload)).on, "pipe:[7]");
	CHECK_STR(payload_of(&payload, offsetof(struct wp_wait_payload, on) + 4).on, "pipe");
	CHECK_STR(payload_of(&payload, WP_WAIT_BASE_BYTES).kind, "unknown");
	CHECK_STR(payload_of(&payload, WP_WAIT_BASE_BYTES - 1).kind, "none");
	memcpy(payload.state, "stopped", sizeof("stopped"));
	CHECK_STR(payload_of(&payload, WP_WAIT_BASE_BYTES).kind, "stopped");
	memset(longest, 'x', sizeof(longest));
	longest[0] = '/';
	longest[sizeof(longest) - 1] = '\0';
	wp_wait_name(longest, &payload);
	CHECK_U64(strlen(payload_of(&payload, sizeof(payload)).on), WP_WAIT_ON - 1);
	memset(payload.kind, 'k', sizeof(payload.kind));
	memset(payload.on, 'o', sizeof(payload.on));
	payload.on_where = 0xffffffff; /* of no release */
	CHECK_STR(payload_of(&payload, sizeof(payload)).on, "");
	payload.on_where = 0xffff0000 | (uint32_t)offsetof(struct wp_wait_payload, on);
	CHECK_U64(strlen(payload_of(&payload, sizeof(payload)).on), WP_WAIT_ON - 1);
	CHECK_U64(strlen(payload_of(&payload, sizeof(payload)).kind), WP_WAIT_KIND - 1);
}

int main(void)
{
	RUN(test_states);
	RUN(test_weight);
	RUN(test_own_stops);
	RUN(test_end);
	RUN(test_forgotten);
	RUN(test_clock);
	RUN(test_payload);
	RUN(test_names);
	return check_done();
}
