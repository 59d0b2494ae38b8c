/* SPDX-License-Identifier: BSD-3-Clause */
/* alt_debug_win: see alt_debug.h; without DWARF nothing is shared. */
#include "resolve/find/alt_debug.h"

void wp_alt_debug_set(Dwarf *debug, int fd, struct wp_budget *budget, struct wp_alt_debug *ret)
{
	(void)debug, (void)fd, (void)budget;
	*ret = (struct wp_alt_debug){.fd = -1};
}

void wp_alt_debug_deinit(struct wp_alt_debug *alt)
{
	*alt = (struct wp_alt_debug){.fd = -1};
}
