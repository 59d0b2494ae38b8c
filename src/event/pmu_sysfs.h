/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pmu_sysfs: what a PMU's sysfs folder says about its events: `format/` (which bits a term sets)
 * and `events/` (names for lists of terms).
 *
 * Described by the kernel in Documentation/ABI/testing/sysfs-bus-event_source-devices-format and
 * -events. The files are read when asked for and bounded; nothing is kept. The probe puts what
 * `events/` says into struct wp_machine.events, where names are looked up.
 */
#ifndef WP_PMU_SYSFS_H
#define WP_PMU_SYSFS_H

#include "base/dir.h"
#include "base/err.h"
#include "core/event.h"
#include "core/machine.h"

/*
 * Sets the bits of `terms` ("event=0x3c,umask=1,edge", "config=0x1", a name of events/) in ret's
 * config words, of which there are five. `name=X` is stored in *ret_name (in arena) unless that is
 * NULL. A name that has no file is taken from machine->events (machine may be NULL). Errors name
 * the term and say what there is.
 */
struct wp_err *wp_pmu_encode(const struct wp_machine *machine, const struct wp_machine_pmu *pmu,
			     const char *terms, struct wp_arena *arena, struct wp_event *ret,
			     const char **ret_name) WP_MUST_CHECK;
/* How many bits a term of format/ has; 0: there is no such term. */
int wp_pmu_term_bits(const struct wp_machine_pmu *pmu, const char *term);
/* Appends the names of format/, in order. */
void wp_pmu_terms(const struct wp_machine_pmu *pmu, struct wp_dir *ret);
/* A number of the PMU's folder caps/, decimal or 0x. False: there is none. */
bool wp_pmu_cap(const struct wp_machine_pmu *pmu, const char *name, uint64_t *ret);
/* The event that a PMU names so itself, or NULL. */
const struct wp_machine_event *wp_pmu_event_find(const struct wp_machine *machine, const char *pmu,
						 const char *name);
/* Appends the names of events/ (without their .scale, .unit and the like). */
void wp_pmu_events(const struct wp_machine_pmu *pmu, struct wp_dir *ret);
/* What a count of the event stands for, from its .scale (0: nothing) and .unit (NULL, else in
 * arena). */
void wp_pmu_event_scale(const struct wp_machine_pmu *pmu, const char *name, struct wp_arena *arena,
			double *ret_scale, const char **ret_measure);

/* The CPU's own PMU (the first of several), or NULL. */
const struct wp_machine_pmu *wp_pmu_core(const struct wp_machine *machine);
/* The first PMU that counts a class of events that is not the core's, or NULL. */
const struct wp_machine_pmu *wp_pmu_of_class(const struct wp_machine *machine,
					     enum wp_event_class class);

#endif
