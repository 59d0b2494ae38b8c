/* SPDX-License-Identifier: BSD-3-Clause */
/* replay_machine: see replay_machine.h. */
#include "format/replay/replay_machine.h"

#include "base/str.h"
#include "format/replay/replay_line.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

#define KEY(name, type)                                                    \
	{                                                                  \
#name, WP_REPLAY_##type, offsetof(struct wp_machine, name) \
	}
#define LIMIT(name, type)                                                         \
	{                                                                         \
#name, WP_REPLAY_##type, offsetof(struct wp_machine_limits, name) \
	}

static const struct wp_replay_key machine_keys[] = {
	KEY(vendor, STR),
	KEY(product, STR),
	KEY(product_extended, STR),
	KEY(arch, STR),
	KEY(kernel, STR),
	KEY(midr, U64),
	KEY(id_aa64dfr0, U64),
	KEY(x86_family, U32),
	KEY(x86_model, U32),
	KEY(x86_stepping, U32),
	{"cores", WP_REPLAY_U32, offsetof(struct wp_machine, core_count)},
	KEY(online, CPUS),
	{"hw", WP_REPLAY_BOOL, offsetof(struct wp_machine, has_hw_pmu)},
	{"implemented", WP_REPLAY_BOOL, offsetof(struct wp_machine, lists_implemented)},
	{"hw_why", WP_REPLAY_STR, offsetof(struct wp_machine, hw_pmu_why)},
	KEY(spe_why, STR),
	{"gpc", WP_REPLAY_U32, offsetof(struct wp_machine, gpc_total)},
	{"free", WP_REPLAY_U32, offsetof(struct wp_machine, gpc_free)},
	KEY(fpc, U32),
	KEY(root, STR),
};

static const struct wp_replay_key limits_keys[] = {
	LIMIT(euid, U32),
	LIMIT(perf_event_paranoid, I64),
	LIMIT(kptr_restrict, I64),
	LIMIT(yama_ptrace_scope, I64),
	LIMIT(unprivileged_bpf_disabled, I64),
	LIMIT(perf_event_mlock_kb, I64),
	LIMIT(perf_event_max_sample_rate, I64),
	LIMIT(cap_perfmon, BOOL),
	LIMIT(cap_sys_admin, BOOL),
	LIMIT(cap_bpf, BOOL),
	LIMIT(cap_sys_ptrace, BOOL),
	LIMIT(lockdown, STR),
	LIMIT(tracefs, BOOL),
	LIMIT(tracefs_why, STR),
	LIMIT(btf, BOOL),
	LIMIT(bpf, BOOL),
	LIMIT(bpf_missing, STR),
};

void wp_replay_machine_init(struct wp_machine *machine)
{
	machine->root = "/nonexistent"; /* nothing of the host shows through */
	machine->vendor = "Arm Limited";
	machine->product = "neoverse-n1";
	machine->product_extended = "Neoverse N1 (neoverse-n1), armv8.2, pmu_v3";
	machine->arch = "aarch64";
	machine->kernel = "6.1.0";
	machine->midr = 0x413fd0c1;
	machine->id_aa64dfr0 = 0x110305408;
	machine->core_count = 4;
	machine->has_hw_pmu = true;
	machine->gpc_total = 6;
	machine->gpc_free = UINT32_MAX; /* all of them, unless the script says less */
	machine->fpc = 1;
	machine->hw_pmu_why = "this machine has no hardware PMU";
	machine->limits = (struct wp_machine_limits){
		.perf_event_paranoid = -1,
		.perf_event_mlock_kb = 516,
		.perf_event_max_sample_rate = 100000,
		.cap_perfmon = true,
		.cap_sys_admin = true,
		.cap_bpf = true,
		.cap_sys_ptrace = true,
		.lockdown = "none",
		.tracefs = true,
		.tracefs_why = "tracefs is not mounted. fix: mount -t tracefs nodev "
			       "/sys/kernel/tracing",
		.btf = true,
		.bpf = true,
	};
}

struct wp_err *wp_replay_machine_line(struct wp_machine *machine, char *words)
{
	uint64_t given = 0;
	char *word;

	while ((word = wp_replay_word(&words)))
		TRY(wp_replay_assign(word, machine_keys, WP_ARRAY_LEN(machine_keys), machine,
				     &machine->arena, &given));
	if (machine->core_count < 1 || machine->core_count > WP_CPU_MAX + 1)
		return wp_err_new(WP_ERR_FORMAT, "bad value of 'cores'");
	return NULL;
}

struct wp_err *wp_replay_limits_line(struct wp_machine *machine, char *words)
{
	uint64_t given = 0;
	char *word;

	while ((word = wp_replay_word(&words)))
		TRY(wp_replay_assign(word, limits_keys, WP_ARRAY_LEN(limits_keys), &machine->limits,
				     &machine->arena, &given));
	return NULL;
}

