/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session_man: what is known of one name: a caption per field, its text indented below. Looked up
 * among metrics, then events, then groups of metrics, as WindowsPerf does; with CPU/ in front in
 * the table of that CPU, whatever this machine is.
 */
#include "base/str.h"
#include "event/catalogue.h"
#include "event/cpu.h"
#include "event/event_listing.h"
#include "event/event_lookup.h"
#include "event/event_names.h"
#include "event/event_spe.h"
#include "event/pfm_events.h"
#include "session/emit.h"
#include "session/report/empty.h"
#include "session/verbs/machine_docs.h"
#include "session/setup.h"

#include <stdlib.h>
#include <string.h>

#define INDENT 4
#define WIDTH  77

/* One paragraph, wrapped at the last blank at or before WIDTH; a longer word stays whole. */
static void put_paragraph(struct wp_str *out, const char *text, size_t len)
{
	do {
		size_t cut = len;

		if (len > WIDTH) {
			for (cut = WIDTH; cut > 0 && text[cut] != ' ';)
				cut--;
			for (cut = cut ? cut : WIDTH; cut < len && text[cut] != ' ';)
				cut++;
		}
		wp_str_pad(out, ' ', INDENT);
		wp_str_append(out, text, cut);
		wp_str_putc(out, '\n');
		cut += cut < len;
		text += cut;
		len -= cut;
	} while (len);
}

static void put_wrapped(struct wp_str *out, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		put_paragraph(out, text, len);
		text += len + (text[len] == '\n');
	}
}

/* A manual page while it is made. */
struct page {
	struct wp_doc *doc;
	struct wp_table *table;
};

static void add_field(struct page *page, const char *caption, const char *text)
{
	wp_autostr struct wp_str wrapped = {0};

	put_wrapped(&wrapped, *text ? text : "---");
	wp_doc_prose(page->doc, page->doc->root, "%s\n%s", caption, wrapped.s);
	wp_table_add(page->table,
		     (struct wp_cell[]){wp_cell_str(caption),
					wp_cell_str(wp_arena_strdup(&page->doc->arena, text))});
}

static void add_name_fields(struct page *page, const char *cpu, const char *name, const char *title)
{
	wp_autofree char *line = title ? wp_asprintf("%s - %s", name, title) : wp_strdup(name);

	add_field(page, "CPU", cpu);
	add_field(page, "NAME", line);
}

/* "{a,b},c" as "a, b, c". */
static char *spaced_list(const char *list)
{
	wp_autofree char *copy = wp_strdup(list);
	struct wp_str spaced = {0};
	char *rest = copy, *word;

	while ((word = wp_event_word_next(&rest))) {
		word += *word == '{';
		wp_str_puts(&spaced, spaced.len ? ", " : "");
		wp_str_append(&spaced, word, strcspn(word, "}"));
	}
	return spaced.s ? spaced.s : wp_strdup("");
}

/* Fields of a metric; formula and unit are of_cpu's, which may be NULL. */
static void add_metric_page(struct page *page, const char *cpu, const char *name, const char *list,
			    const char *title, const struct wp_cpu_metric *of_cpu)
{
	wp_autofree char *events = spaced_list(list);
	const char *text = of_cpu && of_cpu->text ? of_cpu->text : title;

	add_name_fields(page, cpu, name, title);
	add_field(page, "EVENTS", events);
	add_field(page, "DESCRIPTION", text ? text : "---");
	add_field(page, "FORMULA", of_cpu ? of_cpu->formula : "---");
	add_field(page, "UNIT", of_cpu && *of_cpu->unit ? of_cpu->unit : "---");
}

static void add_group_page(struct page *page, const char *cpu, const struct wp_cpu_group *group)
{
	wp_autofree char *metrics = spaced_list(group->metrics);
	const char *text = group->text ? group->text : group->title;

	add_name_fields(page, cpu, group->name, group->title);
	add_field(page, "DESCRIPTION", text ? text : "---");
	add_field(page, "METRICS", metrics);
}

