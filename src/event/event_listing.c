/* SPDX-License-Identifier: BSD-3-Clause */
/* event_listing: see event_listing.h. */
#include "event/event_listing.h"

#include "base/dir.h"
#include "base/file.h"
#include "base/str.h"
#include "event/event_lookup.h"
#include "event/event_names.h"
#include "event/event_units.h"
#include "event/event_presence.h"
#include "event/event_spe.h"
#include "event/pfm_events.h"
#include "event/event_wait.h"
#include "event/pmu_sysfs.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[WP_EVENT_CLASSES] = {
	[WP_EVENT_CORE] = "[core PMU event%s]",
	[WP_EVENT_DSU] = "[dsu PMU event%s]",
	[WP_EVENT_DMC_CLK] = "[dmc_clk PMU event%s]",
	[WP_EVENT_DMC_CLKDIV2] = "[dmc_clkdiv2 PMU event%s]",
	[WP_EVENT_UNCORE] = "[PMU event%s]",
};

static void add_listed(struct wp_event_listing *listing, struct wp_listed_event event)
{
	event.has_index = true;
	wp_vec_push(&listing->events, event);
}

static const char *class_kind(struct wp_event_listing *listing, enum wp_event_class class,
			      const char *star)
{
	return wp_arena_printf(&listing->arena, kinds[class], star);
}

/* What the machine says of an event, the CPU's table, what is known by its name, or NULL. */
static const char *event_text(const struct wp_catalogue *catalogue,
			      const struct wp_machine_event *event)
{
	const struct wp_cpu_event *known =
		catalogue->cpu ? wp_cpu_event_find(catalogue->cpu, event->name) : NULL;

	if (event->desc && *event->desc)
		return event->desc;
	return known && known->title ? known->title : wp_event_text(event->name);
}

/* The events of the PMU that counts a class, named with the class's prefix. */
static void add_class(const struct wp_catalogue *catalogue, enum wp_event_class class,
		      struct wp_event_listing *ret)
{
	const struct wp_machine *machine = catalogue->machine;
	const struct wp_machine_pmu *pmu = wp_pmu_of_class(machine, class);
	const char *prefix = wp_event_class_prefix(class), *kind = class_kind(ret, class, "");

	if (!pmu)
		return;
	wp_vec_each (struct wp_machine_event, event, &machine->events) {
		const char *own = wp_event_class_own(class, event->name);

		if (own && strcmp(event->pmu, pmu->name) == 0)
			add_listed(ret, (struct wp_listed_event){
						.name = wp_arena_printf(&ret->arena, "%s%s", prefix,
									own),
						.class = class,
						.source = class == WP_EVENT_CORE ? WP_EVENT_HW
										 : WP_EVENT_PMU,
						.index = event->config,
						.kind = kind,
						.text = event_text(catalogue, event),
					});
	}
}

/* What the CPU's table has beyond sysfs; what nothing implements is marked. */
static void add_cpu(const struct wp_catalogue *catalogue, struct wp_event_listing *ret)
{
	static const char *const marks[] = {
		[WP_EVENT_PRESENT] = "",
		[WP_EVENT_ABSENT] = ", not implemented",
		[WP_EVENT_DOUBTFUL] = ", doubtful",
	};
	const struct wp_machine_pmu *core = wp_pmu_core(catalogue->machine);
	const struct wp_cpu *cpu = catalogue->machine->has_hw_pmu ? catalogue->cpu : NULL;

	for (size_t i = 0; cpu && core && i < cpu->events_n; i++) {
		const struct wp_cpu_event *known = &cpu->events[i];
		struct wp_event event = {.source = WP_EVENT_HW, .type = core->type};

		event.config = known->config;
		event.presence = wp_event_presence(catalogue, &event);
		if (!wp_pmu_event_find(catalogue->machine, core->name, known->name))
			add_listed(ret, (struct wp_listed_event){
						.name = known->name,
						.source = WP_EVENT_HW,
						.index = known->config,
						.kind = class_kind(ret, WP_EVENT_CORE,
								   marks[event.presence]),
						.presence = event.presence,
						.text = known->title,
					});
	}
}

static bool has_config(const struct wp_event_listing *listing, const struct wp_pfm_event *event)
{
	wp_vec_each (struct wp_listed_event, listed, &listing->events)
		if (listed->index == event->config && !event->config1)
			return true;
	return false;
}

/* What libpfm4 knows beyond that, by number; and a description for what has none. */
static void list_pfm_events(const struct wp_catalogue *catalogue, struct wp_event_listing *ret)
{
	struct wp_pfm_events events = {0};

	if (!wp_catalogue_is_host(catalogue) || !catalogue->machine->has_hw_pmu)
		return;
	wp_pfm_list(&ret->arena, &events);
	wp_vec_each (struct wp_listed_event, listed, &ret->events)
		wp_vec_each (struct wp_pfm_event, event, &events.v)
			if (!listed->text && listed->index == event->config && !event->config1)
				listed->text = event->text;
	wp_vec_each (struct wp_pfm_event, event, &events.v)
		if (!has_config(ret, event))
			add_listed(ret, (struct wp_listed_event){
						.name = event->name,
						.source = WP_EVENT_HW,
						.index = event->config,
						.kind = class_kind(ret, WP_EVENT_CORE, ""),
						.text = event->text,
					});
	wp_vec_deinit(&events.v);
}

