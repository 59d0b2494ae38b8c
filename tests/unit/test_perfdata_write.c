/* SPDX-License-Identifier: BSD-3-Clause */
/* perfdata_write: samples with chains and payloads, byte by byte and as they are read back. */
#include "format/perf/perfdata_write.h"

#include "check.h"
#include "format/perf/perf_record.h"

#define HEAD_BYTES 56 /* header identifier ip pid-tid time cpu period */

static const struct wp_perfdata_style style = {.payloads = true, .stacks = true};
static uint8_t payload[WP_PAYLOAD_MAX];

static struct wp_record record_of(uint32_t payload_bytes)
{
	return (struct wp_record){.kind = WP_RECORD_SAMPLE,
				  .time_ns = 1000,
				  .pid = 7,
				  .tid = 8,
				  .cpu = 3,
				  .sample = {.period = 4,
					     .mode = WP_MODE_USER,
					     .payload = payload_bytes ? payload : NULL,
					     .payload_bytes = payload_bytes}};
}

static uint64_t u32_at(const struct wp_str *out, size_t at)
{
	uint32_t value;

	memcpy(&value, out->s + at, sizeof(value));
	return value;
}

/* As the kernel: RAW's size with its own 4 bytes is a multiple of 8, so that all behind it is. */
static void test_payload(void)
{
	static const struct {
		uint32_t bytes, padded;
	} cases[] = {{0, 4}, {1, 4}, {4, 4}, {5, 12}, {12, 12}, {13, 20}};
	const struct wp_perfdata_style plain = {.payloads = true};

	for (size_t i = 0; i < WP_ARRAY_LEN(cases); i++) {
		struct wp_record sample = record_of(cases[i].bytes);
		wp_autostr struct wp_str out = {0};

		wp_perfdata_put_sample(&out, &sample, &plain, NULL, 0, 0);
		CHECK_U64(out.len, HEAD_BYTES + 4 + cases[i].padded);
		CHECK_U64(u32_at(&out, 4) >> 16, out.len);
		CHECK_U64(u32_at(&out, HEAD_BYTES), cases[i].padded);
		CHECK(memcmp(out.s + HEAD_BYTES + 4, payload, cases[i].bytes) == 0);
		for (uint32_t at = cases[i].bytes; at < cases[i].padded; at++)
			CHECK_U64((uint8_t)out.s[HEAD_BYTES + 4 + at], 0);
	}
}

static void read_back(const struct wp_str *out, struct wp_perf_stack *stack, struct wp_record *ret)
{
	struct wp_map ids = {0};
	const struct wp_perf_layout layout = {
		.sample_type = WP_PERF_SAMPLE_IDENTIFIER | WP_PERF_SAMPLE_IP | WP_PERF_SAMPLE_TID |
			       WP_PERF_SAMPLE_TIME | WP_PERF_SAMPLE_CPU | WP_PERF_SAMPLE_PERIOD |
			       WP_PERF_SAMPLE_CALLCHAIN | WP_PERF_SAMPLE_RAW,
		.event_of_id = &ids,
		.stack = stack,
		.payloads = true,
	};

	*wp_map_put(&ids, wp_perfdata_event_id(0)) = 0;
	CHECK_U64(wp_perf_record_parse(&layout, out->s, out->len, ret), WP_PERF_PARSED);
	wp_map_deinit(&ids);
}

static void test_behind_a_chain(void)
{
	static struct wp_perf_stack stack;
	const uint64_t frames[] = {0xf1, 0x11, 0x12};
	struct wp_record sample = record_of(12), r;
	wp_autostr struct wp_str out = {0};

	wp_perfdata_put_sample(&out, &sample, &style, frames, 1, 3);
	read_back(&out, &stack, &r);
	CHECK_U64(r.sample.period, 4);
	CHECK_U64(r.sample.payload_bytes, 12);
	CHECK(memcmp(r.sample.payload, payload, 12) == 0);
	CHECK(stack.raw.n_kernel == 1 && stack.raw.n_user == 2);
	CHECK_U64(stack.raw.user_ips[1], 0x12);
}

/* A record has 64 KiB: what is too long is the chain, from its outer end. */
static void test_both_too_long(void)
{
	static struct wp_perf_stack stack;
	static uint64_t frames[WP_PERFDATA_CHAIN_MAX + 1];
	static const uint32_t sizes[] = {1, 4096, 40000, 65000};

	for (size_t i = 0; i < WP_ARRAY_LEN(frames); i++)
		frames[i] = 0x1000 + i;
	for (size_t i = 0; i < WP_ARRAY_LEN(sizes); i++) {
		struct wp_record sample = record_of(sizes[i]), r;
		wp_autostr struct wp_str out = {0};

		wp_perfdata_put_sample(&out, &sample, &style, frames, 0, WP_ARRAY_LEN(frames));
		CHECK(out.len <= WP_PERF_RECORD_MAX);
		CHECK(out.len > WP_PERF_RECORD_MAX - 256);
		read_back(&out, &stack, &r);
		CHECK(r.sample.payload_bytes >= sizes[i] && r.sample.payload_bytes < sizes[i] + 8);
		CHECK(memcmp(r.sample.payload, payload, sizes[i]) == 0);
		CHECK(!stack.raw.n_user || stack.raw.user_ips[0] == 0x1000);
	}
}

int main(void)
{
	for (size_t i = 0; i < sizeof(payload); i++)
		payload[i] = (uint8_t)(i * 7 + 1);
	RUN(test_payload);
	RUN(test_behind_a_chain);
	RUN(test_both_too_long);
	return check_done();
}
