/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spawn RATE: starts so many processes a second, each of which ends at once, until it is killed;
 * fewer where the machine cannot.
 */
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000l

static void spawn_one(char *program)
{
	char leaf[] = "leaf", *args[] = {program, leaf, NULL}, *environment[] = {NULL};
	pid_t pid;

	if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, args, environment))
		exit(1);
}

int main(int argc, char **argv)
{
	long rate = argc == 2 ? atol(argv[1]) : 0;
	struct timespec next;

	if (argc == 2 && strcmp(argv[1], "leaf") == 0)
		return 0;
	if (rate <= 0 || rate > 100000)
		return 2;
	signal(SIGCHLD, SIG_IGN); /* nobody waits for them */
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (;;) {
		spawn_one(argv[0]);
		next.tv_nsec += NS_PER_S / rate;
		if (next.tv_nsec >= NS_PER_S) {
			next.tv_nsec -= NS_PER_S;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
}
