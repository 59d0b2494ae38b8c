/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_trial: see perf_trial.h. */
#include "source/perf/perf_trial.h"

#include "base/mem.h"
#include "source/perf/perf_attr.h"

#include <errno.h>
#include <unistd.h>

static bool is_missing(int why)
{
	return why == ENOENT || why == EOPNOTSUPP || why == EINVAL || why == ENODEV;
}

void wp_perf_trial(struct wp_event_set *set)
{
	const struct wp_perf_mode mode = {0};
	struct perf_event_attr attr;

	wp_vec_each (struct wp_event, event, &set->events) {
		if (event->presence == WP_EVENT_REFUSED)
			continue;
		wp_perf_attr_event(event, &mode, &attr);
		wp_autoclose int fd = wp_perf_attr_open(&attr, 0, -1, -1);

		if (fd < 0 && is_missing(errno))
			event->presence = WP_EVENT_REFUSED;
	}
}
