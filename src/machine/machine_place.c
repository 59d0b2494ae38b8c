/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_place: where a CPU is: its `topology` folder of sysfs, and the link `nodeN` beside that.
 *
 * A CPU without such a file is numbered as perf numbers it: -1, but die 0.
 */
#include "base/dir.h"
#include "base/file.h"
#include "base/str.h"
#include "machine/machine_parts.h"
#include "machine/machine_probe.h"

#include <stdlib.h>
#include <string.h>

static int32_t read_topology_number(const struct wp_machine *machine, uint32_t cpu,
				    const char *name, int32_t unknown)
{
	wp_autofree char *path =
		wp_machine_path(machine, "/sys/devices/system/cpu/cpu%u/topology/%s", cpu, name);
	wp_autofree char *line = wp_file_line(path);
	char *end;
	long value;

	if (!line)
		return unknown;
	value = strtol(line, &end, 10);
	return end == line || *end || value < 0 || value > INT32_MAX ? unknown : (int32_t)value;
}

static int32_t read_node(const struct wp_machine *machine, uint32_t cpu)
{
	wp_autofree char *path = wp_machine_path(machine, "/sys/devices/system/cpu/cpu%u", cpu);
	wp_autodir struct wp_dir dir = {0};
	uint64_t node;

	wp_dir_list(path, &dir);
	wp_vec_each (const char *, name, &dir.names)
		if (strncmp(*name, "node", 4) == 0 &&
		    wp_str_to_u64(*name + 4, 10, INT32_MAX, &node))
			return (int32_t)node;
	return -1;
}

static uint64_t read_cpu_midr(const struct wp_machine *machine, uint32_t cpu)
{
	wp_autofree char *path = wp_machine_path(
		machine, "/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1", cpu);
	uint64_t midr;

	return wp_file_u64(path, 16, &midr) ? midr : machine->midr;
}

struct wp_cpu_place wp_machine_place(const struct wp_machine *machine, uint32_t cpu)
{
	return (struct wp_cpu_place){
		.socket = read_topology_number(machine, cpu, "physical_package_id", -1),
		.die = read_topology_number(machine, cpu, "die_id", 0),
		.core = read_topology_number(machine, cpu, "core_id", -1),
		.node = read_node(machine, cpu),
		.midr = read_cpu_midr(machine, cpu),
	};
}
