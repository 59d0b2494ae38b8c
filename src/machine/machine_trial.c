/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_trial: what the CPU can count, found by opening events on ourselves, and whether BPF
 * programs may be loaded.
 *
 * No file tells how many counters there are. A group grows by one programmable event until the
 * kernel refuses it (x86 checks a group against all counters: that is the total) and until it is
 * never scheduled (others hold counters, the NMI watchdog for one: that is what is free). Arm opens
 * groups that are too large, so there both are what was scheduled.
 */
#include "base/file.h"
#include "base/str.h"
#include "event/pmu_sysfs.h"
#include "source/bpf/bpf_walker.h"
#include "machine/machine_parts.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define COUNTERS_MAX 32

static bool is_arm(const struct wp_machine *machine)
{
	return strcmp(machine->arch, "aarch64") == 0;
}

static int open_trial_event(struct perf_event_attr *attr, int group)
{
	attr->size = sizeof(*attr);
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return (int)syscall(SYS_perf_event_open, attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
}

/* An event that only programmable counters count: Arm's SW_INCR, branches elsewhere. */
static struct perf_event_attr programmable(const struct wp_machine *machine)
{
	const struct wp_machine_pmu *core = wp_pmu_core(machine);
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	};

	if (is_arm(machine) && core) {
		attr.type = core->type;
		attr.config = 0;
	}
	return attr;
}

/* Opens a group of n; -1 when the kernel refuses it. Fills fds, fds[0] being the leader. */
static bool open_trial_group(const struct wp_machine *machine, int *fds, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct perf_event_attr attr = programmable(machine);

		attr.disabled = i == 0;
		fds[i] = open_trial_event(&attr, i ? fds[0] : -1);
		if (fds[i] >= 0)
			continue;
		while (i-- > 0)
			close(fds[i]);
		return false;
	}
	return true;
}

/* Whether the group ran while we did something. Closes it. */
static bool runs(const int *fds, uint32_t n)
{
	uint64_t values[3] = {0}; /* count, enabled, running */
	volatile int work = 0;

	ioctl(fds[0], PERF_EVENT_IOC_ENABLE, 0);
	while (work < 10000)
		work++;
	bool read_all = read(fds[0], values, sizeof(values)) == (ssize_t)sizeof(values);
	for (uint32_t i = n; i-- > 0;)
		close(fds[i]);
	return read_all && values[2] != 0;
}

static void count_counters(struct wp_machine *machine)
{
	uint32_t total = 0, free_now = 0;
	int fds[COUNTERS_MAX];

	while (total < COUNTERS_MAX && open_trial_group(machine, fds, total + 1)) {
		total++;
		if (runs(fds, total))
			free_now = total;
		else if (is_arm(machine))
			break;
	}
	machine->gpc_free = free_now;
	machine->gpc_total = is_arm(machine) ? free_now : total;
}

static const char *why_no_pmu(struct wp_machine *machine, int error)
{
	wp_autofree char *path = wp_machine_path(machine, "/proc/cpuinfo");
	char *text = NULL;
	wp_autoerr struct wp_err *err = wp_file_read(path, 4 << 20, &text, NULL);
	wp_autofree char *cpuinfo = err ? NULL : text;

	if (error == ENOSYS)
		return "this kernel or container has no perf_event_open";
	if (cpuinfo && strstr(cpuinfo, " hypervisor"))
		return "this virtual machine has no hardware PMU";
	return "the kernel found no hardware PMU";
}

/* The CPU's cycles tell whether there is a PMU; a refusal for lack of permission says nothing. */
static void try_cycles(struct wp_machine *machine)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.disabled = 1,
	};
	int fd = open_trial_event(&attr, -1);

	if (fd >= 0) {
		close(fd);
		machine->has_hw_pmu = true;
		wp_machine_assume_counters(machine);
		count_counters(machine);
		return;
	}
	if (errno == EACCES || errno == EPERM)
		return;
	machine->has_hw_pmu = false;
	machine->hw_pmu_why = why_no_pmu(machine, errno);
	machine->gpc_total = machine->gpc_free = machine->fpc = 0;
}

/* An event of ourselves that costs nothing: who forbids that is not perf_event_paranoid. */
static bool are_events_refused(const struct wp_machine_limits *limits)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
	};
	bool may = limits->cap_perfmon || limits->cap_sys_admin || limits->perf_event_paranoid <= 2;
	wp_autoclose int fd = open_trial_event(&attr, -1);

	return may && fd < 0 && (errno == EPERM || errno == EACCES);
}

/* `r0 = 0; exit` of the kind that our programs are. */
static bool may_load_bpf(void)
{
	static const char licence[] = "GPL";
	struct bpf_insn code[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	attr.insns = (uint64_t)(uintptr_t)code;
	attr.insn_cnt = WP_ARRAY_LEN(code);
	attr.license = (uint64_t)(uintptr_t)licence;
	wp_autoclose int fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	return fd >= 0;
}

void wp_machine_assume_counters(struct wp_machine *machine)
{
	const char *vendor = machine->vendor ? machine->vendor : "";

	if (wp_pmu_core(machine))
		machine->has_hw_pmu = true;
	if (!machine->has_hw_pmu)
		machine->hw_pmu_why = "the kernel found no hardware PMU";
	else if (is_arm(machine))
		machine->fpc = 1; /* PMCCNTR_EL0 */
	else if (strcmp(vendor, "Intel Corporation") == 0)
		machine->fpc = 3; /* instructions, cycles, reference cycles: version 2 and later */
}

void wp_machine_probe_trial(struct wp_machine *machine)
{
	try_cycles(machine);
	machine->limits.events_refused = are_events_refused(&machine->limits);
	machine->limits.bpf = may_load_bpf();
	machine->limits.bpf_missing = wp_bpf_walker_missing();
}
