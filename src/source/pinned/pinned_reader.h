/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned_reader: a thread on one CPU that is woken by each sample there, and reads the Python
 * frames of the thread it took the CPU from.
 *
 * Source stage. In: the ring of that CPU, looked at without taking anything out. Out: a queue of
 * messages for the main thread. Nothing it does waits for anybody: the sampled thread stands still
 * meanwhile.
 */
#ifndef WP_PINNED_READER_H
#define WP_PINNED_READER_H

#include "source/pinned/pinned_alike.h"
#include "source/pinned/pinned_look.h"
#include "source/pinned/pinned_plans.h"
#include "source/pinned/pinned_proof.h"
#include "source/pinned/pinned_queue.h"
#include "source/pinned/pinned_walk.h"

#include <pthread.h>

/* What a message begins with. */
enum wp_pinned_message {
	WP_PINNED_READ, /* struct wp_pinned_read and its slots */
	WP_PINNED_CODE, /* struct wp_pinned_code_head and bytes */
};

/* What all readers of a run share; does not change while they run, but for what plans hold. */
struct wp_pinned_run {
	struct wp_pinned_plans *plans;
	const struct wp_pinned_alikes *alikes;
	const struct wp_perf_ring *rings; /* of all CPUs */
	size_t n_rings;
	struct wp_perf_layout layout;
	bool gil;    /* frames say who held the GIL */
	bool tasks;  /* asyncio's tasks are looked for */
	int stop_fd; /* readable when readers are to end */
	int full_fd; /* an eventfd: written when the main thread should take what there is */
};

enum wp_pinned_standing {
	WP_PINNED_REAL_TIME, /* SCHED_FIFO */
	WP_PINNED_ORDINARY,
	WP_PINNED_NOT_ALLOWED, /* on that CPU: it reads nothing */
};

struct wp_pinned_reader {
	struct wp_pinned_run *run;
	const struct wp_perf_ring *ring;
	size_t index;	    /* among the readers */
	WP_VEC(int) events; /* descriptors that write to the ring: any of them says when */
	pthread_t thread;
	bool started;
	/* The reader thread's own, once it runs. */
	struct wp_pinned_look look;
	struct wp_pinned_walk *walk;
	/* Processes without plans: pid -> the parent that a ring told of, or 0, and for which table
	 * that is so. */
	struct wp_map adopted;
	struct wp_pinned_process alike; /* of the thread that is read, when nobody told of it */
	enum wp_pinned_standing standing;
	uint64_t wait_ns, woke_ns; /* when it began to wait last, and ended; 0: not in real time */
	uint64_t refused;	   /* messages there was no room for */
	uint64_t read_ns;	   /* that threads were read for, without code objects */
	uint64_t reminded_at;	   /* what the main thread had taken when it was reminded last */
	/* Between the two: messages; the position up to which the ring has been seen, and what the
	 * main thread knew of it when it took the messages. */
	struct wp_pinned_queue queue;
	uint64_t seen, collected;
};

void wp_pinned_reader_init(struct wp_pinned_reader *reader, struct wp_pinned_run *run,
			   size_t index);
void wp_pinned_reader_deinit(struct wp_pinned_reader *reader);
/* False when no thread could be started. */
bool wp_pinned_reader_start(struct wp_pinned_reader *reader);
/* Waits until the thread has seen everything and ended, which it does once stop_fd is readable. */
void wp_pinned_reader_join(struct wp_pinned_reader *reader);

#endif
