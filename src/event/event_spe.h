/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_spe: `arm_spe_0/filters/`: Arm's Statistical Profiling Extension, in WindowsPerf's words
 * and the kernel's.
 *
 * Event stage. The kernel has a PMU for each cluster of like CPUs (drivers/perf/arm_spe_pmu.c); its
 * folder format/ says which filters these CPUs have, caps/ what else they can. `arm_spe//` is all
 * of them as one event.
 */
#ifndef WP_EVENT_SPE_H
#define WP_EVENT_SPE_H

#include "base/str.h"
#include "event/catalogue.h"

/* True of a PMU, and of a word, of that name. */
bool wp_pmu_is_spe(const struct wp_machine_pmu *pmu);
bool wp_event_is_spe(const char *word);
/* The first one, or NULL. */
const struct wp_machine_pmu *wp_event_spe_pmu(const struct wp_machine *machine);
/* The type of the one that has the CPU; of the first one, if none has or cpu is -1. */
uint32_t wp_event_spe_type(const struct wp_machine *machine, int cpu);
/*
 * `arm_spe_N/name=value,.../` to an event; *ret_rest is what is behind the second slash. Timestamps
 * are asked for unless ts_enable=0 is. Errors are WindowsPerf's, in its order: the form of all
 * filters, whether there is such a PMU (and why not), each filter's name, its value.
 */
struct wp_err *wp_event_spe(const struct wp_catalogue *catalogue, const char *word,
			    struct wp_arena *arena, struct wp_event *ret,
			    const char **ret_rest) WP_MUST_CHECK;
/*
 * Sets how many operations there are between two samples, 0 being the default. The driver takes
 * multiples of 256 from caps/min_interval on: what it makes of another number is set and told. It
 * knows no rate (freq_hz, unless 0), which is told, too.
 */
void wp_event_spe_interval(const struct wp_catalogue *catalogue, uint64_t interval,
			   uint64_t freq_hz, struct wp_event *event);
/* What `man` says of it. */
extern const char wp_event_spe_description[], wp_event_spe_packets[];
/* Appends a line for each filter, "load_filter (ld): ...": of the PMU, or (NULL) all there are. */
void wp_event_spe_filters(const struct wp_machine_pmu *pmu, struct wp_str *ret);
/* A filter's sentence, or NULL. */
const char *wp_event_spe_text(const char *filter);
/* "FEAT_SPE", "FEAT_SPEv1p2": by ID_AA64DFR0_EL1.PMSVer where it can be read, else at least what
 * the filters need; "not implemented". */
const char *wp_event_spe_version(const struct wp_machine *machine);

#endif
