/* SPDX-License-Identifier: BSD-3-Clause */
/* session_list: what -e and -m take on this machine: three tables, laid out as WindowsPerf's. */
#include "event/catalogue.h"
#include "event/event_listing.h"
#include "event/event_lookup.h"
#include "session/emit.h"
#include "session/report/empty.h"
#include "session/verbs/machine_docs.h"
#include "session/setup.h"
#include "source/perf/cgroup.h"
#include "source/proc/procfs.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static struct wp_cell list_cell(struct wp_arena *arena, const char *text)
{
	return wp_cell_str(text && *text ? wp_arena_strdup(arena, text) : "---");
}

/* True when the text has the pattern's letters in a row, or all of it has the form of a glob. */
static bool matches_text(const char *text, const char *pattern)
{
	if (!pattern)
		return true;
	if (strpbrk(pattern, "*?["))
		return fnmatch(pattern, text, FNM_CASEFOLD) == 0;
	return strcasestr(text, pattern);
}

static void list_events(struct wp_doc *doc, const struct wp_catalogue *catalogue,
			const char *pattern, bool verbose)
{
	wp_autolisting struct wp_event_listing listing = {0};
	struct wp_table *table = wp_doc_table(doc, doc->root, "Predefined_Events");
	struct wp_arena *arena = &doc->arena;

	wp_table_column(table, "Alias Name", WP_ALIGN_LEFT);
	wp_table_column(table, "Raw Index", WP_ALIGN_RIGHT);
	wp_table_column(table, "Event Type", WP_ALIGN_LEFT);
	if (verbose)
		wp_table_column(table, "Description", WP_ALIGN_LEFT);
	wp_event_listing_fill(catalogue, &listing);
	wp_vec_each (struct wp_listed_event, event, &listing.events) {
		if (!matches_text(event->name, pattern) && !matches_text(event->kind, pattern))
			continue;
		const char *index = !event->has_index
					    ? ""
					    : wp_arena_printf(arena, "0x%04llx",
							      (unsigned long long)event->index);

		wp_table_add(table,
			     (struct wp_cell[]){list_cell(arena, event->name), wp_cell_str(index),
						list_cell(arena, event->kind),
						list_cell(arena, event->text)});
	}
}

static void list_metrics(struct wp_doc *doc, const struct wp_catalogue *catalogue,
			 const char *pattern, bool verbose)
{
	struct wp_table *table = wp_doc_table(doc, doc->root, "Predefined_Metrics");
	struct wp_arena *arena = &doc->arena;

	wp_table_column(table, "Metric", WP_ALIGN_LEFT);
	wp_table_column(table, "Events", WP_ALIGN_LEFT);
	if (verbose) {
		wp_table_column(table, "Formula", WP_ALIGN_LEFT);
		wp_table_column(table, "Unit", WP_ALIGN_LEFT);
		wp_table_column(table, "Description", WP_ALIGN_LEFT);
	}
	wp_vec_each (struct wp_metric, metric, &catalogue->metrics)
		if (matches_text(metric->name, pattern))
			wp_table_add(
				table,
				(struct wp_cell[]){
					list_cell(arena, metric->name),
					list_cell(arena, metric->events),
					list_cell(arena,
						  metric->of_cpu ? metric->of_cpu->formula : NULL),
					list_cell(arena,
						  metric->of_cpu ? metric->of_cpu->unit : NULL),
					list_cell(arena, metric->text)});
}

static void list_metric_groups(struct wp_doc *doc, const struct wp_catalogue *catalogue,
			       const char *pattern, bool verbose)
{
	struct wp_table *table = wp_doc_table(doc, doc->root, "Predefined_Groups_of_Metrics");
	const struct wp_cpu *cpu = catalogue->machine->has_hw_pmu ? catalogue->cpu : NULL;
	struct wp_arena *arena = &doc->arena;

	wp_table_column(table, "Group", WP_ALIGN_LEFT);
	wp_table_column(table, "Metrics", WP_ALIGN_LEFT);
	if (verbose)
		wp_table_column(table, "Description", WP_ALIGN_LEFT);
	for (size_t i = 0; cpu && i < cpu->groups_n; i++)
		if (matches_text(cpu->groups[i].name, pattern))
			wp_table_add(table,
				     (struct wp_cell[]){list_cell(arena, cpu->groups[i].name),
							list_cell(arena, cpu->groups[i].metrics),
							list_cell(arena, cpu->groups[i].title)});
}

