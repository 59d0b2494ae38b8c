/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu: the tables made from data/events/, all of them, and how a CPU is found. */
#include "check.h"

#include "base/str.h"
#include "event/catalogue.h"
#include "event/event_presence.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_part(const struct wp_cpu *cpu, const char *name)
{
	return wp_cpu_event_find(cpu, name) || wp_cpu_metric_find(cpu, name);
}

/* Every word of a comma list is an event, a metric or a group of the CPU. */
static bool is_known_list(const struct wp_cpu *cpu, const char *list)
{
	wp_autofree char *copy = wp_strdup(list);
	char *rest = copy, *word;
	bool known = true;

	while (*copy && (word = strsep(&rest, ",")))
		known &= is_part(cpu, word) || wp_cpu_group_find(cpu, word);
	return known;
}

/* What a formula names is among the events it lists, and the other way round. */
static bool is_formula_of(const char *formula, const char *events)
{
	wp_autofree char *list = wp_asprintf(",%s,", events);
	bool good = true;

	while (*formula) {
		size_t len = 0;

		while (isalnum((unsigned char)formula[len]) ||
		       (formula[len] && strchr("_.", formula[len])))
			len++;
		if (len && !isdigit((unsigned char)*formula)) {
			wp_autofree char *word = wp_asprintf(",%.*s,", (int)len, formula);

			good &= strstr(list, word) != NULL;
		}
		formula += len ? len : 1;
	}
	return good;
}

static void check_metrics(const struct wp_cpu *cpu)
{
	for (size_t i = 0; i < cpu->metrics_n; i++) {
		const struct wp_cpu_metric *metric = &cpu->metrics[i];

		CHECK(wp_cpu_metric_find(cpu, metric->name) == metric);
		CHECK(*metric->events && is_known_list(cpu, metric->events));
		CHECK(is_known_list(cpu, metric->sample_events));
		CHECK(is_formula_of(metric->formula, metric->events));
	}
}

static void check_topdown(const struct wp_cpu *cpu)
{
	for (size_t i = 0; i < cpu->topdown_n; i++) {
		bool has_parent = !*cpu->topdown[i].parent;

		for (size_t j = 0; j < i; j++)
			has_parent |= strcmp(cpu->topdown[j].metric, cpu->topdown[i].parent) == 0;
		CHECK(has_parent && is_known_list(cpu, cpu->topdown[i].next));
		CHECK(wp_cpu_metric_find(cpu, cpu->topdown[i].metric) != NULL);
	}
}

static void test_tables(void)
{
	for (size_t i = 0; i < wp_cpus_n; i++) {
		const struct wp_cpu *cpu = &wp_cpus[i];

		CHECK(!i || strcmp(wp_cpus[i - 1].name, cpu->name) < 0);
		CHECK(wp_cpu_find(cpu->name) == cpu);
		CHECK(cpu->events_n && *cpu->title);
		for (size_t j = 0; j < cpu->events_n; j++)
			if (wp_cpu_event_find(cpu, cpu->events[j].name) != &cpu->events[j])
				CHECK_STR(cpu->events[j].name, "to be found");
		check_metrics(cpu);
		for (size_t j = 0; j < cpu->groups_n; j++)
			CHECK(wp_cpu_group_find(cpu, cpu->groups[j].name) == &cpu->groups[j] &&
			      is_known_list(cpu, cpu->groups[j].metrics));
		check_topdown(cpu);
	}
}

