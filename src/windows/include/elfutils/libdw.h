/* SPDX-License-Identifier: BSD-3-Clause */
/* elfutils/libdw.h for Windows: what is called where there is DWARF, of which there is none
 * (libdw_none.c): DWARF is read on Linux alone. */
#ifndef WP_WINDOWS_LIBDW_H
#define WP_WINDOWS_LIBDW_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct wp_no_dwarf Dwarf;
typedef struct wp_no_unit Dwarf_CU;
typedef struct wp_no_line Dwarf_Line;
typedef struct wp_no_files Dwarf_Files;
typedef uint64_t Dwarf_Addr, Dwarf_Word;
typedef uint64_t Dwarf_Off;
typedef int64_t Dwarf_Sword;
typedef struct {
	const void *addr;
} Dwarf_Die;
typedef struct {
	const void *addr;
} Dwarf_Attribute;

enum { DWARF_C_READ };
enum { DWARF_CB_OK, DWARF_CB_ABORT };

Dwarf *dwarf_begin_elf(Elf *elf, int how, void *group);
int dwarf_end(Dwarf *dwarf);
Elf *dwarf_getelf(Dwarf *dwarf);
int dwarf_get_units(Dwarf *dwarf, Dwarf_CU *unit, Dwarf_CU **next, void *version, uint8_t *type,
		    Dwarf_Die *die, Dwarf_Die *split);
Dwarf_Die *dwarf_offdie(Dwarf *dwarf, Dwarf_Off offset, Dwarf_Die *ret);
Dwarf_Off dwarf_dieoffset(Dwarf_Die *die);
int dwarf_tag(Dwarf_Die *die);
int dwarf_child(Dwarf_Die *die, Dwarf_Die *ret);
int dwarf_siblingof(Dwarf_Die *die, Dwarf_Die *ret);
ptrdiff_t dwarf_ranges(Dwarf_Die *die, ptrdiff_t offset, Dwarf_Addr *base, Dwarf_Addr *start,
		       Dwarf_Addr *end);
ptrdiff_t dwarf_getattrs(Dwarf_Die *die, int (*take)(Dwarf_Attribute *, void *), void *arg,
			 ptrdiff_t offset);
int dwarf_hasattr(Dwarf_Die *die, unsigned int name);
Dwarf_Attribute *dwarf_attr(Dwarf_Die *die, unsigned int name, Dwarf_Attribute *ret);
Dwarf_Attribute *dwarf_attr_integrate(Dwarf_Die *die, unsigned int name, Dwarf_Attribute *ret);
const char *dwarf_formstring(Dwarf_Attribute *attribute);
int dwarf_formudata(Dwarf_Attribute *attribute, Dwarf_Word *ret);
Dwarf_Die *dwarf_formref_die(Dwarf_Attribute *attribute, Dwarf_Die *ret);
Dwarf_Line *dwarf_getsrc_die(Dwarf_Die *unit, Dwarf_Addr address);
const char *dwarf_linesrc(Dwarf_Line *line, Dwarf_Word *changed, Dwarf_Word *length);
int dwarf_lineno(Dwarf_Line *line, int *ret);
int dwarf_getsrcfiles(Dwarf_Die *unit, Dwarf_Files **ret, size_t *ret_n);
const char *dwarf_filesrc(Dwarf_Files *files, size_t index, Dwarf_Word *changed,
			  Dwarf_Word *length);

#endif
