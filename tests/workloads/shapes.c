/*
 * shapes: a program of many shapes for live tests. `shapes SHAPE [N]` runs for about N tenths of a
 * second.
 *
 * Every shape works in rounds of the same xorshift loop, so that shares of time are shares of loop
 * counts.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define UNIT 20000ul

unsigned long spin_in_library(unsigned long n);

static volatile unsigned long result;
static int tenths = 10;

static unsigned long spin(unsigned long n)
{
	unsigned long x = 88172645463325252ul;

	for (unsigned long i = 0; i < n; i++)
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
	__asm__ volatile("" : "+r"(x)); /* not a pure function: no call of it may be merged */
	return x;
}

/* Three copies of the loop, not three callers of one, since a flat profile shows the innermost
 * function. */
#define SPINNER(name)                                            \
	static unsigned long name(unsigned long n)               \
	{                                                        \
		unsigned long x = 88172645463325252ul;           \
		for (unsigned long i = 0; i < n; i++)            \
			x ^= x << 13, x ^= x >> 7, x ^= x << 17; \
		__asm__ volatile("" : "+r"(x));                  \
		return x;                                        \
	}

SPINNER(half)
SPINNER(third)
SPINNER(fifth)

static struct {
	const char *name;
	double seconds;
} truth[4];

static double cpu_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void timed(int slot, const char *name, unsigned long (*work)(unsigned long), unsigned long n)
{
	double begin = cpu_seconds();

	result += work(n);
	truth[slot].name = name;
	truth[slot].seconds += cpu_seconds() - begin;
}

static void write_truth(void)
{
	const char *path = getenv("SHAPES_TRUTH");
	FILE *file = path ? fopen(path, "w") : NULL;
	double all = 0;

	for (int i = 0; i < 4; i++)
		all += truth[i].seconds;
	for (int i = 0; file && i < 4; i++)
		if (truth[i].name)
			fprintf(file, "%s %.3f\n", truth[i].name, truth[i].seconds * 100 / all);
	if (file)
		fclose(file);
}

/* 50 : 30 : 20 */
static void shares(void)
{
	while (cpu_seconds() < tenths / 10.0) {
		timed(0, "half", half, 5 * UNIT);
		timed(1, "third", third, 3 * UNIT);
		timed(2, "fifth", fifth, 2 * UNIT);
	}
	write_truth();
}

/* 75 : 25 between the shared library and the program itself */
static void library(void)
{
	while (cpu_seconds() < tenths / 10.0) {
		timed(0, "spin_in_library", spin_in_library, 6 * UNIT);
		timed(1, "half", half, 2 * UNIT);
	}
	write_truth();
}

static void late(void)
{
	double until = tenths / 10.0;

	while (cpu_seconds() < until / 4)
		result += half(UNIT);
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 32);
	self[n > 0 ? n : 0] = '\0';
	strcpy(strrchr(self, '/') + 1, "liblate.so");
	void *handle = dlopen(self, RTLD_NOW);
	unsigned long (*spin_late)(unsigned long) = NULL;
	*(void **)&spin_late = handle ? dlsym(handle, "spin_late") : NULL;
	if (!spin_late) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	while (cpu_seconds() < until)
		result += spin_late(UNIT);
}

/* All the work is done by children, each in `half`. */
static void forks(void)
{
	for (int i = 0; i < tenths; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			while (cpu_seconds() < 0.1)
				result += half(UNIT);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/* Becomes another program (itself, in another shape). */
static void execs(void)
{
	char arg[16];

	snprintf(arg, sizeof(arg), "%d", tenths);
	execl("/proc/self/exe", "shapes", "library", arg, (char *)NULL);
	exit(1);
}

static void *thread_main(void *arg)
{
	for (int i = 0; i < tenths; i++)
		result += half(20 * UNIT);
	return arg;
}

/* 200 threads that live at once. */
static void threads(void)
{
	pthread_t ids[200];

	for (int i = 0; i < 200; i++)
		if (pthread_create(&ids[i], NULL, thread_main, NULL))
			exit(1);
	for (int i = 0; i < 200; i++)
		pthread_join(ids[i], NULL);
}

/* Threads that come and go all the time. */
static void churn(void)
{
	pthread_t id;

	while (cpu_seconds() < tenths / 10.0)
		if (!pthread_create(&id, NULL, thread_main, NULL))
			pthread_join(id, NULL);
}

/* Exits at once. */
static void nothing(void)
{
}

static void fails(void)
{
	result += spin(UNIT);
	exit(7);
}

static void dies(void)
{
	result += spin(UNIT);
	abort();
}

static const struct {
	const char *name;
	void (*run)(void);
} shapes[] = {
	{"shares", shares}, {"library", library}, {"late", late},   {"forks", forks},
	{"execs", execs},   {"threads", threads}, {"churn", churn}, {"nothing", nothing},
	{"fails", fails},   {"dies", dies},
};

int main(int argc, char **argv)
{
	if (argc > 2)
		tenths = atoi(argv[2]);
	for (size_t i = 0; argc > 1 && i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (strcmp(shapes[i].name, argv[1]) == 0) {
			shapes[i].run();
			return 0;
		}
	fprintf(stderr, "usage: %s SHAPE [TENTHS]\n", argv[0]);
	return 2;
}
