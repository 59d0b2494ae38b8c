/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stopped: a sleep of 150 ms and a poll of 150 ms, each of which is stopped and continued on its
 * way, and on x86-64 a sleep of 150 ms by the numbers of 32-bit programs (int 0x80), where the
 * kernel has them. "KIND NS" on stdout for each: how long it was off the CPU, or "foreign NS" how
 * long the sleep of the other kind took with its process.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NAP_MS 150

static void nap(long ms)
{
	const struct timespec span = {.tv_nsec = ms * 1000000};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &span, NULL);
}

static long long read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Grows while this thread does not run. */
static long long off_cpu(void)
{
	return read_clock(CLOCK_MONOTONIC) - read_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* A process that stops its parent after a third of a nap, for some milliseconds. */
static pid_t begin_stopper(void)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	nap(NAP_MS / 3);
	kill(parent, SIGSTOP);
	nap(5);
	kill(parent, SIGCONT);
	_exit(0);
}

#ifdef __x86_64__
#define NANOSLEEP_32 162

/* Without them the kernel answers with SIGSEGV. */
static void nap_foreign(void)
{
	int *span = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long long begin = read_clock(CLOCK_MONOTONIC);
	long ret;
	int status;
	pid_t pid = fork();

	if (!pid) {
		span[1] = NAP_MS * 1000000;
		__asm__ volatile("int $0x80"
				 : "=a"(ret)
				 : "a"(NANOSLEEP_32), "b"(span), "c"(0)
				 : "memory", "r8", "r9", "r10", "r11");
		_exit(ret != 0);
	}
	waitpid(pid, &status, 0);
	if (status == 0)
		printf("foreign %lld\n", read_clock(CLOCK_MONOTONIC) - begin);
}
#else
static void nap_foreign(void)
{
}
#endif

int main(void)
{
	int pipes[2];
	long long begin;
	pid_t stopper;

	if (pipe(pipes))
		return 1;
	stopper = begin_stopper();
	begin = off_cpu();
	nap(NAP_MS);
	printf("sleep %lld\n", off_cpu() - begin);
	waitpid(stopper, NULL, 0);
	stopper = begin_stopper();
	begin = off_cpu();
	poll(&(struct pollfd){.fd = pipes[0], .events = POLLIN}, 1, NAP_MS);
	printf("poll %lld\n", off_cpu() - begin);
	waitpid(stopper, NULL, 0);
	fflush(stdout);
	nap_foreign();
	return 0;
}
