/* session_list: what -e and -m take on this machine: three tables, laid out as WindowsPerf's. */
#include "event/catalogue.h"
#include "event/event_listing.h"
#include "session/emit.h"
#include "session/machine_docs.h"
#include "session/setup.h"

#include <stdlib.h>

static const char *or_dashes(struct wp_doc *doc, const char *text)
{
	return text ? wp_arena_strdup(&doc->arena, text) : "---";
}

static void add_events(struct wp_doc *doc, const struct wp_catalogue *catalogue, bool verbose)
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
		const char *index = !event->has_index
					    ? ""
					    : wp_arena_printf(arena, "0x%04llx",
							      (unsigned long long)event->index);

		wp_table_add(table,
			     (struct wp_cell[]){wp_cell_str(wp_arena_strdup(arena, event->name)),
						wp_cell_str(index),
						wp_cell_str(wp_arena_strdup(arena, event->kind)),
						wp_cell_str(or_dashes(doc, event->text))});
	}
}

static void add_metrics(struct wp_doc *doc, const struct wp_catalogue *catalogue, bool verbose)
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
		wp_table_add(table,
			     (struct wp_cell[]){wp_cell_str(wp_arena_strdup(arena, metric->name)),
						wp_cell_str(wp_arena_strdup(arena, metric->events)),
						wp_cell_str("---"), wp_cell_str("---"),
						wp_cell_str(or_dashes(doc, metric->text))});
}

/* No CPU's groups are known yet: the table is there, empty. */
static void add_groups(struct wp_doc *doc, bool verbose)
{
	struct wp_table *table = wp_doc_table(doc, doc->root, "Predefined_Groups_of_Metrics");

	wp_table_column(table, "Group", WP_ALIGN_LEFT);
	wp_table_column(table, "Metrics", WP_ALIGN_LEFT);
	if (verbose)
		wp_table_column(table, "Description", WP_ALIGN_LEFT);
}

struct wp_doc *wp_list_doc(const struct wp_catalogue *catalogue, bool verbose)
{
	struct wp_doc *doc = wp_doc_new();

	wp_doc_prose(doc, doc->root, "\nList of pre-defined events (to be used in -e)\n\n");
	add_events(doc, catalogue, verbose);
	wp_doc_prose(doc, doc->root, "\nList of supported metrics (to be used in -m)\n\n");
	add_metrics(doc, catalogue, verbose);
	wp_doc_prose(doc, doc->root,
		     "\nList of supported groups of metrics (to be used in -m)\n\n");
	add_groups(doc, verbose);
	return doc;
}

struct wp_err *wp_session_list(const struct wp_session_options *options, struct wp_session_io *io,
			       int *ret_exit)
{
	wp_autosetup struct wp_setup setup;

	TRY(wp_setup_init(options, io, &setup));
	*ret_exit = 0;
	return wp_emit_and_free(options, io, wp_list_doc(setup.catalogue, options->verbose));
}
