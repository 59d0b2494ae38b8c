/* SPDX-License-Identifier: BSD-3-Clause */
/* event_metric: -m, and the metrics that -C defines; see event_parse.h. */
#include "base/str.h"
#include "event/event_counting.h"
#include "event/event_lookup.h"
#include "event/metric_plan.h"

#include <ctype.h>
#include <string.h>

/* Names that one -m may come to, groups within groups included. */
#define NAMES_MAX 1000

static struct wp_err *add_asked_metric(const struct wp_catalogue *catalogue, const char *name,
				       int *left, struct wp_event_set *ret);

static struct wp_err *not_supported(const struct wp_catalogue *catalogue, const char *name)
{
	const struct wp_cpu *cpu = catalogue->cpu;
	size_t groups = cpu && catalogue->machine->has_hw_pmu ? cpu->groups_n : 0;
	wp_autofree char *near = wp_metric_suggest(catalogue, name);
	wp_autostr struct wp_str known = {0};

	wp_vec_each (struct wp_metric, metric, &catalogue->metrics)
		wp_str_printf(&known, "%s\n  %s",
			      known.len ? "" : "supported metrics:", metric->name);
	for (size_t i = 0; i < groups; i++)
		wp_str_printf(&known, "%s\n  %s",
			      i		  ? ""
			      : known.len ? "\nsupported groups of metrics:"
					  : "supported groups of metrics:",
			      cpu->groups[i].name);
	if (!known.len)
		wp_str_puts(&known, "no metric registered");
	if (!catalogue->machine->has_hw_pmu && catalogue->machine->hw_pmu_why)
		wp_str_printf(&known, "\nmetrics of CPUs cannot be counted here: %s",
			      catalogue->machine->hw_pmu_why);
	return wp_err_new(WP_ERR_NOT_FOUND, "metric '%s' not supported%s%s%s\n%s", name,
			  near ? ", did you mean " : "", near ? near : "", near ? "?" : "",
			  known.s);
}

static bool is_metric_in_set(const struct wp_event_set *set, const char *metric)
{
	wp_vec_each (struct wp_event, event, &set->events)
		if (event->metric && strcmp(event->metric, metric) == 0)
			return true;
	return false;
}

/* A metric that was asked for before is counted once. */
static struct wp_err *add_metric_once(const struct wp_catalogue *catalogue,
				      const struct wp_metric *metric, struct wp_event_set *ret)
{
	size_t before = ret->events.n;
	struct wp_err *err;

	if (is_metric_in_set(ret, metric->name))
		return NULL;
	err = wp_event_parse_list(catalogue, metric->events, metric->name, ret);
	if (err)
		ret->events.n = before;
	return wp_err_prefix(err, "metric '%s'", metric->name);
}

static void warn_too_large(const struct wp_catalogue *catalogue, const char *metric,
			   const struct wp_err *err)
{
	wp_log(catalogue->log, WP_LOG_WARNING, "%s", err->text);
	wp_log(catalogue->log, WP_LOG_WARNING,
	       "Metric %s is unable to be used due to lack of hardware resources.", metric);
}

/* Adds the metrics of a group in order, but for those that the counters do not suffice for. */
static struct wp_err *add_metric_group(const struct wp_catalogue *catalogue,
				       const struct wp_cpu_group *group, int *left,
				       struct wp_event_set *ret)
{
	wp_autofree char *copy = wp_strdup(group->metrics);
	char *rest = copy, *name;
	size_t before = ret->events.n, asked = 0, left_out = 0;

	while (*copy && (name = strsep(&rest, ","))) {
		struct wp_err *err = add_asked_metric(catalogue, name, left, ret);

		asked++;
		if (err && err->code != WP_ERR_LIMIT)
			return wp_err_prefix(err, "group of metrics '%s'", group->name);
		if (err)
			warn_too_large(catalogue, name, err);
		left_out += err != NULL;
		wp_err_free(err);
	}
	if (ret->events.n == before && left_out == asked)
		return wp_err_new(WP_ERR_LIMIT,
				  "group of metrics '%s': no metric of it can be counted with %u "
				  "free hardware PMU counters",
				  group->name, catalogue->machine->gpc_free);
	return NULL;
}

static struct wp_err *add_asked_metric(const struct wp_catalogue *catalogue, const char *name,
				       int *left, struct wp_event_set *ret)
{
	const struct wp_metric *metric = wp_catalogue_metric(catalogue, name);
	const struct wp_cpu_group *group = NULL;

	if (--*left < 0)
		return wp_err_new(WP_ERR_USAGE, "more than %d metrics are asked for", NAMES_MAX);
	if (metric)
		return add_metric_once(catalogue, metric, ret);
	if (catalogue->cpu && catalogue->machine->has_hw_pmu)
		group = wp_cpu_group_find(catalogue->cpu, name);
	return group ? add_metric_group(catalogue, group, left, ret)
		     : not_supported(catalogue, name);
}

