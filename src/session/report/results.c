/* SPDX-License-Identifier: BSD-3-Clause */
/* results: see results.h. */
#include "session/report/results.h"

#include "session/session.h"

struct wp_err *wp_results_check(const struct wp_session_options *options,
				const struct wp_event_set *events)
{
	const struct wp_options_report *report = &options->report;

	const char *option = options->sampling.waits ? "--waits" : "--wakers";

	if (!options->sampling.waits && !options->sampling.wakers)
		return NULL;
	if (report->sort || report->children || report->branches || report->memory)
		return wp_err_new(WP_ERR_USAGE,
				  "%s is a table beside hot functions: not with --sort (%s), "
				  "--children, --branch and --mem",
				  option,
				  options->sampling.waits ? "field:kind, field:on" : "field:waker");
	if (!wp_event_set_has_off_cpu(events))
		return wp_err_new(WP_ERR_USAGE,
				  "%s needs waits: there is no off-cpu among the events (-e "
				  "off-cpu, --wall)",
				  option);
	return NULL;
}

size_t wp_results_begin(struct wp_results *results, const struct wp_results_parts *parts,
			struct wp_sink **ret)
{
	const struct wp_session_options *options = parts->options;
	struct wp_sink **to = ret;

	results->parts = *parts;
	results->jit_hint.resolver = parts->resolver;
	results->python.by_thread = options->tables.threads;
	results->python.spots.gil_only = options->sampling.gil;
	results->python.spots.symbols = wp_resolver_symbols(parts->resolver);
	results->callgraph.set = wp_resolver_symbols(parts->resolver);
	*to++ = wp_flat_sink(&results->flat);
	*to++ = wp_jit_hint_sink(&results->jit_hint);
	*to++ = wp_python_sink(&results->python);
	if (parts->stacks)
		*to++ = wp_callgraph_sink(&results->callgraph);
	if (parts->laps)
		*to++ = wp_thread_shares_sink(&results->threads);
	if (parts->waits)
		*to++ = wp_wait_states_sink(&results->waits);
	if (parts->waits && options->sampling.waits)
		*to++ = wp_wait_kinds_sink(&results->kinds);
	if (parts->waits && options->sampling.wakers) {
		results->wakers.symbols = wp_resolver_symbols(parts->resolver);
		results->wakers.by_thread = options->tables.threads;
		*to++ = wp_waker_pairs_sink(&results->wakers, parts->stacks);
	}
	if (parts->waits && !parts->laps) {
		results->gil.events = parts->events;
		results->gil.by_thread = options->tables.threads;
		*to++ = wp_gil_waits_sink(&results->gil);
	}
	if (options->output.verbose || options->tables.annotate || options->tables.disassemble ||
	    options->output.screens)
		*to++ = wp_pcs_sink(&results->pcs);
	if (options->report.bytecode || options->output.screens)
		*to++ = wp_code_places_sink(&results->places);
	return (size_t)(to - ret);
}

void wp_results_take(struct wp_results *results, struct wp_results *ret)
{
	struct wp_sink *same[WP_RESULTS_SINKS];

	*ret = *results;
	*results = (struct wp_results){0};
	wp_results_begin(results, &ret->parts, same);
}

void wp_results_reset(struct wp_results *results)
{
	struct wp_results former;

	wp_results_take(results, &former);
	wp_results_deinit(&former);
}

static uint64_t map_bytes(const struct wp_map *map)
{
	return map->cap * sizeof(*map->slots);
}

#define VEC_BYTES(vec) ((vec)->cap * sizeof(*(vec)->v))

static uint64_t spots_bytes(const struct wp_spots *spots)
{
	uint64_t bytes = VEC_BYTES(&spots->events);

	wp_vec_each (struct wp_spots_event, event, &spots->events)
		bytes += map_bytes(&event->function_of) + map_bytes(&event->line_of) +
			 map_bytes(&event->thread_of) + VEC_BYTES(&event->functions) +
			 VEC_BYTES(&event->lines) + VEC_BYTES(&event->own) +
			 VEC_BYTES(&event->threads);
	return bytes;
}

static uint64_t thread_bytes(const struct wp_thread_shares *threads)
{
	uint64_t bytes = VEC_BYTES(&threads->events);

	wp_vec_each (struct wp_thread_shares_event, event, &threads->events)
		bytes += map_bytes(&event->by_tid) + VEC_BYTES(&event->threads);
	return bytes;
}

/* Of those that grow with what is sampled; tables of waits have a row for each kind of them. */
uint64_t wp_results_bytes(const struct wp_results *results)
{
	uint64_t bytes = sizeof(*results) + spots_bytes(&results->python.spots) +
			 thread_bytes(&results->threads) +
			 wp_callgraph_bytes(&results->callgraph.graph) +
			 VEC_BYTES(&results->pcs.pcs) + map_bytes(&results->pcs.by_hash) +
			 VEC_BYTES(&results->places.all) + map_bytes(&results->places.by_hash);

	wp_vec_each (struct wp_flat_event, event, &results->flat.events)
		bytes += VEC_BYTES(&event->sums) + VEC_BYTES(&event->rows);
	return bytes;
}

void wp_results_deinit(struct wp_results *results)
{
	wp_flat_deinit(&results->flat);
	wp_jit_hint_deinit(&results->jit_hint);
	wp_python_sink_deinit(&results->python);
	wp_callgraph_sink_deinit(&results->callgraph);
	wp_wait_states_deinit(&results->waits);
	wp_gil_waits_deinit(&results->gil);
	wp_wait_kinds_deinit(&results->kinds);
	wp_waker_pairs_deinit(&results->wakers);
	wp_idle_waits_deinit(&results->idle);
	wp_pcs_deinit(&results->pcs);
	wp_code_places_deinit(&results->places);
	wp_thread_shares_deinit(&results->threads);
}
