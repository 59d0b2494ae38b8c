/* sampling_stacks: the stack of each sample becomes a way through the call graph, for -g. */
#ifndef WP_SAMPLING_STACKS_H
#define WP_SAMPLING_STACKS_H

#include "aggregate/callgraph_doc.h"
#include "session/sampling.h"

/*
 * True when all modules that a SAMPLE record needs are loaded, so that it can be taken without
 * waiting; what is missing is loaded next.
 */
bool wp_sampling_try_stack(struct wp_sampling *sampling, const struct wp_record *sample);
/*
 * The symbol of a frame and, in *ret_rva, its place in the module (of the kernel, its address); of
 * a caller, ip is its return address.
 */
uint32_t wp_sampling_symbol(struct wp_sampling *sampling, const struct wp_record *sample,
			    struct wp_va ip, bool caller, bool kernel, struct wp_rva *ret_rva);
/* Adds one SAMPLE record. */
void wp_sampling_add_stack(struct wp_sampling *sampling, const struct wp_record *sample);
/* Finds what was inlined where stacks passed; once, before the report. */
void wp_sampling_expand_inlines(struct wp_sampling *sampling);
/* What the report needs of it. */
struct wp_callgraph_report wp_sampling_callgraph(struct wp_sampling *sampling);

#endif
