/* SPDX-License-Identifier: BSD-3-Clause */
/* cpuset: see cpuset.h. */
#include "core/cpuset.h"

#include "base/str.h"

#include <string.h>

void wp_cpuset_add(struct wp_cpuset *set, uint32_t cpu)
{
	size_t at = set->cpus.n;

	while (at > 0 && set->cpus.v[at - 1] > cpu)
		at--;
	if (at > 0 && set->cpus.v[at - 1] == cpu)
		return;
	wp_vec_push(&set->cpus, cpu);
	memmove(set->cpus.v + at + 1, set->cpus.v + at,
		(set->cpus.n - 1 - at) * sizeof(*set->cpus.v));
	set->cpus.v[at] = cpu;
}

/* One item of the list: `n` or `a-b`. Cuts the text in place. */
static bool parse_item(struct wp_cpuset *set, char *item)
{
	char *dash = strchr(item, '-');
	uint64_t first, last;

	if (dash)
		*dash = '\0';
	if (!wp_str_to_u64(item, 10, WP_CPU_MAX, &first))
		return false;
	last = first;
	if (dash && !wp_str_to_u64(dash + 1, 10, WP_CPU_MAX, &last))
		return false;
	for (uint64_t cpu = first < last ? first : last; cpu <= (first < last ? last : first);
	     cpu++)
		wp_cpuset_add(set, (uint32_t)cpu);
	return true;
}

bool wp_cpuset_parse(struct wp_cpuset *set, const char *text)
{
	wp_autofree char *copy = wp_strdup(text);
	char *rest = copy, *item;

	if (!*copy)
		return true;
	while ((item = strsep(&rest, ",")))
		if (!parse_item(set, item))
			return false;
	return true;
}

bool wp_cpuset_has(const struct wp_cpuset *set, uint32_t cpu)
{
	for (size_t i = 0; i < set->cpus.n; i++)
		if (set->cpus.v[i] == cpu)
			return true;
	return false;
}

void wp_cpuset_deinit(struct wp_cpuset *set)
{
	wp_vec_deinit(&set->cpus);
}
