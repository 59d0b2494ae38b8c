/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_target: how a run comes to what it samples: what already runs, or a command that is
 * started for it.
 *
 * Session stage. In: a run after wp_sampling_init(). Out: one that takes samples, and knows its
 * main image.
 */
#ifndef WP_SAMPLING_TARGET_H
#define WP_SAMPLING_TARGET_H

#include "session/live/sampling.h"

/* Prepares, opens and starts the sampling of what already runs. */
struct wp_err *wp_sampling_begin_running(struct wp_sampling *sampling) WP_MUST_CHECK;
/* A command is started for it; returns when it is known which program that became. */
struct wp_err *wp_sampling_begin_command(struct wp_sampling *sampling) WP_MUST_CHECK;
/* Looks for the main image of a command again: it may have become another program since. */
void wp_sampling_find_image(struct wp_sampling *sampling);
/* The exit status of a command that has ended; one that we ended has none of its own: 0. */
int wp_sampling_command_status(struct wp_sampling *sampling);

#endif