/* Three empty tables need a word. */
static void warn_if_empty(const struct wp_doc *doc, const struct wp_catalogue *catalogue,
			  const char *pattern)
{
	if (!wp_empty_doc(doc))
		return;
	wp_autofree char *near = wp_event_suggest(catalogue, pattern);
	wp_log(catalogue->log, WP_LOG_WARNING, "nothing here has '%s' in its name%s%s%s", pattern,
	       near ? ", did you mean " : "", near ? near : "", near ? "?" : "");
}

struct wp_doc *wp_list_doc(const struct wp_catalogue *catalogue, const char *pattern, bool verbose)
{
	struct wp_doc *doc = wp_doc_new();

	wp_doc_prose(doc, doc->root, "\nList of pre-defined events (to be used in -e)\n\n");
	list_events(doc, catalogue, pattern, verbose);
	wp_doc_prose(doc, doc->root, "\nList of supported metrics (to be used in -m)\n\n");
	list_metrics(doc, catalogue, pattern, verbose);
	wp_doc_prose(doc, doc->root,
		     "\nList of supported groups of metrics (to be used in -m)\n\n");
	list_metric_groups(doc, catalogue, pattern, verbose);
	if (pattern)
		warn_if_empty(doc, catalogue, pattern);
	return doc;
}

struct wp_err *wp_session_list(const struct wp_session_options *options, struct wp_session_io *io,
			       int *ret_exit)
{
	wp_autosetup struct wp_setup setup;
	struct wp_doc *doc;

	TRY(wp_setup_init(options, io, &setup));
	doc = wp_list_doc(setup.catalogue, options->pattern, options->output.verbose);
	*ret_exit = wp_empty_doc(doc);
	return wp_emit_and_free(options, io, doc);
}

struct wp_err *wp_session_list_events(const struct wp_session_options *options,
				      struct wp_session_io *io, int *ret_exit)
{
	wp_autosetup struct wp_setup setup;
	wp_autolisting struct wp_event_listing listing = {0};

	(void)ret_exit;
	TRY(wp_setup_init(options, io, &setup));
	wp_event_listing_fill(setup.catalogue, &listing);
	/* What stands in <> is not to be typed so. */
	wp_vec_each (struct wp_listed_event, event, &listing.events)
		wp_writer_printf(io->out, "%.*s\n", (int)strcspn(event->name, "<"), event->name);
	return NULL;
}

struct wp_err *wp_session_list_metrics(const struct wp_session_options *options,
				       struct wp_session_io *io, int *ret_exit)
{
	wp_autosetup struct wp_setup setup;
	const struct wp_cpu *cpu;

	(void)ret_exit;
	TRY(wp_setup_init(options, io, &setup));
	wp_vec_each (struct wp_metric, metric, &setup.catalogue->metrics)
		wp_writer_printf(io->out, "%s\n", metric->name);
	cpu = setup.machine->has_hw_pmu ? setup.catalogue->cpu : NULL;
	for (size_t i = 0; cpu && i < cpu->groups_n; i++)
		wp_writer_printf(io->out, "%s\n", cpu->groups[i].name);
	return NULL;
}

struct wp_err *wp_session_list_cgroups(const struct wp_session_options *options,
				       struct wp_session_io *io, int *ret_exit)
{
	wp_autostr struct wp_str names = {0};

	(void)options, (void)ret_exit;
	wp_cgroups_list(&names);
	wp_writer_puts(io->out, names.s ? names.s : "");
	return NULL;
}

struct wp_err *wp_session_list_users(const struct wp_session_options *options,
				     struct wp_session_io *io, int *ret_exit)
{
	wp_autostr struct wp_str names = {0};

	(void)options, (void)ret_exit;
	wp_procfs_users(&names);
	wp_writer_puts(io->out, names.s ? names.s : "");
	return NULL;
}

struct wp_err *wp_session_list_programs(const struct wp_session_options *options,
					struct wp_session_io *io, int *ret_exit)
{
	wp_autostr struct wp_str names = {0};

	(void)options, (void)ret_exit;
	wp_procfs_programs(&names);
	wp_writer_puts(io->out, names.s ? names.s : "");
	return NULL;
}
