/* SPDX-License-Identifier: BSD-3-Clause */
/* script_text: the fields that are asked for, and names that would spoil the lines. */
#include "view/script_text.h"

#include "check.h"

static void check_text(const struct wp_script_sample *sample, const char *fields, const char *want)
{
	wp_autostr struct wp_str got = {0};
	struct wp_writer *out = wp_writer_of_str(&got);
	uint32_t mask = 0;

	CHECK_OK(wp_script_fields_parse(fields, &mask));
	wp_script_text(sample, mask, out);
	CHECK_OK(wp_writer_close(out));
	CHECK_STR(got.s, want);
}

static const struct wp_script_frame frames[] = {
	{.address = 0x1234,
	 .name = "f",
	 .offset = 4,
	 .module = "/lib/x.so",
	 .file = "x.c",
	 .line = 3},
	{.address = 0x1234, .name = "g", .kind = WP_SYMBOL_INLINE, .file = "x.h", .line = 9},
	{.address = 0x20,
	 .name = "h\x1b[2J\n",
	 .kind = WP_SYMBOL_PYTHON,
	 .file = "a b.py",
	 .line = 0},
	{.address = 0xffff, .kind = WP_SYMBOL_KERNEL},
};

static void test_fields(void)
{
	struct wp_script_sample sample = {
		.comm = "a b",
		.thread = "worker (f)\n",
		.pid = 1,
		.tid = 2,
		.cpu = 3,
		.time_ns = 1002003004,
		.period = 5,
		.event = "cycles",
		.frames = frames,
		.n = 2,
	};

	check_text(&sample, NULL,
		   "a b 1/2 [003] 1.002003:          5 cycles:\n"
		   "\t            1234 f+0x4 (/lib/x.so)\n"
		   "\t            1234 g (inlined)\n\n");
	check_text(&sample, "+srcline,-period,-pid",
		   "a b 2 [003] 1.002003: cycles:\n"
		   "\t            1234 f+0x4 (/lib/x.so)\n  x.c:3\n"
		   "\t            1234 g (inlined)\n  x.h:9\n\n");
	check_text(&sample, "ip,sym", "\n\t            1234 f\n\t            1234 g\n\n");
	check_text(&sample, "comm,time", "a b 1.002003: \n");
	check_text(&sample, "comm,thread,tid", "a b worker (f)? 2 \n");
	check_text(&sample, "thread", "worker (f)? \n");
	sample.cpu = UINT32_MAX;
	sample.comm = NULL;
	sample.frames = frames + 2;
	check_text(&sample, "-time",
		   ":2 1/2          5 cycles:\n"
		   "\t              20 h?[2J? (a b.py)\n"
		   "\t            ffff [unknown] ([unknown])\n\n");
	sample.tid = UINT32_MAX; /* it is exiting */
	sample.no_time = true;
	check_text(&sample, "pid,tid,time,event", "1/-1 cycles:\n");
}

static void test_bad_fields(void)
{
	uint32_t fields;

	CHECK_ERR(wp_script_fields_parse("comm,", &fields), "-F : want one of comm");
	CHECK_ERR(wp_script_fields_parse("+wait", &fields), "-F wait: want one of comm");
}

int main(void)
{
	RUN(test_fields);
	RUN(test_bad_fields);
	return check_done();
}
