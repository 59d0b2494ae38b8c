/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_paths: see profile_paths.h. */
#include "aggregate/profile_paths.h"

#include <stdlib.h>
#include <string.h>

/* A path as it is read from its end. */
struct end {
	const char *path;
	size_t len;
	uint32_t module;
};

/* How many bytes both end with. */
static size_t count_common_bytes(const struct end *a, const struct end *b)
{
	size_t n = 0;

	while (n < a->len && n < b->len && a->path[a->len - 1 - n] == b->path[b->len - 1 - n])
		n++;
	return n;
}

/* The byte before the last n; a path's begin sorts before a folder's, and that before all else. */
static int byte_before(const struct end *end, size_t n)
{
	unsigned char c;

	if (n == end->len)
		return -1;
	c = (unsigned char)end->path[end->len - 1 - n];
	return c == '/' ? 0 : c;
}

/* Paths that share the longest ends lie beside each other. */
static int by_end(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	size_t n = count_common_bytes(x, y);
	int before_x = byte_before(x, n), before_y = byte_before(y, n);

	return before_x != before_y ? before_x - before_y : (int)x->module - (int)y->module;
}

static bool is_same(const struct end *a, const struct end *b)
{
	return a->len == b->len && count_common_bytes(a, b) == a->len;
}

/* How long an end of the path is not one of the other's, which is another path. */
static size_t unlike(const struct end *end, const struct end *other)
{
	size_t n = count_common_bytes(end, other);

	if (n == end->len)
		return n;
	if (byte_before(end, n) == 0 && n < other->len)
		return n; /* the other's file or folder has a longer name */
	for (n++; n < end->len && byte_before(end, n) != 0;)
		n++;
	return n;
}

static size_t larger_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void name_ends(struct wp_profile *profile, const struct end *ends, size_t n)
{
	for (size_t first = 0, behind; first < n; first = behind) {
		size_t least = 0;

		for (behind = first + 1; behind < n && is_same(&ends[first], &ends[behind]);)
			behind++;
		if (first > 0)
			least = unlike(&ends[first], &ends[first - 1]);
		if (behind < n)
			least = larger_size(least, unlike(&ends[first], &ends[behind]));
		for (size_t i = first; i < behind; i++) {
			struct wp_profile_module *module = &profile->modules.v[ends[i].module];

			if (least > strlen(module->name))
				module->name = module->path + ends[i].len - least;
		}
	}
}

void wp_profile_tell_files_apart(struct wp_profile *profile)
{
	wp_autofree bool *is_source = wp_calloc(profile->modules.n + 1, sizeof(*is_source));
	WP_VEC(struct end) ends = {0};

	wp_vec_each (struct wp_profile_frame, frame, &profile->frames) {
		if (frame->kind != WP_SYMBOL_PYTHON || frame->module == WP_NO_MODULE ||
		    is_source[frame->module])
			continue;
		const char *path = profile->modules.v[frame->module].path;

		is_source[frame->module] = true;
		wp_vec_push(&ends, (struct end){path, strlen(path), frame->module});
	}
	if (ends.n)
		qsort(ends.v, ends.n, sizeof(*ends.v), by_end);
	name_ends(profile, ends.v, ends.n);
	wp_vec_deinit(&ends);
}
