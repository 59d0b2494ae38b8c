/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops, dominators and the hottest path of graphs that are drawn by hand. */
#include "check.h"

#include "aggregate/block_dominators.h"
#include "aggregate/blocks.h"
#include "base/str.h"
#include "view/blocks_dot.h"

/* "0>1,2 1>2 2>": blocks are four bytes long. */
static struct wp_flow_graph draw_graph(const char *edges)
{
	struct wp_flow_graph graph = {.blocks = {0}};

	while (*edges) {
		struct wp_flow_block block = {
			.start = 0x1000 + 4 * graph.blocks.n,
			.size = 4,
			.first_instruction = (uint32_t)graph.instructions.n,
			.instructions = 1,
			.reached = *edges != '?',
			.first = (uint32_t)graph.edges.n,
		};

		edges = strchr(edges, '>') + 1;
		while (*edges && *edges != ' ') {
			struct wp_flow_edge edge = {(uint32_t)strtoul(edges, (char **)&edges, 10),
						    WP_EDGE_JUMP};

			edge.kind = edge.to == graph.blocks.n + 1 ? WP_EDGE_NEXT : WP_EDGE_JUMP;
			wp_vec_push(&graph.edges, edge);
			block.n_to++;
			edges += *edges == ',';
		}
		edges += *edges == ' ';
		wp_vec_push(&graph.instructions, block.start);
		wp_vec_push(&graph.blocks, block);
	}
	return graph;
}

/* "1d1n2:9 2d2n1:7 path 0 1 2 irreducible 0": loops by header, depth, blocks and samples. */
static void check_loops(const char *edges, const uint64_t *samples, const char *want)
{
	wp_autoflow_graph struct wp_flow_graph graph = draw_graph(edges);
	wp_autoblocks_list struct wp_blocks_list list = {.n_events = 1};
	struct wp_blocks *blocks = wp_blocks_add(&list, "f", NULL, &graph);
	wp_autostr struct wp_str text = {0};

	for (size_t i = 0; i < graph.blocks.n; i++)
		wp_blocks_count(blocks, 0x1000 + 4 * i + 2, 0, samples[i]);
	wp_blocks_finish(&list, blocks, 0);
	wp_vec_each (const struct wp_block_loop, loop, &blocks->loops)
		wp_str_printf(&text, "%ud%un%u:%u ", loop->header, loop->depth, loop->blocks,
			      (unsigned int)loop->samples[0]);
	wp_str_puts(&text, "path");
	wp_vec_each (const uint32_t, it, &blocks->path)
		wp_str_printf(&text, " %u", *it);
	wp_str_printf(&text, ":%u irreducible %u", (unsigned int)blocks->path_samples[0],
		      blocks->irreducible);
	CHECK_STR(text.s, want);
}

static void test_loops(void)
{
	const uint64_t n[] = {1, 2, 30, 4, 5, 6, 7, 8, 9};

	check_loops("0>", n, "path 0:1 irreducible 0");
	check_loops("0>0", n, "0d1n1:1 path 0:1 irreducible 0");
	/* one in another, and a way out of both */
	check_loops("0>1 1>2 2>2,3 3>1,4 4>", n,
		    "1d1n3:36 2d2n1:30 path 0 1 2 3 4:42 irreducible 0");
	/* two ways back to one header are one loop; two loops side by side */
	check_loops("0>1 1>2,3 2>1 3>1,4 4>5 5>4,6 6>", n,
		    "1d1n3:36 4d1n2:11 path 0 1 2:33 irreducible 0");
	/* three deep, which end together */
	check_loops("0>1 1>2 2>3 3>3,2,1,4 4>", n,
		    "1d1n3:36 2d2n2:34 3d3n1:4 path 0 1 2 3 4:42 irreducible 0");
	/* two entries: no natural loop */
	check_loops("0>1,2 1>2 2>1,3 3>", n, "path 0 2 3:35 irreducible 1");
	/* what is not reached leads into the middle of a loop, which it does not spoil */
	check_loops("0>1 1>2 2>1,3 3> ?4>2 ?5>5", n,
		    "1d1n2:32 5d1n1:6 path 0 1 2 3:37 irreducible 0");
}