/* The words of a `pmu`, `pmuevent` or `place` line; the first two of the keys must be there. */
static struct wp_err *read_words(char *words, const char *directive,
				 const struct wp_replay_key *table, size_t n, void *base,
				 struct wp_arena *arena)
{
	uint64_t given = 0;
	char *word;

	while ((word = wp_replay_word(&words)))
		TRY(wp_replay_assign(word, table, n, base, arena, &given));
	for (size_t i = 0; i < 2; i++)
		if (!(given & 1ull << i))
			return wp_err_new(WP_ERR_FORMAT, "'%s' needs '%s'", directive,
					  table[i].name);
	return NULL;
}

#define PMU(name, type, field)                                                 \
	{                                                                      \
		name, WP_REPLAY_##type, offsetof(struct wp_machine_pmu, field) \
	}

struct wp_err *wp_replay_pmu_line(struct wp_machine *machine, char *words)
{
	static const struct wp_replay_key pmu_keys[] = {
		PMU("name", STR, name),
		PMU("type", U32, type),
		PMU("core", BOOL, is_core),
		PMU("cpus", CPUS, cpus),
		PMU("shared_by", CPUS, shared_by),
	};
	struct wp_machine_pmu pmu = {0};
	struct wp_err *err =
		read_words(words, "pmu", pmu_keys, WP_ARRAY_LEN(pmu_keys), &pmu, &machine->arena);

	if (err) {
		wp_cpuset_deinit(&pmu.cpus);
		wp_cpuset_deinit(&pmu.shared_by);
		return err;
	}
	pmu.dir = wp_arena_printf(&machine->arena, "%s/sys/bus/event_source/devices/%s",
				  machine->root, pmu.name);
	wp_vec_push(&machine->pmus, pmu);
	return NULL;
}

#define PLACE(name)                                                           \
	{                                                                     \
#name, WP_REPLAY_U32, offsetof(struct wp_machine_place, name) \
	}

struct wp_err *wp_replay_place_line(struct wp_machine *machine, char *words)
{
	static const struct wp_replay_key place_keys[] = {
		PLACE(cpu), PLACE(core), PLACE(socket), PLACE(die), PLACE(node),
	};
	struct wp_machine_place place = {0};

	TRY(read_words(words, "place", place_keys, WP_ARRAY_LEN(place_keys), &place,
		       &machine->arena));
	wp_vec_push(&machine->places, place);
	return NULL;
}

#define EVENT(name, type)                                                      \
	{                                                                      \
#name, WP_REPLAY_##type, offsetof(struct pmuevent, event.name) \
	}

struct wp_err *wp_replay_pmuevent_line(struct wp_machine *machine, char *words)
{
	struct pmuevent {
		struct wp_machine_event event;
		const char *scale;
	} line = {.event.desc = ""};
	static const struct wp_replay_key event_keys[] = {
		EVENT(name, STR),    EVENT(config, U64),
		EVENT(pmu, STR),     EVENT(desc, STR),
		EVENT(config1, U64), EVENT(config2, U64),
		EVENT(measure, STR), {"scale", WP_REPLAY_STR, offsetof(struct pmuevent, scale)},
	};

	TRY(read_words(words, "pmuevent", event_keys, WP_ARRAY_LEN(event_keys), &line,
		       &machine->arena));
	if (line.scale && !wp_str_to_scale(line.scale, &line.event.scale))
		return wp_err_new(WP_ERR_FORMAT, "bad value of 'scale'");
	wp_vec_push(&machine->events, line.event);
	return NULL;
}

static void add_script_pmu(struct wp_machine *machine, const char *name, uint32_t type,
			   bool is_core)
{
	struct wp_machine_pmu pmu = {
		.name = name,
		.dir = wp_arena_printf(&machine->arena, "%s/sys/bus/event_source/devices/%s",
				       machine->root, name),
		.type = type,
		.is_core = is_core,
	};

	wp_vec_push(&machine->pmus, pmu);
}

void wp_replay_machine_finish(struct wp_machine *machine)
{
	if (machine->online.cpus.n == 0)
		for (uint32_t cpu = 0; cpu < machine->core_count; cpu++)
			wp_cpuset_add(&machine->online, cpu);
	if (machine->gpc_free > machine->gpc_total)
		machine->gpc_free = machine->gpc_total;
	if (!machine->has_hw_pmu)
		machine->gpc_total = machine->gpc_free = machine->fpc = 0;
	if (machine->pmus.n)
		return;
	if (machine->has_hw_pmu && strcmp(machine->arch, "aarch64") == 0)
		add_script_pmu(machine, "armv8_pmuv3_0", 8, true);
	else if (machine->has_hw_pmu)
		add_script_pmu(machine, "cpu", PERF_TYPE_RAW, true);
	add_script_pmu(machine, "software", PERF_TYPE_SOFTWARE, false);
	add_script_pmu(machine, "tracepoint", PERF_TYPE_TRACEPOINT, false);
	add_script_pmu(machine, "breakpoint", PERF_TYPE_BREAKPOINT, false);
}
