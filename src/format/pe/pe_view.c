/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pe_view: see pe_view.h. The file is laid out as: header, program headers, section headers,
 * symbols, their names, the sections' names, what was copied of the sections.
 */
#include "format/pe/pe_view.h"

#include "base/map.h"
#include "base/str.h"
#include "format/pe/pe_pdata.h"
#include "format/pe/pe_symbols.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SYMBOLS (8u << 20)
#define MAX_NAMES   (1u << 29) /* bytes of them */

struct view {
	const struct wp_pe_image *image;
	const struct wp_pe_file *file;
	struct wp_pe_pdata pdata;
	bool debug;
	WP_VEC(Elf64_Phdr) segments;
	WP_VEC(Elf64_Shdr) sections;
	WP_VEC(Elf64_Sym) symbols;
	struct wp_map named; /* code address -> its name in names */
	struct wp_str names, section_names, copies;
};

static uint16_t elf_machine_of(const struct wp_pe_image *image)
{
	switch (image->machine) {
	case WP_PE_MACHINE_AMD64: return EM_X86_64;
	case WP_PE_MACHINE_ARM64: return EM_AARCH64;
	case WP_PE_MACHINE_I386: return EM_386;
	default: return EM_NONE;
	}
}

static uint32_t keep_symbol_name(struct wp_str *names, const char *name, size_t len)
{
	uint32_t at = (uint32_t)names->len;

	wp_str_append(names, name, len);
	wp_str_putc(names, '\0');
	return at;
}

static Elf64_Shdr *add_section(struct view *view, const char *name, uint32_t type)
{
	Elf64_Shdr header = {
		.sh_name = keep_symbol_name(&view->section_names, name, strlen(name)),
		.sh_type = type,
		.sh_addralign = 1,
	};

	wp_vec_push(&view->sections, header);
	return &view->sections.v[view->sections.n - 1];
}

/* An alignment of 1 tells that file and memory need not lie alike in a page. */
static void add_segment(struct view *view, const struct wp_pe_section *section)
{
	Elf64_Phdr segment = {
		.p_type = PT_LOAD,
		.p_flags = PF_R,
		.p_offset = section->offset,
		.p_vaddr = view->image->base + section->rva,
		.p_filesz = section->file_size,
		.p_memsz = section->size,
		.p_align = 1,
	};

	if (section->flags & WP_PE_CODE)
		segment.p_flags |= PF_X;
	if (section->flags & WP_PE_DATA)
		segment.p_flags |= PF_W;
	wp_vec_push(&view->segments, segment);
}

static bool is_debug(const char *name)
{
	return wp_str_has_prefix(name, ".debug_") || strcmp(name, ".eh_frame") == 0;
}

/* What is copied stands behind what comes before; where that ends is known at the end. */
static void copy_section(struct view *view, const struct wp_pe_section *section, Elf64_Shdr *header)
{
	size_t n = section->offset < view->file->size ? view->file->size - section->offset : 0;

	if (n > section->file_size)
		n = section->file_size;
	header->sh_type = SHT_PROGBITS;
	header->sh_offset = view->copies.len;
	header->sh_size = n;
	wp_str_append(&view->copies, (const char *)view->file->data + section->offset, n);
}

static void view_pe_section(struct view *view, const struct wp_pe_section *section)
{
	bool debug = is_debug(section->name);
	Elf64_Shdr *header = add_section(view, section->name, SHT_NOBITS);

	add_segment(view, section);
	header->sh_addr = view->image->base + section->rva;
	header->sh_size = section->size;
	if (!wp_str_has_prefix(section->name, ".debug_"))
		header->sh_flags = SHF_ALLOC;
	if (section->flags & WP_PE_CODE)
		header->sh_flags |= SHF_EXECINSTR;
	if (section->flags & WP_PE_DATA)
		header->sh_flags |= SHF_WRITE;
	if (debug && view->debug)
		copy_section(view, section, header);
}

static void take_symbol(void *arg, const struct wp_pe_symbol *from)
{
	static const uint8_t types[] = {
		[WP_PE_SYMBOL_FUNCTION] = STT_FUNC,
		[WP_PE_SYMBOL_LABEL] = STT_NOTYPE,
		[WP_PE_SYMBOL_DATA] = STT_OBJECT,
	};
	struct view *view = arg;
	struct wp_pe_function function;
	Elf64_Sym symbol = {
		.st_info = ELF64_ST_INFO(from->local ? STB_LOCAL : STB_GLOBAL, types[from->kind]),
		.st_shndx = 1, /* any that is defined */
		.st_value = view->image->base + from->rva,
	};

	if (view->symbols.n >= MAX_SYMBOLS || view->names.len + from->len > MAX_NAMES)
		return;
	if (from->kind != WP_PE_SYMBOL_DATA &&
	    wp_pe_pdata_find(&view->pdata, from->rva, &function) && function.end > function.start)
		symbol.st_size = function.end - function.start;
	symbol.st_name = keep_symbol_name(&view->names, from->name, from->len);
	wp_vec_push(&view->symbols, symbol);
	if (from->kind != WP_PE_SYMBOL_DATA)
		*wp_map_put(&view->named, from->rva) = symbol.st_name;
}

