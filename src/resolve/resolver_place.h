/*
 * resolver_place: what is mapped where in a process, for the unwinder next door.
 */
#ifndef WP_RESOLVER_PLACE_H
#define WP_RESOLVER_PLACE_H

#include "resolve/symbols/image.h"
#include "resolve/jit/jit.h"
#include "resolve/resolver.h"

struct wp_resolver_place {
	struct wp_image *image; /* opened */
	uint64_t delta;		/* run-time address minus linked address */
	struct wp_va start;	/* of the mapping */
	uint64_t len;
};

/* False where nothing is mapped. */
bool wp_resolver_place(struct wp_resolver *resolver, uint32_t pid, struct wp_va va,
		       struct wp_resolver_place *ret);
/*
 * How to unwind the process's JIT code at the address at that time (CLOCK_MONOTONIC), as far as its
 * compiler told; NULL if it did not.
 */
const struct wp_unwind_rule *wp_resolver_jit_rule(struct wp_resolver *resolver, uint32_t pid,
						  struct wp_va va, uint64_t time_ns);
/* How to leave code that nothing else describes (unwind_exit.h); NULL: nothing tells, or it runs no
 * more. */
const struct wp_unwind_rule *wp_resolver_exit_rule(struct wp_resolver *resolver, uint32_t pid,
						   struct wp_va va, bool exact);
/* The process's JIT code, or that of the process it was forked from; NULL: none is known. */
struct wp_jit *wp_resolver_jit(struct wp_resolver *resolver, uint32_t pid);
/* The unwind rules of an image; NULL: it has none (or none yet, while the resolver tries). */
const struct wp_unwind_rows *wp_resolver_rows(struct wp_resolver *resolver, struct wp_image *image);
/* The image that is this module; NULL for the kernel's and JIT code. */
struct wp_image *wp_resolver_module(struct wp_resolver *resolver, uint32_t module);

#endif
