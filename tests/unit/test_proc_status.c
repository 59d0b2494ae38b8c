/* SPDX-License-Identifier: BSD-3-Clause */
/* proc_status: numbers of /proc/PID/status and /proc/PID/stat, whatever the process calls itself.
 */
#include "format/maps/proc_status.h"

#include "check.h"

static void test_inner(void)
{
	CHECK_U64(wp_proc_status_inner("Name:\ta\nNSpid:\t77\t5\nNSpgid:\t1\n", 77), 5);
	CHECK_U64(wp_proc_status_inner("Name:\ta\nNSpid:\t77\n", 77), 77);
	CHECK_U64(wp_proc_status_inner("\nNSpid:\t77\t5", 77), 5);
	CHECK_U64(wp_proc_status_inner("Name:\ta\n", 77), 77);
	CHECK_U64(wp_proc_status_inner("\nNSpid:", 77), 77);
	CHECK_U64(wp_proc_status_inner("\nNSpid:\t\t\n", 77), 77);
	CHECK_U64(wp_proc_status_inner("\nNSpid:\t77\t4294967296\n", 77), 77);
}

static void check_number(const char *stat, int field, bool there, uint64_t want)
{
	uint64_t got = 0;

	CHECK(wp_proc_stat_number(stat, field, &got) == there);
	CHECK_U64(got, want);
}

static void test_fields(void)
{
	static const char line[] = "77 (a) b\n) S 1 77 78 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 "
				   "123456 8192\n";

	CHECK(*wp_proc_stat_field(line, WP_PROC_STAT_STATE) == 'S');
	check_number(line, 4, true, 1);
	check_number(line, WP_PROC_STAT_START, true, 123456);
	check_number(line, 23, true, 8192);
	check_number(line, 24, false, 0);
	check_number(line, WP_PROC_STAT_STATE, false, 0);
	check_number(line, 8, false, 0); /* -1 */
	check_number("", 3, false, 0);
	check_number("77 (a)", 3, false, 0);
	check_number("77 (a) S 99999999999999999999999999999999", 4, false, 0);
}

int main(void)
{
	RUN(test_inner);
	RUN(test_fields);
	return check_done();
}
