/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session_test: what limits this user, and the machine and the events asked for as rows of name and
 * result. JSON has WindowsPerf's rows in its order and with its names, then the doctor's; text
 * begins with what limits. Where a row has no meaning on Linux it holds what WindowsPerf shows on a
 * machine without that unit (docs/compatibility.md).
 */
#include "base/str.h"
#include "event/catalogue.h"
#include "event/cpu.h"
#include "event/event_listing.h"
#include "event/event_spe.h"
#include "event/pmu_sysfs.h"
#include "event/schedule.h"
#include "session/verbs/doctor.h"
#include "session/emit.h"
#include "session/verbs/machine_docs.h"
#include "session/setup.h"

#include <string.h>

static const char *const class_names[WP_EVENT_CLASSES] = {
	[WP_EVENT_CORE] = "EVT_CORE",
	[WP_EVENT_DSU] = "EVT_DSU",
	[WP_EVENT_DMC_CLK] = "EVT_DMC_CLK",
	[WP_EVENT_DMC_CLKDIV2] = "EVT_DMC_CLKDIV2",
};

/* One row; the value is a printf text. */
static void add_test_row(struct wp_table *table, const char *name, const char *fmt, ...)
	WP_PRINTF(3, 4);

static void add_test_row(struct wp_table *table, const char *name, const char *fmt, ...)
{
	wp_autostr struct wp_str value = {0};
	va_list ap;

	va_start(ap, fmt);
	wp_str_vprintf(&value, fmt, ap);
	va_end(ap);
	wp_table_add(table,
		     (struct wp_cell[]){wp_cell_str(wp_arena_strdup(table->arena, name)),
					wp_cell_str(wp_arena_strdup(table->arena, value.s))});
}

/* A row per class: "stem[EVT_CORE]tail". */
static void add_of_class(struct wp_table *table, const char *stem, enum wp_event_class class,
			 const char *tail, const char *value)
{
	wp_autofree char *name = wp_asprintf("%s[%s]%s", stem, class_names[class], tail);

	add_test_row(table, name, "%s", value);
}

static const char *asked(const struct wp_event_set *events, enum wp_event_class first,
			 enum wp_event_class last)
{
	wp_vec_each (struct wp_event, event, &events->events)
		if (event->class >= first && event->class <= last)
			return "True";
	return "False";
}

static void add_requests(struct wp_table *table, const struct wp_event_set *events)
{
	add_test_row(table, "request.ioctl_events [EVT_CORE]", "%s",
		     asked(events, WP_EVENT_CORE, WP_EVENT_CORE));
	add_test_row(table, "request.ioctl_events [EVT_DSU]", "%s",
		     asked(events, WP_EVENT_DSU, WP_EVENT_DSU));
	add_test_row(table, "request.ioctl_events [EVT_DMC_CLK/EVT_DMC_CLKDIV2]", "%s",
		     asked(events, WP_EVENT_DMC_CLK, WP_EVENT_DMC_CLKDIV2));
}

static void add_event_counts(struct wp_table *table, const struct wp_catalogue *catalogue)
{
	wp_autolisting struct wp_event_listing listing = {0};

	wp_event_listing_fill(catalogue, &listing);
	for (int class = WP_EVENT_CORE; class <= WP_EVENT_DMC_CLKDIV2; class ++) {
		wp_autofree char *count = NULL;
		unsigned int n = 0;

		wp_vec_each (struct wp_listed_event, event, &listing.events)
			n += (int)event->class == class && strstr(event->kind, " PMU event") &&
			     event->presence != WP_EVENT_ABSENT &&
			     (class || event->source == WP_EVENT_HW);
		count = wp_asprintf("%u", n);
		add_of_class(table, "pmu_device.events_query(events) ", (enum wp_event_class) class,
			     "", count);
	}
}

/* What WindowsPerf calls the PMU's version: FEAT_PMUv3 where there is one, else the PMU's name. */
static const char *pmu_version(const struct wp_machine *machine)
{
	const struct wp_machine_pmu *core = wp_pmu_core(machine);

	if (!machine->has_hw_pmu)
		return "not implemented.";
	return machine->midr >> 24 ? "FEAT_PMUv3" : core ? core->name : "cpu";
}

/* "(alias:name),..." */
static void add_aliases(struct wp_str *out, const struct wp_cpu *cpu)
{
	wp_autofree char *aliases = wp_strdup(cpu->aliases);
	char *rest = aliases, *alias;

	while (*aliases && (alias = strsep(&rest, ",")))
		wp_str_printf(out, "%s(%s:%s)", out->len ? "," : "", alias, cpu->name);
}

