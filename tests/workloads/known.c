/*
 * known: does a known number of things that the kernel counts. `known WHAT N [CPU]` does N of
 * them, on one CPU when that is given.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *program;

/* Touches N pages for the first time, by writing from user code. */
static void pages(int n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *p = mmap(NULL, (size_t)n * page, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise((void *)p, (size_t)n * page, MADV_NOHUGEPAGE);
	for (int i = 0; i < n; i++)
		p[(size_t)i * page] = 1;
}

static void writes(int n)
{
	FILE *null = fopen("/dev/null", "w");

	for (int i = 0; i < n; i++)
		(void)!write(fileno(null), "x", 1);
}

/* Each is one voluntary context switch. */
static void sleeps(int n)
{
	struct timespec ts = {.tv_nsec = 1000000};

	for (int i = 0; i < n; i++)
		nanosleep(&ts, NULL);
}

/* N children, one after the other, each of which writes once. */
static void forks(int n)
{
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			writes(1);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

static void *thread(void *arg)
{
	writes(1);
	return arg;
}

/* N threads at the same time, each of which writes once. */
static void threads(int n)
{
	pthread_t *ids = calloc((size_t)n, sizeof(*ids));

	for (int i = 0; i < n; i++)
		pthread_create(&ids[i], NULL, thread, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(ids[i], NULL);
	free(ids);
}

/* Becomes itself N times, then writes once. */
static void execs(int n)
{
	char text[16];

	if (n == 0) {
		writes(1);
		return;
	}
	snprintf(text, sizeof(text), "%d", n - 1);
	execl(program, program, "execs", text, NULL);
}

static void *waiter(void *arg)
{
	pause();
	return arg;
}

/* N threads that wait for ever and, behind standard input's first byte, N writes by main. */
static void crowd(int n)
{
	pthread_t id;
	char byte;

	for (int i = 0; i < n; i++)
		pthread_create(&id, NULL, waiter, NULL);
	puts("ready");
	fflush(stdout);
	(void)!read(0, &byte, 1);
	writes(n);
	threads(10);
	exit(0);
}

static long long cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

/* Computes for N hundredths of a second of its own time, from now on: what its process had before
 * it became this program is not counted by who begins then. */
static void busy(int n)
{
	long long end = cpu_ns() + n * 10000000ll;

	while (cpu_ns() < end)
		for (int i = 0; i < 10000; i++)
			__asm__ volatile("");
}

static const struct {
	const char *name;
	void (*run)(int n);
} kinds[] = {
	{"pages", pages},     {"writes", writes}, {"sleeps", sleeps}, {"forks", forks},
	{"threads", threads}, {"execs", execs},	  {"crowd", crowd},   {"busy", busy},
};

int main(int argc, char **argv)
{
	cpu_set_t set;

	program = argv[0];
	if (argc > 3) {
		CPU_ZERO(&set);
		CPU_SET(atoi(argv[3]), &set);
		sched_setaffinity(0, sizeof(set), &set);
	}
	for (size_t i = 0; argc > 2 && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(argv[1], kinds[i].name) == 0) {
			kinds[i].run(atoi(argv[2]));
			return 0;
		}
	return 2;
}
