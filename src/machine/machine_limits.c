/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_limits: what the system allows this user, as files say it.
 *
 * Capability numbers are those of include/uapi/linux/capability.h; the mask is CapEff of
 * /proc/self/status.
 */
#include "base/file.h"
#include "base/str.h"
#include "machine/machine_parts.h"

#include <linux/capability.h>
#include <string.h>

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#define CAP_BPF	    39
#endif

static int64_t read_sysctl(const struct wp_machine *machine, const char *name)
{
	wp_autofree char *path = wp_machine_path(machine, "/proc/sys/kernel/%s", name);
	int64_t value;

	return wp_file_i64(path, &value) ? value : INT64_MIN;
}

/* The number behind "Key:\t" in /proc/self/status, skipping `skip` numbers; 0 when there is none.
 */
static uint64_t status_number(const char *status, const char *key, int base, int skip)
{
	const char *line = strstr(status, key);
	char word[32];
	uint64_t value = 0;

	if (!line)
		return 0;
	line += strlen(key);
	for (; skip >= 0; skip--) {
		line += strspn(line, " \t");
		size_t len = strcspn(line, " \t\n");

		if (len == 0 || len >= sizeof(word))
			return 0;
		memcpy(word, line, len);
		word[len] = '\0';
		line += len;
	}
	wp_str_to_u64(word, base, UINT64_MAX, &value);
	return value;
}

static void read_capabilities(struct wp_machine *machine)
{
	struct wp_machine_limits *limits = &machine->limits;
	wp_autofree char *path = wp_machine_path(machine, "/proc/self/status");
	char *text = NULL;
	wp_autoerr struct wp_err *err = wp_file_read(path, 1 << 16, &text, NULL);
	wp_autofree char *status = err ? wp_strdup("Uid:\t65534 65534\n") : text;
	uint64_t caps = status_number(status, "\nCapEff:", 16, 0);

	limits->euid = (uint32_t)status_number(status, "Uid:", 10, 1);
	limits->egid = (uint32_t)status_number(status, "Gid:", 10, 1);
	limits->cap_sys_admin = caps >> CAP_SYS_ADMIN & 1;
	limits->cap_sys_ptrace = caps >> CAP_SYS_PTRACE & 1;
	limits->cap_perfmon = caps >> CAP_PERFMON & 1;
	limits->cap_bpf = caps >> CAP_BPF & 1;
}

/* "none [integrity] confidentiality" has its active word in brackets. */
static const char *read_lockdown(struct wp_machine *machine)
{
	wp_autofree char *path = wp_machine_path(machine, "/sys/kernel/security/lockdown");
	wp_autofree char *line = wp_file_line(path);
	const char *open = line ? strchr(line, '[') : NULL;

	return open ? wp_arena_strndup(&machine->arena, open + 1, strcspn(open + 1, "]")) : "none";
}

void wp_machine_probe_limits(struct wp_machine *machine)
{
	struct wp_machine_limits *limits = &machine->limits;
	wp_autofree char *btf = wp_machine_path(machine, "/sys/kernel/btf/vmlinux");

	limits->perf_event_paranoid = read_sysctl(machine, "perf_event_paranoid");
	limits->kptr_restrict = read_sysctl(machine, "kptr_restrict");
	limits->yama_ptrace_scope = read_sysctl(machine, "yama/ptrace_scope");
	limits->unprivileged_bpf_disabled = read_sysctl(machine, "unprivileged_bpf_disabled");
	limits->perf_event_mlock_kb = read_sysctl(machine, "perf_event_mlock_kb");
	limits->perf_event_max_sample_rate = read_sysctl(machine, "perf_event_max_sample_rate");
	read_capabilities(machine);
	limits->lockdown = read_lockdown(machine);
	limits->btf = wp_file_exists(btf);
}
