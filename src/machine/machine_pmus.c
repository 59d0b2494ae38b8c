/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_pmus: the PMUs of /sys/bus/event_source/devices and the events they name.
 *
 * A CPU's own PMU is `cpu` (x86), `cpu_core`/`cpu_atom` (hybrid x86), `armv8_...` and its like, or
 * any with a `cpus` file; a `cpumask` file belongs to uncore PMUs.
 */
#include "base/dir.h"
#include "base/file.h"
#include "base/str.h"
#include "event/pmu_sysfs.h"
#include "machine/machine_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Events of one PMU that are looked at; POWER's hv_24x7 names some thousands. */
#define EVENTS_MAX 20000

static bool read_pmu_cpus(const char *dir, const char *file, struct wp_cpuset *ret)
{
	wp_autofree char *path = wp_asprintf("%s/%s", dir, file);
	wp_autofree char *line = wp_file_line(path);

	return line && wp_cpuset_parse(ret, line);
}

static bool is_core_name(const char *name)
{
	return strcmp(name, "cpu") == 0 || strcmp(name, "cpu_core") == 0 ||
	       strcmp(name, "cpu_atom") == 0 || wp_str_has_prefix(name, "armv7_") ||
	       wp_str_has_prefix(name, "armv8_") || wp_str_has_prefix(name, "armv9_");
}

/* What core its first CPU is: a PMU of Arm SPE has like ones only. */
static uint64_t read_pmu_midr(const struct wp_machine *machine, const struct wp_machine_pmu *pmu)
{
	wp_autofree char *path = wp_machine_path(
		machine, "/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1",
		pmu->cpus.cpus.n ? pmu->cpus.cpus.v[0] : 0);
	uint64_t midr;

	return wp_file_u64(path, 16, &midr) ? midr : machine->midr;
}

static void read_pmu(struct wp_machine *machine, const char *devices, const char *name)
{
	struct wp_machine_pmu pmu = {
		.name = wp_arena_strdup(&machine->arena, name),
		.dir = wp_arena_printf(&machine->arena, "%s/%s", devices, name),
	};
	wp_autofree char *type_file = wp_asprintf("%s/type", pmu.dir);
	uint64_t type;

	if (!wp_file_u64(type_file, 10, &type) || type > UINT32_MAX)
		return;
	pmu.type = (uint32_t)type;
	pmu.is_core = read_pmu_cpus(pmu.dir, "cpus", &pmu.cpus) || is_core_name(name);
	if (!pmu.is_core)
		read_pmu_cpus(pmu.dir, "cpumask", &pmu.cpus);
	pmu.midr = read_pmu_midr(machine, &pmu);
	read_pmu_cpus(pmu.dir, "associated_cpus", &pmu.shared_by);
	wp_vec_push(&machine->pmus, pmu);
}

static uint32_t first_cpu(const struct wp_machine_pmu *pmu)
{
	return pmu->cpus.cpus.n ? pmu->cpus.cpus.v[0] : 0;
}

/* Core PMUs first, by their lowest CPU; then by name. */
static int compare_pmus(const void *a, const void *b)
{
	const struct wp_machine_pmu *x = a, *y = b;

	if (x->is_core != y->is_core)
		return x->is_core ? -1 : 1;
	if (x->is_core && first_cpu(x) != first_cpu(y))
		return first_cpu(x) < first_cpu(y) ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* "unit Joules, scale 2.3e-10". */
static const char *scale_text(struct wp_machine *machine, const struct wp_machine_event *event)
{
	wp_autostr struct wp_str text = {0};

	if (event->measure)
		wp_str_printf(&text, "unit %s", event->measure);
	if (event->scale != 0)
		wp_str_printf(&text, "%sscale %g", text.len ? ", " : "", event->scale);
	return text.s ? wp_arena_strdup(&machine->arena, text.s) : "";
}

/* What a PMU names in its `events` folder; names that need a value are left out. */
static void add_pmu_events(struct wp_machine *machine, const struct wp_machine_pmu *pmu)
{
	wp_autodir struct wp_dir dir = {0};

	wp_pmu_events(pmu, &dir);
	for (size_t i = 0; i < dir.names.n && i < EVENTS_MAX; i++) {
		const char *name = dir.names.v[i];
		struct wp_machine_event named;
		struct wp_event event = {0};
		wp_autoerr struct wp_err *err = wp_pmu_encode(NULL, pmu, name, NULL, &event, NULL);

		if (err)
			continue;
		named = (struct wp_machine_event){
			.pmu = pmu->name,
			.name = wp_arena_strdup(&machine->arena, name),
			.config = event.config,
			.config1 = event.config1,
			.config2 = event.config2,
		};
		wp_pmu_event_scale(pmu, name, &machine->arena, &named.scale, &named.measure);
		named.desc = scale_text(machine, &named);
		wp_vec_push(&machine->events, named);
	}
}

/* "6.1.0-50-arm64": 6.1; 0 when it is none. */
static unsigned int kernel_version(const struct wp_machine *machine)
{
	unsigned int major, minor;

	return machine->kernel && sscanf(machine->kernel, "%u.%u", &major, &minor) == 2
		       ? major << 16 | minor
		       : 0;
}

/* Since Linux 5.15 the driver of Arm's PMUv3 names every common event that PMCEID announces. */
static bool lists_implemented(const struct wp_machine *machine)
{
	const struct wp_machine_pmu *core = wp_pmu_core(machine);
	bool pmuv3 = core && (wp_str_has_prefix(core->name, "armv8_") ||
			      wp_str_has_prefix(core->name, "armv9_"));

	return pmuv3 && kernel_version(machine) >= (5u << 16 | 15) && machine->events.n &&
	       strcmp(machine->events.v[0].pmu, core->name) == 0;
}

void wp_machine_probe_pmus(struct wp_machine *machine)
{
	wp_autofree char *devices = wp_machine_path(machine, "/sys/bus/event_source/devices");
	wp_autodir struct wp_dir dir = {0};

	wp_dir_list(devices, &dir);
	wp_vec_each (const char *, name, &dir.names)
		read_pmu(machine, devices, *name);
	if (machine->pmus.n)
		qsort(machine->pmus.v, machine->pmus.n, sizeof(*machine->pmus.v), compare_pmus);
	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus)
		add_pmu_events(machine, pmu);
	machine->lists_implemented = lists_implemented(machine);
}
