/* SPDX-License-Identifier: BSD-3-Clause */
/* rights_win: see rights.h; Windows has no capabilities of Linux to give up. */
#include "base/rights.h"

bool wp_rights_needs_for(const char *path)
{
	(void)path;
	return false;
}

void wp_rights_reduce(struct wp_rights_needs needs)
{
	(void)needs;
}
