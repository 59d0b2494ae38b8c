/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices of a pool never overlap, lie in one chunk where they must, and come back. */
#include "source/bpf/bpf_pool.h"

#include "check.h"

#include <stdlib.h>

#define SLOTS 4096

static void test_in_order(void)
{
	struct wp_bpf_pool pool = {.chunk = 10, .chunks = 3};
	struct wp_bpf_slice a, b, c;

	CHECK(wp_bpf_pool_take(&pool, 6, &a) && a.first == 0 && a.n == 6);
	CHECK(wp_bpf_pool_take(&pool, 6, &b) && b.first == 10);
	CHECK(wp_bpf_pool_take(&pool, 4, &c) && c.first == 6);
	CHECK(wp_bpf_pool_take(&pool, 10, &c) && c.first == 20);
	CHECK(!wp_bpf_pool_take(&pool, 5, &c));
	CHECK(wp_bpf_pool_take(&pool, 4, &c) && c.first == 16);
	CHECK(!wp_bpf_pool_take(&pool, 1, &c));
	CHECK(!wp_bpf_pool_take(&pool, 11, &c));
	CHECK(wp_bpf_pool_take(&pool, 0, &c) && c.n == 0);
	wp_bpf_pool_give(&pool, a);
	wp_bpf_pool_give(&pool, c);
	CHECK(wp_bpf_pool_take(&pool, 6, &c) && c.first == 0);
	wp_bpf_pool_deinit(&pool);
}

static void test_straddling(void)
{
	struct wp_bpf_pool pool = {.chunk = 10, .chunks = 3, .straddles = true};
	struct wp_bpf_slice a;

	CHECK(wp_bpf_pool_take(&pool, 25, &a) && a.first == 0);
	CHECK(!wp_bpf_pool_take(&pool, 6, &a));
	CHECK(wp_bpf_pool_take(&pool, 5, &a) && a.first == 25);
	wp_bpf_pool_deinit(&pool);
}

/* Marks a slice's slots as taken or free; false when one already was. */
static bool mark(uint8_t *taken, struct wp_bpf_slice slice, uint8_t value)
{
	for (uint32_t i = slice.first; i < slice.first + slice.n; i++) {
		if (i >= SLOTS || taken[i] == value)
			return false;
		taken[i] = value;
	}
	return true;
}

static void test_random(void)
{
	struct wp_bpf_pool pool = {.chunk = 256, .chunks = SLOTS / 256};
	struct wp_bpf_slice slices[64] = {0};
	uint8_t taken[SLOTS] = {0};
	bool sound = true;

	srandom(1);
	for (int i = 0; i < 20000; i++) {
		struct wp_bpf_slice *slice = &slices[random() % 64];

		if (slice->n) {
			sound &= mark(taken, *slice, 0);
			wp_bpf_pool_give(&pool, *slice);
			slice->n = 0;
		} else if (wp_bpf_pool_take(&pool, 1 + (uint32_t)random() % 200, slice)) {
			sound &= mark(taken, *slice, 1);
			sound &= slice->first / 256 == (slice->first + slice->n - 1) / 256;
		}
	}
	CHECK(sound);
	for (size_t i = 0; i < 64; i++)
		wp_bpf_pool_give(&pool, slices[i]);
	CHECK_U64(pool.unused.n, 1);
	CHECK_U64(pool.unused.v[0].n, pool.high);
	wp_bpf_pool_deinit(&pool);
}

int main(void)
{
	RUN(test_in_order);
	RUN(test_straddling);
	RUN(test_random);
	return check_done();
}
