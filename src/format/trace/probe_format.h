/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe_format: a probe's arguments as the fields of a tracepoint: the text that describes them,
 * and the payload of a sample.
 *
 * Format stage, pure. In a recording such a probe is an event as `perf probe` defines them, so that
 * stock perf shows its arguments: what every tracepoint has, the address that was hit, then each
 * number in 8 bytes, of a text where it lies. Source: kernel/trace/trace_probe.c.
 */
#ifndef WP_PROBE_FORMAT_H
#define WP_PROBE_FORMAT_H

#include "base/str.h"
#include "core/probe.h"

/* The format file of it. */
void wp_probe_format_put(const struct wp_probe *probe, struct wp_str *out);

/* What was read of a hit. */
struct wp_probe_hit {
	uint32_t tid;
	uint64_t ip;
	uint64_t values[WP_PROBE_ARGS]; /* of a text: its bytes, with a NUL */
	const char *texts;		/* one behind the other */
	size_t texts_bytes;
};

/* Makes *out its payload. False: there is no sense in the hit. */
bool wp_probe_format_payload(const struct wp_probe *probe, const struct wp_probe_hit *hit,
			     struct wp_str *out);

#endif