struct wp_err *wp_event_parse_metrics(const struct wp_catalogue *catalogue, const char *list,
				      struct wp_event_set *ret)
{
	wp_autofree char *copy = wp_strdup(list);
	char *rest = copy, *name;
	int left = NAMES_MAX;

	while ((name = strsep(&rest, ",")))
		TRY(add_asked_metric(catalogue, name, &left, ret));
	return NULL;
}

/* Cuts blanks at both ends; returns the new start. */
static char *trim(char *text)
{
	size_t len;

	text += strspn(text, " \t\r");
	len = strlen(text);
	while (len && isspace((unsigned char)text[len - 1]))
		text[--len] = '\0';
	return text;
}

/* Whitespace has no meaning in a list of events. */
static void squeeze(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (!isspace((unsigned char)*text))
			*to++ = *text;
	*to = '\0';
}

/* The `;formula;unit` of a line, either of which may be missing; NULL when there is no formula. */
static const struct wp_cpu_metric *custom_formula(struct wp_catalogue *catalogue, const char *name,
						  const char *events, char *rest)
{
	struct wp_arena *arena = &catalogue->arena;
	struct wp_cpu_metric *custom;
	char *formula = rest ? trim(rest) : NULL, *unit;

	if (!formula || !*formula)
		return NULL;
	unit = strchr(formula, ';');
	if (unit)
		*unit++ = '\0';
	custom = wp_arena_alloc(arena, sizeof(*custom));
	*custom = (struct wp_cpu_metric){
		.name = wp_arena_strdup(arena, name),
		.formula = wp_arena_strdup(arena, trim(formula)),
		.unit = wp_arena_strdup(arena, unit ? trim(unit) : ""),
		.events = wp_arena_strdup(arena, events),
		.sample_events = "",
	};
	return custom;
}

/* The formula is read, and bound to the events, before anybody asks for the metric. */
static struct wp_err *check_formula(const struct wp_catalogue *catalogue,
				    const struct wp_event_set *set)
{
	struct wp_metric_plan plan = {0};
	struct wp_err *err = wp_metric_plan_make(catalogue, set, &plan);

	wp_metric_plan_deinit(&plan);
	return err;
}

static struct wp_err *put_metric(struct wp_catalogue *catalogue, struct wp_metric metric)
{
	struct wp_event_set scratch = {0};
	struct wp_err *err = wp_event_parse_list(catalogue, metric.events, metric.name, &scratch);

	if (err && err->code == WP_ERR_LIMIT) {
		warn_too_large(catalogue, metric.name, err);
		wp_err_free(err);
		wp_event_set_deinit(&scratch);
		return NULL;
	}
	if (!err || err->code == WP_ERR_UNSUPPORTED)
		wp_catalogue_put_metric(catalogue, &metric);
	if (!err)
		err = check_formula(catalogue, &scratch);
	wp_event_set_deinit(&scratch);
	if (!err || err->code != WP_ERR_UNSUPPORTED)
		return err;
	wp_err_free(err);
	return NULL;
}

/* One `name:{ev,ev},ev[;formula[;unit]]`: registered when this machine can count it or only lacks
 * the hardware. */
static struct wp_err *add_metric_line(struct wp_catalogue *catalogue, char *line)
{
	char *events = strchr(line, ':'), *formula;

	if (events)
		*events++ = '\0';
	squeeze(line);
	if (!events || !*line)
		return wp_err_new(WP_ERR_USAGE, "unrecognized config component '%s'", line);
	formula = strchr(events, ';');
	if (formula)
		*formula++ = '\0';
	squeeze(events);
	if (!*events)
		return wp_err_new(WP_ERR_USAGE, "unrecognized config component '%s:'", line);
	return put_metric(catalogue,
			  (struct wp_metric){line, events, NULL,
					     custom_formula(catalogue, line, events, formula)});
}

struct wp_err *wp_catalogue_add_metrics(struct wp_catalogue *catalogue, const char *file)
{
	char *text, *rest, *line;

	TRY(wp_event_config_read(file, &text));
	wp_autofree char *owned = text;
	rest = owned;
	for (int number = 1; (line = strsep(&rest, "\n")); number++) {
		line = trim(line);
		if (!*line || *line == '#')
			continue;
		wp_autoerr struct wp_err *bad = add_metric_line(catalogue, line);
		if (bad) {
			wp_log(catalogue->log, WP_LOG_WARNING, "%s:%d: %s", file, number,
			       bad->text);
			break;
		}
	}
	return NULL;
}
