/* SPDX-License-Identifier: BSD-3-Clause */
/* catalogue: see catalogue.h and event_parse.h. */
#include "event/catalogue.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

void wp_catalogue_free(struct wp_catalogue *catalogue)
{
	if (!catalogue)
		return;
	wp_vec_deinit(&catalogue->extra);
	wp_vec_deinit(&catalogue->metrics);
	wp_vec_deinit(&catalogue->loaded);
	wp_arena_deinit(&catalogue->arena);
	free(catalogue);
}

void wp_catalogue_choose_dmc(struct wp_catalogue *catalogue, uint64_t dmc)
{
	catalogue->dmc = dmc;
}

bool wp_catalogue_is_host(const struct wp_catalogue *catalogue)
{
	return catalogue->machine->root && !*catalogue->machine->root;
}

const struct wp_cpu *wp_catalogue_cpu(const struct wp_catalogue *catalogue, const char *name)
{
	wp_vec_each (const struct wp_cpu *, cpu, &catalogue->loaded)
		if (wp_cpu_is_named(*cpu, name))
			return *cpu;
	return wp_cpu_find(name);
}

const struct wp_metric *wp_catalogue_metric(const struct wp_catalogue *catalogue, const char *name)
{
	wp_vec_each (struct wp_metric, metric, &catalogue->metrics)
		if (strcmp(metric->name, name) == 0)
			return metric;
	return NULL;
}

static int compare_metric_names(const void *a, const void *b)
{
	return strcmp(((const struct wp_metric *)a)->name, ((const struct wp_metric *)b)->name);
}

void wp_catalogue_put_metric(struct wp_catalogue *catalogue, const struct wp_metric *metric)
{
	struct wp_arena *arena = &catalogue->arena;
	struct wp_metric copy = {
		wp_arena_strdup(arena, metric->name),
		wp_arena_strdup(arena, metric->events),
		metric->text ? wp_arena_strdup(arena, metric->text) : NULL,
		metric->of_cpu,
	};

	wp_vec_each (struct wp_metric, old, &catalogue->metrics) {
		if (strcmp(old->name, copy.name) == 0) {
			*old = copy;
			return;
		}
	}
	wp_vec_push(&catalogue->metrics, copy);
	qsort(catalogue->metrics.v, catalogue->metrics.n, sizeof(copy), compare_metric_names);
}

void wp_catalogue_use_cpu(struct wp_catalogue *catalogue, const struct wp_cpu *cpu)
{
	size_t kept = 0;

	wp_vec_each (struct wp_metric, metric, &catalogue->metrics)
		if (!metric->of_cpu)
			catalogue->metrics.v[kept++] = *metric;
	catalogue->metrics.n = kept;
	catalogue->cpu = cpu;
	for (size_t i = 0; cpu && catalogue->machine->has_hw_pmu && i < cpu->metrics_n; i++) {
		const struct wp_cpu_metric *metric = &cpu->metrics[i];
		wp_autofree char *group = wp_asprintf("{%s}", metric->events);

		wp_catalogue_put_metric(
			catalogue, &(struct wp_metric){metric->name, group, metric->title, metric});
	}
}

const struct wp_extra_event *wp_catalogue_extra(const struct wp_catalogue *catalogue,
						enum wp_event_class class, const char *name,
						uint64_t config)
{
	wp_vec_each (struct wp_extra_event, extra, &catalogue->extra)
		if (extra->class == class &&
		    (name ? strcmp(extra->name, name) == 0 : extra->config == config))
			return extra;
	return NULL;
}
