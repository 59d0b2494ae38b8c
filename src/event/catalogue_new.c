/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * catalogue_new: a machine's catalogue as it is at first: its CPU, that one's metrics and
 * WindowsPerf's own, as far as this machine has their events.
 */
#include "base/str.h"
#include "event/catalogue.h"
#include "event/event_presence.h"
#include "event/pmu_sysfs.h"

#include <string.h>

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

static void add_own_metrics(struct wp_catalogue *catalogue)
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

struct wp_catalogue *wp_catalogue_new(const struct wp_machine *machine, const struct wp_log *log)
{
	struct wp_catalogue *catalogue = wp_calloc(1, sizeof(*catalogue));

	catalogue->machine = machine;
	catalogue->log = log;
	catalogue->dmc = WP_DMC_ALL;
	wp_catalogue_use_cpu(catalogue, wp_cpu_of_machine(machine));
	add_own_metrics(catalogue);
	return catalogue;
}
