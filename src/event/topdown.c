/* SPDX-License-Identifier: BSD-3-Clause */
/* topdown: see topdown.h. */
#include "event/topdown.h"

#include "base/str.h"
#include "event/event_counting.h"

#include <string.h>

static struct wp_err *no_tree(const struct wp_catalogue *catalogue)
{
	const struct wp_machine *machine = catalogue->machine;

	if (!machine->has_hw_pmu)
		return wp_err_new(WP_ERR_UNSUPPORTED, "--topdown cannot be counted here: %s",
				  machine->hw_pmu_why ? machine->hw_pmu_why
						      : "there is no hardware PMU");
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "--topdown: no top-down metrics are known of this CPU (%s); `wperf list` "
			  "shows the metrics that are",
			  machine->product ? machine->product : "unknown");
}

/*
 * Adds a metric's events. A group for which the counters do not suffice, and an event that this
 * machine does not have, leave the set as it was and are the row's reason.
 */
static const char *add_metric_events(const struct wp_catalogue *catalogue, struct wp_event_set *set,
				     const char *name, struct wp_arena *arena)
{
	const struct wp_metric *metric = wp_catalogue_metric(catalogue, name);
	size_t before = set->events.n;

	if (!metric || !metric->of_cpu)
		return "not a metric of this machine";
	wp_autoerr struct wp_err *err =
		wp_event_parse_list(catalogue, metric->events, metric->name, set);
	if (!err)
		return NULL;
	set->events.n = before;
	return wp_arena_strdup(arena, err->text);
}

static bool has_metric(const struct wp_event_set *set, const char *name)
{
	wp_vec_each (const struct wp_event, event, &set->events)
		if (event->metric && strcmp(event->metric, name) == 0)
			return true;
	return false;
}

static void add_parts(const struct wp_catalogue *catalogue, const char *parent, int level,
		      struct wp_event_set *set, struct wp_topdown *ret)
{
	const struct wp_cpu *cpu = catalogue->cpu;

	for (size_t i = 0; level <= WP_TOPDOWN_LEVELS && i < cpu->topdown_n; i++) {
		const struct wp_cpu_topdown *node = &cpu->topdown[i];
		const struct wp_cpu_metric *metric = wp_cpu_metric_find(cpu, node->metric);
		struct wp_topdown_row row = {
			.metric = node->metric,
			.unit = metric ? metric->unit : "",
			.next = node->next,
			.level = level,
		};

		if (strcmp(node->parent, parent) != 0)
			continue;
		if (!has_metric(set, node->metric))
			row.missing = add_metric_events(catalogue, set, node->metric, &ret->arena);
		wp_vec_push(&ret->rows, row);
		add_parts(catalogue, node->metric, level + 1, set, ret);
	}
}

/* The tree's lower levels, or that there are none. */
static const char *note_of(const struct wp_cpu *cpu, struct wp_topdown *topdown)
{
	size_t shown = topdown->rows.n;
	bool second = false;

	wp_vec_each (struct wp_topdown_row, row, &topdown->rows)
		second |= row->level == 2;
	if (!second)
		return wp_arena_printf(&topdown->arena,
				       "%s has no second level in its catalogue; the groups of the "
				       "last column tell more (-m)",
				       cpu->name);
	if (shown == cpu->topdown_n)
		return NULL;
	return wp_arena_printf(&topdown->arena,
			       "%zu metrics of deeper levels are not shown; the groups of metrics "
			       "have them (-m, see wperf list)",
			       cpu->topdown_n - shown);
}

struct wp_err *wp_topdown_plan(const struct wp_catalogue *catalogue, struct wp_event_set *set,
			       struct wp_topdown *ret)
{
	bool any = false;

	*ret = (struct wp_topdown){0};
	if (!catalogue->machine->has_hw_pmu || !catalogue->cpu || !catalogue->cpu->topdown_n)
		return no_tree(catalogue);
	add_parts(catalogue, "", 1, set, ret);
	wp_vec_each (struct wp_topdown_row, row, &ret->rows)
		any |= !row->missing;
	if (!any)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "--topdown: nothing of it can be counted here: %s",
				  ret->rows.n ? ret->rows.v[0].missing : "the tree is empty");
	ret->note = note_of(catalogue->cpu, ret);
	return NULL;
}

void wp_topdown_deinit(struct wp_topdown *topdown)
{
	wp_vec_deinit(&topdown->rows);
	wp_arena_deinit(&topdown->arena);
}
