/* SPDX-License-Identifier: BSD-3-Clause */
/* function_flow: see function_flow.h. */
#include "session/report/function_flow.h"

#include "base/bytes.h"
#include "resolve/flow/code_flow.h"
#include "resolve/flow/no_return.h"
#include "session/live/sampling.h"
#include "session/report/function_code.h"

#include <stdlib.h>
#include <string.h>

static size_t read_flow_bytes(void *arg, uint64_t rva, void *ret, size_t n)
{
	const struct wp_function_flow *flow = arg;
	const struct wp_world *world = flow->s->setup.world;

	return flow->code ? wp_elf_code_read(flow->code, (struct wp_rva){rva}, ret, n)
			  : world->ops->code(world, flow->path, (struct wp_rva){rva}, ret, n);
}

static bool read_flow_pointer(void *arg, uint64_t rva, uint64_t *ret)
{
	const struct wp_function_flow *flow = arg;
	uint8_t bytes[8];

	if (flow->code)
		return wp_elf_code_pointer(flow->code, (struct wp_rva){rva}, ret);
	if (read_flow_bytes(arg, rva, bytes, sizeof(bytes)) != sizeof(bytes))
		return false;
	*ret = wp_u64_at(bytes);
	return true;
}

static bool is_no_return(void *arg, uint64_t rva)
{
	const struct wp_function_flow *flow = arg;
	uint32_t id = wp_resolver_symbol_in(flow->s->resolver, flow->module, (struct wp_rva){rva});
	const struct wp_symbol *symbol = wp_resolver_symbol_of(flow->s->resolver, id);

	return symbol->name && symbol->start.v == rva && wp_no_return_name(symbol->name);
}

/* The file of a module's code, which stays open. */
static struct wp_err *find_code_file(struct wp_function_flow *flow, const struct wp_symbol *symbol)
{
	size_t slot = symbol->module % WP_FUNCTION_FLOW_FILES;

	flow->code = NULL;
	if (flow->s->setup.world->ops->code)
		return NULL;
	if (symbol->kind == WP_SYMBOL_KERNEL || symbol->kind == WP_SYMBOL_JIT)
		return wp_err_new(WP_ERR_UNSUPPORTED, "its code is in no file that is read");
	if (flow->files[slot].module != symbol->module + 1) {
		wp_elf_code_close(flow->files[slot].code);
		flow->files[slot].code = NULL;
		flow->files[slot].module = 0;
		TRY(wp_elf_code_open(wp_resolver_file(flow->s->resolver, symbol->module),
				     flow->path, &flow->files[slot].code));
		flow->files[slot].module = symbol->module + 1;
	}
	flow->code = flow->files[slot].code;
	return NULL;
}

static struct wp_err *find_function_flow(struct wp_function_flow *flow,
					 const struct wp_symbol *symbol, struct wp_flow_graph *ret)
{
	size_t want = symbol->size <= WP_CODE_FLOW_MOST ? symbol->size : WP_CODE_FLOW_MOST + 1;
	wp_autofree uint8_t *bytes = wp_calloc(want + 1, 1);
	struct wp_code_flow_of of = {
		.start = symbol->start.v,
		.bytes = bytes,
		.read = read_flow_bytes,
		.pointer = read_flow_pointer,
		.no_return = is_no_return,
		.arg = flow,
	};

	TRY(find_code_file(flow, symbol));
	of.arch = flow->code ? wp_elf_code_arch(flow->code) : flow->s->setup.world->machine->arch;
	of.n = read_flow_bytes(flow, symbol->start.v, bytes, want);
	if (!of.n)
		return wp_err_new(WP_ERR_NOT_FOUND, "its file has none there");
	return wp_code_flow(&of, ret);
}

static void count_block_samples(struct wp_function_flow *flow, uint32_t symbol,
				struct wp_blocks_list *list, struct wp_blocks *blocks)
{
	for (uint32_t event = 0; event < list->n_events; event++) {
		size_t n;
		const struct wp_pc *pcs = wp_pcs_of(&flow->s->seen->pcs, event, symbol, &n);

		for (size_t i = 0; i < n; i++)
			wp_blocks_count(blocks, pcs[i].rva.v, event, pcs[i].samples);
	}
}

uint32_t wp_function_flow_event(const struct wp_function_flow *flow)
{
	for (uint32_t i = 0; i < flow->s->seen->flat.events.n; i++)
		if (flow->s->seen->flat.events.v[i].samples)
			return i;
	return 0;
}

bool wp_function_flow_add(struct wp_function_flow *flow, uint32_t id, bool tells,
			  struct wp_blocks_list *list)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(flow->s->resolver);
	const struct wp_symbol symbol = set->symbols.v[id]; /* naming targets moves the set */
	wp_autoflow_graph struct wp_flow_graph graph = {.blocks = {0}};
	wp_autoerr struct wp_err *err = NULL;
	struct wp_blocks *blocks;

	if (symbol.module == WP_NO_MODULE)
		return false;
	flow->module = symbol.module;
	flow->path = set->modules.v[symbol.module].path;
	err = find_function_flow(flow, &symbol, &graph);
	if (err || !graph.blocks.n) {
		if (tells)
			wp_log(flow->s->io->log, WP_LOG_NOTE, "no blocks of %s: %s", symbol.name,
			       err ? err->text : "its size is not known");
		return false;
	}
	set = wp_resolver_symbols(flow->s->resolver);
	blocks = wp_blocks_add(list, symbol.name, set->modules.v[symbol.module].name, &graph);
	blocks->module_id = symbol.module;
	count_block_samples(flow, id, list, blocks);
	wp_blocks_finish(list, blocks, wp_function_flow_event(flow));
	return true;
}

/* How many of the places are of each file: the file that most are of. */
static const char *most_frequent_file(const struct wp_resolver_place *places, size_t n)
{
	const char *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < n && most < n - i; i++) {
		size_t same = 0;

		for (size_t k = i; places[i].line.file && k < n; k++)
			same += places[k].line.file &&
				strcmp(places[k].line.file, places[i].line.file) == 0;
		if (same > most) {
			most = same;
			best = places[i].line.file;
		}
	}
	return best;
}

#define MOST_PLACES 256 /* instructions of a block that are asked */

void wp_function_flow_lines(struct wp_function_flow *flow, struct wp_arena *arena,
			    const struct wp_blocks *blocks, struct wp_block *block)
{
	size_t n = block->instructions < MOST_PLACES ? block->instructions : MOST_PLACES;
	struct wp_resolver_place places[MOST_PLACES];
	struct wp_rva rvas[MOST_PLACES] = {{0}};
	const char *file;

	if (block->file)
		return;
	for (size_t i = 0; i < n; i++)
		rvas[i].v = blocks->instructions.v[block->first_instruction + i];
	wp_function_code_places(flow->s, blocks->module_id, rvas, n, places);
	file = most_frequent_file(places, n);
	if (!file)
		return;
	for (size_t i = 0; i < n; i++) {
		uint32_t line = places[i].line.line;

		if (!line || !places[i].line.file || strcmp(places[i].line.file, file) != 0)
			continue;
		if (!block->line || line < block->line)
			block->line = line;
		if (line > block->last_line)
			block->last_line = line;
	}
	block->file = block->line ? wp_arena_strdup(arena, file) : NULL;
}

void wp_function_flow_deinit(struct wp_function_flow *flow)
{
	for (size_t i = 0; i < WP_FUNCTION_FLOW_FILES; i++)
		wp_elf_code_close(flow->files[i].code);
}
