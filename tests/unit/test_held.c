/* SPDX-License-Identifier: BSD-3-Clause */
/* test_held: records that wait come out in order, with everything they point at. */
#include "check.h"
#include "session/live/held.h"

static void add_sample(struct wp_held *held, uint64_t i)
{
	uint64_t kernel[2] = {i, i + 1};
	struct wp_stack_frame walked[] = {{{i + 2}, i + 3}};
	struct wp_stack_regs regs = {.r = {i}, .valid = 1};
	uint8_t dump[3000] = {(uint8_t)i};
	struct wp_stack_raw raw = {
		.kernel_ips = kernel,
		.n_kernel = 2,
		.regs = &regs,
		.dump = dump,
		.dump_bytes = sizeof(dump),
		.walked = walked,
		.n_walked = 1,
		.walked_end = WP_STACK_NO_MODULE,
	};
	struct wp_record record = {.kind = WP_RECORD_SAMPLE, .pid = 7, .time_ns = i};

	dump[sizeof(dump) - 1] = (uint8_t)(i >> 8);
	record.sample.stack = &raw;
	wp_held_add(held, &record);
	/* What was lent is gone. */
	memset(kernel, 0xff, sizeof(kernel));
	memset(walked, 0xff, sizeof(walked));
	memset(dump, 0xff, sizeof(dump));
	memset(&raw, 0xff, sizeof(raw));
}

static bool is_sample(const struct wp_record *record, uint64_t i)
{
	const struct wp_stack_raw *raw = record->sample.stack;

	return record->kind == WP_RECORD_SAMPLE && record->time_ns == i && raw->n_kernel == 2 &&
	       raw->kernel_ips[1] == i + 1 && raw->regs->r[0] == i && raw->dump_bytes == 3000 &&
	       raw->dump[0] == (uint8_t)i && raw->dump[2999] == (uint8_t)(i >> 8) &&
	       raw->walked[0].sp == i + 3 && !raw->n_user && !raw->user_ips;
}

/* Several blocks, taken while more are added. */
static void test_order(void)
{
	struct wp_held held = {0};
	uint64_t in = 0, out = 0, wrong = 0;

	CHECK(!wp_held_first(&held));
	while (out < 3000) {
		for (int i = 0; i < 3 && in < 3000; i++)
			add_sample(&held, in++);
		wrong += !is_sample(wp_held_first(&held), out++);
		wp_held_drop(&held);
		CHECK(held.n == in - out);
	}
	CHECK_U64(wrong, 0);
	CHECK(!wp_held_first(&held));
	CHECK_U64(held.bytes, 0);
	wp_held_deinit(&held);
}

static void test_bytes(void)
{
	struct wp_held held = {0};

	for (uint64_t i = 0; i < 1000; i++)
		add_sample(&held, i);
	CHECK(held.bytes > 1000 * 3000 && held.bytes < 1000 * 5000);
	for (uint64_t i = 0; i < 999; i++)
		wp_held_drop(&held);
	CHECK(held.n == 1 && held.bytes < 2u << 20);
	CHECK(is_sample(wp_held_first(&held), 999));
	wp_held_deinit(&held); /* with one in it */
	CHECK(!wp_held_first(&held));
}

static void test_kinds(void)
{
	char text[] = "/some/file", bytes[] = "code";
	struct wp_record map = {.kind = WP_RECORD_MAP}, comm = {.kind = WP_RECORD_COMM},
			 code = {.kind = WP_RECORD_CODE}, exit = {.kind = WP_RECORD_EXIT};
	struct wp_held held = {0};

	map.map.path = comm.comm.name = text;
	code.code.name = (struct wp_code_text){1, 4, 4, (const uint8_t *)bytes};
	code.code.lines_len = UINT64_MAX;
	wp_held_add(&held, &map);
	wp_held_add(&held, &comm);
	wp_held_add(&held, &code);
	wp_held_add(&held, &exit);
	memset(text, 'x', 4);
	memset(bytes, 'x', 4);
	CHECK_STR(wp_held_first(&held)->map.path, "/some/file");
	wp_held_drop(&held);
	CHECK_STR(wp_held_first(&held)->comm.name, "/some/file");
	wp_held_drop(&held);
	CHECK(memcmp(wp_held_first(&held)->code.name.bytes, "code", 4) == 0);
	CHECK(!wp_held_first(&held)->code.lines);
	wp_held_drop(&held);
	CHECK(wp_held_first(&held)->kind == WP_RECORD_EXIT);
	wp_held_deinit(&held);
}

int main(void)
{
	RUN(test_order);
	RUN(test_bytes);
	RUN(test_kinds);
	return check_done();
}
