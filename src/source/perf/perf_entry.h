/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_entry: samples of what happens in the kernel (a context switch, a tracepoint), where only
 * the program is looked at: they are where it entered the kernel.
 *
 * Source stage; a part of perf_source.
 */
#ifndef WP_PERF_ENTRY_H
#define WP_PERF_ENTRY_H

#include "core/source.h"
#include "format/perf/perf_record.h"
#include "source/perf/perf_attr.h"

/* One of the events happens in the kernel, of which nothing is to be shown. */
bool wp_perf_entry_wanted(const struct wp_source_options *options);
/*
 * Moves a sample to its registers' instruction, if they are a program's, and takes them from it
 * where nobody unwinds. stack is what it was read into.
 */
void wp_perf_entry_take(const struct wp_perf_mode *mode, const struct wp_event *event,
			struct wp_perf_stack *stack, struct wp_record *sample);

#endif
