/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_win: the system that we run on (system_world.h), where that is Windows: its cores are
 * counted by WindowsPerf's driver, and recordings are read. Processes are not known here. */
#include "machine/system_world.h"

#include "base/file.h"
#include "machine/command_end.h"
#include "machine/driver_machine.h"
#include "source/proc/launch.h"
#include "source/wperfdrv/drv_plan.h"
#include "source/wperfdrv/drv_source.h"

#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

struct windows_world {
	struct wp_world world;
	struct wp_machine machine;
	struct wp_drv *drv; /* NULL: there is none, or nobody has asked */
	struct wp_err *why; /* there is none, if somebody has */
};

static void close_windows_world(struct wp_world *world)
{
	struct windows_world *own = (struct windows_world *)world;

	wp_drv_close(own->drv);
	wp_err_free(own->why);
	wp_machine_deinit(&own->machine);
	free(own);
}

static struct wp_err *refuse_live(void)
{
	return wp_err_new(
		WP_ERR_UNSUPPORTED,
		"wperf for Windows counts whole cores (stat) and reads recordings (-i FILE): it "
		"watches and samples no processes yet");
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

/* The driver, or why there is none. */
static struct wp_err *ask_for_driver(struct wp_world *world)
{
	struct windows_world *own = (struct windows_world *)world;

	return own->why ? wp_err_new(own->why->code, "%s", own->why->text) : NULL;
}

/* What a command does cannot be told from what else its core does: that one is counted. */
static struct wp_err *start_on_core(struct wp_world *world, char *const argv[],
				    const struct wp_sudo_user *user, struct wp_target *target,
				    struct wp_launch *ret)
{
	if (target->kind != WP_TARGET_CPUS)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "wperf for Windows counts whole cores and samples nothing yet: "
				  "wperf stat -c CORE -- COMMAND");
	TRY(ask_for_driver(world));
	TRY(wp_launch_start(argv, &target->cpus, user, ret));
	wp_vec_push(&target->pids, ret->pid);
	return NULL;
}

static struct wp_err *open_driver_source(struct wp_world *world,
					 const struct wp_source_options *options,
					 struct wp_source **ret)
{
	struct windows_world *own = (struct windows_world *)world;

	TRY(ask_for_driver(world));
	return own->drv ? wp_drv_source_open(own->drv, options, ret) : refuse_live();
}

static void try_driver_events(struct wp_event_set *set)
{
	wp_vec_each (struct wp_event, event, &set->events) {
		wp_autoerr struct wp_err *err = NULL;
		uint16_t number;

		if (event->is_fixed)
			continue;
		err = wp_drv_event_number(event, &number);
		if (err)
			event->presence = WP_EVENT_REFUSED;
	}
}

/* Which cores share a die or a socket is not looked at. */
static struct wp_cpu_place know_no_place(const struct wp_world *world, uint32_t cpu)
{
	(void)world;
	return (struct wp_cpu_place){.core = (int32_t)cpu};
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
	.launch = start_on_core,
	.end = wp_command_end,
	.ready = ask_for_driver,
	.try_events = try_driver_events,
	.open = open_driver_source,
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
	machine->driver.counts = true;
	machine->limits = (struct wp_machine_limits){
		.euid = geteuid(),
		.perf_event_paranoid = INT64_MIN,
		.kptr_restrict = INT64_MIN,
		.yama_ptrace_scope = INT64_MIN,
		.unprivileged_bpf_disabled = INT64_MIN,
		.perf_event_mlock_kb = INT64_MIN,
		.perf_event_max_sample_rate = INT64_MIN,
		.lockdown = "none",
		.tracefs_why = "Windows has none",
		.bpf_missing = "Windows has none of this kind",
	};
}

/* The driver is the program's alone from now on, until the world is closed. */
static void take_driver(struct windows_world *own, bool force)
{
	struct wp_drv_door *door = NULL;

	own->why = wp_drv_door_open(&door);
	if (!own->why)
		own->why = wp_drv_open(door, force, &own->drv);
	if (own->why)
		own->machine.hw_pmu_why = own->why->text;
	else
		wp_driver_machine_describe(own->drv, &own->machine);
}

struct wp_world *wp_system_world_new(bool probes, bool force)
{
	struct windows_world *own = wp_calloc(1, sizeof(*own));

	if (probes) {
		describe_machine(&own->machine);
		take_driver(own, force);
	}
	own->world = (struct wp_world){.ops = &ops, .machine = &own->machine};
	return &own->world;
}
