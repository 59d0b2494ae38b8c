/*
 * session_man: what is known of one name: a caption per field, its text indented below. Looked up
 * among metrics, then events, as WindowsPerf does.
 */
#include "base/str.h"
#include "event/catalogue.h"
#include "event/cpu.h"
#include "event/event_listing.h"
#include "event/event_lookup.h"
#include "event/event_names.h"
#include "session/emit.h"
#include "session/machine_docs.h"
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

static void add_name(struct page *page, const char *cpu, const char *name, const char *title)
{
	wp_autofree char *line = title ? wp_asprintf("%s - %s", name, title) : wp_strdup(name);

	add_field(page, "CPU", cpu);
	add_field(page, "NAME", line);
}

/* "{a,b},c" as "a, b, c". */
static char *spaced_events(const struct wp_metric *metric)
{
	wp_autofree char *list = wp_strdup(metric->events);
	struct wp_str spaced = {0};
	char *rest = list, *word;

	while ((word = wp_event_word_next(&rest))) {
		word += *word == '{';
		wp_str_puts(&spaced, spaced.len ? ", " : "");
		wp_str_append(&spaced, word, strcspn(word, "}"));
	}
	return spaced.s ? spaced.s : wp_strdup("");
}

static void add_metric(struct page *page, const char *cpu, const struct wp_metric *metric)
{
	wp_autofree char *events = spaced_events(metric);

	add_name(page, cpu, metric->name, metric->text);
	add_field(page, "EVENTS", events);
	add_field(page, "DESCRIPTION", metric->text ? metric->text : "---");
	add_field(page, "FORMULA", "---");
	add_field(page, "UNIT", "---");
}

static void add_event(struct page *page, const char *cpu, const char *name, const char *title,
		      const char *kind, const uint64_t *index)
{
	wp_autostr struct wp_str text = {0};

	if (title)
		wp_str_printf(&text, "%s%s\n", title, wp_str_has_suffix(title, ".") ? "" : ".");
	wp_str_puts(&text, kind);
	if (index)
		wp_str_printf(&text, ", number 0x%04llx", (unsigned long long)*index);
	add_name(page, cpu, name, title);
	add_field(page, "DESCRIPTION", text.s);
}

/* Generic events are known even where there is no counter for them. */
static bool add_generic(struct page *page, const char *cpu, const char *name)
{
	const struct wp_event_name *hardware = wp_event_hardware_find(name);
	const struct wp_event_name *software = wp_event_software_find(name);
	const struct wp_event_name *found = hardware ? hardware : software;
	uint64_t config;

	if (found)
		add_event(page, cpu, name, found->description,
			  hardware ? "[hardware event]" : "[software event]", &found->config);
	else if (wp_event_cache_find(name, &config))
		add_event(page, cpu, name, wp_event_cache_text(&page->doc->arena, config),
			  "[cache event]", &config);
	else
		return false;
	return true;
}

static bool add_found(struct page *page, const struct wp_catalogue *catalogue, const char *name)
{
	const char *cpu = catalogue->machine->product ? catalogue->machine->product : "";
	const struct wp_metric *metric = wp_catalogue_metric(catalogue, name);
	wp_autolisting struct wp_event_listing listing = {0};
	const struct wp_listed_event *event;

	if (metric) {
		add_metric(page, cpu, metric);
		return true;
	}
	wp_event_listing_fill(catalogue, &listing);
	event = wp_event_listing_find(&listing, name);
	if (!event)
		return add_generic(page, cpu, name);
	add_event(page, cpu, event->name, event->text, event->kind,
		  event->has_index ? &event->index : NULL);
	return true;
}

/* `CPU/NAME`. The machine's own CPU has all its names; of others the common ones are known. */
static bool add_of_cpu(struct page *page, const struct wp_catalogue *catalogue, const char *topic)
{
	const char *slash = strchr(topic, '/'), *own = catalogue->machine->product;
	wp_autofree char *cpu = wp_strndup(topic, (size_t)(slash - topic));
	const struct wp_cpu *product = wp_catalogue_cpu(catalogue, cpu);
	const char *text = wp_event_text(slash + 1);
	wp_autostr struct wp_str known = {0};

	if (own && strcmp(cpu, own) == 0)
		return add_found(page, catalogue, slash + 1);
	if (product && text) {
		add_event(page, product->name, slash + 1, text, "[core PMU event]", NULL);
		return true;
	}
	if (product)
		return false;
	for (size_t i = 0; i < wp_cpus_n; i++)
		wp_str_printf(&known, "%s%s", i ? ", " : "", wp_cpus[i].name);
	wp_log(catalogue->log, WP_LOG_WARNING, "CPU name: \"%s\" not found, use %s.", cpu, known.s);
	return true;
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
	else if (!add_found(&page, catalogue, first) &&
		 !(strchr(first, '/') && add_of_cpu(&page, catalogue, first)))
		wp_log(catalogue->log, WP_LOG_WARNING,
		       "\"%s\" not found! Ensure it is compatible with the specified CPU", first);
	return page.doc;
}

struct wp_err *wp_session_man(const struct wp_session_options *options, struct wp_session_io *io,
			      int *ret_exit)
{
	wp_autosetup struct wp_setup setup;

	TRY(wp_setup_init(options, io, &setup));
	*ret_exit = 0;
	return wp_emit_and_free(options, io, wp_man_doc(setup.catalogue, options->man_topic));
}
