/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worker: one thread that does jobs in order, so that whoever adds them need not wait.
 *
 * A job belongs to whoever added it; between adding and the end only its run() may touch it, on the
 * worker's thread. What run() wrote may be read once wp_worker_done() was true. The thread starts
 * with the first job; where none can be started, jobs are done when they are added. All calls come
 * from one thread.
 */
#ifndef WP_WORKER_H
#define WP_WORKER_H

#include <stdbool.h>
#include <stdint.h>

/* The first member of every job's own struct. */
struct wp_job {
	void (*run)(struct wp_job *job);
	struct wp_job *next; /* the worker's, as is what follows */
	bool done;
};

struct wp_worker;

struct wp_worker *wp_worker_new(void);
/* Waits for the job at hand; those that have not begun are not done any more. NULL is allowed. */
void wp_worker_free(struct wp_worker *worker);

/* Behind all others. */
void wp_worker_add(struct wp_worker *worker, struct wp_job *job);
/* Somebody needs this one first; nothing happens when it has begun. */
void wp_worker_hurry(struct wp_worker *worker, struct wp_job *job);
bool wp_worker_done(const struct wp_job *job);
/* Waits until it is done, before all others. */
void wp_worker_wait(struct wp_worker *worker, struct wp_job *job);
/* Waits in its turn, so long at most; true when it is done. */
bool wp_worker_wait_for(struct wp_worker *worker, struct wp_job *job, uint64_t ns);
/* Nobody needs it: it will not begin; waits for its end if it has. It may be freed then. */
void wp_worker_cancel(struct wp_worker *worker, struct wp_job *job);

#endif
