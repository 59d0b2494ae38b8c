/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_ring_size: how much room samples need until somebody looks at them.
 *
 * Source stage; a part of perf_set.
 */
#ifndef WP_PERF_RING_SIZE_H
#define WP_PERF_RING_SIZE_H

#include "core/event.h"

#include <stddef.h>

#define WP_PERF_RING_MIN_BYTES (512u << 10)
#define WP_PERF_RINGS_BYTES    (512u << 20) /* never more than this for all */

/*
 * How large a ring must be for these events, with samples of that many bytes, when it is drained
 * within seconds; a power of two.
 */
uint64_t wp_perf_ring_size(const struct wp_event_set *events, size_t cpus, uint64_t sample_bytes);

#endif
