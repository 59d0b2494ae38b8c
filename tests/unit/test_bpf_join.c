/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks find their samples: by name, by order, nested, and when either side was lost. */
#include "source/bpf/bpf_join.h"

#include "bpf/wire.h"
#include "format/perf/perf_record.h"
#include "source/perf/perf_attr.h"

#include "check.h"

#define EVENT_ID 42 /* of event 3 */

/* A walk of n frames as it lies in a ring. Returns its length. */
static size_t make_walk(uint8_t *bytes, uint32_t tid, uint64_t id, uint64_t time, uint32_t n)
{
	struct wp_walk_head head = {.id = id, .time = time, .n = n, .end = WP_WALK_NO_RULE};
	uint64_t sample[7] = {0};
	uint32_t raw = (uint32_t)(sizeof(head) + n * sizeof(struct wp_walk_frame)) + 4;

	head.ip = 0x1000 + n;
	sample[0] = 9;
	sample[1] = 77;
	sample[3] = (uint64_t)tid << 32 | 7;
	memcpy(bytes, sample, sizeof(sample));
	memcpy(bytes + 56, &raw, 4);
	memcpy(bytes + 60, &head, sizeof(head));
	for (uint32_t i = 0; i < n; i++) {
		struct wp_walk_frame frame = {.ip = 0x1000 + n - i, .sp = i};

		memcpy(bytes + 60 + sizeof(head) + i * sizeof(frame), &frame, sizeof(frame));
	}
	memset(bytes + 60 + sizeof(head) + n * sizeof(struct wp_walk_frame), 0, 4);
	return 60 + raw;
}

static void add_walk(struct wp_bpf_join *join, uint32_t tid, uint64_t id, uint64_t time, uint32_t n)
{
	uint8_t bytes[4096];

	wp_bpf_join_walk(join, 1, bytes, make_walk(bytes, tid, id, time, n));
}

/* How many frames the sample got; 0: none. */
static size_t frames_of(struct wp_bpf_join *join, uint32_t tid, uint64_t time)
{
	struct wp_record sample = {.kind = WP_RECORD_SAMPLE, .tid = tid, .time_ns = time};

	sample.sample.event = 3;
	wp_bpf_join_sample(join, 1, &sample);
	if (!sample.sample.stack)
		return 0;
	CHECK_U64(sample.sample.stack->walked_end, WP_STACK_NO_RULE);
	CHECK_U64(sample.sample.stack->walked[0].ip.v, 0x1000 + sample.sample.stack->n_walked);
	return sample.sample.stack->n_walked;
}

static void begin(struct wp_bpf_join *join, struct wp_map *ids)
{
	*wp_map_put(ids, EVENT_ID) = 3;
	*join = (struct wp_bpf_join){.event_of_id = ids};
}

static void test_named(void)
{
	struct wp_map ids = {0};
	struct wp_bpf_join join;

	begin(&join, &ids);
	add_walk(&join, 5, EVENT_ID, 100, 2);
	CHECK_U64(frames_of(&join, 5, 100), 2);
	CHECK_U64(frames_of(&join, 5, 100), 0);
	/* An interrupt in an interrupt: the inner one's sample comes first. */
	add_walk(&join, 5, EVENT_ID, 200, 3);
	add_walk(&join, 5, EVENT_ID, 201, 4);
	CHECK_U64(frames_of(&join, 5, 201), 4);
	CHECK_U64(frames_of(&join, 5, 200), 3);
	/* A lost sample's walk is not given to another; a lost walk's sample has none. */
	add_walk(&join, 5, EVENT_ID, 300, 5);
	CHECK_U64(frames_of(&join, 5, 301), 0);
	add_walk(&join, 5, EVENT_ID, 302, 6);
	CHECK_U64(frames_of(&join, 5, 302), 6);
	/* The same instant, another event or thread. */
	add_walk(&join, 5, EVENT_ID + 1, 400, 7);
	CHECK_U64(frames_of(&join, 5, 400), 0);
	add_walk(&join, 6, EVENT_ID, 401, 7);
	CHECK_U64(frames_of(&join, 5, 401), 0);
	CHECK_U64(join.joined, 4);
	CHECK_U64(join.without, 4);
	wp_bpf_join_deinit(&join);
	wp_map_deinit(&ids);
}

static void test_nameless(void)
{
	struct wp_map ids = {0};
	struct wp_bpf_join join;

	begin(&join, &ids);
	add_walk(&join, 5, 0, 0, 2);
	CHECK_U64(frames_of(&join, 5, 100), 2);
	add_walk(&join, 5, 0, 0, 3); /* its sample was lost */
	add_walk(&join, 5, 0, 0, 4);
	CHECK_U64(frames_of(&join, 5, 200), 4);
	CHECK_U64(frames_of(&join, 5, 300), 0);
	add_walk(&join, 6, 0, 0, 5);
	CHECK_U64(frames_of(&join, 5, 400), 0);
	wp_bpf_join_deinit(&join);
	wp_map_deinit(&ids);
}

