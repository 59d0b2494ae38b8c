/* SPDX-License-Identifier: BSD-3-Clause */
/* results: see results.h. */
#include "session/report/results.h"

#include "base/clock.h"
#include "session/live/sampling.h"
#include "session/progress.h"

#include <string.h>

void wp_results_attach(struct wp_sampling *s)
{
	const struct wp_session_options *options = s->options;
	struct wp_results *results = &s->results;

	results->jit_hint.resolver = s->resolver;
	results->python.by_thread = options->tables.threads;
	results->python.spots.gil_only = options->sampling.gil;
	results->python.spots.symbols = wp_resolver_symbols(s->resolver);
	results->callgraph.set = wp_resolver_symbols(s->resolver);
	wp_sampling_attach(s, wp_flat_sink(&results->flat));
	wp_sampling_attach(s, wp_jit_hint_sink(&results->jit_hint));
	wp_sampling_attach(s, wp_python_sink(&results->python));
	if (s->stack)
		wp_sampling_attach(s, wp_callgraph_sink(&results->callgraph));
	if (options->output.verbose || options->tables.annotate || options->tables.disassemble)
		wp_sampling_attach(s, wp_pcs_sink(&results->pcs));
}

void wp_results_deinit(struct wp_results *results)
{
	wp_flat_deinit(&results->flat);
	wp_jit_hint_deinit(&results->jit_hint);
	wp_python_sink_deinit(&results->python);
	wp_callgraph_sink_deinit(&results->callgraph);
	wp_pcs_deinit(&results->pcs);
}

static void expand_place(struct wp_sampling *s, uint32_t number)
{
	struct wp_callgraph *graph = &s->results.callgraph.graph;
	const struct wp_callgraph_place *place = &graph->places.v[number];
	const struct wp_symbol *symbol =
		&wp_resolver_symbols(s->resolver)->symbols.v[place->symbol];
	uint32_t inlined[WP_RESOLVER_INLINES];
	size_t n;

	if (!place->rva.v || symbol->kind != WP_SYMBOL_NATIVE || symbol->module == WP_NO_MODULE)
		return;
	n = wp_resolver_inlined(s->resolver, symbol->module, place->rva, inlined);
	wp_callgraph_set_inlined(graph, number, inlined, n);
}

void wp_results_expand_inlines(struct wp_sampling *s)
{
	const struct wp_callgraph *graph = &s->results.callgraph.graph;
	struct wp_progress_share share;

	wp_progress_share_begin(&share, s->io->terminal, "finding inlined functions",
				wp_clock_now_ns());
	for (uint32_t i = 0; i < graph->places.n; i++) {
		expand_place(s, i);
		wp_progress_share_tick(&share, wp_clock_now_ns(), i + 1, graph->places.n);
	}
	wp_progress_share_end(&share);
}

static const char *stacks_from(const struct wp_sampling *s)
{
	if (s->way->is_recording)
		return "recording";
	return s->stack_mode.stacks ? wp_stack_mode_name(s->stack_mode.stacks)
				    : s->setup.world->ops->name;
}

bool wp_results_callgraph(struct wp_sampling *s, struct wp_callgraph_report *ret)
{
	const struct wp_callgraph_sink *sink = &s->results.callgraph;

	*ret = (struct wp_callgraph_report){
		.graph = &sink->graph,
		.mode = stacks_from(s),
		.names =
			{
				.symbols = wp_resolver_symbols(s->resolver),
				.main_module = s->image.module,
				.raw = s->options->tables.long_names,
			},
		.rows = s->options->tables.rows,
		.by_self = s->options->tables.sort_by &&
			   strcmp(s->options->tables.sort_by, "self") == 0,
		.symbol_filter = s->options->tables.symbol_filter,
		.python = s->python.feed.met,
		.unbound = sink->unbound,
		.missing = sink->missing,
	};
	return sink->sink.ops;
}

static const char *source_line(void *arg, const char *file, uint32_t line)
{
	struct wp_sampling *s = arg;
	const struct wp_world *world = s->setup.world;

	return world->ops->text ? world->ops->text(world, file, line)
				: wp_python_source_line(&s->python.source, file, line);
}

static enum wp_spots_by sorted_by(const struct wp_session_options *options)
{
	if (!options->tables.sort_by)
		return WP_SPOTS_BY_DEFAULT;
	return strcmp(options->tables.sort_by, "total") == 0 ? WP_SPOTS_BY_TOTAL : WP_SPOTS_BY_SELF;
}

bool wp_results_python(struct wp_sampling *s, struct wp_python_report *ret)
{
	const struct wp_session_options *options = s->options;
	struct wp_python_sink *sink = &s->results.python;

	if (!s->python.feed.met)
		return false;
	wp_spots_sort(&sink->spots, sorted_by(options));
	*ret = (struct wp_python_report){
		.transport = s->way->is_recording ? s->recorded.transport
						  : wp_python_mode_name(s->python.feed.mode.way),
		.spots = &sink->spots,
		.symbols = wp_resolver_symbols(s->resolver),
		.counts = sink->counts,
		.threads = options->tables.threads ? &s->python.threads : NULL,
		.rows = options->tables.rows,
		.text_rows =
			options->tables.rows_given ? options->tables.rows : WP_PYTHON_TEXT_ROWS,
		.native_first = options->tables.native_first,
		.symbol_filter = options->tables.symbol_filter,
		.source = source_line,
		.source_arg = s,
	};
	ret->counts.samples += ret->counts.lost + ret->counts.early;
	ret->counts.unresolved = s->python.feed.unresolved;
	ret->counts.codes_refused = s->python.feed.codes.refused;
	return true;
}
