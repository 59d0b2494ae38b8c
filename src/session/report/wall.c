/* SPDX-License-Identifier: BSD-3-Clause */
/* wall: see wall.h. */
#include "session/report/wall.h"

#include "core/wait.h"

/* NULL: there is none. Of several clocks the first one is it: each has all of the time. */
static struct wp_event *find_clock(const struct wp_event_set *set)
{
	wp_vec_each (struct wp_event, event, &set->events)
		if (event->is_clock)
			return event;
	return NULL;
}

struct wp_err *wp_wall_begin(struct wp_wall *wall, struct wp_event_set *opened)
{
	struct wp_event *clock = find_clock(opened);

	if (!clock || !wp_event_set_has_off_cpu(opened))
		return wp_err_new(WP_ERR_USAGE,
				  "--wall adds up a clock and the waits: there is no %s (without "
				  "-e, --wall samples " WP_WALL_EVENTS ")",
				  clock ? "off-cpu" : "cpu-clock");
	/* Time in the kernel is not gone, either: it counts where the program called it. */
	clock->in_kernel = clock->in_kernel || !(clock->user_only || clock->kernel_only);
	wall->clock = (uint32_t)(clock - opened->events.v) + 1;
	wall->on = true;
	return NULL;
}

/* Of one of its parts. A sum of all samples: no rate or period is of both. */
static struct wp_event merged_event(const struct wp_event *part)
{
	struct wp_event event = *part;

	event.name = WP_EVENT_WALL;
	event.weight = WP_WAIT_WEIGHT;
	event.fields = wp_wait_fields();
	event.is_wall = true;
	event.is_clock = false;
	event.switch_id = event.freq_hz = 0;
	event.period = 1;
	return event;
}

void wp_wall_show(struct wp_wall *wall, const struct wp_event_set *opened)
{
	const struct wp_event *clock = find_clock(opened);
	bool merged = false;
	uint32_t at = 0;

	if (!wall->on)
		return;
	wall->shown.events.n = wall->shown_as.n = 0;
	wp_vec_each (const struct wp_event, event, &opened->events) {
		bool is_part = event == clock || wp_event_is_off_cpu(event);
		uint32_t own = (uint32_t)wall->shown.events.n;

		if (is_part && merged) {
			wp_vec_push(&wall->shown_as, at);
			continue;
		}
		wp_vec_push(&wall->shown_as, own);
		wp_vec_push(&wall->shown.events, is_part ? merged_event(event) : *event);
		merged = merged || is_part;
		at = is_part ? own : at;
	}
}

void wp_wall_take(const struct wp_wall *wall, struct wp_record *sample)
{
	sample->sample.event = wall->shown_as.v[sample->sample.event];
}

void wp_wall_deinit(struct wp_wall *wall)
{
	wp_vec_deinit(&wall->shown.events);
	wp_vec_deinit(&wall->shown_as);
}
