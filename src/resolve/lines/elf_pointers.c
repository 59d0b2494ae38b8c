/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_pointers: see elf_pointers.h. ELF gABI, "Relocation"; packed ones (SHT_RELR) have their
 * addend in place. */
#include "resolve/lines/elf_pointers.h"

#include <stdlib.h>

#define MOST_POINTERS ((size_t)1 << 24)

static void add_relocations(struct wp_elf_pointers *pointers, Elf_Scn *section, uint32_t type)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Rela rela;

	for (int i = 0; data && i < INT32_MAX && gelf_getrela(data, i, &rela); i++) {
		if (GELF_R_TYPE(rela.r_info) != type)
			continue;
		if (pointers->pointers.n >= MOST_POINTERS)
			return;
		wp_vec_push(&pointers->pointers,
			    (struct wp_elf_pointer){rela.r_offset, (uint64_t)rela.r_addend});
	}
}

static int compare_pointers(const void *a, const void *b)
{
	const struct wp_elf_pointer *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Linkers write them in order, so that there is nothing to sort. */
static void sort_pointers(struct wp_elf_pointers *pointers)
{
	for (size_t i = 1; i < pointers->pointers.n; i++)
		if (pointers->pointers.v[i].at < pointers->pointers.v[i - 1].at) {
			qsort(pointers->pointers.v, pointers->pointers.n,
			      sizeof(*pointers->pointers.v), compare_pointers);
			return;
		}
}

void wp_elf_pointers_load(struct wp_elf_pointers *pointers, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Ehdr header;
	uint32_t type;

	pointers->loaded = true;
	if (!gelf_getehdr(elf, &header))
		return;
	type = header.e_machine == EM_AARCH64 ? R_AARCH64_RELATIVE : R_X86_64_RELATIVE;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr at;

		if (gelf_getshdr(section, &at) && at.sh_type == SHT_RELA && at.sh_flags & SHF_ALLOC)
			add_relocations(pointers, section, type);
	}
	sort_pointers(pointers);
}

bool wp_elf_pointers_get(const struct wp_elf_pointers *pointers, struct wp_rva at, uint64_t *ret)
{
	size_t low = 0, high = pointers->pointers.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (pointers->pointers.v[mid].at < at.v)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == pointers->pointers.n || pointers->pointers.v[low].at != at.v)
		return false;
	*ret = pointers->pointers.v[low].to;
	return true;
}

void wp_elf_pointers_deinit(struct wp_elf_pointers *pointers)
{
	wp_vec_deinit(&pointers->pointers);
}
