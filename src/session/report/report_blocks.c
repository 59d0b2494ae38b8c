/* SPDX-License-Identifier: BSD-3-Clause */
/* report_blocks: see report_blocks.h. */
#include "session/report/report_blocks.h"

#include "aggregate/blocks_doc.h"
#include "session/emit.h"
#include "session/live/sampling.h"
#include "session/report/function_flow.h"
#include "view/blocks_dot.h"

static void find_block_lines(void *arg, struct wp_blocks *blocks, struct wp_block *block)
{
	struct wp_blocks_report *report = arg;

	wp_function_flow_lines(report->find_lines_arg, &report->list->arena, blocks, block);
}

static void find_all_lines(struct wp_function_flow *flow, struct wp_blocks_list *list)
{
	wp_vec_each (struct wp_blocks, blocks, &list->functions)
		wp_vec_each (struct wp_block, block, &blocks->blocks)
			wp_function_flow_lines(flow, &list->arena, blocks, block);
}

static struct wp_blocks_report blocks_report_of(struct wp_sampling *s, struct wp_blocks_list *list)
{
	return (struct wp_blocks_report){
		.list = list,
		.events = wp_sampling_shown(s),
		.flat = &s->seen->flat,
		.hottest = s->options->report.hottest,
		.rows = s->options->tables.rows,
		.lost = s->lost,
	};
}

static struct wp_err *emit_blocks(struct wp_sampling *s, struct wp_doc *doc)
{
	struct wp_err *err = wp_emit(s->options, s->io, doc);

	wp_doc_free(doc);
	return err;
}

static bool is_native_known(const struct wp_sampling *s, uint32_t id)
{
	const struct wp_symbol *symbol = wp_resolver_symbol_of(s->resolver, id);

	return symbol->reason == WP_SYMBOL_KNOWN && symbol->kind != WP_SYMBOL_PYTHON;
}

struct wp_err *wp_report_blocks_of(struct wp_sampling *s, const struct wp_listing_choice *choice)
{
	wp_autofunction_flow struct wp_function_flow flow = {.s = s};
	wp_autoblocks_list struct wp_blocks_list list = {.n_events =
								 wp_sampling_shown(s)->events.n};
	struct wp_blocks_report report = blocks_report_of(s, &list);
	size_t native = 0;

	wp_vec_each (const struct wp_chosen, it, &choice->functions) {
		if (!is_native_known(s, it->symbol))
			continue;
		native++;
		wp_function_flow_add(&flow, it->symbol, true, &list);
	}
	if (!native)
		return wp_err_new(WP_ERR_USAGE,
				  "--blocks is of native functions: %s has no sample in one",
				  s->options->report.function ? s->options->report.function
							      : "the recording");
	find_all_lines(&flow, &list);
	if (s->options->report.dot) {
		wp_blocks_dot(&list, wp_function_flow_event(&flow), s->io->out);
		return NULL;
	}
	return emit_blocks(s, wp_blocks_doc(&report));
}

/* All native functions, each once. */
static void add_hot_functions(struct wp_function_flow *flow, struct wp_blocks_list *list)
{
	struct wp_sampling *s = flow->s;
	struct wp_map added = {0};

	for (size_t event = 0; event < s->seen->flat.events.n; event++)
		wp_vec_each (const struct wp_flat_row, row, &s->seen->flat.events.v[event].rows) {
			uint64_t *seen = wp_map_put(&added, row->symbol);

			if (!*seen && is_native_known(s, row->symbol))
				wp_function_flow_add(flow, row->symbol, false, list);
			*seen = 1;
		}
	wp_map_deinit(&added);
}

struct wp_err *wp_report_hot_blocks(struct wp_sampling *s)
{
	wp_autofunction_flow struct wp_function_flow flow = {.s = s};
	wp_autoblocks_list struct wp_blocks_list list = {.n_events =
								 wp_sampling_shown(s)->events.n};
	struct wp_blocks_report report = blocks_report_of(s, &list);
	struct wp_blocks_report with_lines = report;

	wp_flat_sort(&s->seen->flat);
	wp_pcs_sort(&s->seen->pcs);
	add_hot_functions(&flow, &list);
	with_lines.find_lines_arg = &flow;
	report.find_lines = find_block_lines;
	report.find_lines_arg = &with_lines;
	return emit_blocks(s, wp_hot_blocks_doc(&report));
}
