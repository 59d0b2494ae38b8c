/* SPDX-License-Identifier: BSD-3-Clause */
/* line_asker: see line_asker.h. */
#include "resolve/lines/line_asker.h"

#include "base/clock.h"

#include <stddef.h>

#define MOST_NS	 (10 * WP_NS_PER_S)  /* of one question */
#define LOOK_NS	 (20 * WP_NS_PER_MS) /* how often it is asked whether anybody waits */
#define LEFT_MAX 3		     /* each has a processor for itself until we end */

bool wp_line_asker_may_ask(const struct wp_line_asker *asker)
{
	return asker->left < LEFT_MAX && !wp_patience_is_over(asker->patience);
}

/* Another thread is for the questions that follow. */
static void leave_question(struct wp_line_asker *asker)
{
	asker->worker = NULL;
	asker->left++;
}

bool wp_line_asker_ask(struct wp_line_asker *asker, struct wp_job *question)
{
	uint64_t end_ns = wp_clock_now_ns() + MOST_NS;

	if (!asker->worker)
		asker->worker = wp_worker_new();
	wp_worker_add(asker->worker, question);
	while (!wp_worker_wait_for(asker->worker, question, LOOK_NS))
		if (wp_patience_is_over(asker->patience) || wp_clock_now_ns() >= end_ns) {
			leave_question(asker);
			return false;
		}
	return true;
}

void wp_line_asker_deinit(struct wp_line_asker *asker)
{
	wp_worker_free(asker->worker);
	*asker = (struct wp_line_asker){0};
}
