/* SPDX-License-Identifier: BSD-3-Clause */
/* small_elf_data: the contents of sections, plain and compressed (declared in small_elf.h). System
 * V ABI, "Sections", "Symbol Table", "Relocation", "Dynamic Section". */
#include "base/mem.h"
#include "windows/small_elf_parts.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define COMPRESSED_ZSTD 2 /* ELFCOMPRESS_ZSTD, which older elf.h lack */
#define MOST_INFLATED	(1u << 30)
#define GNU_HEADER	12 /* "ZLIB" and the size, big-endian */

static enum wp_small_elf_kind kind_of(const Elf64_Shdr *header)
{
	switch (header->sh_type) {
	case SHT_SYMTAB:
	case SHT_DYNSYM: return WP_SMALL_ELF_SYMBOLS;
	case SHT_RELA: return WP_SMALL_ELF_RELA;
	case SHT_DYNAMIC: return WP_SMALL_ELF_DYNAMIC;
	default: return WP_SMALL_ELF_BYTES;
	}
}

/* False: not within the file. */
static bool read_content(const struct wp_small_elf_section *section, struct wp_small_elf_data *ret)
{
	const Elf64_Shdr *header = &section->header;

	ret->is_64 = section->elf->is_64;
	ret->d_size = header->sh_size;
	ret->d_buf = section->inflated;
	if (section->inflated || header->sh_type == SHT_NOBITS || !header->sh_size)
		return true;
	ret->d_buf = wp_small_elf_at(section->elf, header->sh_offset, header->sh_size);
	return ret->d_buf != NULL;
}

struct wp_small_elf_data *wp_small_elf_raw(struct wp_small_elf_section *section)
{
	if (!section || !read_content(section, &section->raw))
		return NULL;
	section->raw.kind = WP_SMALL_ELF_BYTES;
	return &section->raw;
}

struct wp_small_elf_data *wp_small_elf_data(struct wp_small_elf_section *section)
{
	enum wp_small_elf_kind kind;

	if (!section || !read_content(section, &section->data))
		return NULL;
	kind = section->header.sh_flags & SHF_COMPRESSED ? WP_SMALL_ELF_BYTES
							 : kind_of(&section->header);
	section->data.kind = kind;
	if (section->data.d_size % wp_small_elf_entry(section->elf, kind))
		return NULL;
	return &section->data;
}

char *wp_small_elf_string(struct wp_small_elf *elf, size_t index, size_t offset)
{
	struct wp_small_elf_section *section = elf ? wp_small_elf_section(elf, index) : NULL;
	const struct wp_small_elf_data *data;

	if (!section || section->header.sh_type != SHT_STRTAB ||
	    section->header.sh_flags & SHF_COMPRESSED)
		return NULL;
	data = wp_small_elf_data(section);
	if (!data || !data->d_buf || offset >= data->d_size ||
	    !memchr((char *)data->d_buf + offset, '\0', data->d_size - offset))
		return NULL;
	return (char *)data->d_buf + offset;
}

/* The entry's bytes, which need not be aligned; NULL: there is none. */
static const void *section_entry_at(const struct wp_small_elf_data *data,
				    enum wp_small_elf_kind kind, int index, size_t size)
{
	if (!data || data->kind != kind || !data->d_buf || index < 0 ||
	    (size_t)index >= data->d_size / size)
		return NULL;
	return (const uint8_t *)data->d_buf + (size_t)index * size;
}

Elf64_Sym *wp_small_elf_symbol(const struct wp_small_elf_data *data, int index, Elf64_Sym *ret)
{
	const void *at = section_entry_at(data, WP_SMALL_ELF_SYMBOLS, index,
					  data && data->is_64 ? sizeof(*ret) : sizeof(Elf32_Sym));
	Elf32_Sym s;

	if (!at || data->is_64)
		return at ? memcpy(ret, at, sizeof(*ret)) : NULL;
	memcpy(&s, at, sizeof(s));
	*ret = (Elf64_Sym){s.st_name, s.st_info, s.st_other, s.st_shndx, s.st_value, s.st_size};
	return ret;
}

