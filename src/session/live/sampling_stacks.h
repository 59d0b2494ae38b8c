/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_stacks: unwinds stacks ahead of their samples, and names the frames' addresses. */
#ifndef WP_SAMPLING_STACKS_H
#define WP_SAMPLING_STACKS_H

#include "core/sample.h"
#include "resolve/resolver.h"

/* The unwound stack of the sample at hand. */
struct wp_sampling_stack {
	bool made; /* frames are those of the sample that is taken next */
	struct wp_stack frames;
};

/*
 * True when all modules that a SAMPLE record needs are loaded, so that it can be taken without
 * waiting; what is missing is loaded next. Its stack is unwound then, unless that is NULL.
 */
bool wp_sampling_try_stack(struct wp_resolver *resolver, struct wp_sampling_stack *stack,
			   const struct wp_record *sample);
/*
 * The symbol of a frame and, in *ret_rva, its place in the module (of the kernel, its address); of
 * a caller, ip is its return address.
 */
uint32_t wp_sampling_symbol(struct wp_resolver *resolver, const struct wp_record *sample,
			    struct wp_va ip, bool caller, bool kernel, struct wp_rva *ret_rva);
/*
 * Is a frame, whose callee is `inner` (NULL: none), CPython's code for one function (-X perf)? It
 * says what the Python frame next to it says, and is shown only where all of the interpreter is.
 */
bool wp_sampling_is_trampoline(struct wp_resolver *resolver, const struct wp_frame *frame,
			       const struct wp_frame *inner);

#endif