/* long_text says more than the title, or is NULL. */
static void add_event_page(struct page *page, const char *cpu, const char *name, const char *title,
			   const char *long_text, const char *kind, const uint64_t *index)
{
	wp_autostr struct wp_str text = {0};
	const char *sentence = long_text ? long_text : title;

	if (sentence)
		wp_str_printf(&text, "%s%s\n", sentence,
			      wp_str_has_suffix(sentence, ".") ? "" : ".");
	wp_str_puts(&text, kind);
	if (index)
		wp_str_printf(&text, ", number 0x%04llx", (unsigned long long)*index);
	add_name_fields(page, cpu, name, title);
	add_field(page, "DESCRIPTION", text.s);
}

/* Generic events are known even where there is no counter for them. */
static bool add_generic_page(struct page *page, const char *cpu, const char *name)
{
	const struct wp_event_name *hardware = wp_event_hardware_find(name);
	const struct wp_event_name *software = wp_event_software_find(name);
	const struct wp_event_name *found = hardware ? hardware : software;
	uint64_t config;

	if (found)
		add_event_page(page, cpu, name, found->description, NULL,
			       hardware ? "[hardware event]" : "[software event]", &found->config);
	else if (wp_event_cache_find(name, &config))
		add_event_page(page, cpu, name, wp_event_cache_text(&page->doc->arena, config),
			       NULL, "[cache event]", &config);
	else
		return false;
	return true;
}

/* A name of a CPU's table. */
static bool add_known(struct page *page, const struct wp_cpu *cpu, const char *name)
{
	const struct wp_cpu_metric *metric = wp_cpu_metric_find(cpu, name);
	const struct wp_cpu_event *event = metric ? NULL : wp_cpu_event_find(cpu, name);
	const struct wp_cpu_group *group = event ? NULL : wp_cpu_group_find(cpu, name);

	if (metric)
		add_metric_page(page, cpu->name, metric->name, metric->events, metric->title,
				metric);
	else if (event)
		add_event_page(page, cpu->name, event->name, event->title, event->text,
			       "[core PMU event]", &event->config);
	else if (group)
		add_group_page(page, cpu->name, group);
	return metric || event || group;
}

/* libpfm4 knows the CPU's events also where there is no counter for them. */
static bool add_pfm_page(struct page *page, const struct wp_catalogue *catalogue, const char *cpu,
			 const char *name)
{
	struct wp_pfm_event event;

	if (!wp_catalogue_is_host(catalogue) || !wp_pfm_find(&page->doc->arena, name, &event))
		return false;
	add_event_page(page, cpu, event.name, event.text, NULL, "[core PMU event]", &event.config);
	return true;
}

/* SPE is explained wherever it is asked for; its filters are this machine's where it has it. */
static bool add_spe_page(struct page *page, const struct wp_catalogue *catalogue, const char *topic)
{
	const struct wp_machine *machine = catalogue->machine;
	wp_autofree char *name = wp_strndup(topic, strcspn(topic, "/"));
	const struct wp_machine_pmu *pmu = wp_machine_pmu_find(machine, name);
	wp_autostr struct wp_str filters = {0};

	if (strcmp(name, "arm_spe") != 0 && !wp_str_has_prefix(name, "arm_spe_"))
		return false;
	wp_event_spe_filters(pmu ? pmu : wp_event_spe_pmu(machine), &filters);
	add_name_fields(page, machine->product ? machine->product : "", name,
			"Arm Statistical Profiling Extension");
	add_field(page, "DESCRIPTION", wp_event_spe_description);
	add_field(page, "HERE",
		  pmu		     ? wp_event_spe_version(machine)
		  : machine->spe_why ? machine->spe_why
				     : "not implemented");
	add_field(page, "FILTERS", filters.s ? filters.s : "");
	add_field(page, "PACKETS", wp_event_spe_packets);
	return true;
}

