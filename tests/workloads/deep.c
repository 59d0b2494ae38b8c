/*
 * deep DEPTH ROUNDS [signal]: main, DEPTH calls of descend, then deepest, which does all the work
 * (ROUNDS thousand turns of a loop). With "signal" it does so in a signal handler that descend's
 * last call raised. Tells its CPU time in seconds on standard
 * error.
 *
 * Built with optimization and without frame pointers. Frames have different sizes.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

static volatile uint64_t sink;
static long rounds;

static NOINLINE void deepest(void)
{
	for (long i = 0; i < rounds * 1000; i++)
		sink += (uint64_t)i;
}

static NOINLINE void on_signal(int number)
{
	(void)number;
	deepest();
	__asm__ volatile("" ::: "memory");
}

static NOINLINE void bottom(int by_signal)
{
	if (by_signal)
		raise(SIGUSR1);
	else
		deepest();
	__asm__ volatile("" ::: "memory");
}

static NOINLINE int descend_wide(int depth, int by_signal);

static NOINLINE int descend(int depth, int by_signal)
{
	int below = 0;

	if (depth > 1)
		below = depth % 5 ? descend(depth - 1, by_signal)
				  : descend_wide(depth - 1, by_signal);
	else
		bottom(by_signal);
	__asm__ volatile("" ::: "memory");
	return below + 1;
}

/* The same with some hundred bytes of its own. */
static NOINLINE int descend_wide(int depth, int by_signal)
{
	volatile char room[700];
	int below;

	room[depth] = 1;
	below = descend(depth, by_signal);
	__asm__ volatile("" ::: "memory");
	return below + room[depth];
}

int main(int argc, char **argv)
{
	int by_signal = argc > 3 && strcmp(argv[3], "signal") == 0;
	struct timespec cpu;

	if (argc < 3)
		return 2;
	rounds = atol(argv[2]);
	signal(SIGUSR1, on_signal);
	sink += (uint64_t)descend(atoi(argv[1]), by_signal);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	fprintf(stderr, "%.6f\n", (double)cpu.tv_sec + (double)cpu.tv_nsec / 1e9);
	return 0;
}
