/* SPDX-License-Identifier: BSD-3-Clause */
/* test_wakers: who wakes a thread is kept until the wait is told that this ended, and named. */
#include "check.h"
#include "session/live/wakers.h"

#include <string.h>

#define WAKERS	1 /* the event */
#define WAITER	501
#define KERNEL	44 /* the kernel's number of the waiter */
#define RELEASE 0x4010

static const char *const names[] = {"try_to_wake_up",	"hrtimer_wakeup",  "sock_def_readable",
				    "net_rx_action",	"handle_softirqs", "asm_sysvec_apic_timer",
				    "entry_SYSCALL_64", "do_idle"};
enum { WAKES, TIMER, SOCKET, NET, SOFTIRQ, ENTRY, SYSCALL, IDLE };

static const char *name_of(void *arg, uint64_t ip)
{
	CHECK(arg == names);
	return ip < WP_ARRAY_LEN(names) ? names[ip] : NULL;
}

static struct wp_wakers begin(void)
{
	return (struct wp_wakers){
		.event = WAKERS + 1, .kernel_name = name_of, .arg = (void *)names};
}

/* Its stack and payload are gone afterwards. */
static bool wake_up(struct wp_wakers *wakers, struct wp_wake *wake, uint64_t time_ns)
{
	struct wp_stack_frame walked[] = {{{RELEASE}, 8}};
	struct wp_stack_raw raw = {.walked = walked, .n_walked = 1};
	struct wp_record record = {.kind = WP_RECORD_SAMPLE,
				   .pid = 7,
				   .tid = 70,
				   .time_ns = time_ns,
				   .sample = {.event = WAKERS, .stack = &raw}};
	bool ret;

	record.sample.payload = (const uint8_t *)wake;
	record.sample.payload_bytes = (uint32_t)WP_WAKE_BYTES(wake->n_ips);
	ret = wp_wakers_take(wakers, &record);
	memset(walked, 0xff, sizeof(walked));
	return ret;
}

static struct wp_wake by_thread(void)
{
	return (struct wp_wake){
		.wakee = KERNEL, .context = WP_WAKE_TASK, .walked = 1, .comm = "flush"};
}

/* The wait from since_ns to time_ns. */
static const struct wp_record *end(struct wp_wakers *wakers, uint64_t since_ns, uint64_t time_ns,
				   struct wp_wait_payload *payload)
{
	struct wp_record wait = {
		.kind = WP_RECORD_SAMPLE, .pid = 5, .tid = WAITER, .time_ns = time_ns};

	wp_wait_fill(WP_WAIT_INTERRUPTIBLE, 1, 1000, payload);
	return wp_wakers_end(wakers, KERNEL, since_ns, &wait, payload);
}

static void test_thread(void)
{
	struct wp_wakers wakers = begin();
	struct wp_wake wake = by_thread();
	const struct wp_record *given;
	struct wp_wait_payload wait;
	struct wp_waker_payload waker;

	CHECK(wake_up(&wakers, &wake, 150));
	given = end(&wakers, 100, 190, &wait);
	CHECK(given);
	CHECK_STR(wait.waker, "flush");
	CHECK_U64(wait.waker_tid, 70);
	CHECK_U64(wait.wake, 1);
	CHECK_U64(given->tid, 70);
	CHECK_U64(given->time_ns, 190);
	CHECK_U64(given->sample.period, 1000);
	CHECK_U64(given->sample.stack->walked[0].ip.v, RELEASE);
	CHECK(wp_waker_read(&given->sample, &waker));
	CHECK_U64(waker.waiter_tid, WAITER);
	CHECK_U64(waker.delay_ns, 40);
	CHECK_U64(waker.walked, 1);
	CHECK_STR(waker.how, "thread");
	wp_wakers_deinit(&wakers);
}

/* One wake-up ends one wait; the last one since the thread ran is it, and none from before. */
static void test_which(void)
{
	struct wp_wakers wakers = begin();
	struct wp_wake wake = by_thread(), other = by_thread();
	struct wp_wait_payload wait;

	CHECK(!end(&wakers, 100, 190, &wait));
	CHECK_STR(wait.waker, WP_WAIT_UNSEEN);
	strcpy(other.comm, "late");
	wake_up(&wakers, &wake, 150);
	wake_up(&wakers, &other, 160);
	CHECK(end(&wakers, 100, 190, &wait));
	CHECK_STR(wait.waker, "late");
	CHECK(!end(&wakers, 100, 195, &wait));
	wake_up(&wakers, &wake, 200);
	CHECK(!end(&wakers, 200, 250, &wait));
	CHECK(!end(&wakers, 100, 199, &wait));
	wake.wakee++;
	wake_up(&wakers, &wake, 260);
	CHECK(!end(&wakers, 250, 290, &wait));
	CHECK_U64(wakers.unseen, 5);
	CHECK_U64(wakers.wakes, 1);
	wp_wakers_deinit(&wakers);
}

