/*
 * gaps: how long a running program is stopped at a time, as it sees it itself.
 *
 * A shared library that bench/py_deep.py calls: it looks at the clock without a pause, and a jump
 * of the clock is an interruption. Their median is the cost of one sample: what other processes
 * take is rare and long, and does not move it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define GAPS_MAX (1 << 20)
#define GAP_NS	 600 /* shorter ones are turns of the loop */

static uint32_t gaps[GAPS_MAX];

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

__attribute__((noinline)) static long watch(long milliseconds, long *ret_n)
{
	double rate = ticks_per_ns();
	uint64_t start = ticks(), last = start, now;
	uint64_t end = start + (uint64_t)(rate * 1e6 * (double)milliseconds);
	uint64_t least = (uint64_t)(rate * GAP_NS);
	uint32_t n = 0;

	while ((now = ticks()) < end) {
		if (now - last > least && n < GAPS_MAX)
			gaps[n++] = (uint32_t)(now - last);
		last = now;
	}
	qsort(gaps, n, sizeof(*gaps), compare);
	*ret_n = n;
	return n ? (long)((double)gaps[n / 2] / rate) : 0;
}

/* Runs for that long, deeper by so many frames; the median gap in ns, and how many in *ret_n. */
__attribute__((noinline)) long gaps_median(long milliseconds, long *ret_n, int deeper)
{
	long ret = deeper > 0 ? gaps_median(milliseconds, ret_n, deeper - 1)
			      : watch(milliseconds, ret_n);

	/* What comes behind the call keeps it from being a jump. */
	asm volatile("" : "+r"(ret));
	return ret;
}
