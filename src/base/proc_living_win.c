/* SPDX-License-Identifier: BSD-3-Clause */
/* proc_living_win: see proc_living.h; there is no /proc. */
#include "base/proc_living.h"

uint32_t wp_proc_living(uint32_t pid)
{
	return pid;
}
