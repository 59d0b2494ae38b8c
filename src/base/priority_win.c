/* SPDX-License-Identifier: BSD-3-Clause */
/* priority_win: see priority.h; no ring is emptied on Windows yet. */
#include "base/priority.h"

void wp_priority_raise(struct wp_priority *priority)
{
	(void)priority;
}

void wp_priority_renew(const struct wp_priority *priority)
{
	(void)priority;
}

void wp_priority_lower(struct wp_priority *priority)
{
	(void)priority;
}
