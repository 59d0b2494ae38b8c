/* SPDX-License-Identifier: BSD-3-Clause */
/* hash: the published values of FNV-1a, and neighbours that spread. */
#include "base/hash.h"
#include "check.h"

static void test_fnv1a(void)
{
	CHECK(wp_hash_str("") == 0xcbf29ce484222325u);
	CHECK(wp_hash_str("a") == 0xaf63dc4c8601ec8cu);
	CHECK(wp_hash_str("foobar") == 0x85944171f73967e8u);
	CHECK(wp_hash_str("\xff") == wp_hash_fnv1a(WP_HASH_FNV1A, 0xff));
}

/* Addresses of a page, 16 bytes apart, by the eight highest bits: no bucket has more than two. */
static void test_spread(void)
{
	uint8_t seen[256] = {0};
	int most = 0;

	for (uint64_t i = 0; i < 256; i++) {
		uint8_t *bucket = &seen[wp_hash_spread(0x7f0000000000 + i * 16) >> 56];

		most = ++*bucket > most ? *bucket : most;
	}
	CHECK(most <= 2);
}

int main(void)
{
	RUN(test_fnv1a);
	RUN(test_spread);
	return check_done();
}