/* The name of the function that begins there: its symbol's, or one that is made. */
static uint32_t name_function(struct view *view, uint32_t start)
{
	uint64_t *name = wp_map_put(&view->named, start);
	char made[sizeof("sub_ffffffff")];

	if (!*name)
		*name = keep_symbol_name(&view->names, made,
					 (size_t)snprintf(made, sizeof(made), "sub_%x", start));
	return (uint32_t)*name;
}

/* An entry that no symbol begins; those that continue another one's function are taken last. */
static void take_entry(struct view *view, size_t i, bool continues)
{
	struct wp_pe_function entry = wp_pe_pdata_get(&view->pdata, i);
	uint32_t first = wp_pe_pdata_first(&view->pdata, &entry);

	if (entry.end <= entry.start || wp_map_get(&view->named, entry.start) ||
	    (first != entry.start) != continues)
		return;
	wp_vec_push(&view->symbols, (Elf64_Sym){
					    .st_name = name_function(view, first),
					    .st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC),
					    .st_shndx = 1,
					    .st_value = view->image->base + entry.start,
					    .st_size = entry.end - entry.start,
				    });
}

/*
 * Functions that no symbol begins. Without them an export, which has no size, would have all code
 * up to the next one.
 */
static void take_functions(struct view *view)
{
	for (int continues = 0; continues < 2; continues++)
		for (size_t i = 0; i < view->pdata.n && view->symbols.n < MAX_SYMBOLS &&
				   view->names.len < MAX_NAMES;
		     i++)
			take_entry(view, i, continues);
}

static void fill_view(struct view *view)
{
	struct wp_pe_section headers = {.size = view->image->headers_size,
					.file_size = view->image->headers_size};

	wp_vec_push(&view->sections, (Elf64_Shdr){0});
	wp_str_putc(&view->section_names, '\0');
	wp_vec_push(&view->symbols, (Elf64_Sym){0});
	wp_str_putc(&view->names, '\0');
	add_segment(view, &headers);
	wp_vec_each (struct wp_pe_section, section, &view->image->sections)
		view_pe_section(view, section);
	wp_pe_symbols_each(view->image, view->file, take_symbol, view);
	take_functions(view);
}

/* The tables that are made here; their places are known when all is there. */
static void place_tables(struct view *view, Elf64_Ehdr *header)
{
	size_t copied = view->sections.n;
	uint64_t at;

	add_section(view, ".symtab", SHT_SYMTAB);
	add_section(view, ".strtab", SHT_STRTAB);
	add_section(view, ".shstrtab", SHT_STRTAB);
	header->e_phoff = sizeof(*header);
	header->e_phnum = (uint16_t)view->segments.n;
	header->e_shoff = header->e_phoff + view->segments.n * sizeof(Elf64_Phdr);
	header->e_shnum = (uint16_t)view->sections.n;
	header->e_shstrndx = (uint16_t)(view->sections.n - 1);
	at = header->e_shoff + view->sections.n * sizeof(Elf64_Shdr);
	Elf64_Shdr *own = &view->sections.v[copied];
	own[0].sh_offset = at;
	own[0].sh_size = view->symbols.n * sizeof(Elf64_Sym);
	own[0].sh_entsize = sizeof(Elf64_Sym);
	own[0].sh_link = (uint32_t)(copied + 1);
	own[1].sh_offset = own[0].sh_offset + own[0].sh_size;
	own[1].sh_size = view->names.len;
	own[2].sh_offset = own[1].sh_offset + own[1].sh_size;
	own[2].sh_size = view->section_names.len;
	for (size_t i = 1; i < copied; i++)
		view->sections.v[i].sh_offset += own[2].sh_offset + own[2].sh_size;
}

static void join_elf_view(struct view *view, struct wp_str *ret)
{
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = elf_machine_of(view->image),
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_shentsize = sizeof(Elf64_Shdr),
	};

	place_tables(view, &header);
	wp_str_append(ret, (const char *)&header, sizeof(header));
	wp_str_append(ret, (const char *)view->segments.v, view->segments.n * sizeof(Elf64_Phdr));
	wp_str_append(ret, (const char *)view->sections.v, view->sections.n * sizeof(Elf64_Shdr));
	wp_str_append(ret, (const char *)view->symbols.v, view->symbols.n * sizeof(Elf64_Sym));
	wp_str_append(ret, view->names.s, view->names.len);
	wp_str_append(ret, view->section_names.s, view->section_names.len);
	if (view->copies.len)
		wp_str_append(ret, view->copies.s, view->copies.len);
}

struct wp_err *wp_pe_view_make(const struct wp_pe_file *file, bool debug, void **ret,
			       size_t *ret_size)
{
	struct wp_pe_image image = {0};
	struct view view = {.image = &image, .file = file, .debug = debug};
	struct wp_str bytes = {0};

	TRY(wp_pe_image_read(file, &image));
	view.pdata = wp_pe_pdata_of(&image, file);
	fill_view(&view);
	join_elf_view(&view, &bytes);
	wp_vec_deinit(&view.segments);
	wp_vec_deinit(&view.sections);
	wp_vec_deinit(&view.symbols);
	wp_map_deinit(&view.named);
	wp_str_deinit(&view.names);
	wp_str_deinit(&view.section_names);
	wp_str_deinit(&view.copies);
	wp_pe_image_deinit(&image);
	*ret = bytes.s;
	*ret_size = bytes.len;
	return NULL;
}
