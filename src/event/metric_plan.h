/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * metric_plan: the metrics of a counting run that have a formula, bound to the events that were
 * opened for them.
 *
 * Event stage. Made once when the event set is complete; evaluated by aggregate/metric_doc for each
 * core and period. A metric takes counts of its own events only: those of its group, which were
 * counted at the same time.
 */
#ifndef WP_METRIC_PLAN_H
#define WP_METRIC_PLAN_H

#include "event/catalogue.h"
#include "event/formula.h"

struct wp_metric_use {
	const char *name, *unit;
	struct wp_formula formula;
	size_t *events; /* of each of the formula's names: its index in the event set; owned */
};

/* All-zero is an empty one. */
struct wp_metric_plan {
	struct wp_arena arena;
	const char *product;		   /* whose formulas they are: "neoverse-n1" */
	WP_VEC(struct wp_metric_use) uses; /* sorted by name */
};

/*
 * set: with all events in their final places. WP_ERR_USAGE for a formula that cannot be read or
 * that names what is not among the metric's events. The caller deinits *ret, also after a failure.
 */
struct wp_err *wp_metric_plan_make(const struct wp_catalogue *catalogue,
				   const struct wp_event_set *set,
				   struct wp_metric_plan *ret) WP_MUST_CHECK;
void wp_metric_plan_deinit(struct wp_metric_plan *plan);
/* The use of a metric by name, or NULL. */
const struct wp_metric_use *wp_metric_plan_find(const struct wp_metric_plan *plan,
						const char *name);

#endif
