/* SPDX-License-Identifier: BSD-3-Clause */
/* test_worker: jobs in order, one that is needed first, one that nobody needs any more. */
#include "base/worker.h"
#include "base/mem.h"
#include "check.h"

#include <pthread.h>

struct note {
	struct wp_job job;
	char name;
};

/* What ran, in order; written by the worker, read when its jobs are done. */
static char ran[64];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void write_name(struct wp_job *job)
{
	size_t n = strlen(ran);

	ran[n] = ((struct note *)job)->name;
	ran[n + 1] = 0;
}

/* As above, once the test lets it. */
static void write_late(struct wp_job *job)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	write_name(job);
}

static struct note note_of(char name)
{
	return (struct note){.job = {.run = write_name}, .name = name};
}

/* Begins with a job that ends only when the test opens the gate. */
static struct wp_worker *begin(struct note *blocker)
{
	struct wp_worker *worker = wp_worker_new();

	ran[0] = 0;
	*blocker = (struct note){.job = {.run = write_late}, .name = '-'};
	pthread_mutex_lock(&gate);
	wp_worker_add(worker, &blocker->job);
	return worker;
}

static void test_wait_for(void)
{
	struct note blocker, a = note_of('a');
	struct wp_worker *worker = begin(&blocker);

	wp_worker_add(worker, &a.job);
	CHECK(!wp_worker_wait_for(worker, &a.job, 1000 * 1000));
	CHECK(!wp_worker_wait_for(worker, &blocker.job, 0));
	pthread_mutex_unlock(&gate);
	CHECK(wp_worker_wait_for(worker, &a.job, UINT64_C(60) << 30));
	CHECK(wp_worker_done(&blocker.job) && wp_worker_wait_for(worker, &a.job, 0));
	CHECK_STR(ran, "-a");
	wp_worker_free(worker);
}

static void test_order(void)
{
	struct note blocker, a = note_of('a'), b = note_of('b'), c = note_of('c');
	struct wp_worker *worker = begin(&blocker);

	wp_worker_add(worker, &a.job);
	wp_worker_add(worker, &b.job);
	wp_worker_add(worker, &c.job);
	CHECK(!wp_worker_done(&blocker.job) && !wp_worker_done(&a.job));
	pthread_mutex_unlock(&gate);
	wp_worker_wait(worker, &blocker.job);
	while (!wp_worker_done(&c.job))
		;
	CHECK_STR(ran, "-abc");
	wp_worker_wait(worker, &a.job); /* done: returns at once */
	wp_worker_free(worker);
}

static void test_hurry(void)
{
	struct note blocker, a = note_of('a'), b = note_of('b'), c = note_of('c'), d = note_of('d');
	struct wp_worker *worker = begin(&blocker);

	wp_worker_add(worker, &a.job);
	wp_worker_add(worker, &b.job);
	wp_worker_add(worker, &c.job);
	wp_worker_add(worker, &d.job);
	wp_worker_hurry(worker, &c.job);
	wp_worker_hurry(worker, &blocker.job); /* has begun, or is done soon */
	pthread_mutex_unlock(&gate);
	wp_worker_wait(worker, &blocker.job);
	wp_worker_hurry(worker, &blocker.job); /* is done */
	while (!wp_worker_done(&d.job))
		;
	/* The thread may not have had its first job when another one was put before it. */
	CHECK(strcmp(ran, "-cabd") == 0 || strcmp(ran, "c-abd") == 0);
	wp_worker_free(worker);
}

static void test_cancel(void)
{
	struct note blocker, a = note_of('a'), b = note_of('b'), c = note_of('c');
	struct wp_worker *worker = begin(&blocker);

	wp_worker_add(worker, &a.job);
	wp_worker_add(worker, &b.job);
	wp_worker_add(worker, &c.job);
	wp_worker_cancel(worker, &b.job);
	pthread_mutex_unlock(&gate);
	wp_worker_cancel(worker, &blocker.job); /* waits, if it has begun */
	wp_worker_wait(worker, &c.job);
	wp_worker_cancel(worker, &c.job); /* done: nothing to do */
	wp_worker_free(worker);
	CHECK(!strchr(ran, 'b') && strchr(ran, 'c'));
}

static void test_free(void)
{
	struct note blocker, a = note_of('a');
	struct wp_worker *worker = begin(&blocker);

	wp_worker_add(worker, &a.job);
	pthread_mutex_unlock(&gate);
	wp_worker_free(worker); /* may leave jobs undone; nothing runs afterwards */
	CHECK(wp_worker_done(&a.job) == (strchr(ran, 'a') != NULL));
	wp_worker_free(wp_worker_new());
	wp_worker_free(NULL);
}

int main(void)
{
	RUN(test_order);
	RUN(test_wait_for);
	RUN(test_hurry);
	RUN(test_cancel);
	RUN(test_free);
	return check_done();
}
