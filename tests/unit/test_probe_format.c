/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_format: a probe's arguments described as a tracepoint's fields, read back by those. */
#include "format/trace/probe_format.h"

#include "check.h"
#include "format/trace/trace_text.h"

static struct wp_probe_arg args[] = {
	{.name = "arg1", .is_signed = true, .size = 4},
	{.name = "path", .is_string = true, .size = 8},
	{.name = "n", .size = 2},
	{.name = "to", .is_string = true, .size = 8},
	{.name = "low", .is_signed = true, .size = 1},
};
static const struct wp_probe probe = {
	.kind = WP_PROBE_USER, .symbol = "ns::f", .args = args, .n_args = 5, .format_id = 65535};

static void test_description(void)
{
	wp_autostr struct wp_str text = {0};
	struct wp_trace_description description;
	struct wp_arena arena = {0};

	wp_probe_format_put(&probe, &text);
	CHECK(wp_trace_text_read(&arena, text.s, text.len, &description));
	CHECK_U64(description.id, 65535);
	CHECK_STR(description.name, "ns__f");
	CHECK_STR(description.print,
		  "\"(%lx) arg1=%d path=\\\"%s\\\" n=%u to=\\\"%s\\\" low=%d\", REC->__probe_ip, "
		  "REC->arg1, __get_str(path), REC->n, __get_str(to), REC->low");
	wp_arena_deinit(&arena);
}

static void test_payload(void)
{
	wp_autostr struct wp_str text = {0}, payload = {0}, got = {0};
	struct wp_probe_hit hit = {
		.tid = 7,
		.ip = 0x401000,
		.values = {(uint64_t)-5, 4, 65537, 0, (uint64_t)-3},
		.texts = "abc",
		.texts_bytes = 4,
	};
	struct wp_trace_description description;
	struct wp_arena arena = {0};

	wp_probe_format_put(&probe, &text);
	CHECK(wp_trace_text_read(&arena, text.s, text.len, &description));
	CHECK(wp_probe_format_payload(&probe, &hit, &payload));
	wp_fields_text(&description.fields, (const uint8_t *)payload.s, payload.len, &got);
	CHECK_STR(got.s, "__probe_ip=4198400 arg1=-5 path=abc n=1 to= low=-3");
	hit.values[1] = 5; /* more than there is */
	CHECK(!wp_probe_format_payload(&probe, &hit, &payload));
	wp_arena_deinit(&arena);
}

int main(void)
{
	RUN(test_description);
	RUN(test_payload);
	return check_done();
}
