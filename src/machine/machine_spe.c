/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_spe: why there is no PMU of Arm SPE.
 *
 * The driver (drivers/perf/arm_spe_pmu.c) binds to what firmware describes: a node of the device
 * tree, or a platform device made of ACPI's MADT. It refuses where the kernel is not mapped while
 * user code runs, since SPE writes with the addresses of whoever is profiled. Whether the CPU has
 * it is in a register that the kernel hides from programs.
 */
#include "base/dir.h"
#include "base/file.h"
#include "base/str.h"
#include "event/event_spe.h"
#include "machine/machine_parts.h"

#include <string.h>

static bool has_path(const struct wp_machine *machine, const char *path)
{
	wp_autofree char *full = wp_machine_path(machine, "%s", path);

	return wp_file_exists(full);
}

/* ACPI's is called arm,spe-v1, one of a device tree by its node: spe-pmu, spe-pmu-0. */
static bool firmware_tells(const struct wp_machine *machine)
{
	wp_autofree char *devices = wp_machine_path(machine, "/sys/bus/platform/devices");
	wp_autodir struct wp_dir dir = {0};

	wp_dir_list(devices, &dir);
	wp_vec_each (const char *, name, &dir.names)
		if (strstr(*name, "arm,spe-v1") || strstr(*name, "spe-pmu"))
			return true;
	return false;
}

static bool isolates_page_tables(const struct wp_machine *machine)
{
	wp_autofree char *path =
		wp_machine_path(machine, "/sys/devices/system/cpu/vulnerabilities/meltdown");
	wp_autofree char *line = wp_file_line(path);

	return line && strstr(line, "PTI");
}

/* The device tree of QEMU's machine, and what firmware says of others. */
static bool says_virtual(const struct wp_machine *machine)
{
	static const char *const makers[] = {"QEMU", "VMware", "Parallels", "Xen", "innotek"};
	wp_autofree char *tree = wp_machine_path(machine, "/proc/device-tree/compatible");
	wp_autofree char *dmi = wp_machine_path(machine, "/sys/class/dmi/id/sys_vendor");
	wp_autofree char *board = wp_file_line(tree), *maker = wp_file_line(dmi);

	if (board && strstr(board, "dummy-virt"))
		return true;
	for (size_t i = 0; maker && i < WP_ARRAY_LEN(makers); i++)
		if (strstr(maker, makers[i]))
			return true;
	return false;
}

static bool is_virtual(const struct wp_machine *machine)
{
	if (says_virtual(machine))
		return true;
	return has_path(machine, "/proc/device-tree/hypervisor") ||
	       has_path(machine, "/sys/hypervisor/type") ||
	       has_path(machine, "/sys/firmware/qemu_fw_cfg");
}

void wp_machine_probe_spe(struct wp_machine *machine)
{
	const char *why;

	if (wp_event_spe_pmu(machine))
		return;
	if (!machine->arch || strcmp(machine->arch, "aarch64") != 0)
		why = wp_arena_printf(&machine->arena, "it is of Arm's CPUs, and this is %s",
				      machine->arch ? machine->arch : "another");
	else if (isolates_page_tables(machine))
		why = "its driver refuses while page tables are isolated (KPTI); boot with "
		      "kpti=off where that is no risk";
	else if (firmware_tells(machine) && !has_path(machine, "/sys/module/arm_spe_pmu"))
		why = "its driver is not loaded (as root: modprobe arm_spe_pmu)";
	else if (firmware_tells(machine))
		why = "its driver is loaded and did not take it (dmesg | grep arm_spe)";
	else if (is_virtual(machine))
		why = "this virtual machine hides it, or its CPU has none; bare metal may have it";
	else
		why = "firmware tells of none: this CPU has none, or it is switched off there";
	machine->spe_why = why;
}
