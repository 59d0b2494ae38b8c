/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waker: what a sample of the event `wakers` says of who ended a wait.
 *
 * Core. Such a sample has the thread, the CPU and the stack of whoever woke the thread that waited
 * (thread 0: no thread, but an interrupt), weighs what the wait lasted, and comes right before the
 * wait that it ended, at the same time: when the thread ran again.
 */
#ifndef WP_WAKER_H
#define WP_WAKER_H

#include "core/field.h"
#include "core/record.h"
#include "core/wait.h"

#define WP_WAKER_HOW 16 /* bytes of what it is, its NUL with them */

struct wp_waker_payload {
	uint32_t magic; /* WP_WAKER_MAGIC */
	uint32_t waiter_pid, waiter_tid;
	uint32_t walked;   /* it is a thread, and the stack of its user code is told */
	uint64_t ns;	   /* of the wait */
	uint64_t delay_ns; /* of them, from the wake-up until the thread ran */
	uint64_t wake;	   /* its number, as in struct wp_wait_payload */
	char how[WP_WAKER_HOW];
	char waker[WP_WAIT_WAKER]; /* as in struct wp_wait_payload */
};

#define WP_WAKER_MAGIC 0x656b6177u /* "wake" */

/* The fields of such a payload: ns, delay, wake, waiter, walked, how, waker. */
const struct wp_fields *wp_waker_fields(void);
/* False where the sample brings none; else its texts are ended, with whatever characters. */
bool wp_waker_read(const struct wp_record_sample *sample, struct wp_waker_payload *ret);

#endif
