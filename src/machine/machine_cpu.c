/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_cpu: what kind of CPU this is: MIDR_EL1 (sysfs, since Linux 4.7) or /proc/cpuinfo.
 *
 * Layout of MIDR_EL1 (Arm ARM D19): implementer 31:24, variant 23:20, architecture 19:16, part
 * number 15:4, revision 3:0.
 */
#include "base/file.h"
#include "base/str.h"
#include "event/cpu.h"
#include "machine/machine_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define CPUINFO_MAX (4 << 20)

/* The value of the first "key   : value" line of /proc/cpuinfo, or NULL. The caller frees. */
static char *cpuinfo_value(const char *cpuinfo, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = cpuinfo; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		const char *p = line + len;

		if (strncmp(line, key, len) != 0)
			continue;
		p += strspn(p, " \t");
		if (*p++ != ':')
			continue;
		p += strspn(p, " \t");
		return wp_strndup(p, strcspn(p, "\n"));
	}
	return NULL;
}

static uint64_t cpuinfo_number(const char *cpuinfo, const char *key)
{
	wp_autofree char *text = cpuinfo_value(cpuinfo, key);
	uint64_t value = 0;

	if (text)
		wp_str_to_u64(text, 0, UINT64_MAX, &value);
	return value;
}

static uint64_t read_midr(const struct wp_machine *machine, const char *cpuinfo)
{
	uint32_t cpu = machine->online.cpus.n ? machine->online.cpus.v[0] : 0;
	wp_autofree char *path = wp_machine_path(
		machine, "/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1", cpu);
	uint64_t midr;

	if (wp_file_u64(path, 16, &midr))
		return midr;
	return (cpuinfo_number(cpuinfo, "CPU implementer") & 0xff) << 24 |
	       (cpuinfo_number(cpuinfo, "CPU variant") & 0xf) << 20 |
	       (cpuinfo_number(cpuinfo, "CPU part") & 0xfff) << 4 |
	       (cpuinfo_number(cpuinfo, "CPU revision") & 0xf);
}

/* "Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz" to "Intel Xeon Gold 6338". */
static const char *short_brand(struct wp_machine *machine, const char *brand)
{
	static const char *const noise[] = {"(R)", "(TM)", "(tm)", " CPU", " Processor"};
	char *text = wp_arena_strdup(&machine->arena, brand), *at = strchr(text, '@'), *to, *from;

	if (at)
		*at = '\0';
	for (size_t i = 0; i < WP_ARRAY_LEN(noise); i++)
		while ((at = strstr(text, noise[i])))
			memmove(at, at + strlen(noise[i]), strlen(at + strlen(noise[i])) + 1);
	for (to = from = text; *from; from++)
		if (!isspace((unsigned char)*from) || (to > text && to[-1] != ' '))
			*to++ = *from;
	while (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
	return text;
}

static void describe_x86(struct wp_machine *machine, const char *cpuinfo)
{
	wp_autofree char *vendor = cpuinfo_value(cpuinfo, "vendor_id");
	wp_autofree char *brand = cpuinfo_value(cpuinfo, "model name");

	machine->vendor = !vendor				? "Unknown Vendor"
			  : strcmp(vendor, "AuthenticAMD") == 0 ? "AMD"
			  : strcmp(vendor, "GenuineIntel") == 0 ? "Intel Corporation"
			  : strcmp(vendor, "HygonGenuine") == 0
				  ? "Hygon"
				  : wp_arena_strdup(&machine->arena, vendor);
	machine->product = brand && *brand ? short_brand(machine, brand) : machine->arch;
	machine->product_extended = "";
	machine->x86_family = (uint32_t)cpuinfo_number(cpuinfo, "cpu family");
	machine->x86_model = (uint32_t)cpuinfo_number(cpuinfo, "model");
	machine->x86_stepping = (uint32_t)cpuinfo_number(cpuinfo, "stepping");
	machine->brand = wp_arena_strdup(&machine->arena, brand ? brand : "");
	machine->cpuid =
		wp_arena_printf(&machine->arena, "%s,%u,%u,%u", vendor ? vendor : "",
				machine->x86_family, machine->x86_model, machine->x86_stepping);
}

static void read_machine_cpus(struct wp_machine *machine)
{
	wp_autofree char *online_file = wp_machine_path(machine, "/sys/devices/system/cpu/online");
	wp_autofree char *possible_file =
		wp_machine_path(machine, "/sys/devices/system/cpu/possible");
	wp_autofree char *online = wp_file_line(online_file);
	wp_autofree char *possible = wp_file_line(possible_file);
	struct wp_cpuset all = {0};

	if (!online || !wp_cpuset_parse(&machine->online, online) || !machine->online.cpus.n)
		wp_cpuset_add(&machine->online, 0);
	if (!possible || !wp_cpuset_parse(&all, possible) || !all.cpus.n)
		wp_cpuset_add(&all, machine->online.cpus.v[machine->online.cpus.n - 1]);
	machine->core_count = all.cpus.v[all.cpus.n - 1] + 1;
	wp_cpuset_deinit(&all);
}

/* Only the real machine may be asked by system call; a folder of files has /proc/sys/kernel/arch
 * (Linux 6.1) or says it by what its CPU is. */
static void read_system(struct wp_machine *machine)
{
	wp_autofree char *release_file = wp_machine_path(machine, "/proc/sys/kernel/osrelease");
	wp_autofree char *arch_file = wp_machine_path(machine, "/proc/sys/kernel/arch");
	wp_autofree char *release = wp_file_line(release_file);
	wp_autofree char *arch = wp_file_line(arch_file);
	struct utsname name;

	if (!*machine->root && uname(&name) == 0) {
		machine->kernel = wp_arena_strdup(&machine->arena, name.release);
		machine->arch = wp_arena_strdup(&machine->arena, name.machine);
		return;
	}
	machine->kernel = wp_arena_strdup(&machine->arena, release ? release : "");
	machine->arch = arch		      ? wp_arena_strdup(&machine->arena, arch)
			: machine->midr >> 24 ? "aarch64"
					      : "x86_64";
}

void wp_machine_probe_cpu(struct wp_machine *machine)
{
	wp_autofree char *path = wp_machine_path(machine, "/proc/cpuinfo");
	char *text = NULL;
	wp_autoerr struct wp_err *err = wp_file_read(path, CPUINFO_MAX, &text, NULL);
	wp_autofree char *cpuinfo = err ? wp_strdup("") : text;

	read_machine_cpus(machine);
	machine->midr = read_midr(machine, cpuinfo);
	read_system(machine);
	if (machine->midr >> 24)
		wp_cpu_describe_arm(machine);
	else
		describe_x86(machine, cpuinfo);
}