static void list_extra_events(const struct wp_catalogue *catalogue, struct wp_event_listing *ret)
{
	wp_vec_each (struct wp_extra_event, extra, &catalogue->extra)
		add_listed(ret, (struct wp_listed_event){
					.name = wp_arena_printf(&ret->arena, "%s%s",
								wp_event_class_prefix(extra->class),
								extra->name),
					.class = extra->class,
					.source = extra->class == WP_EVENT_CORE ? WP_EVENT_HW
										: WP_EVENT_PMU,
					.index = extra->config,
					.kind = class_kind(ret, extra->class, "*"),
					.text = "<extra event>",
				});
}

static int by_index(const void *a, const void *b)
{
	const struct wp_listed_event *x = a, *y = b;

	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void list_generic_events(const struct wp_machine *machine, struct wp_event_listing *ret)
{
	uint64_t config;

	for (size_t i = 0; machine->has_hw_pmu && i < wp_event_hardware_n; i++)
		if (!wp_event_listing_find(ret, wp_event_hardware[i].name))
			add_listed(ret, (struct wp_listed_event){
						.name = wp_event_hardware[i].name,
						.source = WP_EVENT_HW,
						.index = wp_event_hardware[i].config,
						.kind = "[hardware event]",
						.text = wp_event_hardware[i].description,
					});
	for (unsigned int i = 0; machine->has_hw_pmu && i < WP_EVENT_CACHES; i++) {
		const char *name = wp_event_cache_name(&ret->arena, i, &config);

		if (name)
			add_listed(ret, (struct wp_listed_event){
						.name = name,
						.source = WP_EVENT_HW,
						.index = config,
						.kind = "[cache event]",
						.text = wp_event_cache_text(&ret->arena, config)});
	}
	for (size_t i = 0; i < wp_event_software_n; i++)
		add_listed(ret, (struct wp_listed_event){
					.name = wp_event_software[i].name,
					.source = WP_EVENT_SW,
					.index = wp_event_software[i].config,
					.kind = "[software event]",
					.text = wp_event_software[i].description,
				});
}

/* True for the PMUs whose events are listed elsewhere, by class or as tracepoints. */
static bool listed_elsewhere(const struct wp_machine *machine, const char *pmu)
{
	if (strcmp(pmu, "tracepoint") == 0 || strcmp(pmu, "software") == 0)
		return true;
	for (int class = WP_EVENT_CORE; class < WP_EVENT_CLASSES; class ++) {
		const struct wp_machine_pmu *counts =
			wp_pmu_of_class(machine, (enum wp_event_class) class);

		if (counts && (strcmp(counts->name, pmu) == 0 ||
			       (!counts->is_core && wp_pmu_same_kind(counts->name, pmu))))
			return true;
	}
	return false;
}

/*
 * What a PMU's events are listed under: its name, or that of its kind for the first of several
 * units alike; NULL for the others.
 */
static const char *listed_name(const struct wp_machine *machine, const char *name,
			       struct wp_arena *arena)
{
	const struct wp_machine_pmu *pmu = wp_machine_pmu_find(machine, name), *first;

	if (listed_elsewhere(machine, name))
		return NULL;
	if (!pmu || !wp_pmu_is_uncore(pmu))
		return name;
	name = wp_arena_strndup(arena, name, wp_pmu_stem(name));
	first = wp_pmu_like(machine, name);
	return first == pmu ? name : NULL;
}

static void add_other_pmus(const struct wp_catalogue *catalogue, struct wp_event_listing *ret)
{
	const struct wp_machine *machine = catalogue->machine;
	struct wp_arena *arena = &ret->arena;

	wp_vec_each (struct wp_machine_event, event, &machine->events) {
		const char *pmu = listed_name(machine, event->pmu, arena);

		if (pmu)
			add_listed(
				ret,
				(struct wp_listed_event){
					.name = wp_arena_printf(arena, "%s/%s/", pmu, event->name),
					.source = WP_EVENT_PMU,
					.index = event->config,
					.kind = wp_arena_printf(arena, "[%s PMU event]", pmu),
					.text = event_text(catalogue, event),
				});
	}
	if (wp_machine_pmu_find(machine, "breakpoint"))
		wp_vec_push(&ret->events,
			    (struct wp_listed_event){
				    .name = "mem:<addr>[/len][:access]",
				    .source = WP_EVENT_BREAKPOINT,
				    .kind = "[hardware breakpoint]",
				    .text = "Accesses to an address: r, w, x or rw; 1, 2, 4 or 8 "
					    "bytes",
			    });
}

/* WindowsPerf's rows: the device, and its filters. */
static void add_spe(const struct wp_machine *machine, struct wp_event_listing *ret)
{
	const struct wp_machine_pmu *first = wp_event_spe_pmu(machine);
	wp_autodir struct wp_dir terms = {0};

	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus)
		if (wp_pmu_is_spe(pmu))
			wp_vec_push(&ret->events,
				    (struct wp_listed_event){
					    .name = wp_arena_printf(&ret->arena, "%s//", pmu->name),
					    .source = WP_EVENT_PMU,
					    .kind = "[Kernel PMU event]",
					    .text = wp_event_spe_version(machine),
				    });
	if (first)
		wp_pmu_terms(first, &terms);
	wp_vec_each (const char *, term, &terms.names)
		wp_vec_push(&ret->events, (struct wp_listed_event){
						  .name = wp_arena_strdup(&ret->arena, *term),
						  .source = WP_EVENT_PMU,
						  .kind = "[SPE filter]",
						  .text = wp_event_spe_text(*term),
					  });
}