static void test_interrupts(void)
{
	static const struct {
		uint32_t context, n;
		uint64_t ips[4];
		const char *waker, *how;
		uint32_t tid;
	} cases[] = {
		{WP_WAKE_INTERRUPT, 3, {WAKES, TIMER, ENTRY}, "[timer]", "timer", 0},
		{WP_WAKE_UNTOLD, 3, {WAKES, TIMER, ENTRY}, "[timer]", "timer", 0},
		{WP_WAKE_SOFTIRQ, 4, {WAKES, SOCKET, NET, SOFTIRQ}, "[network]", "network", 0},
		{WP_WAKE_UNTOLD, 4, {WAKES, NET, SOFTIRQ, SYSCALL}, "[network]", "network", 0},
		{WP_WAKE_INTERRUPT, 2, {WAKES, IDLE}, "[interrupt]", "interrupt", 0},
		{WP_WAKE_SOFTIRQ, 0, {0}, "[softirq]", "softirq", 0},
		/* What it interrupted says nothing. */
		{WP_WAKE_UNTOLD, 4, {WAKES, ENTRY, TIMER, SYSCALL}, "[interrupt]", "interrupt", 0},
		{WP_WAKE_UNTOLD, 2, {WAKES, SYSCALL}, "flush", "thread", 70},
		{WP_WAKE_UNTOLD, 2, {1000, 1001}, "[unknown]", "unknown", 0},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(cases); i++) {
		struct wp_wakers wakers = begin();
		struct wp_wake wake = by_thread();
		struct wp_waker_payload waker;
		struct wp_wait_payload wait;
		const struct wp_record *given;

		wake.context = cases[i].context;
		wake.n_ips = cases[i].n;
		memcpy(wake.ips, cases[i].ips, sizeof(cases[i].ips));
		wake_up(&wakers, &wake, 150);
		given = end(&wakers, 100, 190, &wait);
		CHECK(given && wp_waker_read(&given->sample, &waker));
		CHECK_STR(wait.waker, cases[i].waker);
		CHECK_STR(waker.how, cases[i].how);
		CHECK_U64(wait.waker_tid, cases[i].tid);
		CHECK_U64(waker.walked, cases[i].tid != 0);
		/* No stack of whoever was interrupted. */
		CHECK_U64(given->sample.stack->walked[0].ip.v, cases[i].tid ? RELEASE : 0);
		wp_wakers_deinit(&wakers);
	}
}

static void test_kernel_thread(void)
{
	struct wp_wakers wakers = begin();
	struct wp_wake wake = by_thread();
	const struct wp_record *given;
	struct wp_waker_payload waker;
	struct wp_wait_payload wait;

	wake.kernel = 1;
	wake.walked = 0;
	wake.n_ips = 1;
	wake.ips[0] = SOCKET;
	strcpy(wake.comm, "kworker/0:1");
	wake_up(&wakers, &wake, 150);
	given = end(&wakers, 100, 190, &wait);
	CHECK(given && wp_waker_read(&given->sample, &waker));
	CHECK_STR(wait.waker, "kworker/0:1");
	CHECK_U64(wait.waker_tid, 70);
	CHECK_STR(waker.how, "kernel");
	CHECK_U64(given->sample.mode, WP_MODE_KERNEL);
	wp_wakers_deinit(&wakers);
}

static void test_malformed(void)
{
	struct wp_wakers wakers = begin(), off = {0};
	struct wp_record short_one = {.kind = WP_RECORD_SAMPLE, .sample = {.event = WAKERS}};
	struct wp_record other = {.kind = WP_RECORD_SAMPLE};
	struct wp_wake wake = by_thread();

	CHECK(wp_wakers_take(&wakers, &short_one));
	CHECK(!wp_wakers_take(&wakers, &other));
	CHECK(!wp_wakers_take(&off, &short_one));
	wake.n_ips = 9;
	short_one.sample.payload = (const uint8_t *)&wake;
	short_one.sample.payload_bytes = (uint32_t)WP_WAKE_BYTES(8);
	CHECK(wp_wakers_take(&wakers, &short_one));
	wake.n_ips = WP_WAKE_IPS + 1;
	short_one.sample.payload_bytes = sizeof(wake);
	CHECK(wp_wakers_take(&wakers, &short_one));
	CHECK_U64(wakers.malformed, 3);
	CHECK_U64(wakers.kept.n, 0);
	wp_wakers_deinit(&wakers);
}

/* Many threads that are woken, and whose waits nobody tells, cost bounded memory. */
static void test_bounded(void)
{
	struct wp_wakers wakers = begin();
	struct wp_wake wake = by_thread();

	for (uint32_t i = 0; i < 70000; i++) {
		wake.wakee = 1000 + i;
		wake_up(&wakers, &wake, 150 + i);
	}
	CHECK(wakers.kept.n <= 65536);
	wp_wakers_deinit(&wakers);
}

int main(void)
{
	RUN(test_thread);
	RUN(test_which);
	RUN(test_interrupts);
	RUN(test_kernel_thread);
	RUN(test_malformed);
	RUN(test_bounded);
	return check_done();
}
