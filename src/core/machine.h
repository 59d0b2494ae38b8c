/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine: the computer that counts, described once: what it can count and what limits this user.
 *
 * A world has it: the system by probing (machine/machine_probe.h), a replay from its script. Event
 * names, `list`, `test`, `detect` and every refusal are answered from it.
 */
#ifndef WP_MACHINE_H
#define WP_MACHINE_H

#include "base/arena.h"
#include "core/cpuset.h"

#include <stdint.h>

/* One folder of /sys/bus/event_source/devices. */
struct wp_machine_pmu {
	const char *name; /* "cpu", "armv8_pmuv3_0", "software", "uprobe" ... */
	const char *dir;  /* its sysfs folder */
	uint32_t type;
	bool is_core;		    /* a CPU's own PMU */
	struct wp_cpuset cpus;	    /* from `cpus` or `cpumask`; empty: any CPU */
	uint64_t midr;		    /* of its first CPU; 0: not known */
	struct wp_cpuset shared_by; /* `associated_cpus`: whose unit it is; empty: everybody's */
};

/* One event that a PMU names itself: a file of its sysfs `events` folder, a `pmuevent` line of a
 * script. */
struct wp_machine_event {
	const char *pmu;  /* name of its PMU */
	const char *name; /* "inst_retired"; "sched:sched_switch" for the PMU "tracepoint" */
	const char *desc; /* "" if none */
	uint64_t config, config1, config2;
	double scale;	     /* what a count stands for; 0: itself */
	const char *measure; /* in which unit: "Joules"; NULL: a number */
};

/* One `place` line of a script. */
struct wp_machine_place {
	uint32_t cpu, socket, die, core, node;
};

/* /proc/sys/kernel/perf_event_paranoid and its friends; INT64_MIN where the file does not exist. */
struct wp_machine_limits {
	uint32_t euid, egid;
	int64_t perf_event_paranoid, kptr_restrict, yama_ptrace_scope, unprivileged_bpf_disabled;
	int64_t perf_event_mlock_kb, perf_event_max_sample_rate;
	bool cap_perfmon, cap_sys_admin, cap_bpf, cap_sys_ptrace;
	bool events_refused;  /* the simplest one is, though nothing above forbids it */
	const char *lockdown; /* the active word of /sys/kernel/security/lockdown, or "none" */
	bool tracefs;	      /* ids of tracepoints can be read */
	const char *tracefs_events; /* where: a folder per subsystem; NULL on a script's machine */
	const char *tracefs_why;    /* when !tracefs: why, and the remedy, for people */
	bool btf;		    /* /sys/kernel/btf/vmlinux */
	bool bpf;		    /* a BPF program could be loaded by this user */
	const char *bpf_missing;    /* why this wperf has none ("no clang"); NULL: it has one */
};

/* What counts, where it is a driver that is installed for it: WindowsPerf's. */
struct wp_machine_driver {
	bool counts;	     /* it, and no kernel with perf events */
	const char *version; /* NULL: it is not there */
	const char *gitver, *features;
	const uint8_t *counter_map; /* of the 32 counters: which they are in hardware */
};

struct wp_machine {
	struct wp_arena arena;
	/* In front of every /sys and /proc path that describes the machine; "" but in tests. */
	const char *root;

	const char *vendor;  /* "Arm Limited", "AMD", "Intel Corporation" ... */
	const char *product; /* "neoverse-n1", "armv8-a", or the x86 brand string's short form */
	const char *product_extended; /* "Neoverse N1 (neoverse-n1), armv8.2, pmu_v3"; "" if none */
	const char *arch;	      /* "x86_64", "aarch64" */
	const char *brand;  /* as the CPU says it; "" when it does not, NULL: nobody asked */
	const char *cpuid;  /* as perf names it: "GenuineIntel,6,143,8", MIDR_EL1; NULL: as above */
	const char *kernel; /* uname -r */
	uint64_t midr, id_aa64dfr0; /* 0 when not Arm or not readable */
	uint32_t x86_family, x86_model, x86_stepping;

	struct wp_cpuset online;
	uint32_t core_count; /* highest possible CPU number + 1 */

	bool has_hw_pmu;
	uint32_t gpc_total; /* programmable counters the CPU has, as far as it says or was probed */
	uint32_t gpc_free;  /* of them, how many can be scheduled at once now */
	uint32_t fpc;	    /* fixed counters (1: the cycle counter) */
	/* The CPU PMU's events of `events` are all common ones that it implements (Arm PMUv3). */
	bool lists_implemented;
	const char *hw_pmu_why; /* when !has_hw_pmu: why, for people */
	struct wp_machine_driver driver;
	const char *spe_why; /* when there is no PMU of Arm SPE: why, for people; or NULL */

	WP_VEC(struct wp_machine_pmu) pmus;
	WP_VEC(struct wp_machine_event) events; /* in the order of the PMUs, then by name */
	struct wp_machine_limits limits;
	/* Where the CPUs of a script are; what is not there is a core of its own. */
	WP_VEC(struct wp_machine_place) places;
	WP_VEC(int) mounts; /* descriptors of what is mounted for this process alone */
};

void wp_machine_deinit(struct wp_machine *machine);
/* The PMU of that sysfs name, or NULL. */
const struct wp_machine_pmu *wp_machine_pmu_find(const struct wp_machine *machine,
						 const char *name);

#endif
