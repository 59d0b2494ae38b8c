/* SPDX-License-Identifier: BSD-3-Clause */
/* worker: see worker.h. Its thread takes no signals: they are for whoever runs the session. */
#include "base/worker.h"

#include "base/clock.h"
#include "base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

struct wp_worker {
	pthread_t thread;
	bool started, cannot_start;
	pthread_mutex_t lock; /* over all that follows */
	pthread_cond_t added, finished;
	struct wp_job *first; /* that have not begun */
	bool quits;
};

struct wp_worker *wp_worker_new(void)
{
	struct wp_worker *worker = wp_calloc(1, sizeof(*worker));
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&worker->lock, NULL);
	pthread_cond_init(&worker->added, NULL);
	pthread_cond_init(&worker->finished, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return worker;
}

static void finish_job(struct wp_job *job)
{
	__atomic_store_n(&job->done, true, __ATOMIC_RELEASE);
}

static void *work(void *arg)
{
	struct wp_worker *worker = arg;

	pthread_mutex_lock(&worker->lock);
	for (;;) {
		struct wp_job *job = worker->first;

		if (worker->quits)
			break;
		if (!job) {
			pthread_cond_wait(&worker->added, &worker->lock);
			continue;
		}
		worker->first = job->next;
		pthread_mutex_unlock(&worker->lock);
		job->run(job);
		pthread_mutex_lock(&worker->lock);
		finish_job(job);
		pthread_cond_broadcast(&worker->finished);
	}
	pthread_mutex_unlock(&worker->lock);
	return NULL;
}

static bool start_thread(struct wp_worker *worker)
{
	sigset_t all, before;

	if (worker->started || worker->cannot_start)
		return worker->started;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	worker->started = pthread_create(&worker->thread, NULL, work, worker) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	worker->cannot_start = !worker->started;
	return worker->started;
}

void wp_worker_free(struct wp_worker *worker)
{
	if (!worker)
		return;
	pthread_mutex_lock(&worker->lock);
	worker->quits = true;
	pthread_cond_broadcast(&worker->added);
	pthread_mutex_unlock(&worker->lock);
	if (worker->started)
		pthread_join(worker->thread, NULL);
	pthread_cond_destroy(&worker->added);
	pthread_cond_destroy(&worker->finished);
	pthread_mutex_destroy(&worker->lock);
	free(worker);
}

/* Takes it out of those that have not begun; false when it is none of them. The lock is held. */
static bool take_job_out(struct wp_worker *worker, struct wp_job *job)
{
	for (struct wp_job **at = &worker->first; *at; at = &(*at)->next)
		if (*at == job) {
			*at = job->next;
			return true;
		}
	return false;
}

void wp_worker_add(struct wp_worker *worker, struct wp_job *job)
{
	struct wp_job **last = &worker->first;

	job->next = NULL;
	job->done = false;
	if (!start_thread(worker)) {
		job->run(job);
		finish_job(job);
		return;
	}
	pthread_mutex_lock(&worker->lock);
	while (*last)
		last = &(*last)->next;
	*last = job;
	pthread_cond_signal(&worker->added);
	pthread_mutex_unlock(&worker->lock);
}

static void put_first(struct wp_worker *worker, struct wp_job *job)
{
	if (worker->first == job || !take_job_out(worker, job))
		return;
	job->next = worker->first;
	worker->first = job;
}

void wp_worker_hurry(struct wp_worker *worker, struct wp_job *job)
{
	pthread_mutex_lock(&worker->lock);
	put_first(worker, job);
	pthread_mutex_unlock(&worker->lock);
}

bool wp_worker_done(const struct wp_job *job)
{
	return __atomic_load_n(&job->done, __ATOMIC_ACQUIRE);
}

void wp_worker_wait(struct wp_worker *worker, struct wp_job *job)
{
	if (wp_worker_done(job))
		return;
	pthread_mutex_lock(&worker->lock);
	put_first(worker, job);
	while (!wp_worker_done(job))
		pthread_cond_wait(&worker->finished, &worker->lock);
	pthread_mutex_unlock(&worker->lock);
}

/* From now on; the clock of pthreads is the system's own, which a time namespace does not change.
 */
static struct timespec end_of(uint64_t ns)
{
	struct timespec end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	ns += (uint64_t)end.tv_nsec;
	end.tv_sec += (time_t)(ns / WP_NS_PER_S);
	end.tv_nsec = (long)(ns % WP_NS_PER_S);
	return end;
}

bool wp_worker_wait_for(struct wp_worker *worker, struct wp_job *job, uint64_t ns)
{
	const struct timespec end = end_of(ns);
	int late = 0;

	if (wp_worker_done(job))
		return true;
	pthread_mutex_lock(&worker->lock);
	while (!late && !wp_worker_done(job))
		late = pthread_cond_timedwait(&worker->finished, &worker->lock, &end);
	pthread_mutex_unlock(&worker->lock);
	return wp_worker_done(job);
}

void wp_worker_cancel(struct wp_worker *worker, struct wp_job *job)
{
	pthread_mutex_lock(&worker->lock);
	if (!take_job_out(worker, job))
		while (!wp_worker_done(job))
			pthread_cond_wait(&worker->finished, &worker->lock);
	pthread_mutex_unlock(&worker->lock);
}
