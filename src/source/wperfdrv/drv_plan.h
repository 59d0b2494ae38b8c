/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drv_plan: an event set as the list that the driver counts on one core, and back.
 *
 * Source stage. The driver knows 16-bit numbers of the CPU's PMU in one row behind another, each of
 * as many as counters are free, and one set of modes for all of a core; what cannot be said in that
 * is refused with the event's name.
 */
#ifndef WP_DRV_PLAN_H
#define WP_DRV_PLAN_H

#include "core/event.h"
#include "core/target.h"
#include "source/wperfdrv/drv_request.h"

#define WP_DRV_NO_EVENT SIZE_MAX

struct wp_drv_plan {
	WP_VEC(uint16_t) numbers; /* as they are assigned; there is always one */
	WP_VEC(size_t) events;	  /* of each: its index in the set, WP_DRV_NO_EVENT: padding */
	size_t cycle; /* index of the event that is the cycle counter, or WP_DRV_NO_EVENT */
	uint64_t filter_bits;
	bool takes_turns; /* there are more of them than counters */
};

/* Whether the driver can count an event; the number that it knows it by. */
struct wp_err *wp_drv_event_number(const struct wp_event *event, uint16_t *ret) WP_MUST_CHECK;
/* What of the set is counted on that core. The caller deinits, also after a failure. */
struct wp_err *wp_drv_plan_make(const struct wp_event_set *set, uint32_t core, uint32_t counters,
				bool kernel, struct wp_drv_plan *ret) WP_MUST_CHECK;
void wp_drv_plan_deinit(struct wp_drv_plan *plan);

#endif
