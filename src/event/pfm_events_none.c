/* SPDX-License-Identifier: BSD-3-Clause */
/* pfm_events without libpfm4: see pfm_events.h. */
#include "event/pfm_events.h"

void wp_pfm_list(struct wp_arena *arena, struct wp_pfm_events *ret)
{
	(void)arena;
	(void)ret;
}

bool wp_pfm_find(struct wp_arena *arena, const char *name, struct wp_pfm_event *ret)
{
	(void)arena;
	(void)name;
	(void)ret;
	return false;
}
