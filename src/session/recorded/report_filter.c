/* SPDX-License-Identifier: BSD-3-Clause */
/* report_filter: see report_filter.h. */
#include "session/recorded/report_filter.h"

#include "base/duration.h"
#include "base/str.h"
#include "core/cpuset.h"
#include "session/session.h"

#include <string.h>

static struct wp_err *parse_ids(const char *text, const char *option, struct wp_map *ret)
{
	wp_autofree char *copy = text ? wp_strdup(text) : NULL;
	char *rest = copy, *word;
	uint64_t id;

	while (rest && (word = strsep(&rest, ","))) {
		if (!wp_str_to_u64(word, 10, UINT32_MAX, &id))
			return wp_err_new(WP_ERR_USAGE, "%s %s: '%s' is no number", option, text,
					  word);
		*wp_map_put(ret, id) = 1;
	}
	return NULL;
}

static struct wp_err *parse_filter_cpus(const char *text, struct wp_map *ret)
{
	struct wp_cpuset set = {0};
	struct wp_err *err = NULL;

	if (text && !wp_cpuset_parse(&set, text))
		err = wp_err_new(WP_ERR_USAGE, "--cpu %s: want CPUs such as 0,2-4", text);
	wp_vec_each (uint32_t, cpu, &set.cpus)
		*wp_map_put(ret, *cpu) = 1;
	wp_cpuset_deinit(&set);
	return err;
}

/* FROM,TO since the first sample; either may be left out. */
static struct wp_err *parse_time(const char *text, struct wp_report_filter *ret)
{
	wp_autofree char *copy = text ? wp_strdup(text) : NULL;
	char *to = copy;
	const char *from = to ? strsep(&to, ",") : NULL;

	if (from && *from && !wp_duration_parse(from, &ret->from_ns))
		return wp_err_new(WP_ERR_USAGE, "--time %s: want FROM,TO such as 1.5s,2s", text);
	if (to && *to && (!wp_duration_parse(to, &ret->to_ns) || ret->to_ns <= ret->from_ns))
		return wp_err_new(WP_ERR_USAGE,
				  "--time %s: want FROM,TO such as 1.5s,2s, TO the later", text);
	return NULL;
}

struct wp_err *wp_report_filter_parse(const struct wp_session_options *options,
				      struct wp_report_filter *ret)
{
	*ret = (struct wp_report_filter){.module = options->report.module_filter};
	TRY(parse_ids(options->target.pids, "--pid", &ret->pids));
	TRY(parse_ids(options->report.tids, "--tid", &ret->tids));
	TRY(parse_filter_cpus(options->target.cpus, &ret->cpus));
	TRY(parse_time(options->report.time_range, ret));
	ret->any = ret->pids.n || ret->tids.n || ret->cpus.n || ret->from_ns || ret->to_ns ||
		   ret->module;
	return NULL;
}

void wp_report_filter_deinit(struct wp_report_filter *filter)
{
	wp_map_deinit(&filter->pids);
	wp_map_deinit(&filter->tids);
	wp_map_deinit(&filter->cpus);
}

static bool passes_filter_ids(const struct wp_map *ids, uint32_t id)
{
	return !ids->n || wp_map_get(ids, id);
}

bool wp_report_filter_keeps(struct wp_report_filter *filter, const struct wp_record *sample)
{
	uint64_t at;

	if (!filter->began)
		filter->first_ns = sample->time_ns;
	filter->began = true;
	at = sample->time_ns > filter->first_ns ? sample->time_ns - filter->first_ns : 0;
	return passes_filter_ids(&filter->pids, sample->pid) &&
	       passes_filter_ids(&filter->tids, sample->tid) &&
	       passes_filter_ids(&filter->cpus, sample->cpu) && at >= filter->from_ns &&
	       (!filter->to_ns || at < filter->to_ns);
}

bool wp_report_filter_keeps_symbol(const struct wp_report_filter *filter,
				   const struct wp_symbol_set *set, uint32_t symbol)
{
	uint32_t module = set->symbols.v[symbol].module;

	if (!filter->module)
		return true;
	return module != WP_NO_MODULE &&
	       (strcmp(set->modules.v[module].name, filter->module) == 0 ||
		strcmp(set->modules.v[module].path, filter->module) == 0);
}
