/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flame_hot: what a flame graph says in words above the picture: the functions that ran most, and
 * the Python lines that did or called what did.
 *
 * View stage. In: a profile of one event and its tree. Out: a few rows, the heaviest first.
 */
#ifndef WP_FLAME_HOT_H
#define WP_FLAME_HOT_H

#include "view/profile_tree.h"

#define WP_FLAME_HOT_ROWS 6

struct wp_flame_hot_row {
	const struct wp_tree_label *label; /* of a function; NULL: of a line, whose text it is */
	const char *text;
	uint64_t weight;
};

struct wp_flame_hot {
	struct wp_arena arena; /* of texts */
	struct wp_flame_hot_row functions[WP_FLAME_HOT_ROWS], lines[WP_FLAME_HOT_ROWS];
	size_t n_functions, n_lines;
};

/* The caller deinits. */
void wp_flame_hot_make(const struct wp_profile *profile, const struct wp_profile_tree *tree,
		       struct wp_flame_hot *ret);
void wp_flame_hot_deinit(struct wp_flame_hot *hot);

#endif
