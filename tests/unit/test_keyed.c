/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements by their keys: found, made once, and found again when the array has moved. */
#include "base/keyed.h"

#include "check.h"

struct element {
	uint64_t key;
	int seen;
};

static int made;

static struct element make(uint64_t key)
{
	made++;
	return (struct element){.key = key};
}

static void test_keyed(void)
{
	struct wp_map by_key = {0};
	WP_VEC(struct element) all = {0};

	CHECK(!wp_keyed_get(&all, &by_key, 7));
	for (int round = 0; round < 2; round++)
		for (uint64_t key = 0; key < 1000; key++)
			wp_keyed_put(&all, &by_key, key * 7, make(key * 7))->seen++;
	CHECK(all.n == 1000 && made == 1000);
	for (uint64_t key = 0; key < 7000; key++) {
		const struct element *found = wp_keyed_get(&all, &by_key, key);

		CHECK(key % 7 ? !found : found && found->key == key && found->seen == 2);
	}
	*wp_map_put(&by_key, 7) = 0;
	CHECK(!wp_keyed_get(&all, &by_key, 7));
	wp_vec_deinit(&all);
	wp_map_deinit(&by_key);
}

int main(void)
{
	RUN(test_keyed);
	return check_done();
}
