/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits: the samples of threads that stop, held until the thread runs again.
 *
 * Session stage. In: samples at sched:sched_switch and SWITCH records, in order of time. Out:
 * samples of offcpu-time (core/wait.h), in order of the time at which threads ran again. A sample
 * that is held is a copy with all it points at. A wait begins where the thread leaves the CPU, some
 * microseconds behind its sample: what taking that costs is no waiting.
 */
#ifndef WP_WAITS_H
#define WP_WAITS_H

#include "base/arena.h"
#include "base/log.h"
#include "base/map.h"
#include "base/vec.h"
#include "core/event.h"
#include "core/wait.h"
#include "session/live/wait_names.h"
#include "session/live/wakers.h"

struct wp_waits_thread {
	uint64_t key;	       /* in by_id */
	struct wp_arena arena; /* of what the sample points at */
	struct wp_record sample;
	enum wp_wait_state state;
	struct wp_stack_call call;
	struct wp_stack_call last; /* the last one that was a system call */
	uint32_t name;		   /* of what its descriptor is, as in wp_wait_names; 0: none */
	bool waits;		   /* it has stopped, and the sample is of that */
	bool left;		   /* and is off the CPU, since the sample's time */
	bool python;		   /* its samples bring slots */
	bool was_there, switched;  /* before the run; on or off a CPU since it began */
	uint32_t event;
	uint64_t short_waits, short_ns; /* below the threshold */
	uint32_t number;      /* of the thread, as the kernel's first PID namespace has it */
	uint64_t got_cpu_ns;  /* when it last did; 0: not seen */
	uint64_t since_ns;    /* when it had, before it stopped */
	uint64_t ran_from_ns; /* on a CPU since then or its last sample; 0: not known */
	uint64_t ran_ns;      /* before that, since its last sample */
};

/* All-zero is empty. */
struct wp_waits {
	WP_VEC(struct wp_waits_thread) threads; /* that have not ended */
	uint32_t followed; /* a process that we stop ourselves: that is no wait; 0: none */
	uint32_t clock;	   /* an event, from 1, whose samples weigh the time run; 0: none */
	const char *arch;  /* whose system calls have which numbers; NULL: not told apart */
	struct wp_wait_names names;    /* of descriptors, when they are wanted */
	const struct wp_field *number; /* of a thread that stops: the kernel's number of it */
	struct wp_wakers wakers;
	const struct wp_record *waker; /* of the wait that was given last; NULL: none is known */
	struct wp_map by_id;	       /* pid and tid -> index in threads + 1 */
	struct wp_wait_payload payload;
	struct wp_record given;
	uint64_t lost, before, lasting, lasting_ns, short_waits, short_ns, short_threads;
};

/* A thread that is there already, maybe waiting: a record that names it. */
void wp_waits_expect(struct wp_waits *waits, const struct wp_record *record);
/*
 * False: the record is none of a wait. Else it was one, and *ret is the wait that it ended: a
 * sample, borrowed until the next call; NULL where it ended none. A thread that ends gives the sum
 * of its short ones. A sample of the clock is given back with the time that its thread ran since
 * the one before, as SWITCH records tell: a clock's ticks get lost where a machine is busy, or is
 * none but virtual. `waker` is then the sample of who ended the wait, if that is wanted and was
 * seen: it goes before the wait.
 */
bool wp_waits_take(struct wp_waits *waits, const struct wp_event_set *events,
		   const struct wp_field *state, const struct wp_record *record,
		   const struct wp_record **ret);
/*
 * When nothing comes any more: wait number i, up to that time, of those that last, then a sum of
 * short ones for each thread that had some. *i begins with 0; NULL: there is no more.
 */
const struct wp_record *wp_waits_finish(struct wp_waits *waits, uint64_t end_ns, size_t *i);
/* What is not among the samples, or not as it seems: lasting, short and lost ones. */
void wp_waits_tell(const struct wp_waits *waits, const struct wp_log *log);
void wp_waits_deinit(struct wp_waits *waits);

#endif
