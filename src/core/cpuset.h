/* SPDX-License-Identifier: BSD-3-Clause */
/* cpuset: a sorted list of distinct CPU numbers, as in `-c 0,2-4` and in sysfs. */
#ifndef WP_CPUSET_H
#define WP_CPUSET_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define WP_CPU_MAX 8191 /* the kernel's NR_CPUS limit, minus one */

struct wp_cpuset {
	WP_VEC(uint32_t) cpus;
};

/*
 * Parses a comma list of decimal numbers and `a-b` ranges (either order) and adds them. False on
 * anything else, and on numbers above WP_CPU_MAX. An empty text adds nothing and is true (sysfs: no
 * CPU).
 */
bool wp_cpuset_parse(struct wp_cpuset *set, const char *text);
void wp_cpuset_add(struct wp_cpuset *set, uint32_t cpu);
bool wp_cpuset_has(const struct wp_cpuset *set, uint32_t cpu);
void wp_cpuset_deinit(struct wp_cpuset *set);

#endif
