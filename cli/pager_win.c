/* SPDX-License-Identifier: BSD-3-Clause */
/* pager_win: see pager.h; a console of Windows scrolls by itself. */
#include "pager.h"

bool pager_is_possible(const struct pager *pager)
{
	(void)pager;
	return false;
}

void pager_open(struct pager *pager)
{
	(void)pager;
}

void pager_close(struct pager *pager)
{
	(void)pager;
}
