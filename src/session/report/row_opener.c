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

static const char *source_of_row(void *arg, const char *file, uint32_t line)
{
	struct wp_row_opener *opener = arg;

	return wp_source_text(opener->s, &opener->arena, file, line);
}

static void list_row_bytecode(struct wp_sampling *s, uint32_t symbol, struct wp_listings *ret)
{
	struct wp_decoded_codes codes = {.source = s->source};
	char *note;

	wp_listing_bytecode(s, &codes, symbol, ret);
	for (size_t i = 0; (note = wp_decoded_codes_note(&codes, i)); i++) {
		wp_log(s->io->log, WP_LOG_NOTE, "%s", note);
		free(note);
	}
	wp_decoded_codes_deinit(&codes);
}

static void list_row(struct wp_sampling *s, uint32_t symbol, struct wp_listings *ret)
{
	ret->n_events = wp_sampling_shown(s)->events.n;
	if (wp_resolver_symbol_of(s->resolver, symbol)->kind != WP_SYMBOL_PYTHON) {
		wp_listing_native(s, symbol, ret);
		return;
	}
	wp_listing_python(s, symbol, ret);
	if (s->source)
		list_row_bytecode(s, symbol, ret);
}

static void add_calls(const struct wp_row_opener *opener, uint32_t symbol, struct wp_doc *doc)
{
	const struct wp_event_set *events = wp_sampling_shown(opener->s);

	for (uint32_t i = 0; opener->callgraph && i < events->events.n; i++) {
		struct wp_calltree tree;

		wp_calltree_init(&tree, opener->callgraph->graph, i, &opener->callgraph->names);
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

static struct wp_err *open_function(void *arg, const struct wp_subject *subject,
				    struct wp_doc **ret)
{
	struct wp_row_opener *opener = arg;
	struct wp_sampling *s = opener->s;
	struct wp_listings *listings;
	struct wp_log_kept kept = {.lines = {0}};
	const struct wp_log *log = s->io->log;

	if (!wp_resolver_symbol_of(s->resolver, subject->symbol)->name)
		return wp_err_new(WP_ERR_NOT_FOUND, "what has no name cannot be shown");
	s->io->log = wp_log_keep(&kept);
	listings = wp_calloc(1, sizeof(*listings));
	wp_vec_push(&opener->listed, listings);
	list_row(s, subject->symbol, listings);
	struct wp_listing_report report = {
		.listings = listings,
		.events = wp_sampling_shown(s),
		.flat = &s->results.flat,
		.source = source_of_row,
		.source_arg = opener,
	};

	*ret = wp_listing_doc(&report);
	s->io->log = log;
	add_log(&kept, *ret);
	add_calls(opener, subject->symbol, *ret);
	return NULL;
}

void wp_row_opener_init(struct wp_row_opener *opener, struct wp_sampling *s,
			const struct wp_callgraph_report *callgraph)
{
	*opener = (struct wp_row_opener){
		.opener = {.open = open_function, .arg = opener},
		.s = s,
		.callgraph = callgraph,
	};
	wp_code_places_sort(&s->results.places);
}

void wp_row_opener_deinit(struct wp_row_opener *opener)
{
	wp_vec_each (struct wp_listings *, it, &opener->listed) {
		wp_listings_deinit(*it);
		free(*it);
	}
	wp_vec_deinit(&opener->listed);
	wp_arena_deinit(&opener->arena);
}