/* Numbers from the architecture's manual and from what WindowsPerf's tables are known to hold. */
static void test_facts(void)
{
	static const struct {
		const char *cpu;
		size_t events, metrics, groups;
	} sizes[] = {
		{"armv8-a", 463, 0, 0},	      {"armv9-a", 476, 0, 0},
		{"neoverse-n1", 110, 31, 12}, {"neoverse-v1", 132, 36, 13},
		{"neoverse-n2", 155, 36, 13}, {"neoverse-v2", 155, 47, 16},
		{"neoverse-n3", 224, 67, 18},
	};
	const struct wp_cpu *n1 = wp_cpu_find("neoverse-n1");

	for (size_t i = 0; i < WP_ARRAY_LEN(sizes); i++) {
		const struct wp_cpu *cpu = wp_cpu_find(sizes[i].cpu);

		CHECK_U64(cpu->events_n, sizes[i].events);
		CHECK_U64(cpu->metrics_n, sizes[i].metrics);
		CHECK_U64(cpu->groups_n, sizes[i].groups);
	}
	CHECK_U64(wp_cpu_event_find(n1, "LD_SPEC")->config, 0x70);
	CHECK_STR(wp_cpu_event_of(n1, 0x11)->name, "cpu_cycles");
	CHECK(!wp_cpu_event_of(n1, 0xffff) && !wp_cpu_event_find(n1, "sve_inst_spec"));
	CHECK_STR(wp_cpu_metric_find(n1, "ipc")->formula, "inst_retired / cpu_cycles");
	CHECK_U64(n1->counters, 6);
	CHECK_U64(wp_cpu_find("neoverse-v1")->slots, 8);
}

static void test_names(void)
{
	static const char *const names[][2] = {
		{"N2 r0p0", "neoverse-n2"},   {"neoverse_n2_r0p1", "neoverse-n2"},
		{"Graviton3", "neoverse-v1"}, {"a76", "cortex-a76"},
		{"x1c", "cortex-x1c"},	      {"altra", "neoverse-n1"},
		{"ARMV9-A", "armv9-a"},	      {"neoverse-v3ae", "neoverse-v3"},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++)
		CHECK_STR(wp_cpu_find(names[i][0])->name, names[i][1]);
	CHECK(!wp_cpu_find("a") && !wp_cpu_find("") && !wp_cpu_find("neoverse-n2,"));
	CHECK_STR(wp_cpu_of_midr(0x413fd0c1)->name, "neoverse-n1");
	CHECK_STR(wp_cpu_of_midr(0x410fd831)->name, "neoverse-v3");
	CHECK_STR(wp_cpu_of_midr(0x410fd841)->name, "neoverse-v3");
	CHECK_STR(wp_cpu_of_midr(0x6d0fd490)->name, "neoverse-n2");
	CHECK(!wp_cpu_of_midr(0x610f0220));
}

/* An emulated N1, as QEMU makes it: it has the part number and three of the events. */
static void test_presence(void)
{
	struct wp_machine machine = {
		.midr = 0x413fd0c1, .has_hw_pmu = true, .lists_implemented = true};
	struct wp_event event = {.source = WP_EVENT_HW, .type = 8};

	wp_vec_push(&machine.pmus,
		    (struct wp_machine_pmu){.name = "armv8_pmuv3_0", .type = 8, .is_core = true});
	wp_vec_push(&machine.events,
		    (struct wp_machine_event){"armv8_pmuv3_0", "cpu_cycles", "", 0x11, 0, 0});
	struct wp_catalogue *c = wp_catalogue_new(&machine, NULL);
	static const struct {
		uint64_t config;
		enum wp_event_presence presence;
	} cases[] = {{0x11, WP_EVENT_PRESENT},
		     {0x08, WP_EVENT_ABSENT},
		     {0x4004, WP_EVENT_ABSENT},
		     {0x1e, WP_EVENT_DOUBTFUL},
		     {0x70, WP_EVENT_DOUBTFUL}};

	for (size_t i = 0; i < WP_ARRAY_LEN(cases); i++) {
		event.config = cases[i].config;
		CHECK_U64(wp_event_presence(c, &event), cases[i].presence);
	}
	machine.lists_implemented = false;
	CHECK_U64(wp_event_presence(c, &event), WP_EVENT_PRESENT);
	machine.lists_implemented = true;
	event.type = 4; /* raw */
	CHECK_U64(wp_event_presence(c, &event), WP_EVENT_DOUBTFUL);
	event.source = WP_EVENT_PMU;
	CHECK_U64(wp_event_presence(c, &event), WP_EVENT_PRESENT);
	wp_catalogue_free(c);
	wp_machine_deinit(&machine);
}

int main(void)
{
	RUN(test_tables);
	RUN(test_facts);
	RUN(test_names);
	RUN(test_presence);
	return check_done();
}
