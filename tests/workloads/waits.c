/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits: threads that wait for known times in known ways, and say for how long each of them did not
 * run: "NAME NS" on stderr, its wall clock minus its CPU time. `waits last` ends while one waits.
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
#define ROUNDS	  500

struct role {
	const char *name;
	void (*play)(void);
	int64_t off_ns;
	pthread_t thread;
};

static int there[2], back[2];
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

	for (int i = 0; i < ROUNDS; i++) {
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
	if (pipe(there) || pipe(back))
		return 1;
	for (size_t i = 0; i < n; i++)
		pthread_create(&roles[i].thread, NULL, play, &roles[i]);
	for (size_t i = 0; i < n; i++)
		pthread_join(roles[i].thread, NULL);
	for (size_t i = 0; i < n; i++)
		fprintf(stderr, "%s %lld\n", roles[i].name, (long long)roles[i].off_ns);
	return 0;
}
