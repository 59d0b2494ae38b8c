/* SPDX-License-Identifier: BSD-3-Clause */
/* drv_plan: see drv_plan.h. */
#include "source/wperfdrv/drv_plan.h"

#include "event/schedule.h"

#include <linux/perf_event.h>

/* Common events of Arm's architecture that Linux' generic ones stand for. */
static const struct {
	uint64_t generic;
	uint16_t number;
} generic_events[] = {
	{PERF_COUNT_HW_CPU_CYCLES, 0x11},
	{PERF_COUNT_HW_INSTRUCTIONS, 0x08},
	{PERF_COUNT_HW_CACHE_REFERENCES, 0x04},
	{PERF_COUNT_HW_CACHE_MISSES, 0x03},
	{PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0x21},
	{PERF_COUNT_HW_BRANCH_MISSES, 0x10},
	{PERF_COUNT_HW_BUS_CYCLES, 0x1d},
	{PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0x23},
	{PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0x24},
};

static struct wp_err *refuse_driver_event(const struct wp_event *event, const char *why)
{
	return wp_err_new(WP_ERR_UNSUPPORTED, "event '%s' is not counted here: the wperf driver %s",
			  event->name, why);
}

struct wp_err *wp_drv_event_number(const struct wp_event *event, uint16_t *ret)
{
	if (event->source != WP_EVENT_HW || event->class != WP_EVENT_CORE || event->unit)
		return refuse_driver_event(event, "knows events of the CPU's PMU only");
	if (event->type == PERF_TYPE_HARDWARE || event->type == PERF_TYPE_HW_CACHE) {
		for (size_t i = 0; i < WP_ARRAY_LEN(generic_events); i++)
			if (event->type == PERF_TYPE_HARDWARE &&
			    generic_events[i].generic == event->config) {
				*ret = generic_events[i].number;
				return NULL;
			}
		return refuse_driver_event(event, "has no number for it: see wperf list");
	}
	if (event->config > UINT16_MAX || event->config1 || event->config2 || event->config3 ||
	    event->config4)
		return refuse_driver_event(event, "knows numbers of 16 bits");
	*ret = (uint16_t)event->config;
	return NULL;
}

/* Which modes are left out. Both left out would count nothing: it cannot be said in -e. */
static uint64_t filter_of(const struct wp_event *event, bool kernel)
{
	if (event->kernel_only)
		return WP_DRV_NOT_USER;
	return event->user_only || !kernel ? WP_DRV_NOT_KERNEL : 0;
}

static bool is_counted_on(const struct wp_event *event, uint32_t core)
{
	return event->presence != WP_EVENT_REFUSED && !event->is_copy &&
	       (!event->core || event->core == core + 1);
}

struct chosen {
	struct wp_event_set set; /* copies of what the set has */
	WP_VEC(size_t) events;	 /* of each: its index */
};

static struct wp_err *choose_events(const struct wp_event_set *set, uint32_t core, bool kernel,
				    struct chosen *chosen, struct wp_drv_plan *ret)
{
	uint16_t number;

	ret->filter_bits = kernel ? 0 : WP_DRV_NOT_KERNEL;
	for (size_t i = 0; i < set->events.n; i++) {
		const struct wp_event *event = &set->events.v[i];

		if (!is_counted_on(event, core))
			continue;
		if (event->is_fixed) {
			ret->cycle = i;
			continue;
		}
		TRY(wp_drv_event_number(event, &number));
		if (chosen->events.n && ret->filter_bits != filter_of(event, kernel))
			return refuse_driver_event(event,
						   "counts all events of a core in the same modes, "
						   "user or kernel");
		ret->filter_bits = filter_of(event, kernel);
		wp_vec_push(&chosen->set.events, *event);
		wp_vec_push(&chosen->events, i);
	}
	return NULL;
}

/* Rows as WindowsPerf makes them: groups stay together, gaps are filled. */
static struct wp_err *lay_rows(const struct chosen *chosen, uint32_t counters,
			       struct wp_drv_plan *ret)
{
	struct wp_schedule schedule;
	struct wp_err *err = NULL;

	wp_schedule_rows(&chosen->set, WP_EVENT_CORE, counters, &schedule);
	wp_vec_each (const struct wp_event *, slot, &schedule.slots) {
		uint16_t number = WP_DRV_PADDING;
		size_t event = WP_DRV_NO_EVENT;

		if (*slot) {
			event = chosen->events.v[*slot - chosen->set.events.v];
			err = wp_drv_event_number(*slot, &number);
		}
		if (err)
			break;
		wp_vec_push(&ret->numbers, number);
		wp_vec_push(&ret->events, event);
	}
	wp_vec_deinit(&schedule.slots);
	return err;
}

struct wp_err *wp_drv_plan_make(const struct wp_event_set *set, uint32_t core, uint32_t counters,
				bool kernel, struct wp_drv_plan *ret)
{
	struct chosen chosen = {0};
	struct wp_err *err;

	*ret = (struct wp_drv_plan){.cycle = WP_DRV_NO_EVENT};
	err = choose_events(set, core, kernel, &chosen, ret);
	if (!err)
		err = lay_rows(&chosen, counters, ret);
	wp_vec_deinit(&chosen.set.events);
	wp_vec_deinit(&chosen.events);
	if (err)
		return err;
	if (!ret->numbers.n) { /* without a list the driver counts its own */
		wp_vec_push(&ret->numbers, WP_DRV_PADDING);
		wp_vec_push(&ret->events, WP_DRV_NO_EVENT);
	}
	ret->takes_turns = ret->numbers.n > counters;
	return NULL;
}

void wp_drv_plan_deinit(struct wp_drv_plan *plan)
{
	wp_vec_deinit(&plan->numbers);
	wp_vec_deinit(&plan->events);
}
