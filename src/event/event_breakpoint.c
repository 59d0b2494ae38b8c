/* SPDX-License-Identifier: BSD-3-Clause */
/* event_breakpoint: see event_breakpoint.h. */
#include "event/event_breakpoint.h"

#include "base/str.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <string.h>
#include <strings.h>

bool wp_event_is_breakpoint(const char *word)
{
	return strncasecmp(word, "mem:", 4) == 0;
}

/* "rw" and its like; 0 when it is none. */
static uint32_t access_bits(const char *text)
{
	uint32_t bits = 0;

	for (; *text; text++) {
		uint32_t bit = *text == 'r'   ? HW_BREAKPOINT_R
			       : *text == 'w' ? HW_BREAKPOINT_W
			       : *text == 'x' ? HW_BREAKPOINT_X
					      : 0;

		if (!bit || (bits & bit))
			return 0;
		bits |= bit;
	}
	return bits;
}

static bool is_length(uint64_t len)
{
	return len == 1 || len == 2 || len == 4 || len == 8;
}

struct wp_err *wp_event_breakpoint(const char *word, struct wp_event *ret)
{
	wp_autofree char *copy = wp_strdup(word + strlen("mem:"));
	char *access = copy, *len = strsep(&access, ":"), *addr = strsep(&len, "/");
	uint64_t address, bytes;
	uint32_t bits = access ? access_bits(access) : HW_BREAKPOINT_RW;

	if (!wp_str_to_u64(addr, 0, UINT64_MAX, &address))
		return wp_err_new(WP_ERR_USAGE, "'%s' in %s is not an address (0x...)", addr, word);
	if (!bits)
		return wp_err_new(WP_ERR_USAGE, "'%s' in %s is not an access: use r, w, x or rw",
				  access, word);
	bytes = bits == HW_BREAKPOINT_X ? sizeof(void *) : HW_BREAKPOINT_LEN_4;
	if (len && (!wp_str_to_u64(len, 0, 8, &bytes) || !is_length(bytes)))
		return wp_err_new(WP_ERR_USAGE, "'%s' in %s is not a length: use 1, 2, 4 or 8", len,
				  word);
	ret->source = WP_EVENT_BREAKPOINT;
	ret->type = PERF_TYPE_BREAKPOINT;
	ret->bp_type = bits;
	ret->bp_addr = address;
	ret->bp_len = bytes;
	return NULL;
}
