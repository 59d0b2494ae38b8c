/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_watch: see perf_watch.h. */
#include "source/perf/perf_watch.h"

#include "base/clock.h"
#include "source/proc/procfs.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOOK_AGAIN_NS (100 * WP_NS_PER_MS)

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* the same on every architecture */
#endif

static struct pollfd *pidfd_of(const struct wp_perf_watch *watch, size_t i)
{
	return &watch->fds.v[watch->ring_counters.n + i];
}

void wp_perf_watch_init(struct wp_perf_watch *ret, struct wp_perf_set *set, int full_fd)
{
	struct wp_perf_watch watch = {.set = set};

	for (size_t i = 0; full_fd < 0 && i < set->rings.n; i++) {
		struct pollfd ring = {.fd = set->counters.v[i].fd, .events = POLLIN};

		wp_vec_push(&watch.fds, ring);
		wp_vec_push(&watch.ring_counters, i);
	}
	wp_vec_each (pid_t, pid, &set->options->target->pids) {
		int fd = (int)syscall(SYS_pidfd_open, *pid, 0);

		wp_vec_push(&watch.fds, (struct pollfd){.fd = fd, .events = POLLIN});
		wp_vec_push(&watch.pids, (struct wp_perf_watched){.pid = *pid});
	}
	wp_vec_push(&watch.fds, (struct pollfd){.fd = full_fd, .events = POLLIN});
	*ret = watch;
}

void wp_perf_watch_deinit(struct wp_perf_watch *watch)
{
	for (size_t i = 0; i < watch->pids.n; i++)
		if (pidfd_of(watch, i)->fd >= 0)
			close(pidfd_of(watch, i)->fd);
	wp_vec_deinit(&watch->fds);
	wp_vec_deinit(&watch->pids);
	wp_vec_deinit(&watch->ring_counters);
}

/*
 * The descriptor of a thread that has ended reports POLLHUP for ever and wakes no more, although
 * others write to the same ring: any other descriptor of the ring does as well.
 */
static void next_descriptor(struct wp_perf_watch *watch, size_t ring)
{
	const struct wp_perf_set *set = watch->set;
	size_t i = watch->ring_counters.v[ring] + 1;

	while (i < set->counters.n && set->contexts.v.v[set->counters.v[i].context].ring != ring)
		i++;
	watch->ring_counters.v[ring] = i;
	watch->fds.v[ring].fd = i < set->counters.n ? set->counters.v[i].fd : -1;
}

static void look_alive(struct wp_perf_watch *watch)
{
	for (size_t i = 0; i < watch->ring_counters.n; i++)
		if (watch->fds.v[i].revents & (POLLHUP | POLLERR | POLLNVAL))
			next_descriptor(watch, i);
	for (size_t i = 0; i < watch->pids.n; i++) {
		struct pollfd *fd = pidfd_of(watch, i);

		if (fd->fd < 0 || !fd->revents)
			continue;
		watch->pids.v[i].gone = true;
		close(fd->fd);
		fd->fd = -1;
	}
}

/* Processes without a pidfd. */
static bool look_again(const struct wp_perf_watch *watch)
{
	for (size_t i = 0; i < watch->pids.n; i++)
		if (!watch->pids.v[i].gone && pidfd_of(watch, i)->fd < 0)
			return true;
	return false;
}

bool wp_perf_watch_wait(struct wp_perf_watch *watch, uint64_t until_ns)
{
	uint64_t now = wp_clock_now_ns(), left = until_ns > now ? until_ns - now : 0;
	struct timespec timeout;
	int n;

	if (left > LOOK_AGAIN_NS && look_again(watch))
		left = LOOK_AGAIN_NS;
	timeout.tv_sec = (time_t)(left / WP_NS_PER_S);
	timeout.tv_nsec = (long)(left % WP_NS_PER_S);
	n = ppoll(watch->fds.v, watch->fds.n, &timeout, NULL);
	if (n > 0)
		look_alive(watch);
	return n >= 0 || errno != EINTR;
}

bool wp_perf_watch_ended(struct wp_perf_watch *watch)
{
	bool ended = watch->pids.n > 0;

	for (size_t i = 0; i < watch->pids.n; i++) {
		struct wp_perf_watched *watched = &watch->pids.v[i];

		if (!watched->gone && pidfd_of(watch, i)->fd < 0)
			watched->gone = !wp_procfs_alive(watched->pid);
		ended &= watched->gone;
	}
	return ended;
}
