/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sinks of a report make of samples: functions, stacks, Python code, instructions. */
#include "aggregate/callgraph_sink.h"
#include "aggregate/flat.h"
#include "aggregate/pcs.h"
#include "aggregate/python_sink.h"
#include "aggregate/thread_shares.h"

#include "check.h"

static const struct wp_record record = {
	.kind = WP_RECORD_SAMPLE,
	.pid = 4,
	.tid = 5,
	.sample = {.event = 1, .ip = {0x7010}, .period = 100},
};

/* f called from kernel code of a Python function: what a run with -g makes. */
static const struct wp_frame frames[] = {
	{.kind = WP_FRAME_KERNEL, .symbol = 1, .ip = {0xf000}, .rva = {0xf000}},
	{.kind = WP_FRAME_NATIVE, .symbol = 2, .ip = {0x7010}, .rva = {0x10}},
	{.kind = WP_FRAME_PYTHON, .symbol = 3, .line = 12},
	{.kind = WP_FRAME_NATIVE, .symbol = 4, .is_trampoline = true, .rva = {0x99}},
	{.kind = WP_FRAME_NATIVE, .symbol = 2, .is_caller = true, .rva = {0x20}},
};
static const struct wp_spot_frame python[] = {{3, 12}};

static struct wp_sample make_sample(void)
{
	return (struct wp_sample){
		.record = &record,
		.symbol = 1,
		.rva = {0xf000},
		.has_stack = true,
		.frames = frames,
		.n = 5,
		.n_kernel = 1,
		.unbound = 2,
		.missing = 1,
		.python = python,
		.n_python = 1,
		.word = WP_PYTHON_WALKED,
		.thread = WP_PYTHON_THREAD_ID(0, WP_PYTHON_COMPLETE) | WP_PYTHON_GIL_KNOWN |
			  WP_PYTHON_GIL_HELD,
	};
}

static void test_flat_and_pcs(void)
{
	struct wp_sample sample = make_sample();
	struct wp_flat flat = {0};
	struct wp_pcs pcs = {0};
	struct wp_sink *sinks[] = {wp_flat_sink(&flat), wp_pcs_sink(&pcs)};
	size_t n;

	CHECK_U64(sinks[0]->wants, 0);
	CHECK_U64(sinks[1]->wants, WP_SAMPLE_RVA);
	for (size_t i = 0; i < 2; i++)
		sinks[i]->ops->sample(sinks[i], &sample);
	wp_flat_sort(&flat);
	CHECK_U64(flat.events.n, 2);
	CHECK(flat.events.v[1].rows.n == 1 && flat.events.v[1].rows.v[0].symbol == 1);
	CHECK_U64(flat.events.v[1].weight, 100);
	wp_pcs_sort(&pcs);
	const struct wp_pc *pc = wp_pcs_of(&pcs, 1, 1, &n);
	CHECK(n == 1 && pc->rva.v == 0xf000 && pc->va.v == 0x7010);
	wp_flat_deinit(&flat);
	wp_pcs_deinit(&pcs);
}

/*
 * The trampoline is left out; only native code of files is told apart by address, and only if asked
 * for.
 */
static void test_callgraph(void)
{
	struct wp_symbol symbols[5] = {[2] = {.kind = WP_SYMBOL_NATIVE, .module = 0}};
	struct wp_module module = {.name = "m"};
	const struct wp_symbol_set set = {.symbols = {.v = symbols, .n = 5},
					  .modules = {.v = &module, .n = 1}};

	for (int run = 0; run < 5; run++) {
		bool by_address = run == 1;
		struct wp_callgraph_sink own = {.set = run ? &set : NULL};
		struct wp_sink *sink = wp_callgraph_sink(&own);
		struct wp_sample sample = make_sample();

		CHECK_U64(sink->wants, WP_SAMPLE_STACK);
		sink->ops->sample(sink, &sample);
		sink->ops->sample(sink, &sample);
		CHECK_U64(own.graph.places.n, by_address ? 4 : 3);
		CHECK_U64(own.graph.places.v[0].rva.v, 0);
		CHECK_U64(own.graph.places.v[1].rva.v, by_address ? 0x10 : 0);
		CHECK_U64(own.graph.events.v[1].nodes.n, 5); /* the root, and 4 of each stack */
		CHECK_U64(own.graph.ends[WP_STACK_COMPLETE], 2);
		CHECK_U64(own.unbound, 4);
		CHECK_U64(own.missing, 2);
		wp_callgraph_sink_deinit(&own);
		if (run == 1)
			symbols[2].kind = WP_SYMBOL_JIT;
		if (run == 2)
			symbols[2] = (struct wp_symbol){.kind = WP_SYMBOL_NATIVE,
							.module = WP_NO_MODULE};
		if (run == 3)
			symbols[2].module = 0;
		module.lacks_lines = run == 3;
	}
}

