/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * idle_waits: what reports leave out because threads had nothing to do, counted, so that it is
 * said.
 *
 * Aggregate stage. In: samples, before the sinks of a report get them. Out: how many waits and
 * nanoseconds of each event were left out, by the rules of idle_rules.h.
 */
#ifndef WP_IDLE_WAITS_H
#define WP_IDLE_WAITS_H

#include "aggregate/idle_rules.h"
#include "base/vec.h"
#include "core/doc.h"

struct wp_idle_sum {
	uint32_t event;
	const char *rule; /* its name: rules of one name are summed up */
	uint64_t waits, ns;
};

/* All-zero is empty. */
struct wp_idle_waits {
	WP_VEC(struct wp_idle_sum) sums;
};

/* True when the sample is to be left out, and is counted. Its event is as the report shows it. */
bool wp_idle_waits_take(struct wp_idle_waits *idle, const struct wp_sample *sample,
			const struct wp_symbol_set *symbols);
/* Nothing where no wait of the event was left out. */
void wp_idle_waits_doc(struct wp_doc *doc, struct wp_node *parent, const struct wp_idle_waits *idle,
		       uint32_t event);
void wp_idle_waits_deinit(struct wp_idle_waits *idle);

#endif
