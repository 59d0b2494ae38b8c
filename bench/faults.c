/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * faults: how long a page fault takes a program, as the program sees it itself.
 *
 * Each touch of a page that is not there yet is one sample of the event page-faults, on the very
 * thread and without a timer, whose interrupt alone costs more than a sample on virtual machines
 * and never the same. Pages are only read: the kernel maps its page of zeros and clears nothing.
 * A shared library, which bench/py_deep.py calls, and a program, bench_faults DEPTH MS. Both have
 * frame pointers.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define TIMES_MAX (1 << 18)
#define PAGES	  256
#define PAGE_SIZE 4096
#define PAUSE_NS  20000	 /* who reads the samples keeps up */
#define BEFORE_US 100000 /* and has time to learn of this code before the first */

static uint32_t times[TIMES_MAX];

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static inline uint64_t ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t value;

	asm volatile("mrs %0, cntvct_el0" : "=r"(value));
	return value;
#else
	return now_ns();
#endif
}

static double ticks_per_ns(void)
{
	uint64_t ns = now_ns(), t = ticks(), end;

	do
		end = now_ns();
	while (end - ns < 5000000);
	return (double)(ticks() - t) / (double)(end - ns);
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static inline uint32_t touch(const volatile char *page)
{
	uint64_t start = ticks();

	(void)*page;
	return (uint32_t)(ticks() - start);
}

__attribute__((noinline)) static long watch(long milliseconds, long *ret_n)
{
	char *pages = mmap(NULL, PAGES * PAGE_SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	double rate = ticks_per_ns();
	uint64_t pause = (uint64_t)(rate * PAUSE_NS), now, next = 0, end;
	uint32_t n = 0;

	if (pages == MAP_FAILED || madvise(pages, PAGES * PAGE_SIZE, MADV_NOHUGEPAGE))
		return -1;
	usleep(BEFORE_US);
	now = ticks();
	end = now + (uint64_t)(rate * 1e6 * (double)milliseconds);
	for (; now < end && n < TIMES_MAX; now = ticks()) {
		if (now < next)
			continue;
		times[n] = touch(pages + n % PAGES * PAGE_SIZE);
		if (++n % PAGES == 0)
			madvise(pages, PAGES * PAGE_SIZE, MADV_DONTNEED);
		next = ticks() + pause;
	}
	munmap(pages, PAGES * PAGE_SIZE);
	qsort(times, n, sizeof(*times), compare);
	*ret_n = n;
	return (long)((double)times[n / 20] / rate);
}

/*
 * Touches pages for that long, deeper by so many frames; how many in *ret_n. What a touch took in
 * ns: the fifth percentile, as what else goes on makes it longer.
 */
__attribute__((noinline)) long faults_ns(long milliseconds, long *ret_n, int deeper)
{
	long ret = deeper > 0 ? faults_ns(milliseconds, ret_n, deeper - 1)
			      : watch(milliseconds, ret_n);

	/* What comes behind the call keeps it from being a jump. */
	asm volatile("" : "+r"(ret));
	return ret;
}

int main(int argc, char **argv)
{
	long n = 0, ns;

	if (argc != 3) {
		fprintf(stderr, "usage: %s DEPTH MS\n", argv[0]);
		return 2;
	}
	/* Besides: watch, faults_ns itself, main and three of libc and the start. */
	ns = faults_ns(atol(argv[2]), &n, atoi(argv[1]) - 6);
	printf("%ld %ld\n", ns, n);
	return 0;
}
