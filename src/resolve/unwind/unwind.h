/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind: raw stacks to frames, offline, with the rule tables of the modules that the process has
 * mapped.
 *
 * A stack that was walked at the sample's instant passes through; registers with a copy of the
 * stack are unwound here; a frame-pointer chain of the kernel is the last resort. What a process
 * has mapped, and how its code is left, the caller's functions say.
 */
#ifndef WP_UNWIND_H
#define WP_UNWIND_H

#include "core/record.h"
#include "core/stack.h"
#include "core/unwind_rows.h"
#include "resolve/symbols/image.h"

/* What is known of the process at the sample's time. `arg` is handed to each function. */
struct wp_unwind_env {
	/* What is mapped at an address; false where nothing is. */
	bool (*mapping)(void *arg, struct wp_va va, struct wp_image_mapping *ret);
	/* The rules of an image; NULL: none. */
	const struct wp_unwind_rows *(*rows)(void *arg, struct wp_image *image);
	/* The rule for JIT code at an address, by its compiler's word; NULL: none. */
	const struct wp_unwind_rule *(*jit_rule)(void *arg, struct wp_va va);
	/* How code that nothing describes is left; exact: execution is there. NULL: not known. */
	const struct wp_unwind_rule *(*exit_rule)(void *arg, struct wp_va va, bool exact);
	void *arg;
};

/* The frames of a SAMPLE record; at least the one at its ip. */
void wp_unwind(const struct wp_unwind_env *env, const struct wp_record *sample,
	       struct wp_stack *ret);

#endif
