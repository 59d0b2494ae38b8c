/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stopped: a sleep of 60 ms and a poll of 60 ms, each of which is stopped and continued on its way,
 * and on x86-64 a sleep of 60 ms by the numbers of 32-bit programs (int 0x80), where the kernel has
 * them; "foreign" on stdout says so.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NAP_MS 60

static void nap(long ms)
{
	const struct timespec span = {.tv_nsec = ms * 1000000};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &span, NULL);
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
		puts("foreign");
}
#else
static void nap_foreign(void)
{
}
#endif

int main(void)
{
	int pipes[2];
	pid_t stopper;

	if (pipe(pipes))
		return 1;
	stopper = begin_stopper();
	nap(NAP_MS);
	waitpid(stopper, NULL, 0);
	stopper = begin_stopper();
	poll(&(struct pollfd){.fd = pipes[0], .events = POLLIN}, 1, NAP_MS);
	waitpid(stopper, NULL, 0);
	nap_foreign();
	return 0;
}
