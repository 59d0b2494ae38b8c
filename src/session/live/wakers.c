/* SPDX-License-Identifier: BSD-3-Clause */
/* wakers: see wakers.h. */
#include "session/live/wakers.h"

#include "base/str.h"
#include "base/utf8.h"
#include "core/record_keep.h"

#include <stdio.h>
#include <string.h>

/* Threads that were woken: more are forgotten together, so that memory stays bounded. */
#define KEPT_MAX (1u << 16)

/* What an interrupt is for: the first function that is met, from where it wakes outwards. */
static const struct {
	const char *function, *what;
} reasons[] = {
	{"hrtimer_wakeup", "timer"},
	{"__hrtimer_run_queues", "timer"},
	{"process_timeout", "timer"},
	{"call_timer_fn", "timer"},
	{"__run_timers", "timer"},
	{"run_timer_softirq", "timer"},
	{"net_rx_action", "network"},
	{"net_tx_action", "network"},
	{"blk_done_softirq", "disk"},
	{"blk_complete_reqs", "disk"},
	{"blk_mq_end_request", "disk"},
	{"blk_mq_complete_request", "disk"},
	{"bio_endio", "disk"},
	{"rcu_core", "rcu"},
	{"tasklet_action_common", "tasklet"},
};

/* Where the interrupt began: what follows is what it interrupted. */
static bool is_entry(const char *name)
{
	return wp_str_has_prefix(name, "asm_sysvec_") || wp_str_has_prefix(name, "sysvec_") ||
	       strcmp(name, "asm_common_interrupt") == 0 || strcmp(name, "common_interrupt") == 0 ||
	       strcmp(name, "el1h_64_irq") == 0 || strcmp(name, "el0t_64_irq") == 0;
}

/* *ret_ip: where the function that says it called, or which one wakes. */
static const char *find_reason(const struct wp_wakers *wakers, const struct wp_wake *wake,
			       uint64_t *ret_ip)
{
	*ret_ip = wake->n_ips ? wake->ips[0] : 0;
	for (uint32_t i = 0; wakers->kernel_name && i < wake->n_ips; i++) {
		const char *name = wakers->kernel_name(wakers->arg, wake->ips[i]);

		if (name && is_entry(name))
			break;
		for (size_t j = 0; name && j < WP_ARRAY_LEN(reasons); j++) {
			if (strcmp(name, reasons[j].function) != 0)
				continue;
			*ret_ip = wake->ips[i];
			return reasons[j].what;
		}
	}
	switch (wake->context) {
	case WP_WAKE_TASK: return "kernel";
	case WP_WAKE_INTERRUPT: return "interrupt";
	case WP_WAKE_SOFTIRQ: return "softirq";
	default: return "unknown";
	}
}

static bool is_softirq(const char *name)
{
	return strcmp(name, "handle_softirqs") == 0 || strcmp(name, "__do_softirq") == 0;
}

/* What the program could not see the functions tell, where they have names. */
static uint32_t find_context(const struct wp_wakers *wakers, const struct wp_wake *wake)
{
	bool named = false;

	if (wake->context != WP_WAKE_UNTOLD || !wakers->kernel_name)
		return wake->context;
	for (uint32_t i = 0; i < wake->n_ips; i++) {
		const char *name = wakers->kernel_name(wakers->arg, wake->ips[i]);

		named = named || name;
		if (name && is_softirq(name))
			return WP_WAKE_SOFTIRQ;
		if (name && is_entry(name))
			return WP_WAKE_INTERRUPT;
	}
	return named && wake->n_ips < WP_WAKE_IPS ? WP_WAKE_TASK : WP_WAKE_UNTOLD;
}

static bool is_thread_waker(const struct wp_wake *wake)
{
	return wake->context == WP_WAKE_TASK;
}

/* False: it is no such thing. */
static bool read_wake(const struct wp_record_sample *sample, struct wp_wake *ret)
{
	size_t n = sample->payload_bytes < sizeof(*ret) ? sample->payload_bytes : sizeof(*ret);

	if (!sample->payload || n < WP_WAKE_BYTES(0))
		return false;
	memset(ret, 0, sizeof(*ret));
	memcpy(ret, sample->payload, n);
	return ret->n_ips <= WP_WAKE_IPS && n >= WP_WAKE_BYTES(ret->n_ips);
}

/* Its sample is of the place in the kernel, where that is known. */
static void name_kernel_waker(const struct wp_wakers *wakers, const struct wp_wake *wake,
			      struct wp_waker_kept *kept)
{
	struct wp_waker_payload *payload = &kept->payload;
	uint64_t ip;

	snprintf(payload->how, sizeof(payload->how), "%s", find_reason(wakers, wake, &ip));
	if (!is_thread_waker(wake)) {
		snprintf(payload->waker, sizeof(payload->waker), "[%.14s]", payload->how);
		kept->sample.pid = kept->sample.tid = 0; /* that thread had no part in it */
	}
	if (ip) {
		kept->sample.sample.mode = WP_MODE_KERNEL;
		kept->sample.sample.ip = (struct wp_va){ip};
	}
}

static void name_waker(const struct wp_wakers *wakers, struct wp_wake *wake,
		       struct wp_waker_kept *kept)
{
	struct wp_waker_payload *payload = &kept->payload;

