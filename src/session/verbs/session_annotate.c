/* SPDX-License-Identifier: BSD-3-Clause */
/* session_annotate: `wperf annotate`, functions of a recording as they are written. */
#include "aggregate/listing_doc.h"
#include "session/emit.h"
#include "session/live/sampling.h"
#include "session/recorded/sampling_recorded.h"
#include "session/report/empty.h"
#include "session/report/listing_bytecode.h"
#include "session/report/listing_choice.h"
#include "session/report/listing_native.h"
#include "session/report/listing_python.h"
#include "session/report/report_blocks.h"
#include "session/report/row_opener.h"
#include "session/report/source_text.h"
#include "session/verbs/machine_docs.h"

#include <stdlib.h>
#include <string.h>

/* What a row of the document needs of a native function. */
struct texts {
	struct wp_sampling *s;
	struct wp_arena arena;
};

static const char *find_source(void *arg, const char *file, uint32_t line)
{
	struct texts *texts = arg;

	return wp_source_text(texts->s, &texts->arena, file, line);
}

static struct wp_err *check_annotate_options(const struct wp_session_options *options)
{
	const char *prefix = options->report.source_prefix;

	if (prefix && (!strchr(prefix, '=') || *prefix == '='))
		return wp_err_new(
			WP_ERR_USAGE,
			"--source-prefix %s: want OLD=NEW, how paths begin and what stands "
			"there instead",
			prefix);
	if (options->report.bytecode && (options->report.blocks || options->report.dot))
		return wp_err_new(WP_ERR_USAGE,
				  "--bytecode is of Python functions, --blocks of native ones");
	if (options->report.dot && (options->output.json || options->report.csv))
		return wp_err_new(WP_ERR_USAGE, "--dot is a format of its own: it goes neither "
						"with --json nor with --csv");
	return NULL;
}

/* Native functions have none. */
static struct wp_err *list_bytecode(struct wp_sampling *s, const struct wp_listing_choice *choice,
				    struct wp_listings *ret)
{
	struct wp_decoded_codes codes = {.source = s->source};
	size_t n_python = 0;
	char *note;

	wp_code_places_sort(&s->results.places);
	wp_vec_each (struct wp_chosen, it, &choice->functions) {
		if (wp_resolver_symbol_of(s->resolver, it->symbol)->kind != WP_SYMBOL_PYTHON)
			continue;
		n_python++;
		wp_listing_bytecode(s, &codes, it->symbol, ret);
	}
	for (size_t i = 0; (note = wp_decoded_codes_note(&codes, i)); i++) {
		wp_log(s->io->log, WP_LOG_NOTE, "%s", note);
		free(note);
	}
	wp_decoded_codes_deinit(&codes);
	if (n_python)
		return NULL;
	return wp_err_new(WP_ERR_USAGE,
			  "--bytecode is of Python functions: %s%s has no sample in one",
			  s->options->report.function ? "" : "the recording",
			  s->options->report.function ? s->options->report.function : "");
}

static void list_functions(struct wp_sampling *s, const struct wp_listing_choice *choice,
			   struct wp_listings *ret)
{
	wp_vec_each (struct wp_chosen, it, &choice->functions)
		if (wp_resolver_symbol_of(s->resolver, it->symbol)->kind == WP_SYMBOL_PYTHON)
			wp_listing_python(s, it->symbol, ret);
		else
			wp_listing_native(s, it->symbol, ret);
}

static struct wp_err *emit_listings(struct wp_sampling *s, const struct wp_listings *listings)
{
	struct texts texts = {.s = s};
	struct wp_listing_report report = {
		.listings = listings,
		.events = wp_sampling_shown(s),
		.flat = &s->results.flat,
		.hottest = s->options->report.hottest,
		.lost = s->lost,
		.source = find_source,
		.source_arg = &texts,
	};
	struct wp_doc *doc = wp_listing_doc(&report);
	struct wp_row_opener opener;
	struct wp_err *err;

	wp_row_opener_init(&opener, s, &s->results);
	err = wp_emit_opening(s->options, s->io, doc, &opener.opener);
	wp_doc_free(doc);
	wp_arena_deinit(&texts.arena);
	return err;
}

static struct wp_err *annotate_recording(const struct wp_session_options *options,
					 struct wp_session_io *io)
{
	wp_autosampling struct wp_sampling s;
	wp_autolisting_choice struct wp_listing_choice choice = {.functions = {0}};
	wp_autolistings struct wp_listings listings = {.n_events = 0};
	wp_autofree char *note = NULL;

	TRY(wp_sampling_init_recorded(options, io, &s));
	TRY(wp_emit_prepare(options));
	wp_sampling_attach_results(&s);
	TRY(wp_sampling_run_recorded(&s));
	wp_empty_tell_samples(&s, s.samples_seen - s.recorded.left_out);
	wp_flat_sort(&s.results.flat);
	wp_pcs_sort(&s.results.pcs);
	wp_spots_sort(&s.results.python.spots, WP_SPOTS_BY_SELF);
	TRY(wp_listing_choice_make(&s, options->report.function, &choice));
	if (options->report.blocks || options->report.dot)
		return wp_report_blocks_of(&s, &choice);
	listings.n_events = wp_sampling_shown(&s)->events.n;
	if (options->report.bytecode)
		TRY(list_bytecode(&s, &choice, &listings));
	else
		list_functions(&s, &choice, &listings);
	note = wp_python_source_note(&s.python.source);
	if (note)
		wp_log(s.io->log, WP_LOG_NOTE, "%s", note);
	return emit_listings(&s, &listings);
}

struct wp_err *wp_session_annotate(const struct wp_session_options *options,
				   struct wp_session_io *io, int *ret_exit)
{
	struct wp_session_options with_code = *options;

	(void)ret_exit;
	with_code.tables.annotate = true; /* instructions are counted, too */
	TRY(check_annotate_options(options));
	return annotate_recording(&with_code, io);
}
