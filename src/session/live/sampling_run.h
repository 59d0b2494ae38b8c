/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_run: what happens in a sampling run, in order: opened, told what runs already, started,
 * and its records taken until the time is up.
 *
 * Session stage. In: a prepared run. Out: its sinks have had all samples; progress on io->out.
 */
#ifndef WP_SAMPLING_RUN_H
#define WP_SAMPLING_RUN_H

#include "session/live/sampling.h"

/* Opens the events. target.pids must be complete. */
struct wp_err *wp_sampling_open(struct wp_sampling *sampling) WP_MUST_CHECK;
/* Lets them run. */
struct wp_err *wp_sampling_start(struct wp_sampling *sampling) WP_MUST_CHECK;
/* Tells the resolver what /proc knows about the target. */
struct wp_err *wp_sampling_snapshot(struct wp_sampling *sampling) WP_MUST_CHECK;
/* Takes in what arrives until the given time of the source's clock. */
struct wp_err *wp_sampling_take(struct wp_sampling *sampling, uint64_t until_ns) WP_MUST_CHECK;
/* Samples until the modules of a process can be listed without waiting. */
struct wp_err *wp_sampling_await_images(struct wp_sampling *sampling, pid_t pid) WP_MUST_CHECK;
/* Samples with progress until the time is up, the target is gone, or Ctrl-C; stops and drains. */
struct wp_err *wp_sampling_run(struct wp_sampling *sampling) WP_MUST_CHECK;

#endif
