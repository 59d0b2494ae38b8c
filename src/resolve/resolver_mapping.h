/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolver_mapping: what is mapped where in a process, for whoever unwinds its stacks or shows its
 * modules to the walker in the kernel.
 *
 * A look-up answers, or says "later" when the worker is not done with the module; who has the time
 * lets it wait (WP_IMAGE_WAIT), and is never told so.
 */
#ifndef WP_RESOLVER_MAPPING_H
#define WP_RESOLVER_MAPPING_H

#include "resolve/jit/jit.h"
#include "resolve/symbols/image.h"

struct wp_resolver;

enum wp_resolver_answer {
	WP_RESOLVER_NONE, /* there is no such thing */
	WP_RESOLVER_FOUND,
	WP_RESOLVER_LATER,
};

/* What is mapped at the address of a process. *ret is set when it is found. */
enum wp_resolver_answer wp_resolver_mapping(struct wp_resolver *resolver, uint32_t pid,
					    struct wp_va va, enum wp_image_patience patience,
					    struct wp_image_mapping *ret);
/* The unwind rules of an image. *ret is set when they are found. */
enum wp_resolver_answer wp_resolver_rows(struct wp_resolver *resolver, struct wp_image *image,
					 enum wp_image_patience patience,
					 const struct wp_unwind_rows **ret);
/*
 * How to unwind the process's JIT code at the address at that time (CLOCK_MONOTONIC), as far as its
 * compiler told; NULL if it did not.
 */
const struct wp_unwind_rule *wp_resolver_jit_rule(struct wp_resolver *resolver, uint32_t pid,
						  struct wp_va va, uint64_t time_ns);
/*
 * How to leave code that nothing else describes (unwind_exit.h); NULL: nothing tells, or the
 * process runs no more.
 */
const struct wp_unwind_rule *wp_resolver_exit_rule(struct wp_resolver *resolver, uint32_t pid,
						   struct wp_va va, bool exact);
/* The process's JIT code, or that of the process it was forked from; NULL: none is known. */
struct wp_jit *wp_resolver_jit(struct wp_resolver *resolver, uint32_t pid);
/* The image that is this module; NULL for the kernel's and JIT code. */
struct wp_image *wp_resolver_module(struct wp_resolver *resolver, uint32_t module);

#endif
