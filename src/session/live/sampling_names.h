/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_names: what sampled threads are called, in tables by thread and in recordings.
 *
 * Session stage. Live: from /proc when sampling begins, from the kernel afterwards, and from
 * processes with an interpreter while they run.
 */
#ifndef WP_SAMPLING_NAMES_H
#define WP_SAMPLING_NAMES_H

#include "core/record_keep.h"

struct wp_sampling;

/* Does anything show them? */
bool wp_sampling_wants_names(const struct wp_sampling *s);
/* Threads that run already, of the processes that COMM records are of. */
void wp_sampling_name_threads(struct wp_sampling *s, const struct wp_records *processes);
/* What threads are called in Python, where that is due; `all`: the run is at its end. */
void wp_sampling_name_python_threads(struct wp_sampling *s, bool all);

#endif
