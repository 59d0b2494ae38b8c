/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_stacks: see sampling_stacks.h. */
#include "session/live/sampling_stacks.h"

#include "resolve/resolver_stack.h"

#include <string.h>

/* A caller's address is behind its call, which may be the last thing of a function. */
uint32_t wp_sampling_symbol(struct wp_resolver *resolver, const struct wp_record *sample,
			    struct wp_va ip, bool caller, bool kernel, struct wp_rva *ret_rva)
{
	ip.v -= caller && ip.v;
	return wp_resolver_symbol_at(resolver, sample, ip, kernel ? WP_MODE_KERNEL : WP_MODE_USER,
				     ret_rva);
}

/* Code outside of files that called the evaluation loop itself; its name may not be published yet.
 */
bool wp_sampling_is_trampoline(struct wp_resolver *resolver, const struct wp_frame *frame,
			       const struct wp_frame *inner)
{
	const struct wp_symbol *symbol;

	if (frame->kind != WP_FRAME_NATIVE || !inner || inner->kind != WP_FRAME_PYTHON)
		return false;
	symbol = wp_resolver_symbol_of(resolver, frame->symbol);
	return symbol->kind == WP_SYMBOL_JIT &&
	       (!symbol->name || strncmp(symbol->name, "py::", 4) == 0);
}

bool wp_sampling_try_stack(struct wp_resolver *resolver, struct wp_sampling_stack *stack,
			   const struct wp_record *sample)
{
	bool loaded = wp_resolver_try_sample(resolver, sample);

	if (!stack)
		return loaded;
	stack->made = wp_resolver_try_stack(resolver, sample, &stack->frames) && loaded;
	return stack->made;
}
