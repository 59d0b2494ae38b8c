/* SPDX-License-Identifier: BSD-3-Clause */
/* machine: see machine.h. */
#include "core/machine.h"

#include <string.h>
#include <unistd.h>

void wp_machine_deinit(struct wp_machine *machine)
{
	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus) {
		wp_cpuset_deinit(&pmu->cpus);
		wp_cpuset_deinit(&pmu->shared_by);
	}
	wp_vec_deinit(&machine->pmus);
	wp_vec_deinit(&machine->events);
	wp_vec_deinit(&machine->places);
	wp_vec_each (int, mount, &machine->mounts)
		close(*mount);
	wp_vec_deinit(&machine->mounts);
	wp_cpuset_deinit(&machine->online);
	wp_arena_deinit(&machine->arena);
}

const struct wp_machine_pmu *wp_machine_pmu_find(const struct wp_machine *machine, const char *name)
{
	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus)
		if (strcmp(pmu->name, name) == 0)
			return pmu;
	return NULL;
}