static void add_waits(const struct wp_machine *machine, struct wp_event_listing *ret)
{
	if (wp_event_wait_is_there(machine))
		wp_vec_push(&ret->events,
			    (struct wp_listed_event){
				    .name = "off-cpu[/min_us=<n>/]",
				    .source = WP_EVENT_SW,
				    .kind = "[waits]",
				    .text = "Nanoseconds in which threads do not run; only sampled",
			    });
}

/* Places in code, which are too many to list. */
static void add_probes(const struct wp_machine *machine, struct wp_event_listing *ret)
{
	static const struct {
		const char *pmu, *name, *text;
	} probes[] = {
		{"uprobe", "uprobe:<binary>:<function>",
		 "Calls in a program or library; also <file>:<line>, 0x<address>, %return"},
		{"uprobe", "usdt:<binary>:<provider>:<name>",
		 "Markers that a program has (python:gc__start); :arg1, :arg2:string"},
		{"kprobe", "kprobe:<function>", "Calls in the kernel; also %return"},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(probes); i++)
		if (wp_machine_pmu_find(machine, probes[i].pmu))
			wp_vec_push(&ret->events, (struct wp_listed_event){
							  .name = probes[i].name,
							  .source = WP_EVENT_PROBE,
							  .kind = "[probe]",
							  .text = probes[i].text,
						  });
}

static void add_tracepoint(struct wp_event_listing *ret, const char *name, uint64_t id)
{
	add_listed(ret, (struct wp_listed_event){
				.name = name,
				.source = WP_EVENT_TRACEPOINT,
				.index = id,
				.kind = "[tracepoint event]",
			});
}

static void add_subsystem(const char *events, const char *subsystem, struct wp_event_listing *ret)
{
	wp_autofree char *folder = wp_asprintf("%s/%s", events, subsystem);
	wp_autodir struct wp_dir dir = {0};
	uint64_t id;

	wp_dir_list(folder, &dir);
	wp_vec_each (const char *, name, &dir.names) {
		wp_autofree char *file = wp_asprintf("%s/%s/id", folder, *name);

		if (wp_file_u64(file, 10, &id))
			add_tracepoint(ret, wp_arena_printf(&ret->arena, "%s:%s", subsystem, *name),
				       id);
	}
}

static void add_tracepoints(const struct wp_machine *machine, struct wp_event_listing *ret)
{
	const char *events = machine->limits.tracefs_events;
	wp_autodir struct wp_dir dir = {0};

	wp_vec_each (struct wp_machine_event, event, &machine->events)
		if (strcmp(event->pmu, "tracepoint") == 0)
			add_tracepoint(ret, event->name, event->config);
	if (events)
		wp_dir_list(events, &dir);
	wp_vec_each (const char *, subsystem, &dir.names)
		add_subsystem(events, *subsystem, ret);
}

void wp_event_listing_fill(const struct wp_catalogue *catalogue, struct wp_event_listing *ret)
{
	const struct wp_machine *machine = catalogue->machine;

	add_class(catalogue, WP_EVENT_CORE, ret);
	add_cpu(catalogue, ret);
	list_pfm_events(catalogue, ret);
	if (ret->events.n)
		qsort(ret->events.v, ret->events.n, sizeof(*ret->events.v), by_index);
	list_extra_events(catalogue, ret);
	add_class(catalogue, WP_EVENT_DSU, ret);
	add_class(catalogue, WP_EVENT_DMC_CLK, ret);
	add_class(catalogue, WP_EVENT_DMC_CLKDIV2, ret);
	list_generic_events(machine, ret);
	add_other_pmus(catalogue, ret);
	add_spe(machine, ret);
	add_waits(machine, ret);
	add_probes(machine, ret);
	add_tracepoints(machine, ret);
}

void wp_event_listing_deinit(struct wp_event_listing *listing)
{
	wp_vec_deinit(&listing->events);
	wp_arena_deinit(&listing->arena);
}

const struct wp_listed_event *wp_event_listing_find(const struct wp_event_listing *listing,
						    const char *name)
{
	wp_vec_each (struct wp_listed_event, event, &listing->events)
		if (wp_str_eq_nocase(event->name, name))
			return event;
	return NULL;
}
