/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_clock: from the processor's counter to the time of records.
 *
 * Source stage. The kernel tells how its own clock comes from the counter (struct
 * perf_event_mmap_page: time_zero, time_mult, time_shift). Records have CLOCK_MONOTONIC, which is
 * kept in step with the world: how far both are apart is measured.
 */
#ifndef WP_PERF_CLOCK_H
#define WP_PERF_CLOCK_H

#include "format/perf/perf_aux.h"

/* As both clocks are now. False where the kernel does not tell, or programs cannot read the
 * counter: mult is 0 then. */
bool wp_perf_clock_read(struct wp_perf_aux_clock *ret);

#endif
