/*
 * doctor: each thing that can limit what this user counts or samples, with its remedy. What the
 * levels of perf_event_paranoid forbid is in Documentation/admin-guide/sysctl/kernel.rst; levels 3
 * and 4 are Debian's and Ubuntu's.
 */
#include "session/machine_docs.h"

#include <stdio.h>
#include <string.h>

/* A row; text NULL: ok. */
static void add(struct wp_table *table, const char *name, const char *text)
{
	wp_table_add(table,
		     (struct wp_cell[]){
			     wp_cell_str(wp_arena_printf(table->arena, "doctor.%s", name)),
			     wp_cell_str(text ? wp_arena_printf(table->arena, "limited: %s", text)
					      : "ok")});
}

static bool privileged(const struct wp_machine_limits *limits)
{
	return limits->cap_perfmon || limits->cap_sys_admin;
}

static void hardware_pmu(const struct wp_machine *machine, struct wp_table *table)
{
	add(table, "hardware_pmu",
	    machine->has_hw_pmu
		    ? NULL
		    : wp_arena_printf(table->arena,
				      "%s; software events, tracepoints and breakpoints work. fix: "
				      "a host, or a virtual machine that gets a PMU passed through",
				      machine->hw_pmu_why ? machine->hw_pmu_why : "none found"));
}

static const char *paranoid_text(int64_t level)
{
	if (level >= 3)
		return "no events at all without CAP_PERFMON. fix: sysctl -w "
		       "kernel.perf_event_paranoid=1 (or -1), or run as root";
	if (level == 2)
		return "own processes in user mode only, no -k, -a or tracepoints. fix: sysctl -w "
		       "kernel.perf_event_paranoid=-1, or run as root";
	if (level == 1)
		return "own processes only, no -a. fix: sysctl -w "
		       "kernel.perf_event_paranoid=-1, or run as root";
	return level == 0 ? "no tracepoint data. fix: sysctl -w kernel.perf_event_paranoid=-1, or "
			    "run as root"
			  : NULL;
}

static void paranoid(const struct wp_machine *machine, struct wp_table *table)
{
	const struct wp_machine_limits *limits = &machine->limits;

	if (limits->perf_event_paranoid == INT64_MIN)
		add(table, "perf_event_paranoid",
		    "this kernel has no perf events. fix: a kernel with CONFIG_PERF_EVENTS");
	else
		add(table, "perf_event_paranoid",
		    privileged(limits) ? NULL : paranoid_text(limits->perf_event_paranoid));
}

static void capabilities(const struct wp_machine *machine, struct wp_table *table)
{
	const struct wp_machine_limits *limits = &machine->limits;
	bool has_ptrace = limits->cap_sys_ptrace,
	     has_bpf = limits->cap_bpf || limits->cap_sys_admin;
	wp_autofree char *text =
		wp_asprintf("missing%s%s%s. fix: run as root, or setcap "
			    "cap_perfmon,cap_bpf,cap_sys_ptrace+ep on wperf",
			    privileged(limits) ? "" : " CAP_PERFMON", has_bpf ? "" : " CAP_BPF",
			    has_ptrace ? "" : " CAP_SYS_PTRACE");

	add(table, "capabilities", privileged(limits) && has_bpf && has_ptrace ? NULL : text);
}

static void ptrace_scope(const struct wp_machine *machine, struct wp_table *table)
{
	const struct wp_machine_limits *limits = &machine->limits;
	bool free_to = limits->cap_sys_ptrace || limits->yama_ptrace_scope <= 0;

	add(table, "ptrace_scope",
	    free_to ? NULL
		    : "memory of running processes cannot be read, only of those that wperf "
		      "starts. "
		      "fix: sysctl -w kernel.yama.ptrace_scope=0, or run as root");
}

static void kptr_restrict(const struct wp_machine *machine, struct wp_table *table)
{
	const struct wp_machine_limits *limits = &machine->limits;
	bool hidden = limits->kptr_restrict >= 2 ||
		      (limits->euid != 0 &&
		       (limits->kptr_restrict == 1 || limits->perf_event_paranoid > 1));

	add(table, "kptr_restrict",
	    hidden ? "kernel functions have no names. fix: sysctl -w kernel.kptr_restrict=0, and "
		     "run as root or with kernel.perf_event_paranoid at most 1"
		   : NULL);
}

static void bpf(const struct wp_machine *machine, struct wp_table *table)
{
	const struct wp_machine_limits *limits = &machine->limits;
	const char *lockdown = limits->lockdown ? limits->lockdown : "none";

	if (limits->bpf_missing)
		add(table, "bpf",
		    wp_arena_printf(table->arena,
				    "built without its BPF program (%s): stacks are copied, Python "
				    "frames read by pinned readers. fix: install clang and "
				    "libbpf-dev (1.0 or newer), build again",
				    limits->bpf_missing));
	else if (limits->bpf)
		add(table, "bpf", NULL);
	else if (strcmp(lockdown, "confidentiality") == 0)
		add(table, "bpf",
		    "the kernel is locked down. fix: boot without lockdown=confidentiality");
	else if (!limits->cap_bpf && !limits->cap_sys_admin)
		add(table, "bpf",
		    "BPF programs need privileges. fix: run as root, or with CAP_BPF and "
		    "CAP_PERFMON");
	else
		add(table, "bpf",
		    "the kernel refuses BPF programs. fix: a kernel with CONFIG_BPF_SYSCALL and "
		    "CONFIG_BPF_EVENTS, and a container that allows bpf(2)");
	add(table, "btf",
	    limits->btf ? NULL
			: "no /sys/kernel/btf/vmlinux. fix: a kernel with CONFIG_DEBUG_INFO_BTF");
	add(table, "lockdown",
	    strcmp(lockdown, "confidentiality") != 0
		    ? NULL
		    : "kernel memory may not be read. fix: boot without lockdown=confidentiality");
}

static void rest(const struct wp_machine *machine, struct wp_table *table)
{
	const struct wp_machine_limits *limits = &machine->limits;
	int64_t rate = limits->perf_event_max_sample_rate, kb = limits->perf_event_mlock_kb;

	add(table, "tracefs",
	    limits->tracefs
		    ? NULL
		    : wp_arena_printf(table->arena, "no tracepoints: %s", limits->tracefs_why));
	add(table, "perf_event_mlock_kb",
	    kb == INT64_MIN || kb >= 516 || privileged(limits)
		    ? NULL
		    : "small sample buffers, samples may be lost. fix: sysctl -w "
		      "kernel.perf_event_mlock_kb=516");
	add(table, "perf_event_max_sample_rate",
	    rate == INT64_MIN || rate >= 10000
		    ? NULL
		    : wp_arena_printf(table->arena,
				      "at most %lld samples a second. fix: sysctl -w "
				      "kernel.perf_event_max_sample_rate=100000",
				      (long long)rate));
}

void wp_doctor_rows(const struct wp_machine *machine, struct wp_table *table)
{
	hardware_pmu(machine, table);
	paranoid(machine, table);
	capabilities(machine, table);
	ptrace_scope(machine, table);
	kptr_restrict(machine, table);
	bpf(machine, table);
	rest(machine, table);
}
