/*
 * unwind: raw stacks to frames, offline, with the rule tables of the modules that the process has
 * mapped.
 *
 * A stack that was walked at the sample's instant passes through; registers with a copy of the
 * stack are unwound here; a frame-pointer chain of the kernel is the last resort.
 */
#ifndef WP_UNWIND_H
#define WP_UNWIND_H

#include "core/record.h"
#include "core/stack.h"
#include "core/unwind_rule.h"
#include "resolve/resolver.h"

/* A module's rules, sorted by pc, in a table that lives as long as the resolver. */
struct wp_unwind_table {
	const struct wp_unwind_rule *rules;
	size_t n;
	struct wp_rva base; /* rule.pc is relative to it */
};

/*
 * The table of one of the resolver's modules, built (or read from the cache on disk, by build-id)
 * at first use; NULL when the module has no unwind information or cannot be read.
 */
const struct wp_unwind_table *wp_resolver_unwind_table(struct wp_resolver *resolver,
						       uint32_t module);

/* The frames of a SAMPLE record; at least the one at its ip. */
void wp_resolver_stack(struct wp_resolver *resolver, const struct wp_record *sample,
		       struct wp_stack *ret);
/*
 * The symbol of one frame of a stack of that process: caller is true for return addresses (looked
 * up at ip - 1), kernel for kernel frames.
 */
uint32_t wp_resolver_frame_symbol(struct wp_resolver *resolver, uint32_t pid, struct wp_va ip,
				  bool caller, bool kernel);

#endif
