/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording_raw: what Arm SPE wrote, and nothing else: the file spe.data of WindowsPerf.
 *
 * Source stage. In: a file whose first bytes are packets. Out: a recording with them, in a file
 * without a name: of one CPU and one event, without mappings, threads (unless packets tell these)
 * and times, since the counter's frequency is not said.
 */
#ifndef WP_RECORDING_RAW_H
#define WP_RECORDING_RAW_H

#include "base/err.h"
#include "base/watch.h"

#include <stdbool.h>

/* It begins with a whole record that has a program counter, and with no byte that is none's. */
bool wp_recording_raw_is(int fd);
/* The watch is told of how much was copied. The caller closes *ret. */
struct wp_err *wp_recording_raw_wrap(int fd, const struct wp_watch *watch, int *ret) WP_MUST_CHECK;

#endif
