/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread comes first, what it starts does, too; who computes for long is ordinary again; who was
 * made nice stays so. */
#include "base/priority.h"
#include "check.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

/* Root in a container may be refused. */
static bool is_permitted(void)
{
	struct sched_param first = {.sched_priority = 1}, none = {0};
	bool permitted = sched_setscheduler(0, SCHED_FIFO, &first) == 0;

	CHECK(sched_setscheduler(0, SCHED_OTHER, &none) == 0);
	return permitted;
}

static void *ask(void *arg)
{
	*(int *)arg = sched_getscheduler(0);
	return NULL;
}

static void compute(long ms)
{
	struct timespec now;

	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < ms);
}

static void test_comes_first(void)
{
	struct wp_priority priority = {0};
	int policy = -1;
	pthread_t thread;

	wp_priority_raise(&priority);
	CHECK(priority.raised);
	CHECK(sched_getscheduler(0) == SCHED_FIFO);
	pthread_create(&thread, NULL, ask, &policy);
	pthread_join(thread, NULL);
	CHECK(policy == SCHED_FIFO);
	wp_priority_lower(&priority);
	CHECK(sched_getscheduler(0) == SCHED_OTHER && getpriority(PRIO_PROCESS, 0) == 0);
}

static void test_long_stretch(void)
{
	struct wp_priority priority = {0};

	wp_priority_raise(&priority);
	compute(1500); /* of this thread, all tests together */
	CHECK(sched_getscheduler(0) == SCHED_OTHER && getpriority(PRIO_PROCESS, 0) == -20);
	wp_priority_renew(&priority);
	CHECK(sched_getscheduler(0) == SCHED_FIFO);
	wp_priority_lower(&priority);
	CHECK(sched_getscheduler(0) == SCHED_OTHER && getpriority(PRIO_PROCESS, 0) == 0);
}

static void test_leaves_the_users_choice(void)
{
	struct wp_priority priority = {0};

	CHECK(setpriority(PRIO_PROCESS, 0, 5) == 0);
	wp_priority_raise(&priority);
	CHECK(!priority.raised);
	CHECK(sched_getscheduler(0) == SCHED_OTHER && getpriority(PRIO_PROCESS, 0) == 5);
}

int main(void)
{
	bool ordinary = getpriority(PRIO_PROCESS, 0) == 0 && sched_getscheduler(0) == SCHED_OTHER;

	if (ordinary && is_permitted()) {
		RUN(test_comes_first);
		RUN(test_long_stretch);
	}
	RUN(test_leaves_the_users_choice);
	return check_done();
}
