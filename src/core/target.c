/* SPDX-License-Identifier: BSD-3-Clause */
/* target: see target.h. */
#include "core/target.h"

#include <unistd.h>

void wp_target_deinit(struct wp_target *target)
{
	wp_vec_each (int, fd, &target->cgroups)
		close(*fd);
	wp_vec_deinit(&target->cgroups);
	wp_vec_deinit(&target->pids);
	wp_cpuset_deinit(&target->cpus);
}
