/* SPDX-License-Identifier: BSD-3-Clause */
/* system_world: see system_world.h. What needs no world of its own is asked of source/ directly. */
#include "machine/system_world.h"

#include "base/file.h"
#include "base/str.h"
#include "machine/command_end.h"
#include "machine/machine_probe.h"
#include "source/perf/cgroup.h"
#include "source/perf/perf_source.h"
#include "source/perf/perf_trial.h"
#include "source/proc/launch.h"
#include "source/proc/procfs.h"

#include <stdlib.h>

struct linux_world {
	struct wp_world world;
	struct wp_machine machine;
};

static void close_linux_world(struct wp_world *world)
{
	struct linux_world *own = (struct linux_world *)world;

	wp_machine_deinit(&own->machine);
	free(own);
}

static bool find_linux_process(struct wp_world *world, pid_t pid, char **ret_exe, char **ret_comm)
{
	wp_autofree char *path = wp_asprintf("/proc/%d/comm", (int)pid);

	(void)world;
	if (ret_exe)
		*ret_exe = wp_procfs_exe(pid);
	if (ret_comm)
		*ret_comm = wp_file_line(path);
	return wp_procfs_alive(pid);
}

/* /usr/bin/python3 is a link: the processes know its target's path and this name. */
static struct wp_err *find_running_image(struct wp_world *world, const char *image,
					 struct wp_target *ret)
{
	const char *name = wp_str_basename(image);

	(void)world;
	TRY(wp_procfs_find(image, ret));
	return ret->pids.n || name == image ? NULL : wp_procfs_find(name, ret);
}

static struct wp_err *take_linux_snapshot(struct wp_world *world, const struct wp_target *target,
					  struct wp_records *ret)
{
	(void)world;
	if (target->kind == WP_TARGET_CPUS)
		return wp_procfs_snapshot_all(target->data, ret);
	wp_vec_each (pid_t, pid, &target->pids)
		TRY(wp_procfs_snapshot(*pid, target->data, ret));
	return NULL;
}

static struct wp_err *launch_command(struct wp_world *world, char *const argv[],
				     const struct wp_sudo_user *user, struct wp_target *target,
				     struct wp_launch *ret)
{
	(void)world;
	TRY(wp_launch_start(argv, &target->cpus, user, ret));
	wp_vec_push(&target->pids, ret->pid);
	return NULL;
}

static struct wp_err *open_perf_source(struct wp_world *world,
				       const struct wp_source_options *options,
				       struct wp_source **ret)
{
	(void)world;
	return wp_perf_source_open(options, ret);
}

static struct wp_cpu_place find_cpu_place(const struct wp_world *world, uint32_t cpu)
{
	return wp_machine_place(world->machine, cpu);
}

static const struct wp_world_ops ops = {
	.name = "linux",
	.close = close_linux_world,
	.time = time,
	.has_file = wp_file_exists,
	.process = find_linux_process,
	.find = find_running_image,
	.everybody = wp_procfs_everybody,
	.of_user = wp_procfs_of_user,
	.open_cgroups = wp_cgroups_open,
	.tell_cgroups = wp_cgroups_tell,
	.snapshot = take_linux_snapshot,
	.thread_names = wp_procfs_thread_names,
	.place = find_cpu_place,
	.launch = launch_command,
	.end = wp_command_end,
	.try_events = wp_perf_trial,
	.open = open_perf_source,
};

/* Linux shares its counters: there is nothing to take from anybody. */
struct wp_world *wp_system_world_new(bool probes, bool force)
{
	struct linux_world *own = wp_calloc(1, sizeof(*own));

	(void)force;
	if (probes)
		wp_machine_probe("", &own->machine);
	own->world = (struct wp_world){.ops = &ops, .machine = &own->machine};
	return &own->world;
}