static void test_python(void)
{
	struct wp_python_sink own = {.by_thread = true};
	struct wp_sink *sink = wp_python_sink(&own);
	struct wp_sample sample = make_sample();

	sink->ops->sample(sink, &sample);
	sample.n_python = 0;
	sample.thread = WP_PYTHON_THREAD_ID(0, WP_PYTHON_ENDS + 7u) | WP_PYTHON_TASKS_CUT;
	sink->ops->sample(sink, &sample);
	sample.word = WP_PYTHON_EARLY;
	sink->ops->sample(sink, &sample);
	sample.word = WP_PYTHON_LOST;
	sink->ops->sample(sink, &sample);
	sample.word = WP_PYTHON_NO_WORD;
	sink->ops->sample(sink, &sample);
	CHECK_U64(own.counts.samples, 2);
	CHECK_U64(own.counts.with_frames, 1);
	CHECK_U64(own.counts.ends[WP_PYTHON_COMPLETE], 1);
	CHECK_U64(own.counts.ends[WP_PYTHON_NO_THREAD], 1);
	CHECK_U64(own.counts.tasks_cut, 1);
	CHECK_U64(own.counts.early, 1);
	CHECK_U64(own.counts.lost, 1);
	CHECK_U64(own.spots.events.v[1].samples, 5);
	CHECK_U64(own.spots.events.v[1].python, 1);
	CHECK_U64(own.spots.events.v[1].threads.v[0].thread, 5);
	CHECK_U64(own.spots.events.v[1].threads.v[0].gil_held, 1);
	wp_python_sink_deinit(&own);
}

/* By weight, not by number; the GIL's share is of the samples that know of it. */
static void test_threads(void)
{
	struct wp_thread_shares own = {0};
	struct wp_sink *sink = wp_thread_shares_sink(&own);
	struct wp_sample sample = make_sample();
	struct wp_record other = record;
	const struct wp_thread_share *first;

	CHECK_U64(sink->wants, 0);
	sink->ops->sample(sink, &sample);
	sample.thread = WP_PYTHON_GIL_KNOWN;
	sink->ops->sample(sink, &sample);
	sample.thread = sample.n_python = 0;
	sink->ops->sample(sink, &sample);
	other.tid = 6;
	other.sample.period = 1000;
	sample.record = &other;
	sink->ops->sample(sink, &sample);
	wp_thread_shares_sort(&own);
	CHECK_U64(own.events.n, 2);
	CHECK_U64(own.events.v[0].threads.n, 0);
	CHECK_U64(own.events.v[1].threads.n, 2);
	CHECK_U64(own.events.v[1].weight, 1300);
	first = own.events.v[1].threads.v;
	CHECK_U64(first[0].tid, 6);
	CHECK_U64(first[0].gil_known, 0);
	CHECK_U64(first[1].pid, 4);
	CHECK_U64(first[1].tid, 5);
	CHECK_U64(first[1].samples, 3);
	CHECK_U64(first[1].python, 2);
	CHECK_U64(first[1].gil_known, 2);
	CHECK_U64(first[1].gil_held, 1);
	wp_thread_shares_deinit(&own);
}

int main(void)
{
	RUN(test_flat_and_pcs);
	RUN(test_callgraph);
	RUN(test_python);
	RUN(test_threads);
	return check_done();
}