Elf64_Rela *wp_small_elf_rela(const struct wp_small_elf_data *data, int index, Elf64_Rela *ret)
{
	const void *at = section_entry_at(data, WP_SMALL_ELF_RELA, index,
					  data && data->is_64 ? sizeof(*ret) : sizeof(Elf32_Rela));
	Elf32_Rela r;

	if (!at || data->is_64)
		return at ? memcpy(ret, at, sizeof(*ret)) : NULL;
	memcpy(&r, at, sizeof(r));
	*ret = (Elf64_Rela){r.r_offset,
			    (uint64_t)ELF32_R_SYM(r.r_info) << 32 | ELF32_R_TYPE(r.r_info),
			    r.r_addend};
	return ret;
}

Elf64_Dyn *wp_small_elf_dynamic(const struct wp_small_elf_data *data, int index, Elf64_Dyn *ret)
{
	const void *at = section_entry_at(data, WP_SMALL_ELF_DYNAMIC, index,
					  data && data->is_64 ? sizeof(*ret) : sizeof(Elf32_Dyn));
	Elf32_Dyn d;

	if (!at || data->is_64)
		return at ? memcpy(ret, at, sizeof(*ret)) : NULL;
	memcpy(&d, at, sizeof(d));
	*ret = (Elf64_Dyn){.d_tag = d.d_tag, .d_un.d_val = d.d_un.d_val};
	return ret;
}

/* Of a section as it is in the file. */
static size_t compression_bytes(const struct wp_small_elf_section *section)
{
	return section->elf->is_64 ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
}

Elf64_Chdr *wp_small_elf_compression(struct wp_small_elf_section *section, Elf64_Chdr *ret)
{
	const struct wp_small_elf_data *raw = wp_small_elf_raw(section);
	Elf32_Chdr c;

	if (!raw || !raw->d_buf || !(section->header.sh_flags & SHF_COMPRESSED) ||
	    raw->d_size < compression_bytes(section))
		return NULL;
	if (section->elf->is_64)
		return memcpy(ret, raw->d_buf, sizeof(*ret));
	memcpy(&c, raw->d_buf, sizeof(c));
	*ret = (Elf64_Chdr){
		.ch_type = c.ch_type, .ch_size = c.ch_size, .ch_addralign = c.ch_addralign};
	return ret;
}

/* Exactly `size` bytes must come out. */
static bool unpack(uint32_t type, const void *packed, size_t n, void *out, size_t size)
{
	uLongf zlib_size = (uLongf)size;

	if (type == ELFCOMPRESS_ZLIB)
		return uncompress(out, &zlib_size, packed, (uLong)n) == Z_OK && zlib_size == size;
	return ZSTD_decompress(out, size, packed, n) == size;
}

static int replace_content(struct wp_small_elf_section *section, uint32_t type, uint64_t size,
			   size_t skipped)
{
	const struct wp_small_elf_data *raw = wp_small_elf_raw(section);
	void *out;

	if (section->inflated || !raw || raw->d_size < skipped || raw->d_size > MOST_INFLATED ||
	    size > MOST_INFLATED)
		return -1;
	out = wp_calloc(size ? size : 1, 1);
	if (!unpack(type, (uint8_t *)raw->d_buf + skipped, raw->d_size - skipped, out, size)) {
		free(out);
		return -1;
	}
	section->inflated = out;
	section->header.sh_size = size;
	section->header.sh_flags &= ~(uint64_t)SHF_COMPRESSED;
	return 1;
}

int wp_small_elf_inflate(struct wp_small_elf_section *section)
{
	Elf64_Chdr header;

	if (!wp_small_elf_compression(section, &header) ||
	    (header.ch_type != ELFCOMPRESS_ZLIB && header.ch_type != COMPRESSED_ZSTD))
		return -1;
	section->header.sh_addralign = header.ch_addralign;
	return replace_content(section, header.ch_type, header.ch_size, compression_bytes(section));
}

int wp_small_elf_inflate_gnu(struct wp_small_elf_section *section)
{
	const struct wp_small_elf_data *raw = wp_small_elf_raw(section);
	uint64_t size = 0;

	if (!raw || !raw->d_buf || section->header.sh_flags & SHF_COMPRESSED ||
	    raw->d_size < GNU_HEADER || memcmp(raw->d_buf, "ZLIB", 4) != 0)
		return -1;
	for (size_t i = 4; i < GNU_HEADER; i++)
		size = size << 8 | ((const uint8_t *)raw->d_buf)[i];
	return replace_content(section, ELFCOMPRESS_ZLIB, size, GNU_HEADER);
}
