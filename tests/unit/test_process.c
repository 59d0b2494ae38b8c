/* SPDX-License-Identifier: BSD-3-Clause */
/* test_process: mappings that cut, split and replace each other; fork, exec, exit; bounds. */
#include "check.h"
#include "core/process.h"

static void map(struct wp_process *p, uint64_t start, uint64_t len, uint32_t image)
{
	CHECK(wp_process_map(
		p, &(struct wp_mapping){
			   .start = {start}, .len = len, .pgoff = {0x1000}, .image = image}));
}

/* "start-end image@pgoff" of every mapping. */
static const char *show(struct wp_processes *set, uint32_t pid)
{
	static char text[1024];
	struct wp_process *p = wp_processes_find(set, pid);
	size_t n = 0, at = 0;
	struct wp_mapping *m = p ? wp_process_mappings(p, &n) : NULL;

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
	struct wp_processes set = {0};
	struct wp_process *p = wp_processes_get(&set, 7);

	map(p, 0x5000, 0x1000, 1);
	map(p, 0x1000, 0x3000, 2);
	map(p, 0x8000, 0, 9);
	CHECK_STR(show(&set, 7), "1000-4000 2@1000,5000-6000 1@1000");
	map(p, 0x2000, 0x1000, 3);
	CHECK_STR(show(&set, 7),
		  "1000-2000 2@1000,2000-3000 3@1000,3000-4000 2@3000,5000-6000 1@1000");
	map(p, 0x1800, 0x4000, 4);
	CHECK_STR(show(&set, 7), "1000-1800 2@1000,1800-5800 4@1000,5800-6000 1@1800");
	map(p, 0, 0x10000, 5);
	CHECK_STR(show(&set, 7), "0-10000 5@1000");
	CHECK(wp_process_at(p, (struct wp_va){0xffff})->image == 5);
	CHECK(!wp_process_at(p, (struct wp_va){0x10000}));
	map(p, UINT64_MAX - 0xfff, UINT64_MAX, 6);
	CHECK(wp_process_at(p, (struct wp_va){UINT64_MAX})->image == 6);
	CHECK(!wp_process_at(p, (struct wp_va){0x20000}));
	wp_processes_deinit(&set);
}

/* Random mappings against an array with one cell per page. */
static void test_random(void)
{
	uint32_t pages[256] = {0};
	uint64_t state = 1;
	struct wp_processes set = {0};
	struct wp_process *p = wp_processes_get(&set, 1);
	int bad = 0;

	for (uint32_t i = 1; i < 2000; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		uint64_t first = state >> 56, n = 1 + (state >> 40 & 15);

		if (first + n > 256)
			continue;
		map(p, first * 4096, n * 4096, i);
		for (uint64_t k = 0; k < n; k++)
			pages[first + k] = i;
		for (uint64_t k = 0; k < 256; k++) {
			struct wp_mapping *m = wp_process_at(p, (struct wp_va){k * 4096 + 5});

			bad += m ? m->image != pages[k] : pages[k] != 0;
		}
	}
	CHECK_U64(bad, 0);
	wp_processes_deinit(&set);
}

static void test_fork_exec(void)
{
	struct wp_processes set = {0};

	map(wp_processes_get(&set, 1), 0x1000, 0x1000, 1);
	wp_processes_get(&set, 1)->jit = 5;
	wp_processes_fork(&set, 1, 2);
	CHECK_STR(show(&set, 2), "1000-2000 1@1000");
	CHECK_U64(wp_processes_find(&set, 2)->inherited_jit, 5);
	map(wp_processes_get(&set, 2), 0x1000, 0x1000, 2);
	CHECK_STR(show(&set, 2), "1000-2000 2@1000");
	CHECK_STR(show(&set, 1), "1000-2000 1@1000");
	wp_processes_fork(&set, 2, 3);
	wp_processes_exec(&set, 2);
	CHECK_STR(show(&set, 2), "");
	CHECK_STR(show(&set, 3), "1000-2000 2@1000");
	wp_processes_fork(&set, 99, 3);
	CHECK_STR(show(&set, 3), "");
	wp_processes_fork(&set, 1, 1);
	CHECK_STR(show(&set, 1), "1000-2000 1@1000");
	wp_processes_deinit(&set);
}

static void test_bounded(void)
{
	struct wp_processes set = {.ended_limit = 10};

	map(wp_processes_get(&set, 1), 0x1000, 0x1000, 1);
	for (uint32_t pid = 2; pid < 20000; pid++) {
		wp_processes_fork(&set, 1, pid);
		wp_processes_exit(&set, pid);
		wp_processes_exit(&set, pid);
	}
	CHECK(set.all.n < 40);
	CHECK_STR(show(&set, 19999), "1000-2000 1@1000");
	CHECK(!wp_processes_find(&set, 5));
	CHECK_STR(show(&set, 1), "1000-2000 1@1000");
	/* The same pid again and again, living in between. */
	for (int i = 0; i < 1000; i++) {
		wp_processes_fork(&set, 1, 77);
		wp_processes_exit(&set, 77);
		wp_processes_exit(&set, 5000 + (uint32_t)i);
	}
	CHECK(set.all.n < 40);
	wp_processes_deinit(&set);
}

int main(void)
{
	RUN(test_overlaps);
	RUN(test_random);
	RUN(test_fork_exec);
	RUN(test_bounded);
	return check_done();
}
