/*
 * calls MODE SECONDS: programs whose call graph is known. The seconds are of their CPU time.
 *
 *   shares    three callers of one leaf, with 50, 30 and 20 % of the time
 *   recursion descends 30 calls of the same function, then spends the time in the last one
 *   callback  qsort of libc calls back into the program
 *   thread    a second thread spends the time
 *   large     the same, on a stack in pages of 2 MB, where there are some
 *   inlined   the time is spent in a function that is inlined in another one
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

/* Compilers give a function that calls nothing no frame of its own unless it asks. */
#ifdef WITH_FRAMES
#define FRAME() __asm__ volatile("" ::"r"(__builtin_frame_address(0)))
#else
#define FRAME() ((void)0)
#endif

static volatile uint64_t sink;

/* A chain of register operations: its time is proportional to n, whatever the caches do. */
#define SPIN(n)                                                  \
	do {                                                     \
		uint64_t x = 88172645463325252u;                 \
		for (unsigned int i = 0; i < (n); i++)           \
			x ^= x << 13, x ^= x >> 7, x ^= x << 17; \
		__asm__ volatile("" : "+r"(x));                  \
	} while (0)

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Rounds of work. */
static NOINLINE void leaf(unsigned int rounds)
{
	FRAME();
	SPIN(rounds * 1000);
}

/* The empty statements keep the calls from becoming jumps. */
static NOINLINE void by_half(unsigned int times)
{
	leaf(5 * times);
	__asm__ volatile("" ::: "memory");
}

static NOINLINE void by_third(unsigned int times)
{
	leaf(3 * times);
	__asm__ volatile("" ::: "memory");
}

static NOINLINE void by_fifth(unsigned int times)
{
	leaf(2 * times);
	__asm__ volatile("" ::: "memory");
}

/* Rounds of unequal length, or a clock that beats with them would see one function too often. */
static NOINLINE void shares(double until)
{
	uint32_t random = 2463534242u;

	while (now() < until) {
		unsigned int times;

		random ^= random << 13, random ^= random >> 17, random ^= random << 5;
		times = 1 + random % 8;
		by_half(times);
		by_third(times);
		by_fifth(times);
	}
}

static NOINLINE void descend(unsigned int depth)
{
	if (depth)
		descend(depth - 1);
	else
		leaf(1000);
	__asm__ volatile("" ::: "memory");
}

static NOINLINE void recursion(double until)
{
	while (now() < until)
		descend(30);
}

static NOINLINE int compare(const void *a, const void *b)
{
	leaf(1);
	return *(const int *)a - *(const int *)b;
}

static NOINLINE void callback(double until)
{
	int numbers[256];

	while (now() < until) {
		for (int i = 0; i < 256; i++)
			numbers[i] = (i * 7919) % 256;
		qsort(numbers, 256, sizeof(*numbers), compare);
		sink += (uint64_t)numbers[0];
	}
}

static NOINLINE void *work(void *arg)
{
	shares(*(double *)arg);
	return NULL;
}

static NOINLINE void run_thread(double until, const pthread_attr_t *attr)
{
	pthread_t id;

	if (pthread_create(&id, attr, work, &until) != 0)
		exit(1);
	pthread_join(id, NULL);
}

static NOINLINE void thread(double until)
{
	run_thread(until, NULL);
}

static NOINLINE void large(double until)
{
	const size_t page = 2u << 20;
	pthread_attr_t attr;
	void *stack = aligned_alloc(page, 2 * page);

	if (!stack)
		exit(1);
	madvise(stack, 2 * page, MADV_HUGEPAGE);
	memset(stack, 1, 2 * page);
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stack, 2 * page);
	run_thread(until, &attr);
	free(stack);
}

static inline __attribute__((always_inline)) void tight(unsigned int rounds)
{
	SPIN(rounds * 1000);
}

static NOINLINE void holder(void)
{
	FRAME();
	tight(100);
	__asm__ volatile("" ::: "memory");
}

static NOINLINE void inlined(double until)
{
	while (now() < until)
		holder();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(double until);
	} modes[] = {
		{"shares", shares}, {"recursion", recursion}, {"callback", callback},
		{"thread", thread}, {"large", large},	      {"inlined", inlined},
	};

	for (size_t i = 0; argc == 3 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(modes[i].name, argv[1]) == 0) {
			modes[i].run(now() + atof(argv[2]));
			return 0;
		}
	fprintf(stderr, "usage: calls MODE SECONDS\n");
	return 2;
}
