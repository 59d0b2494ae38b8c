/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * keyed: elements of a vec that are found by a key, with a map from keys to indexes + 1 beside it.
 *
 *	struct wp_map by_pid;
 *	WP_VEC(struct process) all;
 *
 *	wp_keyed_put(&all, &by_pid, pid, (struct process){.pid = pid})->samples++;
 *
 * Pointers to elements live until the next one is made.
 */
#ifndef WP_KEYED_H
#define WP_KEYED_H

#include "base/map.h"
#include "base/vec.h"

/* The element of a key, or NULL: there is none, or its index was set to 0. */
#define wp_keyed_get(vec, map, key)                                        \
	({                                                                 \
		const uint64_t *found_at_ = wp_map_get((map), (key));      \
		found_at_ &&*found_at_ ? &(vec)->v[*found_at_ - 1] : NULL; \
	})

/* The element of a key; when there is none a new one with this value, appended. */
#define wp_keyed_put(vec, map, key, ...)                      \
	({                                                    \
		uint64_t *put_at_ = wp_map_put((map), (key)); \
		if (!*put_at_) {                              \
			wp_vec_push((vec), __VA_ARGS__);      \
			*put_at_ = (vec)->n;                  \
		}                                             \
		&(vec)->v[*put_at_ - 1];                      \
	})

#endif