static void add_device(struct wp_table *table, const struct wp_catalogue *catalogue)
{
	const struct wp_machine *machine = catalogue->machine;
	wp_autostr struct wp_str products = {0}, aliases = {0};

	for (size_t i = 0; i < wp_cpus_n; i++) {
		wp_str_printf(&products, "%s%s", i ? "," : "", wp_cpus[i].name);
		add_aliases(&aliases, &wp_cpus[i]);
	}
	add_test_row(table, "pmu_device.vendor_name", "%s", machine->vendor);
	add_test_row(table, "pmu_device.product_name", "%s", machine->product);
	add_test_row(table, "pmu_device.product_name(extended)", "%s",
		     machine->product_extended ? machine->product_extended : "");
	add_test_row(table, "pmu_device.product []", "%s", products.s);
	add_test_row(table, "pmu_device.m_product_alias", "%s", aliases.s ? aliases.s : "");
	add_event_counts(table, catalogue);
	add_test_row(table, "pmu_device.sampling.INTERVAL_DEFAULT", "0x4000000");
	add_test_row(table, "pmu_device.version_name", "%s", pmu_version(machine));
}

static void add_hw_cfg(struct wp_table *table, const char *name, const char *fmt, uint64_t value)
{
	wp_autofree char *row = wp_asprintf("PMU_CTL_QUERY_HW_CFG [%s]", name);

	if (strcmp(fmt, "0x%04") == 0)
		add_test_row(table, row, "0x%04llx", (unsigned long long)value);
	else
		add_test_row(table, row, "0x%020llx", (unsigned long long)value);
}

/* Counter i of WindowsPerf's 32: those that can be had, then the cycle counter's number 31. */
static void add_counter_map(struct wp_table *table, const struct wp_machine *machine)
{
	wp_autostr struct wp_str map = {0};

	for (uint32_t i = 0; i < 31; i++)
		wp_str_printf(&map, "%u,",
			      machine->driver.counter_map ? machine->driver.counter_map[i]
			      : i < machine->gpc_free	  ? i
							  : 0);
	add_test_row(table, "PMU_CTL_QUERY_HW_CFG [counter_idx_map]", "%s31", map.s);
}

static void add_device_id(struct wp_table *table, const struct wp_machine *machine)
{
	add_test_row(table, "PMU_CTL_QUERY_HW_CFG [device_id_str]",
		     "core.stat=core;core.sample=core%s%s",
		     wp_pmu_of_class(machine, WP_EVENT_DSU) ? ";dsu.stat=dsu" : "",
		     wp_pmu_of_class(machine, WP_EVENT_DMC_CLK) ? ";dmc.stat=dmc_clk,dmc_clkdiv2"
								: "");
}

static void add_configuration(struct wp_table *table, const struct wp_machine *machine)
{
	uint64_t midr = machine->midr;

	add_hw_cfg(table, "arch_id", "0x%04", midr >> 16 & 0xf);
	add_hw_cfg(table, "core_num", "0x%04", machine->core_count);
	add_hw_cfg(table, "fpc_num", "0x%04", machine->fpc);
	add_hw_cfg(table, "gpc_num", "0x%04", machine->gpc_free);
	add_hw_cfg(table, "total_gpc_num", "0x%04", machine->gpc_total);
	add_hw_cfg(table, "part_id", "0x%04", midr >> 4 & 0xfff);
	add_hw_cfg(table, "pmu_ver", "0x%04", machine->id_aa64dfr0 >> 8 & 0xf);
	add_hw_cfg(table, "rev_id", "0x%04", midr & 0xf);
	add_hw_cfg(table, "variant_id", "0x%04", midr >> 20 & 0xf);
	add_hw_cfg(table, "vendor_id", "0x%04", midr >> 24 & 0xff);
	add_hw_cfg(table, "midr_value", "0x%020", midr);
	add_hw_cfg(table, "id_aa64dfr0_value", "0x%020", machine->id_aa64dfr0);
	add_counter_map(table, machine);
	add_device_id(table, machine);
}

static void add_counters(struct wp_table *table, const struct wp_machine *machine)
{
	for (int fixed = 0; fixed < 2; fixed++) {
		for (int class = WP_EVENT_CORE; class <= WP_EVENT_DMC_CLKDIV2; class ++) {
			uint32_t n = class != WP_EVENT_CORE ? 0
				     : fixed		    ? machine->fpc
							    : machine->gpc_free;
			wp_autofree char *value = wp_asprintf("%u", n);

			add_of_class(table, fixed ? "fpc_nums" : "gpc_nums",
				     (enum wp_event_class) class, "", value);
		}
	}
}

static void put_event_note(struct wp_str *out, const struct wp_event *event)
{
	wp_str_puts(out, out->len ? ",(" : "(");
	if (!event)
		wp_str_putc(out, 'p');
	else if (event->group == WP_EVENT_NO_GROUP)
		wp_str_putc(out, 'e');
	else
		wp_str_printf(out, "g%d", event->group);
	if (event && event->metric)
		wp_str_printf(out, ",%s", event->metric);
	wp_str_putc(out, ')');
}

