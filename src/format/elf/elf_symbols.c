/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_symbols: see elf_symbols.h. */
#include "format/elf/elf_symbols.h"

#include "base/str.h"
#include "format/elf/elf_sections.h"

#include <string.h>

#define MAX_NAME	  (32u << 10)
#define MAX_NAMES_SCANNED (1u << 30)
#define RANK_UNTYPED	  (1u << 24) /* behind every function at the same address */

static enum wp_symtab_binding elf_symbol_binding(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_LOCAL: return WP_SYMTAB_LOCAL;
	case STB_WEAK: return WP_SYMTAB_WEAK;
	default: return WP_SYMTAB_GLOBAL;
	}
}

/* Marks of the assembler and of annobin are no places a person would call a function. */
static bool is_mark(const char *name)
{
	return name[0] == '$' || wp_str_has_prefix(name, ".L") ||
	       wp_str_has_prefix(name, ".annobin") || wp_str_has_prefix(name, "__gnu_lto");
}

static void add_symbol(const struct wp_elf_image *image, const GElf_Sym *sym, const char *name,
		       uint64_t shift, struct wp_symtab_builder *builder)
{
	unsigned char type = GELF_ST_TYPE(sym->st_info);
	uint64_t start = sym->st_value + shift;

	if (image->machine == EM_ARM && type == STT_FUNC)
		start &= ~1ull; /* Thumb */
	const struct wp_elf_range *code = wp_elf_image_code(image, start);
	if (!code)
		return;
	uint64_t room = code->end - start;
	struct wp_symtab_input in = {
		.start = start,
		.size = sym->st_size && sym->st_size < room ? sym->st_size : room,
		.name = name,
		.rank = wp_symtab_rank(elf_symbol_binding(sym), name),
		.filler = !sym->st_size || type == STT_NOTYPE,
	};
	if (type == STT_NOTYPE)
		in.rank |= RANK_UNTYPED;
	wp_symtab_add(builder, &in);
}

static const struct wp_elf_segment *segment_at(const struct wp_elf_image *image, uint64_t addr)
{
	wp_vec_each (const struct wp_elf_segment, segment, &image->segments)
		if (addr - segment->start.v < segment->mem_size)
			return segment;
	return NULL;
}

/* Objects say how large they are; those that do not are of assembler code. */
static void add_object(const struct wp_elf_image *image, const GElf_Sym *sym, const char *name,
		       uint64_t shift, struct wp_symtab_builder *builder)
{
	uint64_t start = sym->st_value + shift;
	const struct wp_elf_segment *segment = segment_at(image, start);
	uint64_t room = segment ? segment->start.v + segment->mem_size - start : 0;
	struct wp_symtab_input in = {
		.start = start,
		.size = sym->st_size && sym->st_size < room ? sym->st_size : room,
		.name = name,
		.rank = wp_symtab_rank(elf_symbol_binding(sym), name),
		.filler = !sym->st_size,
	};

	if (room)
		wp_symtab_add(builder, &in);
}

static bool is_code_symbol(const GElf_Sym *sym, bool objects)
{
	unsigned char type = GELF_ST_TYPE(sym->st_info);

	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_ABS || sym->st_shndx == SHN_COMMON)
		return false;
	if (objects)
		return type == STT_OBJECT;
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
}

static void read_symbol_section(Elf *elf, Elf_Scn *scn, const GElf_Shdr *h,
				const struct wp_elf_image *image, uint64_t shift, bool objects,
				struct wp_symtab_builder *builder)
{
	Elf_Data *data = (Elf_Data *)wp_elf_section_data(scn, h);
	const Elf_Data *strings = wp_elf_strings(elf, h->sh_link);
	size_t size = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT), scanned = 0;

	for (size_t i = 1; data && strings && size && i < data->d_size / size; i++) {
		GElf_Sym sym;

		if (!gelf_getsym(data, (int)i, &sym) || !is_code_symbol(&sym, objects) ||
		    sym.st_name >= strings->d_size)
			continue;
		const char *name = (const char *)strings->d_buf + sym.st_name;
		size_t len = strnlen(name, MAX_NAME);
		/* Names may overlap each other, so that a small file could be made to cost hours.
		 */
		scanned += len;
		if (scanned > MAX_NAMES_SCANNED)
			return;
		if (!len || len >= MAX_NAME || is_mark(name))
			continue;
		if (objects)
			add_object(image, &sym, name, shift, builder);
		else
			add_symbol(image, &sym, name, shift, builder);
	}
}

uint64_t wp_elf_symbols_bytes(Elf *elf)
{
	struct wp_elf_sections at = {.elf = elf};
	GElf_Shdr strings;
	uint64_t bytes = 0;

	while (wp_elf_sections_next(&at)) {
		if (at.header.sh_type != SHT_SYMTAB && at.header.sh_type != SHT_DYNSYM)
			continue;
		bytes += at.header.sh_size;
		if (gelf_getshdr(elf_getscn(elf, at.header.sh_link), &strings))
			bytes += strings.sh_size;
	}
	return bytes;
}

static void add_tables(Elf *elf, const struct wp_elf_image *image, uint64_t shift, bool objects,
		       struct wp_symtab_builder *builder)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr h;

		if (gelf_getshdr(scn, &h) && (h.sh_type == SHT_SYMTAB || h.sh_type == SHT_DYNSYM))
			read_symbol_section(elf, scn, &h, image, shift, objects, builder);
	}
}

void wp_elf_symbols_add(Elf *elf, const struct wp_elf_image *image, uint64_t shift,
			struct wp_symtab_builder *builder)
{
	add_tables(elf, image, shift, false, builder);
}

void wp_elf_symbols_add_objects(Elf *elf, const struct wp_elf_image *image, uint64_t shift,
				struct wp_symtab_builder *builder)
{
	add_tables(elf, image, shift, true, builder);
}

/* *found counts the different addresses. */
static void find_value(Elf *elf, Elf_Scn *scn, const GElf_Shdr *h, const char *name, size_t *found,
		       uint64_t *ret)
{
	Elf_Data *data = (Elf_Data *)wp_elf_section_data(scn, h);
	const Elf_Data *strings = wp_elf_strings(elf, h->sh_link);
	size_t size = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);

	for (size_t i = 1; data && strings && size && i < data->d_size / size; i++) {
		GElf_Sym sym;

		if (!gelf_getsym(data, (int)i, &sym) || sym.st_shndx == SHN_UNDEF ||
		    sym.st_name >= strings->d_size ||
		    strcmp((const char *)strings->d_buf + sym.st_name, name) != 0)
			continue;
		*found += !*found || *ret != sym.st_value;
		*ret = sym.st_value;
	}
}

bool wp_elf_symbols_value(Elf *elf, const char *name, uint64_t *ret)
{
	struct wp_elf_sections at = {.elf = elf};
	uint64_t value = 0;
	size_t found = 0;

	while (wp_elf_sections_next(&at))
		if (at.header.sh_type == SHT_SYMTAB || at.header.sh_type == SHT_DYNSYM)
			find_value(elf, at.scn, &at.header, name, &found, &value);
	if (found != 1)
		return false;
	*ret = value;
	return true;
}
