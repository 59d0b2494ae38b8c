/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine probe over folders of files that look like an Arm server's and a PC's. */
#include "check.h"

#include "base/dir.h"
#include "event/cpu.h"
#include "event/event_parse.h"

#include "machine/machine_probe.h"

#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#define PMUS "/sys/bus/event_source/devices/"

static const char *const arm_files[][2] = {
	{PMUS "armv8_pmuv3_0/type", "8\n"},
	{PMUS "armv8_pmuv3_0/cpus", "0-3\n"},
	{PMUS "armv8_pmuv3_0/format/event", "config:0-15\n"},
	{PMUS "armv8_pmuv3_0/format/long", "config1:0\n"},
	{PMUS "armv8_pmuv3_0/events/inst_retired", "event=0x008\n"},
	{PMUS "armv8_pmuv3_0/events/cpu_cycles", "event=0x011\n"},
	{PMUS "armv8_pmuv3_0/events/broken", "nonsense=0x011\n"},
	{PMUS "arm_dsu_0/type", "12\n"},
	{PMUS "arm_dsu_0/cpumask", "0\n"},
	{PMUS "arm_dsu_0/format/event", "config:0-31\n"},
	{PMUS "arm_dsu_0/events/l3d_cache", "event=0x2b\n"},
	{PMUS "arm_dmc620_10008c000/type", "15\n"},
	{PMUS "arm_dmc620_10008c000/format/event", "config2:3-8\n"},
	{PMUS "arm_dmc620_10008c000/format/clkdiv2", "config2:9\n"},
	{PMUS "arm_dmc620_10008c000/events/clkdiv2_rdwr", "event=0x12,clkdiv2=1\n"},
	{PMUS "software/type", "1\n"},
	{PMUS "not-a-pmu/other", "1\n"},
	{"/sys/devices/system/cpu/online", "0-2\n"},
	{"/sys/devices/system/cpu/possible", "0-3\n"},
	{"/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", "0x00000000413fd0c1\n"},
	{"/proc/sys/kernel/osrelease", "6.1.0-test\n"},
	{"/proc/sys/kernel/perf_event_paranoid", "-1\n"},
	{"/proc/sys/kernel/kptr_restrict", "1\n"},
	{"/proc/sys/kernel/perf_event_mlock_kb", "516\n"},
	{"/proc/self/status",
	 "Name:\tx\nUid:\t1000\t1001\t0\t0\nGid:\t7\t8\t9\t9\nCapEff:\t0000004000000000\n"},
	{"/sys/kernel/security/lockdown", "none [integrity] confidentiality\n"},
	{"/proc/self/mounts",
	 "proc /proc proc rw 0 0\nbroken\nnodev /the\\040tracing tracefs rw 0 0\n"},
	{"/the tracing/events/sched/sched_switch/id", "314\n"},
	{"/sys/kernel/btf/vmlinux", "x"},
	{"/sys/devices/system/cpu/cpu1/topology/physical_package_id", "36\n"},
	{"/sys/devices/system/cpu/cpu1/topology/die_id", "-1\n"},
	{"/sys/devices/system/cpu/cpu1/topology/core_id", "7\n"},
	{"/sys/devices/system/cpu/cpu1/node12/cpulist", "1\n"},
	{"/sys/devices/system/cpu/cpu2/topology/core_id", "3x\n"},
};

static const char *const pc_files[][2] = {
	{PMUS "cpu_core/type", "4\n"},
	{PMUS "cpu_core/cpus", "0-3\n"},
	{PMUS "cpu_atom/type", "10\n"},
	{PMUS "cpu_atom/cpus", "4-7\n"},
	{PMUS "cpu_core/format/event", "config:0-7\n"},
	{PMUS "cpu_core/format/umask", "config:8-15\n"},
	{PMUS "cpu_core/events/branch-misses", "event=0xc5,umask=0\n"},
	{PMUS "power/type", "20\n"},
	{PMUS "power/format/event", "config:0-7\n"},
	{PMUS "power/events/energy-pkg", "event=0x02\n"},
	{PMUS "power/events/energy-pkg.unit", "Joules\n"},
	{PMUS "power/events/energy-pkg.scale", "2.3283064365386962890625e-10\n"},
	{"/proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
			  "model\t\t: 151\nmodel name\t: 12th Gen Intel(R) Core(TM)  i7-12700 CPU "
			  "@ 2.10GHz\nstepping\t: 2\n"},
};

