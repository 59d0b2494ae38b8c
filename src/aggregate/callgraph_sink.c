/* SPDX-License-Identifier: BSD-3-Clause */
/* callgraph_sink: see callgraph_sink.h. */
#include "aggregate/callgraph_sink.h"

#include <stdlib.h>

/*
 * The kernel's functions are not told apart further, nor is code of which nothing says what was
 * inlined: of files without DWARF, and outside of files, where a JIT compiler's has more addresses
 * than a graph has room for.
 */
static bool may_have_inlined(const struct wp_callgraph_sink *own, const struct wp_frame *frame)
{
	const struct wp_symbol *symbol = &own->set->symbols.v[frame->symbol];

	return frame->kind == WP_FRAME_NATIVE && symbol->kind == WP_SYMBOL_NATIVE &&
	       symbol->module != WP_NO_MODULE && !own->set->modules.v[symbol->module].lacks_lines;
}

static struct wp_rva rva_of(const struct wp_callgraph_sink *own, const struct wp_frame *frame)
{
	bool tells = own->set && may_have_inlined(own, frame);

	return tells ? frame->rva : (struct wp_rva){0};
}

static void graph_sample(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_callgraph_sink *own = (struct wp_callgraph_sink *)sink;
	const struct wp_record *record = sample->record;

	own->places.n = 0;
	for (size_t i = 0; i < sample->n; i++) {
		const struct wp_frame *frame = &sample->frames[i];

		if (!frame->is_trampoline)
			wp_vec_push(&own->places, wp_callgraph_place(&own->graph, frame->symbol,
								     rva_of(own, frame)));
	}
	own->unbound += sample->unbound;
	own->missing += sample->missing;
	wp_callgraph_add(&own->graph, record->sample.event, own->places.v, own->places.n,
			 record->sample.period, sample->end);
}

struct wp_sink *wp_callgraph_sink(struct wp_callgraph_sink *sink)
{
	static const struct wp_sink_ops ops = {.sample = graph_sample};

	sink->sink = (struct wp_sink){.ops = &ops, .wants = WP_SAMPLE_STACK};
	return &sink->sink;
}

void wp_callgraph_sink_deinit(struct wp_callgraph_sink *sink)
{
	wp_callgraph_deinit(&sink->graph);
	wp_vec_deinit(&sink->places);
}
