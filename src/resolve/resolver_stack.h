/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolver_stack: the frames of a sample, unwound with what the resolver knows of its process.
 */
#ifndef WP_RESOLVER_STACK_H
#define WP_RESOLVER_STACK_H

#include "base/err.h"
#include "core/record.h"
#include "core/stack.h"

struct wp_resolver;

/* The frames of a SAMPLE record; at least the one at its ip. Waits for what the worker loads. */
void wp_resolver_stack(struct wp_resolver *resolver, const struct wp_record *sample,
		       struct wp_stack *ret);
/*
 * The frames as well, without waiting: false when something that was asked for is not loaded, so
 * that *ret is of no use; it is to be loaded next. The modules of all frames are among it.
 */
bool wp_resolver_try_stack(struct wp_resolver *resolver, const struct wp_record *sample,
			   struct wp_stack *ret) WP_MUST_CHECK;
/* True when the module that the sample hit is loaded; else it is to be loaded next. */
bool wp_resolver_try_sample(struct wp_resolver *resolver,
			    const struct wp_record *sample) WP_MUST_CHECK;

#endif