/* A name of this machine: with what -C, -E and sysfs add to the CPU's table. */
static bool add_page_of_name(struct page *page, const struct wp_catalogue *catalogue,
			     const char *name)
{
	const struct wp_cpu *own = catalogue->cpu;
	const char *product = catalogue->machine->product;
	const char *cpu = own ? own->name : product ? product : "";
	const struct wp_metric *metric = wp_catalogue_metric(catalogue, name);
	wp_autolisting struct wp_event_listing listing = {0};
	const struct wp_cpu_event *known = own ? wp_cpu_event_find(own, name) : NULL;
	const struct wp_listed_event *event;

	if (metric) {
		add_metric_page(page, cpu, metric->name, metric->events, metric->text,
				metric->of_cpu);
		return true;
	}
	wp_event_listing_fill(catalogue, &listing);
	event = wp_event_listing_find(&listing, name);
	if (!event)
		return (own && add_known(page, own, name)) || add_generic_page(page, cpu, name) ||
		       add_pfm_page(page, catalogue, cpu, name);
	add_event_page(page, cpu, event->name, event->text, known ? known->text : NULL, event->kind,
		       event->has_index ? &event->index : NULL);
	return true;
}

static void warn_no_cpu(const struct wp_catalogue *catalogue, const char *cpu)
{
	wp_autostr struct wp_str known = {0};

	for (size_t i = 0; i < wp_cpus_n; i++)
		wp_str_printf(&known, "%s%s", i ? ", " : "", wp_cpus[i].name);
	wp_log(catalogue->log, WP_LOG_WARNING, "CPU name: \"%s\" not found, use %s.", cpu, known.s);
}

/* What it may have been meant to be: a name of that CPU, or the same one of another. */
static void warn_no_name(const struct wp_catalogue *catalogue, const struct wp_cpu *cpu,
			 const char *name)
{
	wp_autofree char *near = cpu ? wp_cpu_suggest(cpu, name) : NULL;

	for (size_t i = 0; !near && i < wp_cpus_n; i++)
		if (wp_cpu_metric_find(&wp_cpus[i], name) || wp_cpu_event_find(&wp_cpus[i], name) ||
		    wp_cpu_group_find(&wp_cpus[i], name))
			near = wp_asprintf("%s/%s", wp_cpus[i].name, name);
	wp_log(catalogue->log, WP_LOG_WARNING,
	       "\"%s\" not found! Ensure it is compatible with the specified CPU%s%s%s", name,
	       near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

/* Whatever was asked for: NAME or CPU/NAME. */
static void add_topic(struct page *page, const struct wp_catalogue *catalogue, const char *topic)
{
	const char *slash = strchr(topic, '/'), *name = topic;
	const struct wp_cpu *cpu = catalogue->cpu;

	if (add_spe_page(page, catalogue, topic) || add_page_of_name(page, catalogue, topic))
		return;
	if (slash) {
		wp_autofree char *wanted = wp_strndup(topic, (size_t)(slash - topic));

		name = slash + 1;
		cpu = wp_catalogue_cpu(catalogue, wanted);
		if (!cpu) {
			warn_no_cpu(catalogue, wanted);
			return;
		}
		if (cpu == catalogue->cpu ? add_page_of_name(page, catalogue, name)
					  : add_known(page, cpu, name))
			return;
	}
	warn_no_name(catalogue, cpu, name);
}

struct wp_doc *wp_man_doc(const struct wp_catalogue *catalogue, const char *topic)
{
	struct page page = {.doc = wp_doc_new()};
	wp_autofree char *copy = wp_strdup(topic ? topic : "");
	char *rest = copy, *first = wp_event_word_next(&rest);

	page.table = wp_doc_table(page.doc, page.doc->root, "Manual_Results");
	page.doc->root->last->only = WP_DATA_ONLY;
	wp_table_column(page.table, "Field Type", WP_ALIGN_LEFT);
	wp_table_column(page.table, "Result", WP_ALIGN_LEFT);
	if (!*first)
		wp_log(catalogue->log, WP_LOG_WARNING,
		       "no argument(s) specified, specify an event, metric, or group of metrics to "
		       "obtain relevant, manual style, information.");
	else
		add_topic(&page, catalogue, first);
	return page.doc;
}

struct wp_err *wp_session_man(const struct wp_session_options *options, struct wp_session_io *io,
			      int *ret_exit)
{
	wp_autosetup struct wp_setup setup;
	struct wp_doc *doc;

	TRY(wp_setup_init(options, io, &setup));
	doc = wp_man_doc(setup.catalogue, options->man_topic);
	*ret_exit = wp_empty_doc(doc);
	return wp_emit_and_free(options, io, doc);
}
