/* sampling_stacks: see sampling_stacks.h. */
#include "session/live/sampling_stacks.h"

#include "resolve/resolver_place.h"
#include "resolve/unwind/unwind.h"

#include <string.h>

/* A caller's address is behind its call, which may be the last thing of a function. */
uint32_t wp_sampling_symbol(struct wp_sampling *s, const struct wp_record *sample, struct wp_va ip,
			    bool caller, bool kernel, struct wp_rva *ret_rva)
{
	ip.v -= caller && ip.v;
	return wp_resolver_symbol_at(s->resolver, sample, ip,
				     kernel ? WP_MODE_KERNEL : WP_MODE_USER, ret_rva);
}

/* Code outside of files that called the evaluation loop itself; its name may not be published yet.
 */
bool wp_sampling_is_trampoline(struct wp_sampling *s, const struct wp_frame *frame,
			       const struct wp_frame *inner)
{
	const struct wp_symbol *symbol;

	if (s->options->interpreter_frames || frame->kind != WP_FRAME_NATIVE || !inner ||
	    inner->kind != WP_FRAME_PYTHON)
		return false;
	symbol = &wp_resolver_symbols(s->resolver)->symbols.v[frame->symbol];
	return symbol->kind == WP_SYMBOL_JIT &&
	       (!symbol->name || strncmp(symbol->name, "py::", 4) == 0);
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
