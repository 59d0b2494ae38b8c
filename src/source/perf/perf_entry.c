/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_entry: see perf_entry.h. */
#include "source/perf/perf_entry.h"

/* By DWARF number: core/stack.h. */
enum { X86_64_IP = 16, X86_IP = 8, ARM64_IP = 32 };

static bool is_hidden(const struct wp_event *event)
{
	return event->in_kernel && !event->kernel_only;
}

bool wp_perf_entry_wanted(const struct wp_source_options *options)
{
	if (!options->sampling || options->target->kernel)
		return false;
	wp_vec_each (struct wp_event, event, &options->events->events)
		if (is_hidden(event))
			return true;
	return false;
}

static int ip_number(const struct wp_stack_regs *regs)
{
	if (wp_perf_attr_regs().arm64)
		return ARM64_IP;
	return regs->x86 ? X86_IP : X86_64_IP;
}

void wp_perf_entry_take(const struct wp_perf_mode *mode, const struct wp_event *event,
			struct wp_perf_stack *stack, struct wp_record *sample)
{
	const struct wp_stack_regs *regs = stack->raw.regs;
	int number = regs ? ip_number(regs) : 0;

	/* A thread of the kernel has none. */
	if (regs && regs->valid >> number & 1 && is_hidden(event) &&
	    sample->sample.mode == WP_MODE_KERNEL) {
		sample->sample.ip.v = regs->r[number];
		sample->sample.mode = WP_MODE_USER;
	}
	if (mode->stacks != WP_STACKS_DUMP)
		stack->raw.regs = NULL;
	if (mode->stacks == WP_STACKS_NONE)
		sample->sample.stack = NULL;
}
