/* SPDX-License-Identifier: BSD-3-Clause */
/* small_elf_headers: headers of files, segments and sections (declared in small_elf.h). System V
 * ABI, "ELF Header", "Sections", "Program Header". */
#include "base/mem.h"
#include "windows/small_elf_parts.h"

#include <stdlib.h>
#include <string.h>

void *wp_small_elf_at(const struct wp_small_elf *elf, uint64_t offset, uint64_t size)
{
	if (offset > elf->size || size > elf->size - offset)
		return NULL;
	return (uint8_t *)elf->bytes + offset;
}

/* Headers need not be aligned in the file. */
static Elf64_Ehdr widen_header(const Elf32_Ehdr *h)
{
	Elf64_Ehdr wide = {
		.e_type = h->e_type,
		.e_machine = h->e_machine,
		.e_version = h->e_version,
		.e_entry = h->e_entry,
		.e_phoff = h->e_phoff,
		.e_shoff = h->e_shoff,
		.e_flags = h->e_flags,
		.e_ehsize = h->e_ehsize,
		.e_phentsize = h->e_phentsize,
		.e_phnum = h->e_phnum,
		.e_shentsize = h->e_shentsize,
		.e_shnum = h->e_shnum,
		.e_shstrndx = h->e_shstrndx,
	};

	memcpy(wide.e_ident, h->e_ident, EI_NIDENT);
	return wide;
}

static bool read_file_header(struct wp_small_elf *elf)
{
	const uint8_t *ident = wp_small_elf_at(elf, 0, EI_NIDENT);
	Elf32_Ehdr narrow;

	if (!ident || memcmp(ident, ELFMAG, SELFMAG) != 0 ||
	    (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64) ||
	    (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB))
		return false;
	elf->is_64 = ident[EI_CLASS] == ELFCLASS64;
	if (!wp_small_elf_at(elf, 0, elf->is_64 ? sizeof(elf->header) : sizeof(narrow)))
		return false;
	if (elf->is_64) {
		memcpy(&elf->header, ident, sizeof(elf->header));
	} else {
		memcpy(&narrow, ident, sizeof(narrow));
		elf->header = widen_header(&narrow);
	}
	return true;
}

static Elf64_Shdr section_header_at(const struct wp_small_elf *elf, const uint8_t *at)
{
	Elf64_Shdr wide;
	Elf32_Shdr h;

	if (elf->is_64) {
		memcpy(&wide, at, sizeof(wide));
		return wide;
	}
	memcpy(&h, at, sizeof(h));
	return (Elf64_Shdr){h.sh_name, h.sh_type, h.sh_flags, h.sh_addr,      h.sh_offset,
			    h.sh_size, h.sh_link, h.sh_info,  h.sh_addralign, h.sh_entsize};
}

static size_t section_entry(const struct wp_small_elf *elf)
{
	return elf->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
}

/* What has no room in the file's header stands in that of section 0. */
static void read_sections(struct wp_small_elf *elf)
{
	const uint8_t *first = wp_small_elf_at(elf, elf->header.e_shoff, section_entry(elf));
	uint64_t n = elf->header.e_shnum;

	if (!elf->header.e_shoff || !first)
		return;
	elf->zero = section_header_at(elf, first);
	n = n ? n : elf->zero.sh_size;
	if (n > elf->size / section_entry(elf) ||
	    !wp_small_elf_at(elf, elf->header.e_shoff, n * section_entry(elf)))
		return;
	elf->sections = wp_calloc(n, sizeof(*elf->sections));
	elf->n_sections = n;
	for (size_t i = 0; i < n; i++) {
		elf->sections[i].elf = elf;
		elf->sections[i].header = section_header_at(elf, first + i * section_entry(elf));
	}
}

struct wp_small_elf *wp_small_elf_new(const void *data, size_t size)
{
	struct wp_small_elf *elf = wp_calloc(1, sizeof(*elf));

	elf->bytes = data;
	elf->size = size;
	if (!read_file_header(elf)) {
		wp_small_elf_free(elf);
		return NULL;
	}
	if (elf->header.e_ident[EI_DATA] == ELFDATA2LSB)
		read_sections(elf);
	return elf;
}

