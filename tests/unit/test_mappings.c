/* SPDX-License-Identifier: BSD-3-Clause */
/* test_mappings: mappings that cut, split and replace each other. */
#include "check.h"
#include "core/mappings.h"

static void map(struct wp_mappings **set, uint64_t start, uint64_t len, uint32_t image)
{
	CHECK(wp_mappings_add(
		set, &(struct wp_mapping){
			     .start = {start}, .len = len, .pgoff = {0x1000}, .image = image}));
}

/* "start-end image@pgoff" of every mapping. */
static const char *show(struct wp_mappings *set)
{
	static char text[1024];
	size_t n = 0, at = 0;
	struct wp_mapping *m = wp_mappings_all(set, &n);

	text[0] = '\0';
	for (size_t i = 0; i < n && at < 900; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%llx-%llx %u@%llx",
				       i ? "," : "", (unsigned long long)m[i].start.v,
				       (unsigned long long)(m[i].start.v + m[i].len), m[i].image,
				       (unsigned long long)m[i].pgoff.v);
	return text;
}

static void test_overlaps(void)
{
	struct wp_mappings *set = NULL;

	map(&set, 0x5000, 0x1000, 1);
	map(&set, 0x1000, 0x3000, 2);
	map(&set, 0x8000, 0, 9);
	CHECK_STR(show(set), "1000-4000 2@1000,5000-6000 1@1000");
	map(&set, 0x2000, 0x1000, 3);
	CHECK_STR(show(set), "1000-2000 2@1000,2000-3000 3@1000,3000-4000 2@3000,5000-6000 1@1000");
	map(&set, 0x1800, 0x4000, 4);
	CHECK_STR(show(set), "1000-1800 2@1000,1800-5800 4@1000,5800-6000 1@1800");
	map(&set, 0, 0x10000, 5);
	CHECK_STR(show(set), "0-10000 5@1000");
	CHECK(wp_mappings_at(set, (struct wp_va){0xffff})->image == 5);
	CHECK(!wp_mappings_at(set, (struct wp_va){0x10000}));
	map(&set, UINT64_MAX - 0xfff, UINT64_MAX, 6);
	CHECK(wp_mappings_at(set, (struct wp_va){UINT64_MAX})->image == 6);
	CHECK(!wp_mappings_at(set, (struct wp_va){0x20000}));
	size_t n, before = wp_mappings_up_to(set, (struct wp_va){0x20000});
	struct wp_mapping *all = wp_mappings_all(set, &n);

	CHECK(before > 0 && before < n && all[before - 1].start.v <= 0x20000 &&
	      all[before].start.v > 0x20000);
	CHECK_U64(wp_mappings_up_to(set, all[0].start), 1);
	CHECK_U64(wp_mappings_up_to(set, (struct wp_va){UINT64_MAX}), n);
	CHECK_U64(wp_mappings_up_to(NULL, (struct wp_va){1}), 0);
	wp_mappings_release(&set);
}

/* Random mappings against an array with one cell per page. */
static void test_random(void)
{
	uint32_t pages[256] = {0};
	uint64_t state = 1;
	struct wp_mappings *set = NULL;
	int bad = 0;

	for (uint32_t i = 1; i < 2000; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		uint64_t first = state >> 56, n = 1 + (state >> 40 & 15);

		if (first + n > 256)
			continue;
		map(&set, first * 4096, n * 4096, i);
		for (uint64_t k = 0; k < n; k++)
			pages[first + k] = i;
		for (uint64_t k = 0; k < 256; k++) {
			struct wp_mapping *m = wp_mappings_at(set, (struct wp_va){k * 4096 + 5});

			bad += m ? m->image != pages[k] : pages[k] != 0;
		}
	}
	CHECK_U64(bad, 0);
	wp_mappings_release(&set);
}

int main(void)
{
	RUN(test_overlaps);
	RUN(test_random);
	return check_done();
}
