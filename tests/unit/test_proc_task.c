/* SPDX-License-Identifier: BSD-3-Clause */
/* proc_task: what /proc/TID/syscall and /proc/TID/schedstat say. */
#include "format/maps/proc_task.h"

#include "check.h"

static void test_places(void)
{
	struct wp_proc_task got;

	CHECK(wp_proc_task_place("230 0x1 0x0 0x7fff396d91f0 0x0 0x0 0x6 0x7fff396d9198 "
				 "0x7fab924ed545\n",
				 &got));
	CHECK(got.kind == WP_PROC_TASK_WAITS);
	CHECK_U64((uint64_t)got.call, 230);
	CHECK_U64(got.args[0], 1);
	CHECK_U64(got.args[2], 0x7fff396d91f0);
	CHECK_U64(got.args[5], 6);
	CHECK_U64(got.sp, 0x7fff396d9198);
	CHECK_U64(got.ip, 0x7fab924ed545);
	CHECK(wp_proc_task_place("-1 0x7fff396d9198 0x7fab924ed545\n", &got));
	CHECK(got.kind == WP_PROC_TASK_STANDS);
	CHECK_U64(got.sp, 0x7fff396d9198);
	CHECK(wp_proc_task_place("running\n", &got));
	CHECK(got.kind == WP_PROC_TASK_RUNS);
}

static void test_no_places(void)
{
	static const char *const texts[] = {
		"",
		"\n",
		"walking\n",
		"-2 0x1 0x2\n",
		"0 0x1 0x2 0x3 0x4 0x5 0x6 0x7\n",
		"0 1 0x2 0x3 0x4 0x5 0x6 0x7 0x8\n",
		"-1 0x1 0x10000000000000000\n",
		"9223372036854775808 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8\n",
		"000000000000000000000000000000 0x1\n",
	};
	struct wp_proc_task got;

	for (size_t i = 0; i < WP_ARRAY_LEN(texts); i++)
		CHECK(!wp_proc_task_place(texts[i], &got));
}

static void test_turns(void)
{
	uint64_t got = 0;

	CHECK(wp_proc_task_turns("2170350 29437 7\n", &got));
	CHECK_U64(got, 7);
	CHECK(!wp_proc_task_turns("0 0 0\n", &got));
	CHECK(!wp_proc_task_turns("1 2\n", &got));
	CHECK(!wp_proc_task_turns("1 2 x\n", &got));
	CHECK(!wp_proc_task_turns("", &got));
}

int main(void)
{
	RUN(test_places);
	RUN(test_no_places);
	RUN(test_turns);
	return check_done();
}
