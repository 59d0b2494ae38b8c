/* SPDX-License-Identifier: BSD-3-Clause */
/* pfm_events: libpfm4 against the tables of data/events/, where both know a CPU of this computer's
 * kind. */
#include "check.h"

#include "base/str.h"
#include "event/cpu.h"
#include "event/pfm_events.h"

#include <string.h>

#if __has_include(<perfmon/pfmlib.h>)
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#define X86_CONTROL_BITS 0x530000ull

/* Tables here, and what libpfm4 calls the PMU of the same CPU. Its library has those of one
 * architecture. */
static const char *const pairs[][2] = {
	{"intel-skylake", "skx"},  {"intel-icelake", "icx"},   {"intel-sapphirerapids", "spr"},
	{"neoverse-n1", "arm_n1"}, {"neoverse-n2", "arm_n2"},  {"neoverse-v1", "arm_v1"},
	{"neoverse-v2", "arm_v2"}, {"cortex-a53", "arm_ac53"}, {"cortex-a57", "arm_ac57"},
};

/* "mem_load_retired.l1_miss" is MEM_LOAD_RETIRED:L1_MISS there. */
static bool encode(const char *pmu, const char *name, uint64_t *ret)
{
	struct perf_event_attr attr = {.size = sizeof(attr)};
	pfm_perf_encode_arg_t arg = {.attr = &attr, .size = sizeof(arg)};
	wp_autofree char *full = wp_asprintf("%s::%s", pmu, name);

	for (char *dot = full; (dot = strchr(dot, '.'));)
		*dot = ':';
	if (pfm_get_os_event_encoding(full, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg) !=
	    PFM_SUCCESS)
		return false;
	*ret = attr.config & ~X86_CONTROL_BITS;
	return attr.config1 == 0;
}

/* Fixed counters have made-up numbers in libpfm4 where the kernel takes the usual ones. */
static bool is_fixed(const char *name)
{
	return strcmp(name, "cpu_clk_unhalted.thread") == 0 ||
	       strcmp(name, "inst_retired.any") == 0;
}

static void compare(const struct wp_cpu *cpu, const char *pmu)
{
	unsigned int same = 0;
	uint64_t config;

	for (size_t i = 0; i < cpu->events_n; i++) {
		if (is_fixed(cpu->events[i].name) || !encode(pmu, cpu->events[i].name, &config))
			continue;
		if (config != cpu->events[i].config)
			CHECK_STR(cpu->events[i].name, "of another number");
		same++;
	}
	printf("%s: %u of %zu events are libpfm4's\n", cpu->name, same, cpu->events_n);
	CHECK(same > 10); /* of some it knows few names */
}

static void test_numbers(void)
{
	unsigned int compared = 0;
	uint64_t config;

	CHECK(pfm_initialize() == PFM_SUCCESS);
	for (size_t i = 0; i < WP_ARRAY_LEN(pairs); i++) {
		const char *known =
			pairs[i][0][0] == 'i' ? "br_inst_retired.all_branches" : "cpu_cycles";

		if (!encode(pairs[i][1], known, &config))
			continue;
		compare(wp_cpu_find(pairs[i][0]), pairs[i][1]);
		compared++;
	}
	CHECK(compared >= 3);
}

static void test_list(void)
{
	struct wp_arena arena = {0};
	struct wp_pfm_events events = {0};
	struct wp_pfm_event found;

	wp_pfm_list(&arena, &events);
	for (size_t i = 0; i < events.v.n && i < 50; i++) {
		CHECK(wp_pfm_find(&arena, events.v.v[i].name, &found));
		CHECK_U64(found.config, events.v.v[i].config);
		CHECK(*found.text != '\0');
	}
	CHECK(!wp_pfm_find(&arena, "no_such_event:at_all", &found));
	CHECK(!wp_pfm_find(&arena, "", &found));
	wp_vec_deinit(&events.v);
	wp_arena_deinit(&arena);
}

int main(void)
{
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1); /* read once, at the first use */
	RUN(test_list);
	RUN(test_numbers);
	return check_done();
}
#else
int main(void)
{
	puts("SKIP: built without libpfm4");
	return 77;
}
#endif
