/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jit_hint: samples in code that a runtime made and named nowhere, and the switch that makes it
 * name them; samples of Pythons that are not CPython, and who reads their frames.
 *
 * Session stage. In: samples, those in memory that is no file's apart, and the modules of their
 * process, which tell the runtime. Out: a line for the report, if they are many.
 */
#ifndef WP_JIT_HINT_H
#define WP_JIT_HINT_H

#include "base/map.h"
#include "base/str.h"
#include "core/sink.h"
#include "resolve/resolver.h"

/* All-zero is empty. */
struct wp_jit_hint {
	struct wp_sink sink;
	struct wp_resolver *resolver; /* borrowed; set before the first sample */
	struct wp_map
		samples; /* by process (high half) and symbol, of those without a name so far */
	struct wp_map processes; /* samples of each */
};

void wp_jit_hint_deinit(struct wp_jit_hint *hint);
/* Takes samples from then on. */
struct wp_sink *wp_jit_hint_sink(struct wp_jit_hint *hint);
/* Appends a line for each runtime that at least a twentieth of all samples is in. */
void wp_jit_hint_text(const struct wp_jit_hint *hint, uint64_t all, struct wp_str *out);
/* The runtime that a program or library of that file name is, as an index, or -1. */
int wp_jit_hint_runtime(const char *name);

#endif
