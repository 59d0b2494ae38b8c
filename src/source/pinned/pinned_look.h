/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned_look: what a reader sees in the ring of its CPU when it is woken: samples, and when their
 * threads left the CPU.
 *
 * Source stage, pure. A look takes nothing out of the ring: the main thread does, and may be
 * faster, which is noticed. A thread that is sampled is switched for the reader, so its leaving is
 * in the ring before the reader runs.
 */
#ifndef WP_PINNED_LOOK_H
#define WP_PINNED_LOOK_H

#include "format/perf/perf_peek.h"
#include "source/perf/perf_ring.h"

#define WP_PINNED_SIGHTINGS 64

struct wp_pinned_sighting {
	uint32_t pid, tid;
	uint64_t time_ns;
	uint64_t out_ns; /* when the thread left the CPU first after it; 0: not yet */
	bool done;	 /* the reader's own */
	struct wp_perf_peek_regs user;
};

/* All-zero begins at the ring's beginning. */
struct wp_pinned_look {
	uint64_t at; /* position up to which the ring has been seen */
	size_t n;
	struct wp_pinned_sighting v[WP_PINNED_SIGHTINGS]; /* the newest, in the order of the ring */
	uint64_t overtaken; /* times that records were taken before they were seen */
	uint64_t dropped;   /* sightings there was no room for: the oldest */
};

/* Sees all that is new; the sightings of the look before are gone. */
void wp_pinned_look(struct wp_pinned_look *look, const struct wp_perf_ring *ring,
		    const struct wp_perf_layout *layout);

/*
 * Whose child a process is, as far as a ring still says; 0: it does not say, or that the child has
 * become another program since.
 */
uint32_t wp_pinned_look_parent(const struct wp_perf_ring *ring, const struct wp_perf_layout *layout,
			       uint32_t pid);

#endif
