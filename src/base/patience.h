/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * patience: how long what strangers wrote may keep us, once nobody wants to wait any more.
 *
 * Base. Half a second after the end of a run, or after a signal that asks us to end, it is over:
 * what is not read by then is left out. One thread asks. NULL has
 * no end.
 */
#ifndef WP_PATIENCE_H
#define WP_PATIENCE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct wp_patience {
	const volatile sig_atomic_t *interrupted; /* not 0: a signal has come; NULL: none can */
	uint64_t until_ns;			  /* CLOCK_MONOTONIC; 0: not known yet */
};

/* The run is, or will be, at its end then (CLOCK_MONOTONIC); the earliest counts. */
void wp_patience_end_at(struct wp_patience *patience, uint64_t end_ns);
bool wp_patience_is_over(struct wp_patience *patience);

#endif