/* Padding is an event that every Arm CPU has: instructions executed, 0x1b. */
#define PADDING 0x1b

/* WindowsPerf's rows: groups first, single events in the gaps, padding in the rest. */
static void add_schedule_rows(struct wp_table *table, const struct wp_machine *machine,
			      const struct wp_event_set *events, enum wp_event_class class)
{
	uint32_t counters = class == WP_EVENT_CORE ? machine->gpc_free : 0;
	wp_autostr struct wp_str index = {0}, note = {0};
	struct wp_schedule schedule;

	wp_schedule_rows(events, class, counters, &schedule);
	wp_vec_each (const struct wp_event *, event, &schedule.slots) {
		wp_str_printf(&index, "%s%llu", index.len ? "," : "",
			      (unsigned long long)(*event ? (*event)->config : PADDING));
		put_event_note(&note, *event);
	}
	add_of_class(table, "ioctl_events", class, ".index", index.s ? index.s : "");
	add_of_class(table, "ioctl_events", class, ".note", note.s ? note.s : "");
	wp_vec_deinit(&schedule.slots);
}

/* What Linux makes of it; `stat` puts the cycle counter in front, so it is reckoned with here. */
static void add_turns(struct wp_table *table, const struct wp_catalogue *catalogue,
		      struct wp_event_set *events)
{
	wp_autostr struct wp_str shares = {0};
	struct wp_turns turns;

	if (!events->events.n)
		return;
	if (catalogue->machine->has_hw_pmu)
		wp_event_add_fixed(catalogue, events);
	wp_schedule_turns(catalogue->machine, events, &turns);
	for (size_t i = 0; i < events->events.n; i++)
		if (events->events.v[i].class == WP_EVENT_CORE)
			wp_str_printf(&shares, "%s(%s:%.1f%%)", shares.len ? "," : "",
				      events->events.v[i].name, 100 * turns.shares.v[i]);
	add_test_row(table, "kernel.schedule[EVT_CORE].turns", "%u", turns.n);
	add_test_row(table, "kernel.schedule[EVT_CORE].counted", "%s", shares.s ? shares.s : "");
	wp_vec_deinit(&turns.shares);
}

static void add_schedule(struct wp_table *table, const struct wp_catalogue *catalogue,
			 const struct wp_event_set *events)
{
	for (int class = WP_EVENT_CORE; class <= WP_EVENT_DMC_CLKDIV2; class ++)
		add_schedule_rows(table, catalogue->machine, events, (enum wp_event_class) class);
}

/* SPE's registers are hidden from programs: what the driver tells of them stands in their place. */
static void add_spe_rows(struct wp_table *table, const struct wp_machine *machine)
{
	static const char *const caps[] = {"arch_inst", "count_size", "ernd", "min_interval",
					   "event_filter"};
	uint64_t value;

	add_test_row(table, "spe_device.version_name", "%s", wp_event_spe_version(machine));
	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus) {
		wp_autostr struct wp_str cpus = {0};

		if (!wp_pmu_is_spe(pmu))
			continue;
		wp_vec_each (uint32_t, cpu, &pmu->cpus.cpus)
			wp_str_printf(&cpus, "%s%u", cpus.len ? "," : "", *cpu);
		add_test_row(table, wp_arena_printf(table->arena, "spe_device.%s.cpus", pmu->name),
			     "%s", cpus.s ? cpus.s : "");
		for (size_t i = 0; i < WP_ARRAY_LEN(caps); i++)
			if (wp_pmu_cap(pmu, caps[i], &value))
				add_test_row(table,
					     wp_arena_printf(table->arena, "spe_device.%s.%s",
							     pmu->name, caps[i]),
					     "0x%04llx", (unsigned long long)value);
	}
}

static void add_config(struct wp_table *table, const struct wp_session_options *options)
{
	add_test_row(table, "config.count.period", "%llu",
		     (unsigned long long)options->events.count_period_ms);
	add_test_row(table, "config.count.period_max", "100");
	add_test_row(table, "config.count.period_min", "10");
}

static void add_windowsperf(struct wp_table *table, const struct wp_catalogue *catalogue,
			    struct wp_event_set *events, const struct wp_session_options *options)
{
	const struct wp_machine *machine = catalogue->machine;

	add_requests(table, events);
	add_device(table, catalogue);
	add_configuration(table, machine);
	add_counters(table, machine);
	add_schedule(table, catalogue, events);
	add_config(table, options);
	add_spe_rows(table, machine);
	add_turns(table, catalogue, events);
}

