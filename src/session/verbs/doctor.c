/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doctor: each thing that can limit what this user counts or samples, with its remedy. What the
 * levels of perf_event_paranoid forbid is in Documentation/admin-guide/sysctl/kernel.rst; levels 3
 * and 4 are Debian's and Ubuntu's.
 */
#include "session/verbs/doctor.h"

#include <stdio.h>
#include <string.h>

/* limit NULL: ok. Both texts fit a line of 80 columns, as far as they are ours. */
static void add_finding(struct wp_findings *findings, const char *name, const char *limit,
			const char *fix)
{
	wp_vec_push(findings, (struct wp_finding){name, limit, limit ? fix : NULL});
}

static bool privileged(const struct wp_machine_limits *limits)
{
	return limits->cap_perfmon || limits->cap_sys_admin;
}

static void hardware_pmu(const struct wp_machine *machine, struct wp_arena *arena,
			 struct wp_findings *ret)
{
	const char *why = machine->hw_pmu_why ? machine->hw_pmu_why : "no hardware PMU was found";

	add_finding(ret, "hardware_pmu",
		    machine->has_hw_pmu
			    ? NULL
			    : wp_arena_printf(arena, "%s: no cycles, caches, branches", why),
		    "a host, or a virtual machine that gets a PMU passed through");
}

static const char *paranoid_limit(int64_t level)
{
	if (level >= 3)
		return "no events at all without CAP_PERFMON";
	if (level == 2)
		return "own processes in user mode only, no -k, -a or tracepoints";
	if (level == 1)
		return "own processes only, no -a";
	return level == 0 ? "no tracepoint data" : NULL;
}

static void paranoid(const struct wp_machine_limits *limits, struct wp_findings *ret)
{
	int64_t level = limits->perf_event_paranoid;

	if (level == INT64_MIN)
		add_finding(ret, "perf_event_paranoid", "this kernel has no perf events",
			    "a kernel with CONFIG_PERF_EVENTS");
	else if (limits->events_refused)
		add_finding(
			ret, "perf_event_paranoid",
			"no events: a container's seccomp filter or a security module forbids them",
			"start the container with --security-opt seccomp=unconfined");
	else
		add_finding(ret, "perf_event_paranoid",
			    privileged(limits) ? NULL : paranoid_limit(level),
			    "sysctl -w kernel.perf_event_paranoid=-1, or run as root");
}

static void capabilities(const struct wp_machine_limits *limits, struct wp_arena *arena,
			 struct wp_findings *ret)
{
	bool has_ptrace = limits->cap_sys_ptrace,
	     has_bpf = limits->cap_bpf || limits->cap_sys_admin;
	const char *missing =
		wp_arena_printf(arena, "missing%s%s%s", privileged(limits) ? "" : " CAP_PERFMON",
				has_bpf ? "" : " CAP_BPF", has_ptrace ? "" : " CAP_SYS_PTRACE");

	add_finding(
		ret, "capabilities", privileged(limits) && has_bpf && has_ptrace ? NULL : missing,
		"as root, for the group perf: w=$(which wperf); groupadd -f perf; chgrp perf $w; "
		"chmod 750 $w; setcap cap_perfmon,cap_bpf,cap_sys_ptrace+ep $w");
}

static void ptrace_scope(const struct wp_machine_limits *limits, struct wp_findings *ret)
{
	bool free_to = limits->cap_sys_ptrace || limits->yama_ptrace_scope <= 0;

	add_finding(
		ret, "ptrace_scope",
		free_to ? NULL
			: "memory of running processes cannot be read, only of what wperf starts",
		"sysctl -w kernel.yama.ptrace_scope=0, or run as root");
}

static void kptr_restrict(const struct wp_machine_limits *limits, struct wp_arena *arena,
			  struct wp_findings *ret)
{
	bool root = limits->euid == 0, paranoid = !root && limits->perf_event_paranoid > 1;
	bool hidden = limits->kptr_restrict >= (root ? 2 : 1);

