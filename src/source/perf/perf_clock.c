/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_clock: see perf_clock.h. */
#include "source/perf/perf_clock.h"

#include "base/clock.h"
#include "source/perf/perf_attr.h"
#include "source/perf/perf_ring.h"

#include <unistd.h>

#define TRIES 8

/* CNTVCT_EL0, which Arm SPE stamps its records with. */
static bool read_timer_count(uint64_t *ret)
{
#ifdef __aarch64__
	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(*ret)::"memory");
	return true;
#else
	(void)ret;
	return false;
#endif
}

/* A seqlock, as perf_event_open(2) shows it. */
static bool read_control(const struct perf_event_mmap_page *control, struct wp_perf_aux_clock *ret)
{
	uint32_t seq;
	bool has;

	do {
		seq = __atomic_load_n(&control->lock, __ATOMIC_ACQUIRE);
		has = control->cap_user_time_zero;
		*ret = (struct wp_perf_aux_clock){
			.shift = control->time_shift,
			.mult = control->time_mult,
			.zero = control->time_zero,
			.cycles = control->time_cycles,
			.mask = control->time_mask,
			.is_short = control->cap_user_time_short,
		};
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (__atomic_load_n(&control->lock, __ATOMIC_RELAXED) != seq || seq & 1);
	return has && ret->shift < 64;
}

/* The reading between two of the other clock that are nearest to one another counts. */
static bool measure_distance(struct wp_perf_aux_clock *clock)
{
	uint64_t best = UINT64_MAX, distance = 0, counter;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = wp_clock_now_ns(), after;

		if (!read_timer_count(&counter))
			return false;
		after = wp_clock_now_ns();
		if (after - before >= best)
			continue;
		best = after - before;
		distance = before + best / 2 - wp_perf_aux_clock_ns(clock, counter);
	}
	clock->zero += distance;
	return true;
}

bool wp_perf_clock_read(struct wp_perf_aux_clock *ret)
{
	struct wp_perf_mode mode = {.sampling = true};
	struct wp_perf_ring ring = {0};
	struct wp_perf_aux_clock clock = {0};
	struct perf_event_attr attr;
	bool known;

	wp_perf_attr_dummy(&mode, &attr);
	wp_autoclose int fd = wp_perf_attr_open(&attr, 0, -1, -1);
	known = fd >= 0 && wp_perf_ring_map(&ring, fd, (uint64_t)sysconf(_SC_PAGESIZE)) &&
		read_control(ring.control, &clock) && measure_distance(&clock);
	wp_perf_ring_unmap(&ring);
	*ret = known ? clock : (struct wp_perf_aux_clock){0};
	return known;
}
