/* SPDX-License-Identifier: BSD-3-Clause */
/* The time grammar of --timeout, sleep and -i. */
#include "check.h"

#include "base/duration.h"

#include <stdint.h>

static uint64_t parsed(const char *text)
{
	uint64_t ns = 77;

	return wp_duration_parse(text, &ns) ? ns : (CHECK_U64(ns, 77), UINT64_MAX);
}

static void test_valid(void)
{
	CHECK_U64(parsed("1"), 1000000000);
	CHECK_U64(parsed("2s"), 2000000000);
	CHECK_U64(parsed("3m"), 180000000000);
	CHECK_U64(parsed("4ms"), 4000000);
	CHECK_U64(parsed("5h"), 18000000000000);
	CHECK_U64(parsed("6d"), 518400000000000);
	CHECK_U64(parsed("0"), 0);
	CHECK_U64(parsed("0.5"), 500000000);
	CHECK_U64(parsed("10.01ms"), 10010000);
	CHECK_U64(parsed("199.99m"), 11999400000000);
	CHECK_U64(parsed("2.50h"), 9000000000000);
	CHECK_U64(parsed("2000s"), 2000000000000);
}

static void test_invalid(void)
{
	static const char *const texts[] = {
		"",
		" ",
		"-10",
		"3.2222s",
		".5",
		".d",
		"2.2!d",
		"2d30m",
		"timeout=20seconds",
		"01h",
		"1.",
		"1.s",
		"1 s",
		"99999999999999999999",
		"1e3",
		"300000d",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		CHECK_U64(parsed(texts[i]), UINT64_MAX);
}

int main(void)
{
	RUN(test_valid);
	RUN(test_invalid);
	return check_done();
}