static void add_doctor(struct wp_table *table, const struct wp_findings *findings)
{
	wp_vec_each (const struct wp_finding, finding, findings) {
		const char *name = wp_arena_printf(table->arena, "doctor.%s", finding->name);

		if (finding->limit)
			add_test_row(table, name, "limited: %s. fix: %s", finding->limit,
				     finding->fix);
		else
			add_test_row(table, name, "ok");
	}
}

static struct wp_table *add_test_table(struct wp_doc *doc, enum wp_node_only only)
{
	struct wp_table *table = wp_doc_table(doc, doc->root, "Test_Results");

	doc->root->last->only = only;
	wp_table_column(table, "Test Name", WP_ALIGN_LEFT);
	wp_table_column(table, "Result", only == WP_TEXT_ONLY ? WP_ALIGN_RAGGED : WP_ALIGN_LEFT);
	return table;
}

/* Columns of the list of limits; longer texts go on in the next line, between words. */
#define LIST_WIDTH 80

static void add_wrapped(struct wp_doc *doc, const char *first, const char *text)
{
	const char *head = first;

	do {
		size_t room = LIST_WIDTH - strlen(head), n = strlen(text);

		if (n > room)
			for (n = room; n > 1 && text[n] != ' '; n--)
				;
		wp_doc_prose(doc, doc->root, "%s%.*s\n", head, (int)n, text);
		text += n + (text[n] == ' ');
		head = "       ";
	} while (*text);
}

static void add_limits(struct wp_doc *doc, const struct wp_findings *findings)
{
	size_t limits = 0;

	wp_vec_each (const struct wp_finding, finding, findings) {
		if (!finding->limit)
			continue;
		if (!limits++)
			wp_doc_prose(doc, doc->root, "Measuring is limited here:\n\n");
		add_wrapped(doc, "- ", finding->limit);
		add_wrapped(doc, "  fix: ", finding->fix);
	}
	if (!limits)
		wp_doc_prose(doc, doc->root, "Everything can be measured here.\n");
	wp_doc_prose(doc, doc->root, "\n");
}

/* In text a result that is longer goes on in the next row, behind a comma. */
#define FOLD 48

static size_t fold_at(const char *text)
{
	size_t n = strlen(text), end = 0;

	if (n <= FOLD)
		return n;
	for (size_t i = 0; i < n && (i < FOLD || !end); i++)
		if (text[i] == ',')
			end = i + 1;
	return end ? end : n;
}

static void add_folded(struct wp_table *table, const char *name, const char *text)
{
	do {
		size_t n = fold_at(text);

		add_test_row(table, name, "%.*s", (int)n, text);
		text += n;
		name = "";
	} while (*text);
}

static void add_test_text(struct wp_doc *doc, const struct wp_table *windowsperf,
			  const struct wp_findings *findings)
{
	struct wp_table *table;

	add_limits(doc, findings);
	table = add_test_table(doc, WP_TEXT_ONLY);
	wp_vec_each (const struct wp_finding, finding, findings)
		add_test_row(table, wp_arena_printf(table->arena, "doctor.%s", finding->name), "%s",
			     finding->limit ? "limited" : "ok");
	wp_vec_each (struct wp_cell *const, row, &windowsperf->rows)
		add_folded(table, row[0][0].str, row[0][1].str);
}

struct wp_doc *wp_test_doc(const struct wp_catalogue *catalogue, struct wp_event_set *events,
			   const struct wp_session_options *options)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_table *table = add_test_table(doc, WP_DATA_ONLY);
	struct wp_findings findings = {0};

	wp_doctor_look(catalogue->machine, &doc->arena, &findings);
	add_windowsperf(table, catalogue, events, options);
	add_test_text(doc, table, &findings);
	add_doctor(table, &findings);
	wp_vec_deinit(&findings);
	return doc;
}

static struct wp_err *parse_tested_events(const struct wp_session_options *options,
					  const struct wp_catalogue *catalogue,
					  struct wp_event_set *ret)
{
	if (options->events.list)
		TRY(wp_event_parse_counting(catalogue, options->events.list, ret));
	if (options->events.metrics)
		TRY(wp_event_parse_metrics(catalogue, options->events.metrics, ret));
	return NULL;
}

struct wp_err *wp_session_test(const struct wp_session_options *options, struct wp_session_io *io,
			       int *ret_exit)
{
	wp_autosetup struct wp_setup setup;
	struct wp_event_set events = {0};

	TRY(wp_setup_init(options, io, &setup));
	*ret_exit = 0;
	struct wp_err *err = parse_tested_events(options, setup.catalogue, &events);
	if (!err)
		err = wp_emit_and_free(options, io, wp_test_doc(setup.catalogue, &events, options));
	wp_event_set_deinit(&events);
	return err;
}
