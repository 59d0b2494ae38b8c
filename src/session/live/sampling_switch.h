/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_switch: recordings one after the other (--switch-output): when the next one begins, what
 * it is called, and which are removed.
 */
#ifndef WP_SAMPLING_SWITCH_H
#define WP_SAMPLING_SWITCH_H

#include "base/err.h"
#include "base/vec.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* All-zero: there is one recording. */
struct wp_sampling_switch {
	bool on;
	uint64_t bytes;			    /* 0: not by size */
	uint64_t ns;			    /* 0: not by time */
	uint64_t files;			    /* as many are kept; 0: all */
	const volatile sig_atomic_t *asked; /* how often SIGUSR2 came; NULL: nobody counts */
	sig_atomic_t answered;
	uint64_t hundredths;  /* of a second, since 1970: in the last name */
	uint64_t began_ns;    /* the one at hand, by our clock */
	WP_VEC(char *) names; /* of all that there are, oldest first */
};

/* A number and its unit, as perf has them: 10M goes to *ret_bytes, 30s to *ret_ns; false: neither.
 */
bool wp_sampling_switch_unit(const char *text, uint64_t *ret_bytes, uint64_t *ret_ns);
/* text: "signal", a size (10M), a time (30s); NULL: there is no switching. */
struct wp_err *wp_sampling_switch_parse(const char *text, uint64_t files,
					struct wp_sampling_switch *ret) WP_MUST_CHECK;
/* The name of a recording that begins now, below that of them all. Removes what is too much. */
const char *wp_sampling_switch_name(struct wp_sampling_switch *sw, const char *path);
/* Once after each round: the recording at hand has become so large; whether it is to end. */
bool wp_sampling_switch_is_due(struct wp_sampling_switch *sw, uint64_t samples, uint64_t bytes);
void wp_sampling_switch_deinit(struct wp_sampling_switch *sw);

#endif
