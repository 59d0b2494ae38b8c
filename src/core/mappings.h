/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mappings: what an address space has mapped: sorted by address, never overlapping.
 *
 * Core. A set is shared by a process and its forks until one of them changes it, so that a build
 * that forks ten thousand times costs little. NULL is the empty set.
 */
#ifndef WP_MAPPINGS_H
#define WP_MAPPINGS_H

#include "core/addr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_mapping {
	struct wp_va start;
	uint64_t len;
	struct wp_off pgoff;
	/* The owner's words: what is mapped, and run-time address minus linked address once
	 * `placed`. */
	uint32_t image;
	bool placed;
	uint64_t delta;
};

struct wp_mappings;

/* A new mapping replaces what it overlaps, which is cut or split. Empty ones are ignored; false
 * when there are too many. */
bool wp_mappings_add(struct wp_mappings **set, const struct wp_mapping *mapping);
/* The mapping at the address, or NULL. Valid until the set changes. */
struct wp_mapping *wp_mappings_at(struct wp_mappings *set, struct wp_va va);
/* How many mappings begin at or in front of the address: the last of them may hold it. */
size_t wp_mappings_up_to(const struct wp_mappings *maps, struct wp_va va);
/* All of them in address order; *ret_n may be 0. */
struct wp_mapping *wp_mappings_all(struct wp_mappings *set, size_t *ret_n);
/* Gives the set one more holder, who releases it, too. */
struct wp_mappings *wp_mappings_share(struct wp_mappings *set);
/* The holder has the empty set then. */
void wp_mappings_release(struct wp_mappings **set);

#endif
