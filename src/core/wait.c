/* SPDX-License-Identifier: BSD-3-Clause */
/* wait: see wait.h. */
#include "core/wait.h"

#include <stdio.h>
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
		{.name = "kind", MEMBER(kind), .element = 1, .is_array = true, .is_string = true},
		{.name = "call", MEMBER(call), .is_signed = true},
		{.name = "fd", MEMBER(fd), .is_signed = true},
		{.name = "argument", MEMBER(argument), .is_pointer = true},
		{.name = "inode", MEMBER(inode)},
		{.name = "on",
		 MEMBER(on_where),
		 .element = 1,
		 .is_array = true,
		 .is_string = true,
		 .is_dynamic = true},
		{.name = "waker", MEMBER(waker), .element = 1, .is_array = true, .is_string = true},
		{.name = "waker_tid", MEMBER(waker_tid)},
		{.name = "wake", MEMBER(wake)},
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
	*ret = (struct wp_wait_payload){
		.magic = WP_WAIT_MAGIC, .waits = waits, .ns = ns, .call = -1, .fd = -1};
	memcpy(ret->state, names[state], strlen(names[state]));
	memcpy(ret->kind, WP_WAIT_UNKNOWN, sizeof(WP_WAIT_UNKNOWN));
	ret->on_where = offsetof(struct wp_wait_payload, on);
}

void wp_wait_name(const char *on, struct wp_wait_payload *ret)
{
	size_t n = strlen(on);

	if (n > sizeof(ret->on) - 1) {
		on += n - (sizeof(ret->on) - 1);
		n = sizeof(ret->on) - 1;
	}
	memcpy(ret->on, on, n);
	ret->on[n] = '\0';
	ret->on_where = (uint32_t)offsetof(struct wp_wait_payload, on) | (uint32_t)n << 16;
}

uint32_t wp_wait_bytes(const struct wp_wait_payload *payload)
{
	uint32_t n = payload->on_where >> 16;

	return ((uint32_t)offsetof(struct wp_wait_payload, on) + n + 7) & ~7u;
}

/* WP_WAIT_STATES: none of ours. */
static enum wp_wait_state find_state(const struct wp_wait_payload *payload)
{
	int state = 0;

	while (state < WP_WAIT_STATES &&
	       strncmp(payload->state, names[state], sizeof(payload->state)) != 0)
		state++;
	return (enum wp_wait_state)state;
}

bool wp_wait_says_kind(enum wp_wait_state state)
{
	return state != WP_WAIT_INTERRUPTIBLE && state != WP_WAIT_UNINTERRUPTIBLE;
}

/* Ends the texts of a payload of which so many bytes are there. */
static void end_texts(size_t n, struct wp_wait_payload *payload)
{
	size_t filled = n - offsetof(struct wp_wait_payload, on);

	if (payload->on_where >> 16 < filled)
		filled = payload->on_where >> 16;
	payload->on[filled < sizeof(payload->on) ? filled : sizeof(payload->on) - 1] = '\0';
	payload->kind[sizeof(payload->kind) - 1] = '\0';
	payload->waker[sizeof(payload->waker) - 1] = '\0';
}

bool wp_wait_read_all(const struct wp_record_sample *sample, struct wp_wait_payload *ret)
{
	size_t n = sample->payload_bytes < sizeof(*ret) ? sample->payload_bytes : sizeof(*ret);
	bool is_old = n < offsetof(struct wp_wait_payload, on);
	enum wp_wait_state state;

	if (!sample->payload || n < WP_WAIT_BASE_BYTES)
		return false;
	wp_wait_fill(WP_WAIT_INTERRUPTIBLE, 0, 0, ret);
	memcpy(ret, sample->payload, is_old ? WP_WAIT_BASE_BYTES : n);
	if (ret->magic != WP_WAIT_MAGIC)
		return false;
	state = find_state(ret);
	if (!is_old && (ret->on_where & 0xffff) != offsetof(struct wp_wait_payload, on)) {
		ret->on_where =
			offsetof(struct wp_wait_payload, on); /* from between two releases */
		ret->waker[0] = '\0';
	}
	if (!is_old)
		end_texts(n, ret);
	else if (state < WP_WAIT_STATES && wp_wait_says_kind(state))
		snprintf(ret->kind, sizeof(ret->kind), "%s", names[state]);
	return true;
}

bool wp_wait_read(const struct wp_record_sample *sample, enum wp_wait_state *ret_state,
		  uint32_t *ret_waits)
{
	struct wp_wait_payload payload;

	if (!sample->payload || sample->payload_bytes < WP_WAIT_BASE_BYTES)
		return false;
	memcpy(&payload, sample->payload, WP_WAIT_BASE_BYTES);
	*ret_state = find_state(&payload);
	*ret_waits = payload.waits;
	return payload.magic == WP_WAIT_MAGIC && *ret_state < WP_WAIT_STATES;
}
