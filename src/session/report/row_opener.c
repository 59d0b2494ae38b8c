/* SPDX-License-Identifier: BSD-3-Clause */
/* row_opener: see row_opener.h. */
#include "session/report/row_opener.h"

#include "aggregate/function_calls.h"
#include "aggregate/listing_doc.h"
#include "session/live/sampling.h"
#include "session/report/listing_bytecode.h"
#include "session/report/listing_native.h"
#include "session/report/listing_python.h"
#include "session/report/source_text.h"

#include <stdlib.h>

/* Texts of source lines go to the arena. */
struct asked {
	struct wp_sampling *s;
	struct wp_arena *arena;
};

static const char *source_of_row(void *arg, const char *file, uint32_t line)
{
	const struct asked *asked = arg;

	return wp_source_text(asked->s, asked->arena, file, line);
}

static void list_row_bytecode(struct wp_sampling *s, uint32_t symbol, struct wp_listings *ret)
{
	struct wp_decoded_codes codes = {.source = s->way->is_recording ? s->source : NULL};
	char *note;

	if (!s->way->is_recording)
		codes.live = &s->python.feed.bytecodes;
	wp_listing_bytecode(s, &codes, symbol, ret);
	for (size_t i = 0; (note = wp_decoded_codes_note(&codes, i)); i++) {
		wp_log(s->io->log, WP_LOG_NOTE, "%s", note);
		free(note);
	}
	wp_decoded_codes_deinit(&codes);
}

static void list_row(struct wp_sampling *s, uint32_t symbol, struct wp_listings *ret)
{
	if (wp_resolver_symbol_of(s->resolver, symbol)->kind != WP_SYMBOL_PYTHON) {
		wp_listing_native(s, symbol, ret);
		return;
	}
	wp_listing_python(s, symbol, ret);
	if (s->source)
		list_row_bytecode(s, symbol, ret);
}

static void add_calls(struct wp_sampling *s, uint32_t symbol, struct wp_doc *doc)
{
	const struct wp_event_set *events = wp_sampling_shown(s);
	struct wp_callgraph_report report;
	bool has_stacks = wp_sampling_callgraph(s, &report);

	for (uint32_t i = 0; has_stacks && i < events->events.n; i++) {
		struct wp_calltree tree;

		wp_calltree_init(&tree, report.graph, i, &report.names);
		wp_function_calls_doc(doc, doc->root, &tree, symbol, events->events.v[i].name);
		wp_calltree_deinit(&tree);
	}
}

/* What would go to standard error is in the document: nothing else may write on screens. */
static void add_log(struct wp_log_kept *kept, struct wp_doc *doc)
{
	wp_vec_each (struct wp_log_line, line, &kept->lines)
		wp_doc_prose(doc, doc->root, "note: %s\n", line->text);
	wp_log_tell(kept, NULL);
}

static struct wp_doc *list_function(struct wp_sampling *s, uint32_t symbol)
{
	struct wp_listings listings = {.n_events = wp_sampling_shown(s)->events.n};
	struct asked asked = {.s = s, .arena = &listings.arena};
	struct wp_listing_report report = {
		.listings = &listings,
		.events = wp_sampling_shown(s),
		.flat = &s->seen->flat,
		.source = source_of_row,
		.source_arg = &asked,
	};
	struct wp_doc *doc;

	list_row(s, symbol, &listings);
	doc = wp_listing_doc(&report);
	wp_arena_adopt(&doc->arena, &listings.arena); /* its cells point there */
	wp_listings_deinit(&listings);
	return doc;
}

static struct wp_err *open_function(void *arg, const struct wp_subject *subject,
				    struct wp_doc **ret)
{
	const struct wp_row_opener *opener = arg;
	struct wp_sampling *s = opener->s;
	struct wp_results *seen = s->seen;
	struct wp_log_kept kept = {.lines = {0}};
	const struct wp_log *log = s->io->log;

	if (!wp_resolver_symbol_of(s->resolver, subject->symbol)->name)
		return wp_err_new(WP_ERR_NOT_FOUND, "what has no name cannot be shown");
	s->io->log = wp_log_keep(&kept);
	s->seen = opener->results;
	*ret = list_function(s, subject->symbol);
	add_log(&kept, *ret);
	add_calls(s, subject->symbol, *ret);
	s->seen = seen;
	s->io->log = log;
	return NULL;
}

static struct wp_err *make_more(void *arg, enum wp_screen_more what, struct wp_doc **ret,
				const struct wp_screen_opener **ret_opener)
{
	const struct wp_row_opener *opener = arg;
	const struct wp_sampling_more *more = &opener->s->more;

	return more->make(more->arg, what, ret, ret_opener);
}

void wp_row_opener_init(struct wp_row_opener *opener, struct wp_sampling *s,
			struct wp_results *results)
{
	*opener = (struct wp_row_opener){
		.opener = {.open = open_function, .arg = opener},
		.s = s,
		.results = results,
	};
	if (s->more.make)
		opener->opener.more = make_more;
	wp_code_places_sort(&results->places);
}
