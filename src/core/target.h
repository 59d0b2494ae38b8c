/* SPDX-License-Identifier: BSD-3-Clause */
/* target: what is watched: some processes, some CPUs, or everything. Plain data, made by the
 * session. */
#ifndef WP_TARGET_H
#define WP_TARGET_H

#include "base/err.h"
#include "base/vec.h"
#include "core/cpuset.h"

#include <sys/types.h>

enum wp_target_kind {
	WP_TARGET_PROCESSES, /* pids, with their threads and (inherit) children, on every CPU or on
				`cpus` */
	WP_TARGET_CPUS,	     /* everything that runs on `cpus`; empty means all online CPUs */
};

struct wp_target {
	enum wp_target_kind kind;
	WP_VEC(pid_t) pids;
	struct wp_cpuset cpus;
	WP_VEC(int)
	cgroups; /* WP_TARGET_CPUS: only what runs in one of them: folders, closed here */
	/* Each cgroup is of the events that name it; others are of all that runs. */
	bool pairs;
	bool launched; /* pids[0] is our own child, held before its exec: count from the exec on */
	bool kernel;   /* -k: include the kernel's own instructions */
	bool data;     /* what it has mapped as data is wanted, too: -d */
};

void wp_target_deinit(struct wp_target *target);

#endif
