/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_hit: see bpf_hit.h. */
#include "format/perf/bpf_hit.h"

#include "base/bytes.h"
#include "bpf/args_wire.h"
#include "bpf/wire.h"

#include <string.h>

_Static_assert(WP_ARGS_MAX == WP_PROBE_ARGS, "core/probe.h");

bool wp_bpf_hit_parse(const void *bytes, size_t size, struct wp_probe_hit *ret, uint32_t *ret_event)
{
	struct wp_bytes b = wp_bytes_of(bytes, size);
	const void *at = wp_bytes_take(&b, sizeof(struct wp_walk_sample));
	struct wp_walk_sample sample;
	struct wp_args_head head;

	if (!at)
		return false;
	memcpy(&sample, at, sizeof(sample));
	at = wp_bytes_take(&b, sizeof(head));
	if (!at || sample.raw_bytes < sizeof(head))
		return false;
	memcpy(&head, at, sizeof(head));
	*ret = (struct wp_probe_hit){.tid = sample.tid, .ip = head.ip};
	memcpy(ret->values, head.values, sizeof(ret->values));
	ret->texts_bytes = sample.raw_bytes - sizeof(head);
	ret->texts = wp_bytes_take(&b, ret->texts_bytes);
	*ret_event = head.event;
	return ret->texts != NULL;
}
