/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_code_flow: basic blocks of any code, and what is made of them. The first byte chooses the
 * machine and how much of the rest is the function: tables may stand behind it.
 */
#include "aggregate/blocks.h"
#include "base/bytes.h"
#include "base/str.h"
#include "resolve/flow/code_flow.h"
#include "view/blocks_dot.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define START	   0x1000
#define CODE_BYTES 4096

struct code {
	const uint8_t *bytes;
	size_t n;
};

static size_t read_fuzzed(void *arg, uint64_t rva, void *ret, size_t n)
{
	const struct code *code = arg;

	if (rva < START || rva - START >= code->n)
		return 0;
	if (n > code->n - (rva - START))
		n = code->n - (rva - START);
	memcpy(ret, code->bytes + (rva - START), n);
	return n;
}

static bool read_fuzzed_pointer(void *arg, uint64_t rva, uint64_t *ret)
{
	uint8_t bytes[8];

	if (read_fuzzed(arg, rva, bytes, 8) != 8)
		return false;
	*ret = wp_u64_at(bytes);
	return true;
}

static void require(bool ok)
{
	if (!ok)
		abort();
}

/* Blocks lie in the function in order, have instructions, and edges between blocks. */
static void check_graph(const struct wp_flow_graph *graph, size_t n)
{
	size_t instructions = 0;

	for (size_t i = 0; i < graph->blocks.n; i++) {
		const struct wp_flow_block *block = &graph->blocks.v[i];

		require(!i || block->start > graph->blocks.v[i - 1].start);
		require(block->start - START + block->size <= n && block->size);
		require(block->instructions && block->first_instruction == instructions);
		require(block->first + (size_t)block->n_to <= graph->edges.n);
		require(block->end != WP_BLOCK_RETURN || !block->n_to);
		instructions += block->instructions;
	}
	require(instructions == graph->instructions.n);
	wp_vec_each (const struct wp_flow_edge, edge, &graph->edges)
		require(edge->to < graph->blocks.n);
	require(!graph->blocks.n || graph->blocks.v[0].reached);
}

/* A loop is around its header and smaller than the one around it. */
static void check_blocks(const struct wp_blocks *blocks, uint64_t samples)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < blocks->loops.n; i++) {
		const struct wp_block_loop *loop = &blocks->loops.v[i];

		require(loop->header < blocks->blocks.n && loop->depth && loop->blocks);
		require(loop->parent == WP_NO_LOOP || loop->parent < i);
		require(loop->samples[0] <= samples);
		require(blocks->blocks.v[loop->header].loop == i);
	}
	wp_vec_each (const struct wp_block, block, &blocks->blocks)
		sum += block->samples[0];
	require(sum <= samples); /* some may be before the first instruction */
	require(blocks->path.n <= blocks->blocks.n);
}

static void use_graph(const struct wp_flow_graph *graph, size_t n)
{
	wp_autoblocks_list struct wp_blocks_list list = {.n_events = 1};
	struct wp_blocks *blocks = wp_blocks_add(&list, "f", "m", graph);
	wp_autostr struct wp_str text = {0};
	struct wp_writer *out = wp_writer_of_str(&text);

	for (size_t i = 0; i < n; i += 3)
		wp_blocks_count(blocks, START + i, 0, 1);
	wp_blocks_finish(&list, blocks, 0);
	check_blocks(blocks, (n + 2) / 3);
	wp_blocks_dot(&list, 0, out);
	wp_err_free(wp_writer_close(out));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct code code = {data + 1, size - 1};
	struct wp_code_flow_of of = {
		.start = START,
		.bytes = data + 1,
		.read = read_fuzzed,
		.pointer = read_fuzzed_pointer,
		.arg = &code,
	};
	wp_autoflow_graph struct wp_flow_graph graph = {.blocks = {0}};

	if (!size || size > CODE_BYTES)
		return 0;
	of.arch = data[0] & 1 ? "aarch64" : "x86_64";
	of.n = code.n * (1 + (data[0] >> 1)) / 128;
	wp_err_free(wp_code_flow(&of, &graph));
	check_graph(&graph, of.n);
	use_graph(&graph, of.n);
	return 0;
}
