/* SPDX-License-Identifier: BSD-3-Clause */
/* wait: see wait.h. */
#include "core/wait.h"

#include <string.h>

/* Bits of prev_state: TASK_REPORT of include/linux/sched.h; what is above them is "preempted". */
enum {
	UNINTERRUPTIBLE = 0x02,
	STOPPED = 0x04,
	TRACED = 0x08,
	DEAD = 0x10,
	ZOMBIE = 0x20,
	PARKED = 0x40,
	REPORTED = 0xff,
};

static const char *const names[WP_WAIT_STATES] = {
	[WP_WAIT_INTERRUPTIBLE] = "interruptible",
	[WP_WAIT_UNINTERRUPTIBLE] = "uninterruptible",
	[WP_WAIT_PREEMPTED] = "preempted",
	[WP_WAIT_STOPPED] = "stopped",
	[WP_WAIT_GIL] = "gil",
	[WP_WAIT_SHORT] = "short",
};

#define MEMBER(field)                                      \
	.offset = offsetof(struct wp_wait_payload, field), \
	.size = sizeof(((struct wp_wait_payload *)0)->field)

const struct wp_fields *wp_wait_fields(void)
{
	static const struct wp_field v[] = {
		{.name = "waits", MEMBER(waits)},
		{.name = WP_WAIT_WEIGHT, MEMBER(ns)},
		{.name = "state", MEMBER(state), .element = 1, .is_array = true, .is_string = true},
	};
	static const struct wp_fields fields = {v, WP_ARRAY_LEN(v)};

	return &fields;
}

const char *wp_wait_state_name(enum wp_wait_state state)
{
	return names[state];
}

enum wp_wait_state wp_wait_state_of(int64_t prev_state)
{
	if (prev_state & (DEAD | ZOMBIE))
		return WP_WAIT_NONE;
	if (!(prev_state & REPORTED))
		return WP_WAIT_PREEMPTED;
	if (prev_state & (STOPPED | TRACED | PARKED))
		return WP_WAIT_STOPPED;
	return prev_state & UNINTERRUPTIBLE ? WP_WAIT_UNINTERRUPTIBLE : WP_WAIT_INTERRUPTIBLE;
}

bool wp_wait_is_traced(int64_t prev_state)
{
	return prev_state & TRACED;
}

void wp_wait_fill(enum wp_wait_state state, uint32_t waits, uint64_t ns,
		  struct wp_wait_payload *ret)
{
	*ret = (struct wp_wait_payload){.magic = WP_WAIT_MAGIC, .waits = waits, .ns = ns};
	memcpy(ret->state, names[state], strlen(names[state]));
}

bool wp_wait_read(const struct wp_record_sample *sample, enum wp_wait_state *ret_state,
		  uint32_t *ret_waits)
{
	struct wp_wait_payload payload;

	if (!sample->payload || sample->payload_bytes < sizeof(payload))
		return false;
	memcpy(&payload, sample->payload, sizeof(payload));
	if (payload.magic != WP_WAIT_MAGIC)
		return false;
	for (int i = 0; i < WP_WAIT_STATES; i++) {
		if (strncmp(payload.state, names[i], sizeof(payload.state)) != 0)
			continue;
		*ret_state = (enum wp_wait_state)i;
		*ret_waits = payload.waits;
		return true;
	}
	return false;
}
