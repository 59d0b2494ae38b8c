/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * telemetry: the JSON that Arm publishes of a product's PMU (its telemetry data, schema v1.0:
 * product_configuration, events, metrics, groups, methodologies) as a table of cpu.h, descriptions
 * and all.
 *
 * The text is untrusted: json.h bounds it; what of it makes no sense (an event without a number, a
 * formula with unknown names) is left out and counted.
 */
#ifndef WP_TELEMETRY_H
#define WP_TELEMETRY_H

#include "base/err.h"
#include "event/cpu.h"

/* What was left out, and the first of it by name ("" if nothing was). */
struct wp_telemetry_skipped {
	unsigned int n;
	const char *first;
};

/*
 * Reads one file's text; everything of the result lives in arena. Errors: WP_ERR_FORMAT when it is
 * no JSON or has no events, WP_ERR_UNSUPPORTED when it is about no product: something else.
 */
struct wp_err *wp_telemetry_parse(struct wp_arena *arena, const char *text, size_t len,
				  struct wp_cpu *ret,
				  struct wp_telemetry_skipped *ret_skipped) WP_MUST_CHECK;

#endif
