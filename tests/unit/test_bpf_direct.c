/* SPDX-License-Identifier: BSD-3-Clause */
/* Where physical memory ends, as /proc/zoneinfo says. */
#include "source/bpf/bpf_direct.h"

#include "check.h"

#include <unistd.h>

static uint64_t end_of(const char *text)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	uint64_t end = wp_bpf_direct_end(file);

	fclose(file);
	return end / (uint64_t)sysconf(_SC_PAGESIZE);
}

static void test_zones(void)
{
	CHECK_U64(end_of("Node 0, zone      DMA\n"
			 "        spanned  4095\n"
			 "        present  3998\n"
			 "  start_pfn:           1\n"
			 "Node 0, zone   Normal\n"
			 "        spanned  524288\n"
			 "  start_pfn:           1048576\n"
			 "Node 0, zone  Movable\n"
			 "        spanned  0\n"
			 "  start_pfn:           0\n"),
		  1572864);
}

/* The zone that memory ends with need not be the last one. */
static void test_order(void)
{
	CHECK_U64(end_of("spanned 10\nstart_pfn: 90\nspanned 5\nstart_pfn: 20\n"), 100);
}

static void test_nothing(void)
{
	CHECK_U64(end_of("Node 0, zone DMA\n"), 0);
}

static bool refuse(void *arg, struct wp_walk_search *asked)
{
	(void)arg;
	(void)asked;
	return false;
}

/* Finds memory of five levels. */
static bool five(void *arg, struct wp_walk_search *asked)
{
	*(int *)arg +=
		memcmp((void *)(uintptr_t)asked->addr, asked->magic, sizeof(asked->magic)) == 0;
	if (asked->direct.levels == 5)
		asked->direct.base = 0xff11000000000000;
	return true;
}

static void test_find(void)
{
	struct wp_walk_direct direct;
	int asked = 0;

	CHECK(!wp_bpf_direct_find(refuse, NULL, &direct));
	CHECK_U64(direct.end, 0);
	CHECK(wp_bpf_direct_find(five, &asked, &direct));
	CHECK_U64(asked, 2);
	CHECK_U64(direct.base, 0xff11000000000000);
	CHECK_U64(direct.levels, 5);
	CHECK(direct.end > 0);
}

int main(void)
{
	RUN(test_zones);
	RUN(test_order);
	RUN(test_nothing);
	RUN(test_find);
	return check_done();
}
