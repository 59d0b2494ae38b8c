/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits: threads that wait for known times in known ways, and say for how long each of them did not
 * run: "NAME NS" on stderr, its wall clock minus its CPU time. `waits last` never ends; `waits
 * pipes N` is N rounds of two threads and says how many nanoseconds of CPU time each took.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_MS 1000000l

struct role {
	const char *name;
	void (*play)(void);
	int64_t off_ns;
	pthread_t thread;
};

static int there[2], back[2];
static int rounds = 500;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000 * NS_PER_MS + now.tv_nsec;
}

static void nap(long ms)
{
	const struct timespec span = {.tv_nsec = ms * NS_PER_MS};

	nanosleep(&span, NULL);
}

static void play_sleeper(void)
{
	for (int i = 0; i < 10; i++)
		nap(20);
}

static void pass(int from, int to, bool first)
{
	char ball = 0;

	for (int i = 0; i < rounds; i++) {
		if (first && write(to, &ball, 1) != 1)
			abort();
		if (read(from, &ball, 1) != 1)
			abort();
		if (!first && write(to, &ball, 1) != 1)
			abort();
	}
}

static void play_ping(void)
{
	pass(back[0], there[1], true);
}

static void play_pong(void)
{
	pass(there[0], back[1], false);
}

static void play_holder(void)
{
	pthread_mutex_lock(&lock);
	nap(200);
	pthread_mutex_unlock(&lock);
}

static void play_locker(void)
{
	nap(50);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

static void play_burner(void)
{
	int64_t end = read_clock(CLOCK_MONOTONIC) + 200 * NS_PER_MS;

	while (read_clock(CLOCK_MONOTONIC) < end)
		;
}

static void *play(void *arg)
{
	struct role *role = arg;
	int64_t wall, cpu;

	pthread_setname_np(pthread_self(), role->name);
	wall = read_clock(CLOCK_MONOTONIC);
	cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
	role->play();
	cpu = read_clock(CLOCK_THREAD_CPUTIME_ID) - cpu;
	role->off_ns = read_clock(CLOCK_MONOTONIC) - wall - cpu;
	return NULL;
}

static void run_roles(struct role *roles, size_t n)
{
	if (pipe(there) || pipe(back))
		abort();
	for (size_t i = 0; i < n; i++)
		pthread_create(&roles[i].thread, NULL, play, &roles[i]);
	for (size_t i = 0; i < n; i++)
		pthread_join(roles[i].thread, NULL);
}

/* Each round has two switches where there is one CPU; of its time, which others may have had, too.
 */
static void time_pipes(int n)
{
	struct role roles[] = {{.name = "ping", .play = play_ping},
			       {.name = "pong", .play = play_pong}};

	rounds = n;
	run_roles(roles, 2);
	fprintf(stderr, "round %lld\n", (long long)read_clock(CLOCK_PROCESS_CPUTIME_ID) / n);
}

int main(int argc, char **argv)
{
	struct role roles[] = {
		{.name = "sleeper", .play = play_sleeper}, {.name = "ping", .play = play_ping},
		{.name = "pong", .play = play_pong},	   {.name = "holder", .play = play_holder},
		{.name = "locker", .play = play_locker},   {.name = "burner1", .play = play_burner},
		{.name = "burner2", .play = play_burner},  {.name = "burner3", .play = play_burner},
	};
	size_t n = sizeof(roles) / sizeof(*roles);

	if (argc > 1 && strcmp(argv[1], "last") == 0) {
		puts("waits");
		fflush(stdout);
		for (;;)
			pause();
	}
	if (argc > 2 && strcmp(argv[1], "pipes") == 0) {
		time_pipes(atoi(argv[2]));
		return 0;
	}
	run_roles(roles, n);
	for (size_t i = 0; i < n; i++)
		fprintf(stderr, "%s %lld\n", roles[i].name, (long long)roles[i].off_ns);
	return 0;
}
