/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * posix_sort: sorts that leave equal items in their order (include/stdlib.h), as glibc's do:
 * reports are the same on both systems. By merging, with as much memory again.
 */
#include "base/mem.h"

#include <stdbool.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct sort {
	size_t size;
	int (*compare)(const void *, const void *, void *);
	void *arg;
};

/* Merges two halves, each in order, into `to`. */
static void merge_halves(const struct sort *sort, const uint8_t *from, size_t middle, size_t n,
			 uint8_t *to)
{
	const uint8_t *left = from, *left_end = from + middle * sort->size;
	const uint8_t *right = left_end, *right_end = from + n * sort->size;

	while (left < left_end || right < right_end) {
		bool takes_left = right == right_end ||
				  (left < left_end && sort->compare(left, right, sort->arg) <= 0);
		const uint8_t **taken = takes_left ? &left : &right;

		memcpy(to, *taken, sort->size);
		*taken += sort->size;
		to += sort->size;
	}
}

static void sort_items(const struct sort *sort, uint8_t *items, size_t n, uint8_t *spare)
{
	size_t middle = n / 2;

	if (n < 2)
		return;
	sort_items(sort, items, middle, spare);
	sort_items(sort, items + middle * sort->size, n - middle, spare);
	memcpy(spare, items, n * sort->size);
	merge_halves(sort, spare, middle, n, items);
}

void qsort_r(void *items, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
	     void *arg)
{
	const struct sort sort = {size, compare, arg};
	wp_autofree uint8_t *spare = wp_calloc(n, size);

	sort_items(&sort, items, n, spare);
}

struct plain_compare {
	int (*compare)(const void *, const void *);
};

static int compare_plainly(const void *a, const void *b, void *arg)
{
	const struct plain_compare *plain = arg;

	return plain->compare(a, b);
}

void wp_posix_sort(void *items, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	struct plain_compare plain = {compare};

	qsort_r(items, n, size, compare_plainly, &plain);
}
