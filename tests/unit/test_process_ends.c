/* SPDX-License-Identifier: BSD-3-Clause */
/* process_ends, proc_living: a process lives on when its first thread has ended. */
#include "base/proc_living.h"
#include "check.h"
#include "session/follow/process_ends.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *stay(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return NULL;
}

/* A process whose first thread ends at once. */
static pid_t begin_headless(void)
{
	pid_t pid = fork();
	pthread_t thread;

	if (pid != 0)
		return pid;
	if (pthread_create(&thread, NULL, stay, NULL) != 0)
		_exit(1);
	pthread_exit(NULL);
}

static struct wp_record exit_of(pid_t pid, uint32_t tid)
{
	return (struct wp_record){.kind = WP_RECORD_EXIT, .pid = (uint32_t)pid, .tid = tid};
}

static bool ends(struct wp_process_ends *set, struct wp_record record)
{
	return wp_process_ends_take(set, &record);
}

static void test_headless(void)
{
	struct wp_process_ends set = {0};
	pid_t pid = begin_headless();
	uint32_t other = (uint32_t)pid;

	for (int i = 0; i < 500 && other == (uint32_t)pid; i++) {
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
		other = wp_proc_living((uint32_t)pid);
	}
	CHECK(other != (uint32_t)pid);
	CHECK_U64(wp_proc_living(other), other);
	CHECK(!ends(&set, exit_of(pid, other))); /* whose first thread has not been told of */
	CHECK(!ends(&set, exit_of(pid, (uint32_t)pid)));
	CHECK(!ends(&set, exit_of(pid, other + 1))); /* one of several */
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	CHECK_U64(wp_proc_living((uint32_t)pid), pid);
	CHECK(ends(&set, exit_of(pid, other)));
	CHECK(!ends(&set, exit_of(pid, other))); /* told once */
	wp_process_ends_deinit(&set);
}

static void test_usual(void)
{
	struct wp_process_ends set = {0};
	uint32_t self = (uint32_t)getpid();
	struct wp_record exec = {.kind = WP_RECORD_COMM, .pid = self, .comm.exec = true};

	CHECK_U64(wp_proc_living(self), self);
	CHECK(!ends(&set, exec));
	CHECK(!ends(&set, exit_of((pid_t)self, self + 1)));
	CHECK(ends(&set, exit_of((pid_t)self, self)));
	wp_process_ends_deinit(&set);
}

int main(void)
{
	RUN(test_headless);
	RUN(test_usual);
	return check_done();
}
