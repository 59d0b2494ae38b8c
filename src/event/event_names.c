/* SPDX-License-Identifier: BSD-3-Clause */
/* event_names: see event_names.h. */
#include "event/event_names.h"

#include "base/str.h"

#include <linux/perf_event.h>
#include <string.h>
#include <strings.h>

const struct wp_event_name wp_event_hardware[] = {
	{"cpu-cycles", "cycles", PERF_COUNT_HW_CPU_CYCLES, "Cycles the CPU was running"},
	{"instructions", NULL, PERF_COUNT_HW_INSTRUCTIONS, "Instructions retired"},
	{"cache-references", NULL, PERF_COUNT_HW_CACHE_REFERENCES,
	 "Accesses to a cache, usually the last level"},
	{"cache-misses", NULL, PERF_COUNT_HW_CACHE_MISSES,
	 "Misses in a cache, usually the last level"},
	{"branch-instructions", "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	 "Branch instructions retired"},
	{"branch-misses", NULL, PERF_COUNT_HW_BRANCH_MISSES, "Mispredicted branches"},
	{"bus-cycles", NULL, PERF_COUNT_HW_BUS_CYCLES, "Cycles of the CPU's bus"},
	{"stalled-cycles-frontend", "idle-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND,
	 "Cycles in which no instruction was ready to be issued"},
	{"stalled-cycles-backend", "idle-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
	 "Cycles in which instructions waited for a resource"},
	{"ref-cycles", NULL, PERF_COUNT_HW_REF_CPU_CYCLES,
	 "Cycles at a constant rate, whatever the CPU's frequency"},
};

const struct wp_event_name wp_event_software[] = {
	{"alignment-faults", NULL, PERF_COUNT_SW_ALIGNMENT_FAULTS,
	 "Unaligned accesses that the kernel had to carry out"},
	{"bpf-output", NULL, PERF_COUNT_SW_BPF_OUTPUT, "Records written by BPF programs", true},
	{"cgroup-switches", NULL, PERF_COUNT_SW_CGROUP_SWITCHES,
	 "Context switches to a task of another cgroup", true},
	{"context-switches", "cs", PERF_COUNT_SW_CONTEXT_SWITCHES,
	 "Switches from one task to another", true},
	{"cpu-clock", NULL, PERF_COUNT_SW_CPU_CLOCK, "Nanoseconds by a timer on each CPU", false,
	 true},
	{"cpu-migrations", "migrations", PERF_COUNT_SW_CPU_MIGRATIONS,
	 "Moves of a task to another CPU", true},
	{"dummy", NULL, PERF_COUNT_SW_DUMMY, "Counts nothing"},
	{"emulation-faults", NULL, PERF_COUNT_SW_EMULATION_FAULTS,
	 "Instructions that the kernel had to emulate"},
	{"major-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MAJ,
	 "Page faults that had to wait for a disk"},
	{"minor-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MIN,
	 "Page faults that were served from memory"},
	{"page-faults", "faults", PERF_COUNT_SW_PAGE_FAULTS, "Page faults of either kind"},
	{"task-clock", NULL, PERF_COUNT_SW_TASK_CLOCK, "Nanoseconds the task was running", false,
	 true},
};

const size_t wp_event_hardware_n = WP_ARRAY_LEN(wp_event_hardware);
const size_t wp_event_software_n = WP_ARRAY_LEN(wp_event_software);

static const struct wp_event_name *find_alias(const struct wp_event_name *names, size_t n,
					      const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i].name, name) == 0 ||
		    (names[i].alias && strcmp(names[i].alias, name) == 0))
			return &names[i];
	return NULL;
}

const struct wp_event_name *wp_event_hardware_find(const char *name)
{
	return find_alias(wp_event_hardware, wp_event_hardware_n, name);
}

const struct wp_event_name *wp_event_software_find(const char *name)
{
	return find_alias(wp_event_software, wp_event_software_n, name);
}

const struct wp_event_name *wp_event_software_of(uint64_t config)
{
	for (size_t i = 0; i < wp_event_software_n; i++)
		if (wp_event_software[i].config == config)
			return &wp_event_software[i];
	return NULL;
}

/* Spellings of one part of a cache event's name; the first is the usual one. */
struct spelling {
	const char *words[5];
};

/* In the order of enum perf_hw_cache_id, _op_id and _op_result_id. */
static const struct spelling caches[] = {
	{{"L1-dcache", "l1-d", "l1d", "L1-data"}},
	{{"L1-icache", "l1-i", "l1i", "L1-instruction"}},
	{{"LLC", "L2"}},
	{{"dTLB", "d-tlb", "Data-TLB"}},
	{{"iTLB", "i-tlb", "Instruction-TLB"}},
	{{"branch", "branches", "bpu", "btb", "bpc"}},
	{{"node"}},
};
static const struct spelling operations[] = {
	{{"load", "loads", "read"}},
	{{"store", "stores", "write"}},
	{{"prefetch", "prefetches", "speculative-read", "speculative-load"}},
};
static const struct spelling results[] = {
	{{"refs", "Reference", "ops", "access"}},
	{{"misses", "miss"}},
};

