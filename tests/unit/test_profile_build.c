/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_build: frames, stacks and samples become tables; bounds; the order of late samples. */
#include "aggregate/profile_build.h"

#include "check.h"

static const struct wp_symbol_set *symbols(void)
{
	static struct wp_symbol_set set;

	if (set.symbols.n)
		return &set;
	wp_vec_push(&set.modules, (struct wp_module){.name = "libx.so", .path = "/lib/libx.so"});
	wp_vec_push(&set.modules, (struct wp_module){.name = "app", .path = "/bin/app"});
	wp_vec_push(&set.symbols, (struct wp_symbol){.name = "main", .raw = "main", .module = 1});
	wp_vec_push(&set.symbols,
		    (struct wp_symbol){.reason = WP_SYMBOL_STRIPPED, .module = WP_NO_MODULE});
	return &set;
}

static void add_sample(struct wp_profile_builder *b, uint64_t time_ns, uint32_t stack)
{
	struct wp_profile_sample sample = {.time_ns = time_ns, .weight = 1, .stack = stack};

	sample.thread = wp_profile_add_thread(b, 1, 2, "t", NULL);
	wp_profile_add_sample(b, &sample);
}

static void test_tables(void)
{
	struct wp_profile_builder b = {0};
	struct wp_profile_frame known = {.symbol = 0, .line = 7}, unknown = {.symbol = 1};
	uint32_t f = wp_profile_add_frame(&b, &known), g = wp_profile_add_frame(&b, &unknown);
	uint32_t outer = wp_profile_add_stack(&b, WP_NO_STACK, f);

	CHECK_U64(wp_profile_add_stack(&b, WP_NO_STACK, f), outer);
	CHECK_U64(wp_profile_add_stack(&b, outer, g), 1);
	CHECK_U64(wp_profile_add_stack(&b, outer, g), 1);
	add_sample(&b, 1000, 1);
	wp_profile_finish(&b, symbols());
	CHECK_STR(b.profile.frames.v[0].name, "main");
	CHECK_U64(b.profile.frames.v[0].module, 0);
	CHECK_U64(b.profile.frames.v[0].line, 7);
	CHECK_STR(b.profile.modules.v[0].path, "/bin/app");
	CHECK_U64(b.profile.modules.n, 1);
	CHECK_U64(b.set_modules.v[0], 1);
	CHECK_STR(b.profile.frames.v[1].name, "unknown");
	CHECK_U64(b.profile.frames.v[1].reason, WP_SYMBOL_STRIPPED);
	CHECK_U64(b.profile.frames.v[1].module, WP_NO_MODULE);
	CHECK_STR(b.profile.threads.v[0].process, "");
	wp_profile_builder_deinit(&b);
}

static void test_times(void)
{
	struct wp_profile_builder b = {0};

	add_sample(&b, 3000, WP_NO_STACK);
	add_sample(&b, 1000, WP_NO_STACK); /* came too late to be put in order */
	add_sample(&b, 4500, WP_NO_STACK);
	wp_profile_finish(&b, symbols());
	CHECK_U64(b.first_ns, 1000);
	CHECK_U64(b.profile.samples.v[0].time_ns, 0);
	CHECK_U64(b.profile.samples.v[1].time_ns, 2000);
	CHECK_U64(b.profile.samples.v[2].time_ns, 3500);
	CHECK_U64(b.profile.threads.v[0].first_ns, 0);
	CHECK_U64(b.profile.threads.v[0].last_ns, 3500);
	wp_profile_builder_deinit(&b);
}

static void test_names(void)
{
	struct wp_profile_builder b = {0};
	char name[] = "sh";

	wp_profile_add_thread(&b, 1, 1, name, name);
	name[0] = '?'; /* names are copied */
	CHECK_STR(b.profile.threads.v[0].name, "sh");
	CHECK_U64(wp_profile_add_thread(&b, 1, 1, "python3", "python3"), 0);
	CHECK_STR(b.profile.threads.v[0].name, "python3");
	CHECK_U64(wp_profile_add_thread(&b, 2, 1, "x", "x"), 1);
	wp_profile_finish(&b, symbols());
	CHECK_U64(b.profile.threads.v[1].first_ns, 0);
	wp_profile_builder_deinit(&b);
}

static void test_bounds(void)
{
	struct wp_profile_builder b = {.samples_max = 2, .stacks_max = 1};
	struct wp_profile_frame frame = {.symbol = 0};
	uint32_t f = wp_profile_add_frame(&b, &frame);

	CHECK_U64(wp_profile_add_stack(&b, WP_NO_STACK, f), 0);
	CHECK_U64(wp_profile_add_stack(&b, 0, f), WP_NO_STACK);
	for (int i = 0; i < 5; i++)
		add_sample(&b, 1, 0);
	CHECK_U64(b.profile.samples.n, 2);
	CHECK_U64(b.left_out, 3);
	wp_profile_builder_deinit(&b);
}

int main(void)
{
	RUN(test_tables);
	RUN(test_times);
	RUN(test_names);
	RUN(test_bounds);
	return check_done();
}
