/* SPDX-License-Identifier: BSD-3-Clause */
/* metric_plan: see metric_plan.h. */
#include "event/metric_plan.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

/* Metrics within metrics; the published ones have none. */
#define NESTING_MAX 8
#define STEPS_MAX   65536

/* One metric in the making. */
struct binding {
	const struct wp_catalogue *catalogue;
	const struct wp_event_set *set;
	const char *metric;
	struct wp_metric_use *use;
	WP_VEC(size_t) events;
};

static struct wp_err *bind_formula(struct binding *b, const char *text, int nesting);

/* The metric's own event of that name, any case; SIZE_MAX when there is none. */
static size_t own_event(const struct binding *b, const char *name)
{
	for (size_t i = 0; i < b->set->events.n; i++) {
		const struct wp_event *event = &b->set->events.v[i];

		if (event->metric && strcmp(event->metric, b->metric) == 0 &&
		    wp_str_eq_nocase(event->name, name))
			return i;
	}
	return SIZE_MAX;
}

static size_t name_of_event(struct binding *b, size_t event)
{
	for (size_t i = 0; i < b->events.n; i++)
		if (b->events.v[i] == event)
			return i;
	wp_vec_push(&b->events, event);
	wp_vec_push(&b->use->formula.names, wp_strdup(b->set->events.v[event].name));
	return b->events.n - 1;
}

/* A name: an event of the metric, or another metric, whose formula takes its place. */
static struct wp_err *bind_name(struct binding *b, const char *name, int nesting)
{
	size_t event = own_event(b, name);
	const struct wp_metric *other = wp_catalogue_metric(b->catalogue, name);
	struct wp_formula_step step = {.op = WP_FORMULA_NAME};

	if (event == SIZE_MAX && other && other->of_cpu && nesting < NESTING_MAX)
		return bind_formula(b, other->of_cpu->formula, nesting + 1);
	if (event == SIZE_MAX)
		return wp_err_new(WP_ERR_USAGE,
				  "metric '%s': its formula names '%s', which is not among its "
				  "events",
				  b->metric, name);
	step.name = name_of_event(b, event);
	wp_vec_push(&b->use->formula.steps, step);
	return NULL;
}

static struct wp_err *bind_steps(struct binding *b, const struct wp_formula *formula, int nesting)
{
	wp_vec_each (const struct wp_formula_step, step, &formula->steps) {
		if (b->use->formula.steps.n >= STEPS_MAX)
			return wp_err_new(WP_ERR_LIMIT, "metric '%s': its formula is too long",
					  b->metric);
		if (step->op == WP_FORMULA_NAME)
			TRY(bind_name(b, formula->names.v[step->name], nesting));
		else
			wp_vec_push(&b->use->formula.steps, *step);
	}
	return NULL;
}

static struct wp_err *bind_formula(struct binding *b, const char *text, int nesting)
{
	struct wp_formula formula = {0};
	struct wp_err *err = wp_formula_parse(text, &formula);

	if (err)
		return wp_err_prefix(err, "metric '%s'", b->metric);
	err = bind_steps(b, &formula, nesting);
	wp_formula_deinit(&formula);
	return err;
}

static struct wp_err *add_use(const struct wp_catalogue *catalogue, const struct wp_event_set *set,
			      const struct wp_cpu_metric *metric, struct wp_metric_plan *ret)
{
	struct wp_metric_use use = {
		.name = wp_arena_strdup(&ret->arena, metric->name),
		.unit = wp_arena_strdup(&ret->arena, metric->unit ? metric->unit : ""),
	};
	struct binding b = {
		.catalogue = catalogue, .set = set, .metric = metric->name, .use = &use};
	struct wp_err *err = bind_formula(&b, metric->formula, 0);

	use.events = b.events.v;
	wp_vec_push(&ret->uses, use);
	return err;
}

static int compare_metric_uses(const void *a, const void *b)
{
	return strcmp(((const struct wp_metric_use *)a)->name,
		      ((const struct wp_metric_use *)b)->name);
}

struct wp_err *wp_metric_plan_make(const struct wp_catalogue *catalogue,
				   const struct wp_event_set *set, struct wp_metric_plan *ret)
{
	*ret = (struct wp_metric_plan){0};
	ret->product = catalogue->machine->product ? catalogue->machine->product : "";
	wp_vec_each (const struct wp_event, event, &set->events) {
		const struct wp_metric *metric =
			event->metric ? wp_catalogue_metric(catalogue, event->metric) : NULL;

		if (metric && metric->of_cpu && *metric->of_cpu->formula &&
		    !wp_metric_plan_find(ret, event->metric))
			TRY(add_use(catalogue, set, metric->of_cpu, ret));
	}
	if (ret->uses.n)
		qsort(ret->uses.v, ret->uses.n, sizeof(*ret->uses.v), compare_metric_uses);
	return NULL;
}

void wp_metric_plan_deinit(struct wp_metric_plan *plan)
{
	wp_vec_each (struct wp_metric_use, use, &plan->uses) {
		wp_formula_deinit(&use->formula);
		free(use->events);
	}
	wp_vec_deinit(&plan->uses);
	wp_arena_deinit(&plan->arena);
}

const struct wp_metric_use *wp_metric_plan_find(const struct wp_metric_plan *plan, const char *name)
{
	wp_vec_each (const struct wp_metric_use, use, &plan->uses)
		if (strcmp(use->name, name) == 0)
			return use;
	return NULL;
}