void wp_small_elf_free(struct wp_small_elf *elf)
{
	if (!elf)
		return;
	for (size_t i = 0; i < elf->n_sections; i++)
		free(elf->sections[i].inflated);
	free(elf->sections);
	free(elf);
}

const void *wp_small_elf_bytes(const struct wp_small_elf *elf, size_t *ret_size)
{
	*ret_size = elf->size;
	return elf->bytes;
}

int wp_small_elf_class(const struct wp_small_elf *elf)
{
	return elf->is_64 ? ELFCLASS64 : ELFCLASS32;
}

Elf64_Ehdr *wp_small_elf_header(const struct wp_small_elf *elf, Elf64_Ehdr *ret)
{
	*ret = elf->header;
	return ret;
}

static size_t segment_entry(const struct wp_small_elf *elf)
{
	return elf->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
}

/* As the headers say. */
static uint64_t count_elf_segments(const struct wp_small_elf *elf)
{
	if (!elf->header.e_phoff)
		return 0;
	return elf->header.e_phnum == PN_XNUM && elf->n_sections ? elf->zero.sh_info
								 : elf->header.e_phnum;
}

int wp_small_elf_segments(const struct wp_small_elf *elf, size_t *ret)
{
	uint64_t n = count_elf_segments(elf), room;

	if (elf->header.e_ident[EI_DATA] == ELFDATA2MSB || (n && elf->header.e_phoff >= elf->size))
		return -1;
	room = n ? (elf->size - elf->header.e_phoff) / segment_entry(elf) : 0;
	*ret = n < room ? n : room;
	return 0;
}

Elf64_Phdr *wp_small_elf_segment(const struct wp_small_elf *elf, int index, Elf64_Phdr *ret)
{
	const uint8_t *at;
	Elf32_Phdr h;
	size_t n;

	if (wp_small_elf_segments(elf, &n) != 0 || n < count_elf_segments(elf) || index < 0 ||
	    (size_t)index >= n)
		return NULL;
	at = elf->bytes + elf->header.e_phoff + (size_t)index * segment_entry(elf);
	if (elf->is_64)
		return memcpy(ret, at, sizeof(*ret));
	memcpy(&h, at, sizeof(h));
	*ret = (Elf64_Phdr){h.p_type,  h.p_flags,  h.p_offset, h.p_vaddr,
			    h.p_paddr, h.p_filesz, h.p_memsz,  h.p_align};
	return ret;
}

int wp_small_elf_names(const struct wp_small_elf *elf, size_t *ret)
{
	if (elf->header.e_ident[EI_DATA] == ELFDATA2MSB)
		return -1;
	*ret = elf->header.e_shstrndx;
	if (*ret == SHN_XINDEX && elf->n_sections)
		*ret = elf->zero.sh_link;
	return 0;
}

struct wp_small_elf_section *wp_small_elf_section(struct wp_small_elf *elf, size_t index)
{
	return index < elf->n_sections ? &elf->sections[index] : NULL;
}

struct wp_small_elf_section *wp_small_elf_next(struct wp_small_elf *elf,
					       struct wp_small_elf_section *section)
{
	if (!elf)
		return NULL;
	return wp_small_elf_section(elf, section ? (size_t)(section - elf->sections) + 1 : 1);
}

Elf64_Shdr *wp_small_elf_section_header(const struct wp_small_elf_section *section, Elf64_Shdr *ret)
{
	if (!section)
		return NULL;
	*ret = section->header;
	return ret;
}

size_t wp_small_elf_entry(const struct wp_small_elf *elf, enum wp_small_elf_kind kind)
{
	switch (kind) {
	case WP_SMALL_ELF_SYMBOLS: return elf->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	case WP_SMALL_ELF_RELA: return elf->is_64 ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela);
	case WP_SMALL_ELF_DYNAMIC: return elf->is_64 ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn);
	case WP_SMALL_ELF_BYTES: break;
	}
	return 1;
}
