/* target: see target.h. */
#include "core/target.h"

void wp_target_deinit(struct wp_target *target)
{
	wp_vec_deinit(&target->pids);
	wp_cpuset_deinit(&target->cpus);
}
