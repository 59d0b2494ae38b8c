/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu: see cpu.h. */
#include "event/cpu.h"

#include "base/str.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool matches_cpu(const struct wp_cpu *cpu, int kind, uint64_t family, uint64_t model)
{
	for (size_t i = 0; i < cpu->matches_n; i++)
		if ((int)cpu->matches[i].kind == kind && cpu->matches[i].family == family &&
		    cpu->matches[i].first <= model && cpu->matches[i].last >= model)
			return true;
	return false;
}

static bool matches_midr(const struct wp_cpu *cpu, uint64_t midr)
{
	return matches_cpu(cpu, WP_CPU_ARM, midr >> 24 & 0xff, midr >> 4 & 0xfff);
}

const struct wp_cpu *wp_cpu_of_midr(uint64_t midr)
{
	for (size_t i = 0; i < wp_cpus_n; i++)
		if (matches_midr(&wp_cpus[i], midr))
			return &wp_cpus[i];
	return NULL;
}

bool wp_cpu_is_machine(const struct wp_cpu *cpu, const struct wp_machine *machine)
{
	const char *vendor = machine->vendor ? machine->vendor : "";
	int kind = wp_str_has_prefix(vendor, "AMD") ? WP_CPU_AMD : WP_CPU_INTEL;

	if (machine->midr >> 24)
		return matches_midr(cpu, machine->midr);
	if (machine->x86_family)
		return (kind == WP_CPU_AMD || wp_str_has_prefix(vendor, "Intel")) &&
		       matches_cpu(cpu, kind, machine->x86_family, machine->x86_model);
	return machine->product && wp_cpu_is_named(cpu, machine->product);
}

const struct wp_cpu *wp_cpu_of_machine(const struct wp_machine *machine)
{
	for (size_t i = 0; i < wp_cpus_n; i++)
		if (wp_cpu_is_machine(&wp_cpus[i], machine))
			return &wp_cpus[i];
	return machine->midr >> 24 ? wp_cpu_find("armv8-a") : NULL;
}

/* Letters alike in any case, blanks and underscores as dashes; b ends at a comma or its end. */
static bool is_same_name(const char *a, const char *b)
{
	for (; *a && *b && *b != ','; a++, b++) {
		char c = *a == ' ' || *a == '_' ? '-' : (char)tolower((unsigned char)*a);

		if (c != *b)
			return false;
	}
	return !*a && (!*b || *b == ',');
}

/* The name in full, or without its family: "n1" is neoverse-n1. */
static bool is_called(const char *wanted, const char *name)
{
	static const char *const families[] = {"neoverse-", "cortex-", "ampere-", "amd-", "intel-"};

	for (size_t i = 0; i < WP_ARRAY_LEN(families); i++)
		if (wp_str_has_prefix(name, families[i]) &&
		    is_same_name(wanted, name + strlen(families[i])))
			return true;
	return is_same_name(wanted, name);
}

bool wp_cpu_is_named(const struct wp_cpu *cpu, const char *name)
{
	if (is_called(name, cpu->name))
		return true;
	for (const char *alias = cpu->aliases; *alias; alias += strspn(alias, ",")) {
		if (is_called(name, alias))
			return true;
		alias += strcspn(alias, ",");
	}
	return false;
}

const struct wp_cpu *wp_cpu_find(const char *name)
{
	for (size_t i = 0; i < wp_cpus_n; i++)
		if (wp_cpu_is_named(&wp_cpus[i], name))
			return &wp_cpus[i];
	return NULL;
}

static int by_event_name(const void *name, const void *event)
{
	return strcasecmp(name, ((const struct wp_cpu_event *)event)->name);
}

const struct wp_cpu_event *wp_cpu_event_find(const struct wp_cpu *cpu, const char *name)
{
	return cpu->events_n ? bsearch(name, cpu->events, cpu->events_n, sizeof(*cpu->events),
				       by_event_name)
			     : NULL;
}

const struct wp_cpu_event *wp_cpu_event_of(const struct wp_cpu *cpu, uint64_t config)
{
	for (size_t i = 0; i < cpu->events_n; i++)
		if (cpu->events[i].config == config)
			return &cpu->events[i];
	return NULL;
}

static int by_metric_name(const void *name, const void *metric)
{
	return strcmp(name, ((const struct wp_cpu_metric *)metric)->name);
}

const struct wp_cpu_metric *wp_cpu_metric_find(const struct wp_cpu *cpu, const char *name)
{
	return cpu->metrics_n ? bsearch(name, cpu->metrics, cpu->metrics_n, sizeof(*cpu->metrics),
					by_metric_name)
			      : NULL;
}

static int by_group_name(const void *name, const void *group)
{
	return strcmp(name, ((const struct wp_cpu_group *)group)->name);
}

const struct wp_cpu_group *wp_cpu_group_find(const struct wp_cpu *cpu, const char *name)
{
	return cpu->groups_n ? bsearch(name, cpu->groups, cpu->groups_n, sizeof(*cpu->groups),
				       by_group_name)
			     : NULL;
}

/* Spellings as WindowsPerf prints them. */
static const struct {
	uint8_t implementer;
	const char *name;
} vendors[] = {
	{0x41, "Arm Limited"},
	{0x42, "Broadcomm Corporation"},
	{0x43, "Cavium Inc"},
	{0x44, "Digital Equipment Corporation"},
	{0x46, "Fujitsu Ltd"},
	{0x49, "Infineon Technologies AG"},
	{0x4d, "Motorola or Freescale Semiconductor Inc"},
	{0x4e, "NVIDIA Corporation"},
	{0x50, "Applied Micro Circuits Corporation"},
	{0x51, "Qualcomm Inc"},
	{0x56, "Marvell International Ltd"},
	{0x69, "Intel Corporation"},
	{0x6d, "Microsoft Corporation"},
	{0xc0, "Ampere Computing"},
};

const char *wp_cpu_vendor(uint64_t midr)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(vendors); i++)
		if (vendors[i].implementer == midr >> 24)
			return vendors[i].name;
	return "Unknown Vendor";
}

void wp_cpu_describe_arm(struct wp_machine *machine)
{
	const struct wp_cpu *cpu = wp_cpu_of_midr(machine->midr);

	machine->vendor = wp_cpu_vendor(machine->midr);
	machine->product = cpu ? cpu->name : "armv8-a";
	machine->product_extended = cpu ? cpu->extended : "";
	machine->brand = machine->product;
	machine->cpuid =
		wp_arena_printf(&machine->arena, "0x%016llx", (unsigned long long)machine->midr);
}