/* The way goes where most samples are dominated, also past blocks that have none. */
static void test_path(void)
{
	const uint64_t n[] = {0, 5, 0, 4, 4, 0};

	check_loops("0>1,2 1>5 2>3 3>4 4>5 5>", n, "path 0 2 3 4 5:8 irreducible 0");
}

/* Dominance by its definition: without a, nothing leads from the entry to b. */
static bool leads_around(const struct wp_blocks *blocks, uint32_t a, uint32_t b)
{
	bool seen[64] = {false};
	uint32_t todo[64], n = 0;

	if (a == 0)
		return false;
	todo[n++] = 0;
	seen[0] = true;
	while (n) {
		const struct wp_block *from = &blocks->blocks.v[todo[--n]];

		for (uint32_t i = 0; i < from->n_to; i++) {
			uint32_t to = blocks->edges.v[from->first + i].to;

			if (to == a || seen[to])
				continue;
			seen[to] = true;
			todo[n++] = to;
		}
	}
	return seen[b];
}

static bool agree_on_dominators(const struct wp_blocks *blocks)
{
	wp_autodominators struct wp_dominators d;
	bool ok = true;

	wp_dominators_find(blocks, &d);
	for (uint32_t a = 0; a < blocks->blocks.n; a++)
		for (uint32_t b = 0; b < blocks->blocks.n; b++)
			ok &= wp_dominates(&d, a, b) == (a == b || !leads_around(blocks, a, b));
	return ok;
}

/* Every block is reached by the one before; the rest is as it comes. */
static void test_random_graphs(void)
{
	uint32_t seed = 1;
	size_t right = 0;

	for (int round = 0; round < 500; round++) {
		wp_autostr struct wp_str text = {0};
		wp_autoblocks_list struct wp_blocks_list list = {.n_events = 1};
		unsigned int n = 2 + (unsigned int)round % 22;

		for (unsigned int i = 0; i < n; i++) {
			wp_str_printf(&text, "%s%u>", i ? " " : "", i);
			if (i + 1 < n)
				wp_str_printf(&text, "%u", i + 1);
			for (int k = 0; k < 2; k++) {
				seed = seed * 1664525 + 1013904223;
				if (seed >> 30)
					wp_str_printf(&text, ",%u", (seed >> 8) % n);
			}
		}
		wp_autoflow_graph struct wp_flow_graph graph = draw_graph(text.s);
		struct wp_blocks *blocks = wp_blocks_add(&list, "f", NULL, &graph);

		right += agree_on_dominators(blocks);
		wp_blocks_finish(&list, blocks, 0);
	}
	CHECK_U64(right, 500);
}

static void test_dot(void)
{
	wp_autoflow_graph struct wp_flow_graph graph = draw_graph("0>1 1>0,1");
	wp_autoblocks_list struct wp_blocks_list list = {.n_events = 1};
	struct wp_blocks *blocks = wp_blocks_add(&list, "a\"\\\n", "m", &graph);
	wp_autostr struct wp_str text = {0};
	struct wp_writer *out = wp_writer_of_str(&text);

	wp_blocks_count(blocks, 0x1004, 0, 3);
	wp_blocks_finish(&list, blocks, 0);
	wp_blocks_dot(&list, 0, out);
	CHECK_OK(wp_writer_close(out));
	CHECK(strstr(text.s, "label=\"a\\\"\\\\? (m)\";"));
	CHECK(strstr(text.s, "f0_b0 -> f0_b1 [penwidth=3];"));
	CHECK(strstr(text.s, "100.00 %, 3 samples\\l\", fillcolor=\"0.05 1.000 1.0\"];"));
}

int main(void)
{
	RUN(test_loops);
	RUN(test_path);
	RUN(test_random_graphs);
	RUN(test_dot);
	return check_done();
}
