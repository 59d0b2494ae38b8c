/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_watch: waiting, for rings that fill and for watched processes that end.
 *
 * Source stage. One poll(2) over a descriptor per ring (or one for all) and a pidfd (Linux 5.3) per
 * process; where there are no pidfds the processes are looked at ten times a second.
 */
#ifndef WP_PERF_WATCH_H
#define WP_PERF_WATCH_H

#include "source/perf/perf_set.h"

#include <poll.h>

struct wp_perf_watched {
	pid_t pid;
	bool gone;
};

struct wp_perf_watch {
	struct wp_perf_set *set; /* borrowed */
	WP_VEC(struct wp_perf_watched) pids;
	WP_VEC(struct pollfd) fds;    /* one per ring, then one pidfd per process, then full_fd */
	WP_VEC(size_t) ring_counters; /* per ring: the counter whose descriptor is polled */
};

/*
 * Watches the rings of the set and the pids of its target. With a full_fd (else -1) others watch
 * the rings and make that one readable.
 */
void wp_perf_watch_init(struct wp_perf_watch *ret, struct wp_perf_set *set, int full_fd);
void wp_perf_watch_deinit(struct wp_perf_watch *watch);
/*
 * Waits until a ring is half full, a process ends, a signal arrives or the time has come. False
 * when a signal cut it short.
 */
bool wp_perf_watch_wait(struct wp_perf_watch *watch, uint64_t until_ns);
/* True when there were processes to watch and all have ended. */
bool wp_perf_watch_ended(struct wp_perf_watch *watch);

#endif
