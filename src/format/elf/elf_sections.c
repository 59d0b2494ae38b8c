/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_sections: see elf_sections.h. */
#include "format/elf/elf_sections.h"

#include <string.h>

#define MAX_SECTION_BYTES (4ull << 30)

bool wp_elf_sections_next(struct wp_elf_sections *at)
{
	if (!at->scn && elf_getshdrstrndx(at->elf, &at->names) != 0)
		return false;
	while ((at->scn = elf_nextscn(at->elf, at->scn))) {
		at->name = gelf_getshdr(at->scn, &at->header)
				   ? elf_strptr(at->elf, at->names, at->header.sh_name)
				   : NULL;
		if (at->name)
			return true;
	}
	return false;
}

const Elf_Data *wp_elf_section_data(Elf_Scn *scn, const GElf_Shdr *header)
{
	if (header->sh_type == SHT_NOBITS || header->sh_flags & SHF_COMPRESSED ||
	    header->sh_size > MAX_SECTION_BYTES)
		return NULL;
	const Elf_Data *data = elf_getdata(scn, NULL);
	return data && data->d_buf && data->d_size ? data : NULL;
}

const Elf_Data *wp_elf_section(Elf *elf, const char *name, GElf_Shdr *ret_header)
{
	struct wp_elf_sections at = {.elf = elf};

	while (wp_elf_sections_next(&at)) {
		if (strcmp(at.name, name) != 0)
			continue;
		*ret_header = at.header;
		return wp_elf_section_data(at.scn, ret_header);
	}
	return NULL;
}

const Elf_Data *wp_elf_strings(Elf *elf, size_t index)
{
	Elf_Scn *scn = elf_getscn(elf, index);
	GElf_Shdr h;
	const Elf_Data *data;

	if (!scn || !gelf_getshdr(scn, &h) || h.sh_type != SHT_STRTAB)
		return NULL;
	data = wp_elf_section_data(scn, &h);
	return data && ((const char *)data->d_buf)[data->d_size - 1] == '\0' ? data : NULL;
}
