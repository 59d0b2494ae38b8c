/* catalogue: see catalogue.h and event_parse.h. */
#include "event/catalogue.h"

#include "base/str.h"
#include "event/event_presence.h"
#include "event/pmu_sysfs.h"

#include <stdlib.h>
#include <string.h>

struct wp_catalogue *wp_catalogue_new(const struct wp_machine *machine, const struct wp_log *log)
{
	struct wp_catalogue *catalogue = wp_calloc(1, sizeof(*catalogue));

	catalogue->machine = machine;
	catalogue->log = log;
	catalogue->dmc = WP_DMC_ALL;
	wp_catalogue_use_cpu(catalogue, wp_cpu_of_machine(machine));
	wp_catalogue_add_builtin(catalogue);
	return catalogue;
}

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

static int by_name(const void *a, const void *b)
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
	qsort(catalogue->metrics.v, catalogue->metrics.n, sizeof(copy), by_name);
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

/* Arm and Qualcomm CPUs: the events that WindowsPerf's own metrics are made of exist there. */
static bool has_core_metrics(const struct wp_machine *machine)
{
	uint64_t implementer = machine->midr >> 24;

	return machine->has_hw_pmu && (implementer == 0x41 || implementer == 0x51);
}

/* By sysfs or by the CPU's table. */
static bool has_event(const struct wp_catalogue *catalogue, const char *name)
{
	const struct wp_machine_pmu *core = wp_pmu_core(catalogue->machine);
	const struct wp_cpu_event *known =
		catalogue->cpu ? wp_cpu_event_find(catalogue->cpu, name) : NULL;
	struct wp_event event = {.source = WP_EVENT_HW, .type = core ? core->type : 0};

	if (!core || wp_pmu_event_find(catalogue->machine, core->name, name))
		return core;
	event.config = known ? known->config : 0;
	return known && wp_event_presence(catalogue, &event) == WP_EVENT_PRESENT;
}

/*
 * Registers a metric of those events that this machine names, at most gpc_free of them (0: not
 * known, all). One of which less than two are left says nothing and is left out.
 */
static void add_core_metric(struct wp_catalogue *catalogue, const char *name, const char *text,
			    const char *events)
{
	uint32_t most = catalogue->machine->gpc_free, n = 0;
	wp_autofree char *copy = wp_strdup(events);
	wp_autostr struct wp_str list = {0};
	char *rest = copy, *event;

	while ((event = strsep(&rest, ","))) {
		if (!has_event(catalogue, event) || (most && n == most))
			continue;
		wp_str_printf(&list, "%s%s", n++ ? "," : "{", event);
	}
	if (n < 2)
		return;
	wp_str_putc(&list, '}');
	wp_catalogue_put_metric(catalogue, &(struct wp_metric){name, list.s, text});
}

/* One that counts a class of its own: all or nothing. */
static void add_class_metric(struct wp_catalogue *catalogue, enum wp_event_class class,
			     const char *name, const char *text, const char *events)
{
	struct wp_event_set scratch = {0};

	if (!wp_pmu_of_class(catalogue->machine, class))
		return;
	wp_autoerr struct wp_err *err = wp_event_parse_counting(catalogue, events, &scratch);
	if (!err)
		wp_catalogue_put_metric(catalogue, &(struct wp_metric){name, events, text});
	wp_event_set_deinit(&scratch);
}

void wp_catalogue_add_builtin(struct wp_catalogue *catalogue)
{
	if (has_core_metrics(catalogue->machine)) {
		add_core_metric(catalogue, "imix", "What kinds of instructions are executed",
				"inst_spec,dp_spec,vfp_spec,ase_spec,ld_spec,st_spec");
		add_core_metric(catalogue, "icache", "How instruction fetches use the caches",
				"l1i_cache,l1i_cache_refill,l2i_cache,l2i_cache_refill,"
				"inst_retired");
		add_core_metric(catalogue, "dcache", "How loads and stores use the caches",
				"l1d_cache,l1d_cache_refill,l2d_cache,l2d_cache_refill,"
				"inst_retired");
		add_core_metric(catalogue, "itlb", "How instruction fetches use the TLBs",
				"l1i_tlb,l1i_tlb_refill,l2i_tlb,l2i_tlb_refill,inst_retired");
		add_core_metric(catalogue, "dtlb", "How loads and stores use the TLBs",
				"l1d_tlb,l1d_tlb_refill,l2d_tlb,l2d_tlb_refill,inst_retired");
	}
	add_class_metric(catalogue, WP_EVENT_DSU, "l3_cache", "Level 3 cache bandwidth and misses",
			 "/dsu/l3d_cache,/dsu/l3d_cache_refill");
	add_class_metric(catalogue, WP_EVENT_DMC_CLKDIV2, "ddr_bw", "Memory bandwidth",
			 "/dmc_clkdiv2/rdwr");
}
