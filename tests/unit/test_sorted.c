/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples by tuples of values that get other values afterwards. */
#include "check.h"

#include "aggregate/sorted.h"
#include "base/mem.h"

/* Odd values are one. */
static uint32_t name_value(void *arg, size_t key, uint32_t value)
{
	++*(size_t *)arg;
	return key == 1 && value % 2 ? 100 : value;
}

static void test_renamed(void)
{
	static const uint32_t values[][2] = {{1, 1}, {1, 3}, {1, 4}, {2, 3}};
	struct wp_sorted sorted = {.n = 0};
	struct wp_sorted_rows rows;
	size_t asked = 0;

	for (size_t i = 0; i < WP_ARRAY_LEN(values); i++)
		wp_sorted_add(&sorted, 0, values[i], 2, 10 + i);
	wp_sorted_add(&sorted, 1, values[1], 2, 5);
	wp_sorted_rename(&sorted, 2, name_value, &asked);
	CHECK_U64(asked, 10);
	wp_sorted_rows(&sorted, 0, 2, false, &rows);
	CHECK_U64(rows.rows.n, 3);
	CHECK_U64(rows.samples, 4);
	CHECK_U64(rows.weight, 46);
	for (size_t i = 0; i < rows.rows.n; i++) {
		const struct wp_sorted_row *row = &rows.rows.v[i];

		if (row->values[0] == 1 && row->values[1] == 100)
			CHECK(row->samples == 2 && row->weight == 21);
		else
			CHECK_U64(row->samples, 1);
	}
	wp_sorted_rows_deinit(&rows);
	wp_sorted_rows(&sorted, 1, 2, false, &rows);
	CHECK(rows.rows.n == 1 && rows.rows.v[0].values[1] == 100 && rows.weight == 5);
	wp_sorted_rows_deinit(&rows);
	wp_sorted_deinit(&sorted);
}

static void test_renamed_nothing(void)
{
	struct wp_sorted sorted = {.n = 0};
	size_t asked = 0;

	wp_sorted_rename(&sorted, 2, name_value, &asked);
	CHECK_U64(asked, 0);
	wp_sorted_deinit(&sorted);
}

int main(void)
{
	RUN(test_renamed);
	RUN(test_renamed_nothing);
	return check_done();
}
