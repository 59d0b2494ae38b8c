/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_units: the units outside the cores that count one event: each cluster's DSU, each memory
 * channel's controller, each tile of a mesh.
 *
 * Event stage. Linux has a PMU for each of them, named alike but for a number at the end:
 * arm_dsu_0, arm_dmc620_10008c000, uncore_imc_3. An event asked for without a number is counted on
 * all of them.
 */
#ifndef WP_EVENT_UNITS_H
#define WP_EVENT_UNITS_H

#include "event/catalogue.h"

/* How many characters of a PMU's name come before the number of the unit; all of it without one. */
size_t wp_pmu_stem(const char *name);
/* True when two PMUs' names differ in the number at most. */
bool wp_pmu_same_kind(const char *a, const char *b);
/* The first PMU whose name is `name`, `uncore_name`, or one of them and a number; NULL: none. */
const struct wp_machine_pmu *wp_pmu_like(const struct wp_machine *machine, const char *name);
/* True when a PMU is shared by CPUs, and read on those that the kernel names for it. */
bool wp_pmu_is_uncore(const struct wp_machine_pmu *pmu);

/* WP_ERR_USAGE when --dmc names no memory controller that is here. */
struct wp_err *wp_event_check_dmc(const struct wp_catalogue *catalogue) WP_MUST_CHECK;
/*
 * Appends an event to a set: itself, or one copy for each unit that counts it. word: how it was
 * asked for; a PMU named there with its number is the only one. WP_ERR_USAGE when --dmc excludes
 * every unit.
 */
struct wp_err *wp_event_push_units(const struct wp_catalogue *catalogue, const char *word,
				   const struct wp_event *event,
				   struct wp_event_set *ret) WP_MUST_CHECK;

#endif
