/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_tree: a profile of one event as a tree of functions: who called whom, and for how much.
 *
 * View stage. In: a profile. Out: below the root a node for each thread's name, below it those of
 * its outermost functions, and so on; functions of the same text and kind are one node, whatever
 * line they were called from. Children are sorted, the heaviest first, so that the same profile
 * makes the same tree.
 */
#ifndef WP_PROFILE_TREE_H
#define WP_PROFILE_TREE_H

#include "base/map.h"
#include "base/strpool.h"
#include "core/profile.h"

enum wp_tree_kind {
	WP_TREE_ALL,
	WP_TREE_THREAD,
	WP_TREE_FUNCTION,
};

/* What a node is called. */
struct wp_tree_label {
	const char *text; /* wp_frame_text() */
	enum wp_tree_kind kind;
	enum wp_symbol_kind symbol; /* of a function */
	bool known;		    /* the function's name is */
};

struct wp_tree_node {
	uint32_t parent, label;
	uint32_t frame; /* of a function: the first of the profile's frames that it was made of */
	uint64_t self, total;	       /* weights: of the stacks that end here, that pass here */
	uint64_t samples;	       /* that pass here */
	uint32_t children, n_children; /* a range of order */
	uint32_t lines, n_lines;       /* a range of lines */
};

/* What one line of a function has of its node's total. */
struct wp_tree_line {
	uint32_t node, line;
	uint64_t weight;
};

struct wp_profile_tree {
	struct wp_strpool texts;
	struct wp_map label_of; /* text and kinds -> index in labels + 1 */
	WP_VEC(struct wp_tree_label) labels;
	WP_VEC(struct wp_tree_node) nodes; /* the root is the first; a node is behind its parent */
	WP_VEC(uint32_t) order;		   /* children */
	WP_VEC(struct wp_tree_line) lines; /* of a node together, the heaviest first */
};

/* The caller deinits. */
void wp_profile_tree_make(const struct wp_profile *profile, struct wp_profile_tree *ret);
void wp_profile_tree_deinit(struct wp_profile_tree *tree);
/* The label of a node. */
const struct wp_tree_label *wp_tree_label(const struct wp_profile_tree *tree, uint32_t node);

#endif