/* Which operations a cache has, a bit each: instruction caches and TLBs are never written to. */
static const unsigned char has_operation[] = {7, 5, 7, 7, 1, 1, 7};

/* The spelling that begins *name and ends at a '-' or its end, longest first; moves *name behind.
 */
static bool take_spelling(const char **name, const struct spelling *list, size_t n,
			  unsigned int *ret)
{
	size_t best = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < WP_ARRAY_LEN(list->words) && list[i].words[j]; j++) {
			size_t len = strlen(list[i].words[j]);

			if (len <= best || strncasecmp(*name, list[i].words[j], len) != 0 ||
			    ((*name)[len] && (*name)[len] != '-'))
				continue;
			best = len;
			*ret = (unsigned int)i;
		}
	}
	*name += best;
	return best != 0;
}

static uint64_t cache_config(unsigned int cache, unsigned int operation, unsigned int result)
{
	return cache | operation << 8 | result << 16;
}

bool wp_event_cache_find(const char *name, uint64_t *ret_config)
{
	unsigned int cache, operation = 0, result = 0;
	bool has_op = false, has_result = false;

	if (!take_spelling(&name, caches, WP_ARRAY_LEN(caches), &cache))
		return false;
	while (*name == '-') {
		name++;
		if (!has_op &&
		    take_spelling(&name, operations, WP_ARRAY_LEN(operations), &operation))
			has_op = true;
		else if (!has_result &&
			 take_spelling(&name, results, WP_ARRAY_LEN(results), &result))
			has_result = true;
		else
			return false;
	}
	if (*name || !(has_operation[cache] >> operation & 1))
		return false;
	*ret_config = cache_config(cache, operation, result);
	return true;
}

const char *wp_event_cache_name(struct wp_arena *arena, unsigned int i, uint64_t *ret_config)
{
	unsigned int result = i % 2, operation = i / 2 % 3, cache = i / 6;

	if (cache >= WP_ARRAY_LEN(caches) || !(has_operation[cache] >> operation & 1))
		return NULL;
	*ret_config = cache_config(cache, operation, result);
	if (!result)
		return wp_arena_printf(arena, "%s-%s", caches[cache].words[0],
				       operations[operation].words[1]);
	return wp_arena_printf(arena, "%s-%s-%s", caches[cache].words[0],
			       operations[operation].words[0], results[result].words[0]);
}

const char *wp_event_cache_text(struct wp_arena *arena, uint64_t config)
{
	static const char *const units[] = {
		"level 1 data cache",	  "level 1 instruction cache",
		"last level cache",	  "data TLB",
		"instruction TLB",	  "branch predictor",
		"memory of the own node",
	};
	static const char *const accesses[] = {"Reads of", "Writes to", "Prefetches into"};
	uint64_t cache = config & 0xff, operation = config >> 8 & 0xff;

	if (cache >= WP_ARRAY_LEN(units) || operation >= WP_ARRAY_LEN(accesses))
		return NULL;
	return wp_arena_printf(arena, "%s the %s%s", accesses[operation], units[cache],
			       config >> 16 ? " that missed" : "");
}

/* By their first names, but for the two that everybody calls by the other one. */
static const char *hardware_name(uint64_t config)
{
	for (size_t i = 0; i < wp_event_hardware_n; i++) {
		const struct wp_event_name *event = &wp_event_hardware[i];
		bool is_short = config == PERF_COUNT_HW_CPU_CYCLES ||
				config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS;

		if (event->config == config)
			return is_short ? event->alias : event->name;
	}
	return NULL;
}

static const char *cache_name(struct wp_arena *arena, uint64_t config)
{
	for (unsigned int i = 0; i < WP_EVENT_CACHES; i++) {
		uint64_t other;
		const char *name = wp_event_cache_name(arena, i, &other);

		if (name && other == config)
			return name;
	}
	return NULL;
}

const char *wp_event_generic_name(struct wp_arena *arena, uint32_t type, uint64_t config)
{
	const struct wp_event_name *software;

	switch (type) {
	case PERF_TYPE_HARDWARE: return hardware_name(config);
	case PERF_TYPE_HW_CACHE: return cache_name(arena, config);
	case PERF_TYPE_RAW: return wp_arena_printf(arena, "r%llx", (unsigned long long)config);
	case PERF_TYPE_SOFTWARE:
		software = wp_event_software_of(config);
		return software ? software->name : NULL;
	default: return NULL;
	}
}
