/* SPDX-License-Identifier: BSD-3-Clause */
/* dwarf_entry: see dwarf_entry.h. */
#include "resolve/lines/dwarf_entry.h"

#include <dwarf.h>

#define MAX_ORIGINS 16 /* from an instance to what it is one of */

static int pass_attribute(Dwarf_Attribute *attr, void *arg)
{
	(void)attr;
	(void)arg;
	return DWARF_CB_OK;
}

bool wp_dwarf_entry_is_whole(Dwarf_Die *die)
{
	return dwarf_getattrs(die, pass_attribute, NULL, 0) == 1;
}

const char *wp_dwarf_entry_text(const Dwarf_Die *die, unsigned int attribute)
{
	Dwarf_Die at = *die;
	Dwarf_Attribute attr;

	for (unsigned int i = 0; i < MAX_ORIGINS && wp_dwarf_entry_is_whole(&at); i++) {
		if (dwarf_attr(&at, attribute, &attr))
			return dwarf_formstring(&attr);
		if ((!dwarf_attr(&at, DW_AT_abstract_origin, &attr) &&
		     !dwarf_attr(&at, DW_AT_specification, &attr)) ||
		    !dwarf_formref_die(&attr, &at))
			return NULL;
	}
	return NULL;
}
