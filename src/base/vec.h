/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vec: a growing array of plain values.
 *
 *	WP_VEC(int) fds = {0};
 *	wp_vec_push(&fds, 3);
 *	wp_vec_each(int, fd, &fds) close(*fd);
 *	wp_vec_deinit(&fds);
 *
 * Pointers into it live until the next push. An all-zero value is an empty one.
 */
#ifndef WP_VEC_H
#define WP_VEC_H

#include "base/mem.h"

#include <stdlib.h>

#define WP_VEC(type)           \
	struct {               \
		type *v;       \
		size_t n, cap; \
	}

/* Makes room for one more element of size bytes and returns the array's new place. */
void *wp_vec_grow_(void *v, size_t n, size_t *cap, size_t size);

/* Appends a value (compound literals need no parentheses). */
#define wp_vec_push(vec, ...)                                                         \
	((vec)->v = wp_vec_grow_((vec)->v, (vec)->n, &(vec)->cap, sizeof(*(vec)->v)), \
	 (vec)->v[(vec)->n++] = (__VA_ARGS__))

#define wp_vec_each(type, it, vec) \
	for (type *it = (vec)->v; (vec)->n && it < (vec)->v + (vec)->n; it++)

/* Frees the array, not what its elements own; the vec is empty and usable afterwards. */
#define wp_vec_deinit(vec) (free((vec)->v), (vec)->v = NULL, (vec)->n = 0, (vec)->cap = 0)

#endif
