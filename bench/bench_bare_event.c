/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_bare_event: runs a command with a sampling event whose handler does nothing.
 *
 * What no profiler can be cheaper than: the interrupt at each overflow and one empty BPF program,
 * which drops the sample before the kernel writes anything. bench_bare_event HZ|page-faults
 * COMMAND ARGS...: cpu-clock so often, or each page fault; 125 when the event or the program is
 * refused.
 */
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* An inherited event of this process, enabled by its exec. */
static int open_event(const char *which)
{
	bool faults = !strcmp(which, "page-faults");
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = faults ? PERF_COUNT_SW_PAGE_FAULTS : PERF_COUNT_SW_CPU_CLOCK,
		.sample_freq = faults ? 1 : strtoul(which, NULL, 10), /* a period when not .freq */
		.freq = !faults,
		.inherit = 1,
		.disabled = 1,
		.enable_on_exec = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* return 0; */
static int load_nothing(void)
{
	struct bpf_insn code[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K},
		{.code = BPF_JMP | BPF_EXIT},
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_PERF_EVENT,
		.insns = (uintptr_t)code,
		.insn_cnt = sizeof(code) / sizeof(*code),
		.license = (uintptr_t) "GPL",
	};

	return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

int main(int argc, char **argv)
{
	int event, program;

	if (argc < 3) {
		fprintf(stderr, "usage: %s HZ|page-faults COMMAND ARGS...\n", argv[0]);
		return 2;
	}
	event = open_event(argv[1]);
	program = load_nothing();
	if (event < 0 || program < 0 || ioctl(event, PERF_EVENT_IOC_SET_BPF, program)) {
		perror(argv[0]);
		return 125;
	}
	/* The event outlives this process's descriptors in whatever the command starts. */
	switch (fork()) {
	case -1: return 125;
	case 0: execvp(argv[2], argv + 2); _exit(127);
	default: break;
	}
	wait(NULL);
	return 0;
}
