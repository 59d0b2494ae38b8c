/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpu: what is known of each kind of CPU, whether it is this machine's or not: events, metrics and
 * their formulas, groups of metrics, counters.
 *
 * Event stage. The tables are generated from data/events/ (tools/make_cpu_tables.c); --event-data
 * makes more of the same type. Events, metrics and groups are sorted by name, CPUs too. All names
 * but those of groups are lower case.
 */
#ifndef WP_CPU_H
#define WP_CPU_H

#include "core/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_cpu_event {
	const char *name;
	uint64_t config; /* of the CPU's own PMU in perf_event_open(2), of type PERF_TYPE_RAW */
	const char *title, *text; /* one sentence, and more of it; NULL if there is none */
};

struct wp_cpu_metric {
	const char *name;
	/* Names of events and metrics of this CPU, numbers, + - * / and parentheses. */
	const char *formula;
	const char *unit;   /* "percent of slots", "MPKI"; "" if none */
	const char *events; /* comma list of what the formula names, in the order to open them */
	const char *sample_events; /* comma list: what to sample where the metric is bad; "" */
	const char *title, *text;
};

struct wp_cpu_group {
	const char *name;    /* "Topdown_L1" */
	const char *metrics; /* comma list in the order they are shown */
	const char *title, *text;
};

/* A node of the top-down tree. */
struct wp_cpu_topdown {
	const char *metric; /* a metric of the CPU */
	const char *parent; /* the metric that it is a part of; "" at the root */
	const char *next;   /* comma list of groups and metrics to look at when it is high */
};

/* What a CPU says it is, by vendor: MIDR_EL1's implementer and part, or CPUID's family and model.
 */
struct wp_cpu_match {
	enum { WP_CPU_ARM, WP_CPU_AMD, WP_CPU_INTEL } kind;
	uint16_t family;      /* implementer or family */
	uint16_t first, last; /* parts or models, both inclusive */
};

struct wp_cpu {
	const char *name;	  /* "neoverse-n1", "amd-zen4", "armv8-a" */
	const char *title;	  /* "Neoverse N1" */
	const char *extended;	  /* "Neoverse N1 (neoverse-n1), armv8.2, pmu_v3"; "" if none */
	const char *aliases;	  /* comma list; "" if none */
	const char *architecture; /* "armv8.2", "x86-64" */
	uint32_t counters;	  /* programmable ones of a core; 0: not known */
	uint32_t slots;		  /* operations that can be dispatched a cycle; 0: not known */

	const struct wp_cpu_match *matches;
	size_t matches_n; /* 0: an architecture, which no CPU says it is */
	const struct wp_cpu_event *events;
	size_t events_n;
	const struct wp_cpu_metric *metrics;
	size_t metrics_n;
	const struct wp_cpu_group *groups;
	size_t groups_n;
	const struct wp_cpu_topdown *topdown; /* parents in front of their parts */
	size_t topdown_n;
};

/* The generated tables, sorted by name. */
extern const struct wp_cpu wp_cpus[];
extern const size_t wp_cpus_n;
/* Names with titles only: events of any CPU that data/events/descriptions.json has a sentence for.
 */
extern const struct wp_cpu_event wp_cpu_descriptions[];
extern const size_t wp_cpu_descriptions_n;

/* By implementer and part number; NULL when it is not known. */
const struct wp_cpu *wp_cpu_of_midr(uint64_t midr);
/* This machine's, by MIDR, by family and model, or by the product's name; NULL: not known. */
const struct wp_cpu *wp_cpu_of_machine(const struct wp_machine *machine);
bool wp_cpu_is_machine(const struct wp_cpu *cpu, const struct wp_machine *machine);
/*
 * By name or alias, any case, blanks as good as dashes, the family may be left out ("N2 r0p0",
 * "a76"); NULL when it is not known.
 */
const struct wp_cpu *wp_cpu_find(const char *name);
/* True when that is what the CPU is called, or one of its aliases. */
bool wp_cpu_is_named(const struct wp_cpu *cpu, const char *name);

/* By name, any case; NULL when the CPU has none of that name. */
const struct wp_cpu_event *wp_cpu_event_find(const struct wp_cpu *cpu, const char *name);
/* The first event that is counted by these bits, or NULL. */
const struct wp_cpu_event *wp_cpu_event_of(const struct wp_cpu *cpu, uint64_t config);
/* By exact name; NULL when the CPU has none of that name. */
const struct wp_cpu_metric *wp_cpu_metric_find(const struct wp_cpu *cpu, const char *name);
const struct wp_cpu_group *wp_cpu_group_find(const struct wp_cpu *cpu, const char *name);

/* "Arm Limited" and so on, by MIDR's implementer byte; "Unknown Vendor". */
const char *wp_cpu_vendor(uint64_t midr);
/* What a machine's MIDR says of it: vendor, product and what else it is called. */
void wp_cpu_describe_arm(struct wp_machine *machine);

#endif
