/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_walkers: who walks the stacks of samples: the program in the kernel, readers pinned to
 * the CPUs, or nobody; as --call-graph and --python ask and as this user may.
 */
#ifndef WP_SAMPLING_WALKERS_H
#define WP_SAMPLING_WALKERS_H

#include "base/err.h"

struct wp_sampling;

/* Opens who is needed and lets the feeds tell them; before the source, which is handed them. */
struct wp_err *wp_sampling_open_walkers(struct wp_sampling *s) WP_MUST_CHECK;
/* Says in a note, once an interpreter was met, why its frames are not read in the better way. */
void wp_sampling_tell_walkers(struct wp_sampling *s);

#endif