static void test_bounds(void)
{
	struct wp_map ids = {0};
	struct wp_bpf_join join;
	uint8_t bytes[4096];
	size_t size;

	begin(&join, &ids);
	for (uint64_t i = 0; i < 100; i++)
		add_walk(&join, 5, EVENT_ID, 1000 + i, 1);
	CHECK_U64(join.unused, 100 - WP_BPF_JOIN_WAITING);
	size = make_walk(bytes, 5, EVENT_ID, 1, 3);
	for (size_t i = 0; i < size - 4; i++)
		wp_bpf_join_walk(&join, 0, bytes, i);
	CHECK_U64(join.malformed, size - 4);
	CHECK_U64(wp_bpf_walk_identifier(bytes, size), 77);
	CHECK_U64(wp_bpf_walk_identifier(bytes, 15), 0);
	wp_bpf_join_deinit(&join);
	wp_map_deinit(&ids);
}

/* A sample and its walk in one, as the program writes it. */
static size_t make_whole(uint8_t *bytes, uint64_t time, uint32_t n)
{
	size_t size = make_walk(bytes, 5, EVENT_ID, time, n);
	struct wp_walk_sample sample = {
		.type = WP_PERF_RECORD_SAMPLE,
		.misc = 2, /* PERF_RECORD_MISC_USER */
		.size = (uint16_t)size,
		.identifier = EVENT_ID,
		.ip = 0xabc,
		.pid = 7,
		.tid = 5,
		.time = time,
		.cpu = 2,
		.period = 99,
	};

	memcpy(bytes, &sample, offsetof(struct wp_walk_sample, raw_bytes));
	return size;
}

/* It is read as the kernel's own, and nothing to walks whose samples are still to come. */
static void test_whole(void)
{
	struct wp_map ids = {0};
	struct wp_perf_layout layout = {.sample_type = WP_PERF_SAMPLE_TYPE, .event_of_id = &ids};
	struct wp_record sample;
	struct wp_bpf_join join;
	uint8_t bytes[4096];
	size_t size;

	begin(&join, &ids);
	for (uint32_t i = 2; i <= WP_BPF_JOIN_WAITING; i++)
		add_walk(&join, 5, EVENT_ID, 100 + i, 10 + i);
	add_walk(&join, 5, 0, 0, 11); /* a tracepoint's */
	for (uint32_t n = 1; n < 9; n++) {
		size = make_whole(bytes, 200 + n, n);
		CHECK_U64(wp_bpf_walk_identifier(bytes, size), EVENT_ID);
		CHECK(wp_perf_record_parse(&layout, bytes, size, &sample) == WP_PERF_PARSED);
		wp_bpf_join_whole(&join, bytes, size, &sample);
		CHECK(sample.sample.stack && sample.sample.stack->n_walked == n);
		CHECK(sample.kind == WP_RECORD_SAMPLE && sample.sample.mode == WP_MODE_USER);
		CHECK_U64(sample.sample.event, 3);
		CHECK_U64(sample.sample.ip.v, 0xabc);
		CHECK_U64(sample.sample.period, 99);
		CHECK_U64(sample.time_ns, 200 + n);
		CHECK(sample.pid == 7 && sample.tid == 5 && sample.cpu == 2);
	}
	for (uint32_t i = 1; i <= WP_BPF_JOIN_WAITING; i++)
		CHECK_U64(frames_of(&join, 5, 100 + i), 10 + i);
	CHECK(!join.unused && !join.without && !join.malformed);
	for (size_t i = 0; i < 60; i++) {
		sample.sample.stack = NULL;
		wp_bpf_join_whole(&join, bytes, i, &sample);
		CHECK(!sample.sample.stack);
	}
	CHECK_U64(join.malformed, 60);
	wp_bpf_join_deinit(&join);
	wp_map_deinit(&ids);
}

/* 32-bit code: its registers, and a copy that begins below an esp that is no multiple of 8. */
static void test_x86(void)
{
	struct wp_walk_head head = {.kind = WP_WALK_STACK,
				    .ip = 0x8049000,
				    .sp = 0xffff0004,
				    .fp = 0xffff0010,
				    .lr = 7,
				    .dump_bytes = 16,
				    .end = WP_WALK_CUT,
				    .x86 = 1};
	uint32_t raw = sizeof(head) + 16 + 4, copy[4] = {0xa, 0xb, 0xc, 0xd};
	uint64_t sample[7] = {9};
	struct wp_bpf_walk walk;
	uint8_t bytes[512] = {0};

	memcpy(bytes, sample, sizeof(sample));
	memcpy(bytes + 56, &raw, 4);
	memcpy(bytes + 60, &head, sizeof(head));
	memcpy(bytes + 60 + sizeof(head), copy, sizeof(copy));
	CHECK(wp_bpf_walk_parse(bytes, 60 + raw, &walk));
	CHECK(walk.regs.x86 && walk.n == 0);
	CHECK_U64(walk.regs.valid, 1 << 3 | 1 << 4 | 1 << 5 | 1 << 8);
	CHECK_U64(walk.regs.r[8], 0x8049000);
	CHECK_U64(walk.regs.r[4], 0xffff0004);
	CHECK_U64(walk.regs.r[5], 0xffff0010);
	CHECK_U64(walk.dump_bytes, 12);
	CHECK_U64(walk.dump[0], 0xb);
}

int main(void)
{
	RUN(test_named);
	RUN(test_nameless);
	RUN(test_bounds);
	RUN(test_whole);
	RUN(test_x86);
	return check_done();
}
