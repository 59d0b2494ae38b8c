/*
 * jit_hint: samples in code that a runtime made and named nowhere, and the switch that makes it
 * name them.
 *
 * Session stage. In: samples in memory that is no file's, and the modules of their
 * process, which tell the runtime. Out: a line for the report, if they are many.
 */
#ifndef WP_JIT_HINT_H
#define WP_JIT_HINT_H

#include "base/map.h"
#include "base/str.h"
#include "resolve/resolver.h"

/* All-zero is empty. */
struct wp_jit_hint {
	struct wp_map
		samples; /* by process (high half) and symbol, of those without a name so far */
};

void wp_jit_hint_deinit(struct wp_jit_hint *hint);
/* A sample of that process at that symbol. */
void wp_jit_hint_add(struct wp_jit_hint *hint, const struct wp_resolver *resolver, uint32_t pid,
		     uint32_t symbol);
/* Appends a line for each runtime that at least a twentieth of all samples is in. */
void wp_jit_hint_text(const struct wp_jit_hint *hint, struct wp_resolver *resolver, uint64_t all,
		      struct wp_str *out);
/* The runtime that a program or library of that file name is, as an index, or -1. */
int wp_jit_hint_runtime(const char *name);

#endif
