/* SPDX-License-Identifier: BSD-3-Clause */
/* waker: see waker.h. */
#include "core/waker.h"

#include <string.h>

#define MEMBER(field)                                       \
	.offset = offsetof(struct wp_waker_payload, field), \
	.size = sizeof(((struct wp_waker_payload *)0)->field)

const struct wp_fields *wp_waker_fields(void)
{
	static const struct wp_field v[] = {
		{.name = WP_WAIT_WEIGHT, MEMBER(ns)},
		{.name = "delay", MEMBER(delay_ns)},
		{.name = "wake", MEMBER(wake)},
		{.name = "waiter", MEMBER(waiter_tid)},
		{.name = "walked", MEMBER(walked)},
		{.name = "how", MEMBER(how), .element = 1, .is_array = true, .is_string = true},
		{.name = "waker", MEMBER(waker), .element = 1, .is_array = true, .is_string = true},
	};
	static const struct wp_fields fields = {v, WP_ARRAY_LEN(v)};

	return &fields;
}

bool wp_waker_read(const struct wp_record_sample *sample, struct wp_waker_payload *ret)
{
	if (!sample->payload || sample->payload_bytes < sizeof(*ret))
		return false;
	memcpy(ret, sample->payload, sizeof(*ret));
	ret->how[sizeof(ret->how) - 1] = '\0';
	ret->waker[sizeof(ret->waker) - 1] = '\0';
	return ret->magic == WP_WAKER_MAGIC;
}
