/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording_pipe: a recording that comes through a pipe, kept in a file without a name.
 *
 * Source stage. What such a recording says of itself may stand anywhere in it (recording_head), so
 * that all of it is needed before the first sample; memory stays bounded.
 */
#ifndef WP_RECORDING_PIPE_H
#define WP_RECORDING_PIPE_H

#include "base/err.h"
#include "base/watch.h"

/* Reads the descriptor to its end; *ret is a file in TMPDIR or /tmp that is gone when closed. */
struct wp_err *wp_recording_pipe_keep(int from, const struct wp_watch *watch,
				      int *ret) WP_MUST_CHECK;

#endif
