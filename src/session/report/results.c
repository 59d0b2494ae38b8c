/* SPDX-License-Identifier: BSD-3-Clause */
/* results: see results.h. */
#include "session/report/results.h"

#include "session/session.h"

size_t wp_results_begin(struct wp_results *results, const struct wp_session_options *options,
			struct wp_resolver *resolver, const struct wp_event_set *events,
			bool stacks, bool waits, struct wp_sink **ret)
{
	struct wp_sink **to = ret;

	results->jit_hint.resolver = resolver;
	results->python.by_thread = options->tables.threads;
	results->python.spots.gil_only = options->sampling.gil;
	results->python.spots.symbols = wp_resolver_symbols(resolver);
	results->callgraph.set = wp_resolver_symbols(resolver);
	*to++ = wp_flat_sink(&results->flat);
	*to++ = wp_jit_hint_sink(&results->jit_hint);
	*to++ = wp_python_sink(&results->python);
	if (stacks)
		*to++ = wp_callgraph_sink(&results->callgraph);
	if (waits) {
		*to++ = wp_wait_states_sink(&results->waits);
		results->gil.events = events;
		results->gil.by_thread = options->tables.threads;
		*to++ = wp_gil_waits_sink(&results->gil);
	}
	if (options->output.verbose || options->tables.annotate || options->tables.disassemble)
		*to++ = wp_pcs_sink(&results->pcs);
	if (options->report.bytecode)
		*to++ = wp_code_places_sink(&results->places);
	return (size_t)(to - ret);
}

void wp_results_deinit(struct wp_results *results)
{
	wp_flat_deinit(&results->flat);
	wp_jit_hint_deinit(&results->jit_hint);
	wp_python_sink_deinit(&results->python);
	wp_callgraph_sink_deinit(&results->callgraph);
	wp_wait_states_deinit(&results->waits);
	wp_gil_waits_deinit(&results->gil);
	wp_pcs_deinit(&results->pcs);
	wp_code_places_deinit(&results->places);
}