static void write_file(const char *root, const char *path, const char *text)
{
	wp_autofree char *full = wp_asprintf("%s%s", root, path);

	for (char *slash = full + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	FILE *file = fopen(full, "w");
	CHECK(file != NULL);
	if (file) {
		fputs(text, file);
		fclose(file);
	}
}

static void remove_tree(const char *path)
{
	wp_autodir struct wp_dir dir = {0};

	wp_dir_list(path, &dir);
	wp_vec_each (const char *, name, &dir.names) {
		wp_autofree char *full = wp_asprintf("%s/%s", path, *name);

		remove_tree(full);
	}
	remove(path);
}

static void test_arm(const char *root)
{
	struct wp_machine m;

	wp_machine_probe(root, &m);
	CHECK_STR(m.vendor, "Arm Limited");
	CHECK_STR(m.product, "neoverse-n1");
	CHECK_STR(m.product_extended, "Neoverse N1 (neoverse-n1), armv8.2, pmu_v3");
	CHECK_STR(m.arch, "aarch64");
	CHECK_STR(m.kernel, "6.1.0-test");
	CHECK_U64(m.midr, 0x413fd0c1);
	CHECK_U64(m.core_count, 4);
	CHECK_U64(m.online.cpus.n, 3);
	CHECK(m.has_hw_pmu);
	CHECK_U64(m.fpc, 1);
	CHECK_U64(m.pmus.n, 4);
	CHECK_STR(m.pmus.v[0].name, "armv8_pmuv3_0");
	CHECK(m.pmus.v[0].is_core && m.pmus.v[0].cpus.cpus.n == 4);
	CHECK(!wp_machine_pmu_find(&m, "arm_dsu_0")->is_core);
	CHECK(!wp_machine_pmu_find(&m, "not-a-pmu"));
	CHECK_U64(m.events.n, 4);
	CHECK_STR(m.events.v[0].name, "cpu_cycles");
	CHECK_U64(m.events.v[1].config, 8);
	CHECK_U64((uint64_t)m.limits.perf_event_paranoid, (uint64_t)-1);
	CHECK_U64((uint64_t)m.limits.yama_ptrace_scope, (uint64_t)INT64_MIN);
	CHECK_U64(m.limits.euid, 1001);
	CHECK(m.limits.cap_perfmon && !m.limits.cap_bpf && !m.limits.cap_sys_admin);
	CHECK_STR(m.limits.lockdown, "integrity");
	CHECK(m.limits.tracefs && m.limits.btf && !m.limits.bpf);
	wp_machine_deinit(&m);
}

/* perf's numbers for what is not told. */
static void test_places(const char *root)
{
	struct wp_machine m;

	wp_machine_probe(root, &m);
	struct wp_cpu_place one = wp_machine_place(&m, 1), none = wp_machine_place(&m, 2);
	CHECK(one.socket == 36 && one.die == 0 && one.core == 7 && one.node == 12);
	CHECK(none.socket == -1 && none.die == 0 && none.core == -1 && none.node == -1);
	wp_machine_deinit(&m);
}

/* The files of the same machine give event names their meaning. */
static void test_arm_events(const char *root)
{
	struct wp_event_set set = {0};
	struct wp_machine m;

	wp_machine_probe(root, &m);
	struct wp_catalogue *c = wp_catalogue_new(&m, NULL);
	CHECK_OK(wp_event_parse_counting(
		c,
		"{cpu_cycles,inst_retired},/dsu/l3d_cache,/dmc_clkdiv2/r12,/dmc_clk/0x1,"
		"armv8_pmuv3_0/event=0x1b,long=1/u,sched:sched_switch",
		&set));
	CHECK_U64(set.events.n, 7);
	CHECK_U64(set.events.v[1].type, 8);
	CHECK_U64(set.events.v[1].group, 0);
	CHECK_U64(set.events.v[2].type, 12);
	CHECK_U64(set.events.v[3].config2, 0x12 << 3 | 1 << 9);
	CHECK_U64(set.events.v[4].config2, 1 << 3);
	CHECK_U64(set.events.v[5].config, 0x1b);
	CHECK_U64(set.events.v[5].config1, 1);
	CHECK(set.events.v[5].user_only);
	CHECK_U64(set.events.v[6].config, 314);
	CHECK_ERR(wp_event_parse_counting(c, "sched:../../../type", &set), "unknown event name");
	CHECK_ERR(wp_event_parse_counting(c, "armv8_pmuv3_0/event=0x10000/", &set),
		  "armv8_pmuv3_0/event=0x10000/: 'event=0x10000': the value does not fit in 16");
	wp_event_set_deinit(&set);
	wp_catalogue_free(c);
	wp_machine_deinit(&m);
}

static void test_pc(const char *root)
{
	struct wp_machine m;

	wp_machine_probe(root, &m);
	CHECK_STR(m.vendor, "Intel Corporation");
	CHECK_STR(m.product, "12th Gen Intel Core i7-12700");
	CHECK_STR(m.arch, "x86_64");
	CHECK_U64(m.x86_family, 6);
	CHECK_U64(m.x86_model, 151);
	CHECK_U64(m.x86_stepping, 2);
	CHECK_U64(m.midr, 0);
	CHECK_U64(m.core_count, 1);
	CHECK_STR(m.pmus.v[0].name, "cpu_core");
	CHECK_STR(m.pmus.v[1].name, "cpu_atom");
	CHECK_U64(m.fpc, 3);
	CHECK_STR(m.events.v[1].desc, "unit Joules, scale 2.32831e-10");
	CHECK_STR(m.events.v[1].measure, "Joules");
	CHECK(m.events.v[1].scale == 0x1p-32);
	wp_machine_deinit(&m);
}

/* Where tracefs may be: each case is a folder of its own. */
static void test_tracefs(const char *root)
{
	static const char event[] = "/events/sched/sched_switch/id";
	static const struct {
		const char *name, *mounts, *dir, *uid; /* dir: where ids are; NULL: nowhere */
		const char *why;
	} cases[] = {
		{"debugfs", "d /dbg debugfs rw 0 0\n", "/dbg/tracing", "0", NULL},
		{"second", "d /dbg debugfs rw 0 0\nt /there tracefs rw 0 0\n", "/there", "0", NULL},
		{"none", "", NULL, "0",
		 "tracefs is not mounted, and mounting it is refused (Operation not permitted). "
		 "fix: mount -t tracefs nodev /sys/kernel/tracing; in a container, outside of it, "
		 "and start it with -v /sys/kernel/tracing:/sys/kernel/tracing or CAP_SYS_ADMIN"},
		{"user", "", NULL, "7",
		 "tracefs is not mounted where this user can reach it. fix: run as root, or as "
		 "root mount -t tracefs -o mode=750,gid=70 nodev /sys/kernel/tracing and sysctl "
		 "kernel.perf_event_paranoid=1"},
		{"closed", "t /bin tracefs rw 0 0\n", NULL, "7",
		 "this user may not read tracefs at /bin. fix: run as root, or as root mount "
		 "-o remount,mode=750,gid=70 /bin and sysctl kernel.perf_event_paranoid=1"},
	};
	struct wp_machine m;

	for (size_t i = 0; i < WP_ARRAY_LEN(cases); i++) {
		wp_autofree char *case_root = wp_asprintf("%s/%s", root, cases[i].name);
		wp_autofree char *id = wp_asprintf("%s%s", cases[i].dir, event);
		wp_autofree char *status = wp_asprintf("Name:\tx\nUid:\t0\t%s\nGid:\t0\t%s0\n",
						       cases[i].uid, cases[i].uid);

		write_file(case_root, "/proc/self/mounts", cases[i].mounts);
		write_file(case_root, "/proc/self/status", status);
		write_file(case_root, "/proc/sys/kernel/perf_event_paranoid", "2\n");
		write_file(case_root, "/bin/sh", "");
		if (cases[i].dir)
			write_file(case_root, id, "314\n");
		wp_machine_probe(case_root, &m);
		CHECK(m.limits.tracefs == (cases[i].dir != NULL));
		CHECK_STR(m.limits.tracefs_why, cases[i].why);
		CHECK(!m.limits.tracefs == !m.limits.tracefs_events);
		wp_machine_deinit(&m);
	}
}

static void test_nothing(void)
{
	struct wp_machine m;

	wp_machine_probe("/nonexistent", &m);
	CHECK(!m.has_hw_pmu && m.hw_pmu_why);
	CHECK_U64(m.core_count, 1);
	CHECK_STR(m.limits.lockdown, "none");
	CHECK_U64(m.pmus.n, 0);
	wp_machine_deinit(&m);
}

static void test_real(void)
{
	struct wp_machine m;

	wp_machine_probe("", &m);
	CHECK(m.online.cpus.n >= 1 && m.core_count >= 1);
	CHECK_U64(m.limits.euid, geteuid());
	CHECK(m.has_hw_pmu || m.hw_pmu_why);
	CHECK(m.gpc_free <= m.gpc_total);
	wp_machine_deinit(&m);
}

static void test_vendors(void)
{
	CHECK_STR(wp_cpu_vendor(0xc0000000), "Ampere Computing");
	CHECK_STR(wp_cpu_vendor(0x42000000), "Broadcomm Corporation");
	CHECK_STR(wp_cpu_vendor(0x01000000), "Unknown Vendor");
	CHECK(!wp_cpu_of_midr(0x410ffff0));
	CHECK_STR(wp_cpu_of_midr(0x410fd4f1)->name, "neoverse-v2");
}

/* Why there is no Arm SPE: what is nearest to a remedy is said first. */
static void test_no_spe(const char *root, const char *pc)
{
	static const char *const steps[][3] = {
		{"/proc/version", "x\n", "firmware tells of none"},
		{"/sys/firmware/qemu_fw_cfg/rev", "1\n", "virtual machine hides it"},
		{"/sys/bus/platform/devices/spe-pmu/uevent", "x\n", "modprobe arm_spe_pmu"},
		{"/sys/module/arm_spe_pmu/initstate", "live\n", "did not take it"},
		{"/sys/devices/system/cpu/vulnerabilities/meltdown", "Mitigation: PTI\n",
		 "kpti=off"},
		{PMUS "arm_spe_0/type", "9\n", NULL},
	};
	struct wp_machine m;

	wp_machine_probe(pc, &m);
	CHECK(m.spe_why && strstr(m.spe_why, "this is x86_64"));
	wp_machine_deinit(&m);
	for (size_t i = 0; i < WP_ARRAY_LEN(steps); i++) {
		write_file(root, steps[i][0], steps[i][1]);
		wp_machine_probe(root, &m);
		CHECK(steps[i][2] ? m.spe_why && strstr(m.spe_why, steps[i][2]) : !m.spe_why);
		wp_machine_deinit(&m);
	}
}

int main(void)
{
	char arm[] = "/tmp/test_machine_XXXXXX", pc[] = "/tmp/test_machine_XXXXXX";

	CHECK(mkdtemp(arm) && mkdtemp(pc));
	for (size_t i = 0; i < WP_ARRAY_LEN(arm_files); i++)
		write_file(arm, arm_files[i][0], arm_files[i][1]);
	for (size_t i = 0; i < WP_ARRAY_LEN(pc_files); i++)
		write_file(pc, pc_files[i][0], pc_files[i][1]);
	printf("test_arm\n"), test_arm(arm);
	printf("test_places\n"), test_places(arm);
	printf("test_arm_events\n"), test_arm_events(arm);
	printf("test_pc\n"), test_pc(pc);
	printf("test_no_spe\n"), test_no_spe(arm, pc);
	printf("test_tracefs\n"), test_tracefs(pc);
	RUN(test_nothing);
	RUN(test_real);
	RUN(test_vendors);
	remove_tree(arm);
	remove_tree(pc);
	return check_done();
}
