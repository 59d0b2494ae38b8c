/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wakers: who woke which thread last, kept until the wait that this ended is told.
 *
 * Session stage. In: samples of the event `wakers` as the kernel's program wrote them
 * (core/wake.h), each with the stack of who wakes. Out: for a wait the sample of who ended it, with
 * a payload that says so (core/waker.h). A thread that is woken while it is about to stop has its
 * sample before its stop: so what counts is the last one since it ran.
 */
#ifndef WP_WAKERS_H
#define WP_WAKERS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "core/wait.h"
#include "core/wake.h"
#include "core/waker.h"

/* One of them. */
struct wp_waker_kept {
	struct wp_arena arena;	 /* of what the sample points at */
	struct wp_record sample; /* its time: when it woke */
	struct wp_waker_payload payload;
	bool used; /* it belongs to a wait that was told */
};

/* All-zero but for what is said first is empty. */
struct wp_wakers {
	uint32_t event; /* its index, from 1; 0: nobody asks */
	/* What a function of the kernel is called, or NULL; for what interrupts are for. */
	const char *(*kernel_name)(void *arg, uint64_t ip);
	void *arg;
	WP_VEC(struct wp_waker_kept) kept;
	struct wp_map of_wakee; /* the kernel's number of the thread -> index in kept + 1 */
	uint64_t wakes;		/* that ended a wait */
	uint64_t unseen;	/* waits that nobody was seen to end */
	uint64_t unwalked;	/* wakers whose stacks are not told: of processes not asked for */
	uint64_t malformed;
	struct wp_record given;
	struct wp_waker_payload payload; /* the given one's */
};

/* False: the record is no sample of that event. */
bool wp_wakers_take(struct wp_wakers *wakers, const struct wp_record *record);
/*
 * Who ended the wait of the thread that the kernel knows by that number, and that had last got a
 * CPU at since_ns: fills in waker, waker_tid and wake of its payload, whose ns is known. Returns
 * the sample of it, with the wait's pid, tid and time in its payload, borrowed until the next call;
 * NULL: it was not seen.
 */
const struct wp_record *wp_wakers_end(struct wp_wakers *wakers, uint32_t thread, uint64_t since_ns,
				      const struct wp_record *wait,
				      struct wp_wait_payload *payload);
void wp_wakers_deinit(struct wp_wakers *wakers);

#endif
