/* SPDX-License-Identifier: BSD-3-Clause */
/* libdw_none: there is no DWARF (include/elfutils/libdw.h): no file has any, and nothing else is
 * asked then. Each answer is what libdw says where there is no such thing. */
#include <elfutils/libdw.h>

Dwarf *dwarf_begin_elf(Elf *elf, int how, void *group)
{
	(void)elf, (void)how, (void)group;
	return NULL;
}

int dwarf_end(Dwarf *dwarf)
{
	(void)dwarf;
	return 0;
}

Elf *dwarf_getelf(Dwarf *dwarf)
{
	(void)dwarf;
	return NULL;
}

int dwarf_get_units(Dwarf *dwarf, Dwarf_CU *unit, Dwarf_CU **next, void *version, uint8_t *type,
		    Dwarf_Die *die, Dwarf_Die *split)
{
	(void)dwarf, (void)unit, (void)next, (void)version, (void)type, (void)die, (void)split;
	return 1;
}

Dwarf_Die *dwarf_offdie(Dwarf *dwarf, Dwarf_Off offset, Dwarf_Die *ret)
{
	(void)dwarf, (void)offset, (void)ret;
	return NULL;
}

Dwarf_Off dwarf_dieoffset(Dwarf_Die *die)
{
	(void)die;
	return (Dwarf_Off)-1;
}

int dwarf_tag(Dwarf_Die *die)
{
	(void)die;
	return 0;
}

int dwarf_child(Dwarf_Die *die, Dwarf_Die *ret)
{
	(void)die, (void)ret;
	return 1;
}

int dwarf_siblingof(Dwarf_Die *die, Dwarf_Die *ret)
{
	(void)die, (void)ret;
	return 1;
}

ptrdiff_t dwarf_ranges(Dwarf_Die *die, ptrdiff_t offset, Dwarf_Addr *base, Dwarf_Addr *start,
		       Dwarf_Addr *end)
{
	(void)die, (void)offset, (void)base, (void)start, (void)end;
	return 0;
}

ptrdiff_t dwarf_getattrs(Dwarf_Die *die, int (*take)(Dwarf_Attribute *, void *), void *arg,
			 ptrdiff_t offset)
{
	(void)die, (void)take, (void)arg, (void)offset;
	return -1;
}

int dwarf_hasattr(Dwarf_Die *die, unsigned int name)
{
	(void)die, (void)name;
	return 0;
}

Dwarf_Attribute *dwarf_attr(Dwarf_Die *die, unsigned int name, Dwarf_Attribute *ret)
{
	(void)die, (void)name, (void)ret;
	return NULL;
}

Dwarf_Attribute *dwarf_attr_integrate(Dwarf_Die *die, unsigned int name, Dwarf_Attribute *ret)
{
	(void)die, (void)name, (void)ret;
	return NULL;
}

const char *dwarf_formstring(Dwarf_Attribute *attribute)
{
	(void)attribute;
	return NULL;
}

int dwarf_formudata(Dwarf_Attribute *attribute, Dwarf_Word *ret)
{
	(void)attribute, (void)ret;
	return -1;
}

Dwarf_Die *dwarf_formref_die(Dwarf_Attribute *attribute, Dwarf_Die *ret)
{
	(void)attribute, (void)ret;
	return NULL;
}

Dwarf_Line *dwarf_getsrc_die(Dwarf_Die *unit, Dwarf_Addr address)
{
	(void)unit, (void)address;
	return NULL;
}

const char *dwarf_linesrc(Dwarf_Line *line, Dwarf_Word *changed, Dwarf_Word *length)
{
	(void)line, (void)changed, (void)length;
	return NULL;
}

int dwarf_lineno(Dwarf_Line *line, int *ret)
{
	(void)line, (void)ret;
	return -1;
}

int dwarf_getsrcfiles(Dwarf_Die *unit, Dwarf_Files **ret, size_t *ret_n)
{
	(void)unit, (void)ret, (void)ret_n;
	return -1;
}

const char *dwarf_filesrc(Dwarf_Files *files, size_t index, Dwarf_Word *changed, Dwarf_Word *length)
{
	(void)files, (void)index, (void)changed, (void)length;
	return NULL;
}
