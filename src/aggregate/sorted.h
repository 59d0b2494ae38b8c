/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sorted: samples by any tuple of keys (process, symbol, CPU ...), each key a number.
 *
 * Aggregate stage. A tuple is a way through a tree of values, event first, so that adding a sample
 * makes no strings; the caller gives values their words when rows are shown. With stacks, a sample
 * is once in the total of each tuple that a frame of its stack has.
 */
#ifndef WP_SORTED_H
#define WP_SORTED_H

#include "base/map.h"
#include "base/vec.h"

#define WP_SORTED_KEYS 10

struct wp_sorted_node {
	uint32_t above, value; /* above: index of the node, 0: the root */
	uint64_t samples, weight;
	uint64_t total, total_weight; /* of samples with a frame here; 0 unless frames are told */
	uint64_t last;		      /* the sample that was in the total last */
};

/* All-zero is empty. */
struct wp_sorted {
	WP_VEC(struct wp_sorted_node) nodes;
	uint64_t n;	       /* samples */
	struct wp_map node_of; /* node above and value -> index */
};

struct wp_sorted_row {
	uint32_t values[WP_SORTED_KEYS];
	uint64_t samples, weight, total, total_weight;
	uint32_t node; /* what wp_sorted_add() returned for it */
};

struct wp_sorted_rows {
	WP_VEC(struct wp_sorted_row) rows;
	uint64_t samples, weight; /* of all */
};

/* Returns the number of its tuple, by which a caller may keep more of it: below nodes.n. */
uint32_t wp_sorted_add(struct wp_sorted *sorted, uint32_t event, const uint32_t *values, size_t n,
		       uint64_t period);
/* True when the tuple was added before: adding to it makes nothing new. */
bool wp_sorted_knows(const struct wp_sorted *sorted, uint32_t event, const uint32_t *values,
		     size_t n);
/* A frame of the sample added last, which is one too: its total. Any number, also of one tuple. */
void wp_sorted_add_frame(struct wp_sorted *sorted, uint32_t event, const uint32_t *values, size_t n,
			 uint64_t period);
/*
 * The rows of an event, n as they were added: by falling total weight, then weight (self_first: the
 * other way round), then samples. The caller deinits *ret.
 */
void wp_sorted_rows(const struct wp_sorted *sorted, uint32_t event, size_t n, bool self_first,
		    struct wp_sorted_rows *ret);
/*
 * Gives values others, which several may share: rows of n values that are alike then are one.
 * Without totals, and what wp_sorted_add() returned is not valid afterwards.
 */
void wp_sorted_rename(struct wp_sorted *sorted, size_t n,
		      uint32_t (*rename)(void *arg, size_t key, uint32_t value), void *arg);
void wp_sorted_rows_deinit(struct wp_sorted_rows *rows);
void wp_sorted_deinit(struct wp_sorted *sorted);

#endif