	wake->comm[sizeof(wake->comm) - 1] = '\0';
	snprintf(payload->how, sizeof(payload->how), "thread");
	snprintf(payload->waker, sizeof(payload->waker), "%.15s", wake->comm);
	wp_utf8_hide_controls(payload->waker, "");
	if (!is_thread_waker(wake) || wake->kernel)
		name_kernel_waker(wakers, wake, kept);
	payload->walked = is_thread_waker(wake) && wake->walked;
}

/* It has no place in user code, and nothing is missing. What the kernel did there stays. */
static void give_no_stack(struct wp_waker_kept *kept)
{
	static const struct wp_stack_frame nowhere[1];
	static const struct wp_python_slot none[] = {
		{.lasti = WP_PYTHON_THREAD, .id = WP_PYTHON_THREAD_ID(0, WP_PYTHON_NO_THREAD)}};
	struct wp_stack_raw *raw = wp_arena_alloc(&kept->arena, sizeof(*raw));
	const struct wp_stack_raw *before = kept->sample.sample.stack;

	*raw = (struct wp_stack_raw){
		.kernel_ips = before ? before->kernel_ips : NULL,
		.n_kernel = before ? before->n_kernel : 0,
		.walked = nowhere,
		.n_walked = 1,
		.walked_end = WP_STACK_COMPLETE,
		.python = none,
		.n_python = 1,
	};
	kept->sample.sample.stack = raw;
}

static struct wp_waker_kept *place_of_wakee(struct wp_wakers *wakers, uint32_t wakee)
{
	uint64_t *at;

	if (wakers->kept.n >= KEPT_MAX && !wp_map_get(&wakers->of_wakee, wakee)) {
		wp_vec_each (struct wp_waker_kept, kept, &wakers->kept)
			wp_arena_deinit(&kept->arena);
		wakers->kept.n = 0;
		wp_map_deinit(&wakers->of_wakee);
	}
	at = wp_map_put(&wakers->of_wakee, wakee);
	if (!*at) {
		wp_vec_push(&wakers->kept, (struct wp_waker_kept){0});
		*at = wakers->kept.n;
	}
	return &wakers->kept.v[*at - 1];
}

bool wp_wakers_take(struct wp_wakers *wakers, const struct wp_record *record)
{
	struct wp_waker_kept *kept;
	struct wp_wake wake;

	if (!wakers->event || record->kind != WP_RECORD_SAMPLE ||
	    record->sample.event + 1 != wakers->event)
		return false;
	if (!read_wake(&record->sample, &wake)) {
		wakers->malformed++;
		return true;
	}
	wake.context = find_context(wakers, &wake);
	kept = place_of_wakee(wakers, wake.wakee);
	wp_arena_deinit(&kept->arena);
	kept->sample = *record;
	kept->sample.sample.payload = NULL;
	kept->sample.sample.payload_bytes = 0;
	wp_record_keep(&kept->arena, &kept->sample);
	kept->payload = (struct wp_waker_payload){.magic = WP_WAKER_MAGIC};
	kept->used = false;
	name_waker(wakers, &wake, kept);
	if (!kept->payload.walked)
		give_no_stack(kept);
	return true;
}

/* NULL: it was not seen. */
static struct wp_waker_kept *find_waker(struct wp_wakers *wakers, uint32_t thread,
					uint64_t since_ns, uint64_t until_ns)
{
	const uint64_t *at = wp_map_get(&wakers->of_wakee, thread);
	struct wp_waker_kept *kept = at ? &wakers->kept.v[*at - 1] : NULL;

	return kept && !kept->used && kept->sample.time_ns > since_ns &&
			       kept->sample.time_ns <= until_ns
		       ? kept
		       : NULL;
}

const struct wp_record *wp_wakers_end(struct wp_wakers *wakers, uint32_t thread, uint64_t since_ns,
				      const struct wp_record *wait, struct wp_wait_payload *payload)
{
	struct wp_waker_kept *kept = find_waker(wakers, thread, since_ns, wait->time_ns);
	struct wp_record *given = &wakers->given;

	if (!kept) {
		wakers->unseen++;
		snprintf(payload->waker, sizeof(payload->waker), WP_WAIT_UNSEEN);
		return NULL;
	}
	kept->used = true;
	*given = kept->sample;
	wakers->payload = kept->payload;
	wakers->payload.waiter_pid = wait->pid;
	wakers->payload.waiter_tid = wait->tid;
	wakers->payload.ns = payload->ns;
	wakers->payload.delay_ns = wait->time_ns - kept->sample.time_ns;
	wakers->payload.wake = ++wakers->wakes;
	memcpy(payload->waker, kept->payload.waker, sizeof(payload->waker));
	payload->waker_tid = given->tid;
	payload->wake = wakers->wakes;
	given->time_ns = wait->time_ns;
	given->sample.payload = (const uint8_t *)&wakers->payload;
	given->sample.payload_bytes = sizeof(wakers->payload);
	given->sample.period = payload->ns;
	given->sample.waited_ns = wakers->payload.delay_ns;
	return given;
}

void wp_wakers_deinit(struct wp_wakers *wakers)
{
	wp_vec_each (struct wp_waker_kept, kept, &wakers->kept)
		wp_arena_deinit(&kept->arena);
	wp_vec_deinit(&wakers->kept);
	wp_map_deinit(&wakers->of_wakee);
}
