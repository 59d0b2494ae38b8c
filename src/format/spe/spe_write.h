/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spe_write: a sample as the packets of Arm SPE that it would have come from, for scripts of tests.
 *
 * Format stage, pure: the other direction of spe_sample. What of a sample no packet of these can
 * say (which cache answered: a number of the core's maker) is left out.
 */
#ifndef WP_SPE_WRITE_H
#define WP_SPE_WRITE_H

#include "base/str.h"
#include "core/record.h"

/* Appends its record: program counter, operation, events, and what it has of data and latency. */
void wp_spe_write_sample(struct wp_str *out, const struct wp_record *sample);

#endif
