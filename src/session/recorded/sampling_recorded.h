/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_recorded: a run whose samples come from a recording, where a live one has walkers and
 * processes.
 */
#ifndef WP_SAMPLING_RECORDED_H
#define WP_SAMPLING_RECORDED_H

#include "session/live/sampling.h"

#define WP_RECORDED_FILE "perf.data" /* without -i */

/* Instead of wp_sampling_init(), _prepare() and _open(): the recording that the options name. */
struct wp_err *wp_sampling_init_recorded(const struct wp_session_options *options,
					 struct wp_session_io *io,
					 struct wp_sampling *ret) WP_MUST_CHECK;
/* Takes all of its samples (or those until Ctrl-C), and what it says of its run. */
struct wp_err *wp_sampling_run_recorded(struct wp_sampling *s) WP_MUST_CHECK;
/* The bit of the stack pointer in the registers of its samples. */
unsigned int wp_recorded_sp_bit(const struct wp_source *source);

#endif
