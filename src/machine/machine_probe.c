/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_probe: see machine_probe.h. Files first, then (on the real machine only) trials, because
 * what can be opened is not what files say.
 */
#include "machine/machine_probe.h"

#include "machine/machine_parts.h"

void wp_machine_probe(const char *root, struct wp_machine *ret)
{
	*ret = (struct wp_machine){0};
	ret->root = wp_arena_strdup(&ret->arena, root);
	wp_machine_probe_cpu(ret);
	wp_machine_probe_pmus(ret);
	wp_machine_probe_spe(ret);
	wp_machine_probe_limits(ret);
	wp_machine_probe_tracefs(ret);
	wp_machine_assume_counters(ret);
	if (!*root)
		wp_machine_probe_trial(ret);
}
