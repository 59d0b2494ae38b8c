/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_presence: whether a CPU's PMU has an event that it lets itself be asked for: most PMUs open
 * any number and then count 0.
 */
#ifndef WP_EVENT_PRESENCE_H
#define WP_EVENT_PRESENCE_H

#include "event/catalogue.h"

/*
 * Arm's PMUv3 tells which of the common events (numbers below 0x40 and from 0x4000 to 0x403f) are
 * implemented, in PMCEID0_EL0 and PMCEID1_EL0; the kernel's driver names those in sysfs and no
 * others. About all other numbers the CPU says nothing: they are doubtful when more than half of
 * the common events that the CPU of this part number has are missing, so that the PMU is an
 * emulated or a filtered one. Events of other PMUs are taken for present.
 */
enum wp_event_presence wp_event_presence(const struct wp_catalogue *catalogue,
					 const struct wp_event *event);
/* One warning per event of the set that is absent, and one for all that are doubtful. */
void wp_event_warn_absent(const struct wp_catalogue *catalogue, const struct wp_event_set *set);

#endif
