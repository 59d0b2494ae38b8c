/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_snapshot: see sampling_snapshot.h. */
#include "session/live/sampling_snapshot.h"

#include "base/clock.h"
#include "base/str.h"
#include "session/live/sampling_switch.h"

#include <string.h>

#define DEFAULT_NS    (30 * WP_NS_PER_S)
#define DEFAULT_BYTES (UINT64_C(64) << 20)
#define LEAST_BYTES   (UINT64_C(1) << 20)
#define PATIENCE_NS   WP_NS_PER_S /* nothing happens meanwhile: there is nothing to wait for */

static bool parse_part(const char *text, struct wp_sampling_snapshot *ret)
{
	uint64_t seconds;

	if (wp_str_to_u64(text, 10, UINT64_MAX / WP_NS_PER_S, &seconds) && seconds) {
		ret->span_ns = seconds * WP_NS_PER_S;
		return true;
	}
	return wp_sampling_switch_unit(text, &ret->limit_bytes, &ret->span_ns);
}

struct wp_err *wp_sampling_snapshot_parse(const char *text, struct wp_sampling_snapshot *ret)
{
	wp_autofree char *parts = text ? wp_strdup(text) : NULL;
	char *rest = parts, *part;
	bool good = true;

	*ret = (struct wp_sampling_snapshot){.on = text != NULL};
	while (rest && *rest && (part = strsep(&rest, ",")))
		good = good && parse_part(part, ret);
	good = good && (!ret->limit_bytes || ret->limit_bytes >= LEAST_BYTES);
	if (!good)
		return wp_err_new(WP_ERR_USAGE,
				  "--snapshot %s: want a time (30s, 5m), a size of at least 1M "
				  "(64M), or both (30s,64M); a command stands behind --",
				  text);
	if (!ret->span_ns && !ret->limit_bytes)
		ret->span_ns = DEFAULT_NS;
	if (!ret->limit_bytes)
		ret->limit_bytes = DEFAULT_BYTES;
	return NULL;
}

bool wp_sampling_snapshot_is_due(struct wp_sampling_snapshot *snapshot, bool asked,
				 uint64_t newest_ns, uint64_t now_ns)
{
	if (asked && !snapshot->asked_ns)
		snapshot->asked_ns = now_ns;
	if (!snapshot->asked_ns ||
	    (newest_ns < snapshot->asked_ns && now_ns - snapshot->asked_ns < PATIENCE_NS))
		return false;
	snapshot->asked_ns = 0;
	return true;
}