	add_finding(
		ret, "kptr_restrict", hidden || paranoid ? "kernel functions have no names" : NULL,
		wp_arena_printf(arena, "sysctl -w%s%s%s", hidden ? " kernel.kptr_restrict=0" : "",
				paranoid ? " kernel.perf_event_paranoid=-1" : "",
				root ? "" : ", or run as root"));
}

static void bpf(const struct wp_machine_limits *limits, bool locked, struct wp_arena *arena,
		struct wp_findings *ret)
{
	if (limits->bpf_missing)
		add_finding(ret, "bpf",
			    wp_arena_printf(arena,
					    "built without its BPF program (%s): stacks are copied",
					    limits->bpf_missing),
			    "install clang and libbpf-dev (1.0 or newer), build again");
	else if (limits->bpf)
		add_finding(ret, "bpf", NULL, NULL);
	else if (locked)
		add_finding(ret, "bpf", "no BPF program: the kernel is locked down",
			    "boot without lockdown=confidentiality");
	else if (!limits->cap_bpf && !limits->cap_sys_admin)
		add_finding(ret, "bpf", "BPF programs need privileges: stacks are copied instead",
			    "run as root, or with CAP_BPF and CAP_PERFMON");
	else
		add_finding(ret, "bpf", "the kernel refuses BPF programs",
			    "a kernel with CONFIG_BPF_EVENTS, and a container that allows bpf(2)");
}

/* "why. fix: remedy" in two. */
static void tracefs(const struct wp_machine_limits *limits, struct wp_arena *arena,
		    struct wp_findings *ret)
{
	static const char between[] = ". fix: ";
	const char *why = limits->tracefs_why ? limits->tracefs_why : "";
	const char *fix = strstr(why, between);
	int n = fix ? (int)(fix - why) : (int)strlen(why);

	add_finding(ret, "tracefs",
		    limits->tracefs ? NULL : wp_arena_printf(arena, "no tracepoints: %.*s", n, why),
		    fix ? fix + strlen(between) : "run as root");
}

static void kernel(const struct wp_machine_limits *limits, struct wp_arena *arena,
		   struct wp_findings *ret)
{
	bool locked = limits->lockdown && strcmp(limits->lockdown, "confidentiality") == 0;

	bpf(limits, locked, arena, ret);
	add_finding(ret, "btf", limits->btf ? NULL : "no /sys/kernel/btf/vmlinux",
		    "a kernel with CONFIG_DEBUG_INFO_BTF");
	add_finding(ret, "lockdown", locked ? "kernel memory may not be read" : NULL,
		    "boot without lockdown=confidentiality");
	tracefs(limits, arena, ret);
}

static void buffers(const struct wp_machine_limits *limits, struct wp_arena *arena,
		    struct wp_findings *ret)
{
	int64_t rate = limits->perf_event_max_sample_rate, kb = limits->perf_event_mlock_kb;
	bool roomy = kb == INT64_MIN || kb >= 516 || privileged(limits);

	add_finding(ret, "perf_event_mlock_kb",
		    roomy ? NULL : "small sample buffers, samples may be lost",
		    "sysctl -w kernel.perf_event_mlock_kb=516");
	add_finding(
		ret, "perf_event_max_sample_rate",
		rate == INT64_MIN || rate >= 10000
			? NULL
			: wp_arena_printf(arena, "at most %lld samples a second", (long long)rate),
		"sysctl -w kernel.perf_event_max_sample_rate=100000");
}

void wp_doctor_look(const struct wp_machine *machine, struct wp_arena *arena,
		    struct wp_findings *ret)
{
	const struct wp_machine_limits *limits = &machine->limits;

	if (machine->driver.counts) {
		add_finding(ret, "wperf_driver", machine->has_hw_pmu ? NULL : machine->hw_pmu_why,
			    "WindowsPerf's driver 3.8.0, in the hands of nobody else, and an "
			    "elevated console");
		return;
	}
	hardware_pmu(machine, arena, ret);
	paranoid(limits, ret);
	capabilities(limits, arena, ret);
	ptrace_scope(limits, ret);
	kptr_restrict(limits, arena, ret);
	kernel(limits, arena, ret);
	buffers(limits, arena, ret);
}
