/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_win: the system that we run on (system_world.h), where that is Windows: a world in which
 * only files are, so that recordings are read. What is live is refused. */
#include "machine/system_world.h"

#include "base/file.h"

#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

struct windows_world {
	struct wp_world world;
	struct wp_machine machine;
};

static void close_windows_world(struct wp_world *world)
{
	struct windows_world *own = (struct windows_world *)world;

	wp_machine_deinit(&own->machine);
	free(own);
}

static struct wp_err *refuse_live(void)
{
	return wp_err_new(
		WP_ERR_UNSUPPORTED,
		"wperf for Windows reads recordings only (-i FILE): it counts and samples "
		"nothing yet");
}

/* Whichever it is, what is asked next is refused. */
static bool take_any_process(struct wp_world *world, pid_t pid, char **ret_exe, char **ret_comm)
{
	(void)world, (void)pid;
	if (ret_exe)
		*ret_exe = NULL;
	if (ret_comm)
		*ret_comm = NULL;
	return true;
}

static struct wp_err *refuse_find(struct wp_world *world, const char *image, struct wp_target *ret)
{
	(void)world, (void)image, (void)ret;
	return refuse_live();
}

static struct wp_err *refuse_snapshot(struct wp_world *world, const struct wp_target *target,
				      struct wp_records *ret)
{
	(void)world, (void)target, (void)ret;
	return refuse_live();
}

static struct wp_err *refuse_launch(struct wp_world *world, char *const argv[],
				    const struct wp_sudo_user *user, struct wp_target *target,
				    struct wp_launch *ret)
{
	(void)world, (void)argv, (void)user, (void)target, (void)ret;
	return refuse_live();
}

static struct wp_world_end tell_no_end(const struct wp_world *world, struct wp_launch *launch)
{
	(void)world, (void)launch;
	return (struct wp_world_end){0};
}

static struct wp_err *refuse_open(struct wp_world *world, const struct wp_source_options *options,
				  struct wp_source **ret)
{
	(void)world, (void)options, (void)ret;
	return refuse_live();
}

static struct wp_cpu_place know_no_place(const struct wp_world *world, uint32_t cpu)
{
	(void)world, (void)cpu;
	return (struct wp_cpu_place){0};
}

static const struct wp_world_ops ops = {
	.name = "windows",
	.close = close_windows_world,
	.time = time,
	.has_file = wp_file_exists,
	.process = take_any_process,
	.find = refuse_find,
	.snapshot = refuse_snapshot,
	.place = know_no_place,
	.launch = refuse_launch,
	.end = tell_no_end,
	.open = refuse_open,
};

/* What the system says of itself; of counters nothing is known. */
static void describe_machine(struct wp_machine *machine)
{
	struct utsname system;

	uname(&system);
	machine->root = machine->vendor = machine->product = machine->product_extended = "";
	machine->arch = wp_arena_strdup(&machine->arena, system.machine);
	machine->kernel = wp_arena_printf(&machine->arena, "%s %s", system.sysname, system.release);
	machine->core_count = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);
	machine->hw_pmu_why = "wperf for Windows reads recordings only";
	machine->limits = (struct wp_machine_limits){
		.euid = geteuid(),
		.perf_event_paranoid = INT64_MIN,
		.kptr_restrict = INT64_MIN,
		.yama_ptrace_scope = INT64_MIN,
		.unprivileged_bpf_disabled = INT64_MIN,
		.perf_event_mlock_kb = INT64_MIN,
		.perf_event_max_sample_rate = INT64_MIN,
		.lockdown = "none",
		.tracefs_why = machine->hw_pmu_why,
		.bpf_missing = machine->hw_pmu_why,
	};
}

struct wp_world *wp_system_world_new(bool probes)
{
	struct windows_world *own = wp_calloc(1, sizeof(*own));

	if (probes)
		describe_machine(&own->machine);
	own->world = (struct wp_world){.ops = &ops, .machine = &own->machine};
	return &own->world;
}
