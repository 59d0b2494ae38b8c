/* sampling_stacks: see sampling_stacks.h. */
#include "session/sampling_stacks.h"

#include "resolve/resolver_place.h"
#include "resolve/unwind.h"

#include <string.h>

/* A caller's address is behind its call, which may be the last thing of a function. */
uint32_t wp_sampling_symbol(struct wp_sampling *s, const struct wp_record *sample, struct wp_va ip,
			    bool caller, bool kernel, struct wp_rva *ret_rva)
{
	ip.v -= caller && ip.v;
	return wp_resolver_symbol_at(s->resolver, sample, ip,
				     kernel ? WP_MODE_KERNEL : WP_MODE_USER, ret_rva);
}

static uint32_t place_of(struct wp_sampling *s, const struct wp_record *sample, struct wp_va ip,
			 bool caller, bool kernel)
{
	struct wp_rva rva;
	uint32_t symbol = wp_sampling_symbol(s, sample, ip, caller, kernel, &rva);

	if (!s->expands_inlines || kernel)
		rva.v = 0;
	return wp_callgraph_place(&s->graph, symbol, rva);
}

/* The modules that the frames are in. */
static void place_frames(struct wp_sampling *s, const struct wp_record *sample)
{
	const struct wp_stack *stack = &s->stack->frames;
	struct wp_resolver_place place;

	for (size_t i = 0; i < stack->n_user; i++)
		wp_resolver_place(s->resolver, sample->pid,
				  (struct wp_va){stack->frames[stack->n_kernel + i].ip.v - (i > 0)},
				  &place);
}

bool wp_sampling_try_stack(struct wp_sampling *s, const struct wp_record *sample)
{
	bool loaded;

	wp_resolver_try(s->resolver, WP_RESOLVER_HURRY);
	wp_resolver_rva(s->resolver, sample);
	if (s->stack) {
		wp_resolver_stack(s->resolver, sample, &s->stack->frames);
		place_frames(s, sample);
	}
	loaded = wp_resolver_tried(s->resolver);
	if (s->stack)
		s->stack->made = loaded;
	return loaded;
}

void wp_sampling_add_stack(struct wp_sampling *s, const struct wp_record *sample)
{
	struct wp_stack *stack = &s->stack->frames;
	uint32_t *places = s->stack->places;
	size_t n;

	if (!s->stack->made)
		wp_resolver_stack(s->resolver, sample, stack);
	s->stack->made = false;
	wp_walk_feed_sample(&s->walk_feed, sample, stack);
	n = stack->n_kernel + stack->n_user;
	for (size_t i = 0; i < n; i++)
		places[i] = place_of(s, sample, stack->frames[i].ip, i > 0 && i != stack->n_kernel,
				     i < stack->n_kernel);
	wp_sampling_weave(s, sample, stack, places);
}

void wp_sampling_expand_inlines(struct wp_sampling *s)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);

	for (uint32_t i = 0; i < s->graph.places.n; i++) {
		const struct wp_callgraph_place *place = &s->graph.places.v[i];
		const struct wp_symbol *symbol = &set->symbols.v[place->symbol];
		uint32_t inlined[WP_RESOLVER_INLINES];
		size_t n;

		if (!place->rva.v || symbol->kind != WP_SYMBOL_NATIVE ||
		    symbol->module == WP_NO_MODULE)
			continue;
		n = wp_resolver_inlined(s->resolver, symbol->module, place->rva, inlined);
		wp_callgraph_set_inlined(&s->graph, i, inlined, n);
	}
}

static const char *mode_name(const struct wp_sampling *s)
{
	if (s->recorded.on)
		return "recording";
	return s->setup.replay ? "replay" : wp_stack_mode_name(s->stack_mode.stacks);
}

struct wp_callgraph_report wp_sampling_callgraph(struct wp_sampling *s)
{
	return (struct wp_callgraph_report){
		.graph = &s->graph,
		.mode = mode_name(s),
		.names =
			{
				.symbols = wp_resolver_symbols(s->resolver),
				.main_module = s->image.module,
				.raw = s->options->display_long,
			},
		.rows = s->options->display_rows,
		.by_self = s->options->sort_by && strcmp(s->options->sort_by, "self") == 0,
		.symbol_filter = s->options->symbol_filter,
		.python = s->python.feed.met,
		.unbound = s->python.unbound,
		.missing = s->python.missing,
	};
}
