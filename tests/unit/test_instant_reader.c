/* SPDX-License-Identifier: BSD-3-Clause */
/* instant_reader: a thread of our own that waits in read(2), and one that is gone. */
#include "check.h"

#include "source/instant/instant_reader.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#define MARK 0x5741495448455245ull

static int ends[2];
static volatile pid_t waiting_tid;

static void *wait_for_byte(void *arg)
{
	volatile uint64_t mark = MARK;
	char byte;

	(void)arg;
	waiting_tid = (pid_t)syscall(SYS_gettid);
	if (read(ends[0], &byte, 1) != 1 || mark != MARK)
		abort();
	return NULL;
}

static bool has_mark(const struct wp_instant *at)
{
	const uint64_t mark = MARK;

	return memmem(at->stack, at->stack_bytes, &mark, sizeof(mark)) != NULL;
}

static bool read_asleep(struct wp_instant_reader *reader, struct wp_instant *at)
{
	for (int i = 0; i < 20000; i++) {
		if (waiting_tid &&
		    wp_instant_reader_read(reader, (uint32_t)getpid(), (uint32_t)waiting_tid, 16384,
					   at) &&
		    at->in_call && at->call == SYS_read)
			return true;
		usleep(1000);
	}
	return false;
}

static void test_waiting(bool bpf)
{
	const struct wp_log quiet = {0};
	struct utsname here;
	struct wp_instant_reader *reader;
	struct wp_instant at;
	pthread_t thread;

	CHECK(uname(&here) == 0 && pipe(ends) == 0);
	waiting_tid = 0;
	CHECK(pthread_create(&thread, NULL, wait_for_byte, NULL) == 0);
	reader = wp_instant_reader_new(here.machine, false);
	if (bpf)
		wp_instant_reader_use_bpf(reader, false, &quiet);
	if (read_asleep(reader, &at)) {
		CHECK(at.proof != WP_INSTANT_RAN);
		CHECK(at.state == 'S');
		CHECK(at.has_place && has_mark(&at));
		CHECK_U64(at.n_fds, 1);
		CHECK_U64((uint64_t)at.fds[0].fd, (uint64_t)ends[0]);
		CHECK(strncmp(at.fds[0].name, "pipe:[", 6) == 0);
		CHECK(!at.has_regs || at.regs.valid >> 16 & 1);
	} else {
		printf("SKIP: /proc does not tell where our own thread is\n");
	}
	CHECK(write(ends[1], "", 1) == 1);
	CHECK(pthread_join(thread, NULL) == 0);
	CHECK(!wp_instant_reader_read(reader, (uint32_t)getpid(), (uint32_t)waiting_tid, 16384,
				      &at));
	wp_instant_reader_free(reader);
	close(ends[0]);
	close(ends[1]);
}

static void test_by_proc(void)
{
	test_waiting(false);
}

static void test_by_bpf(void)
{
	test_waiting(true);
}

int main(void)
{
	RUN(test_by_proc);
	RUN(test_by_bpf);
	return check_done();
}
