/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf_plt: names for the entries of .plt, .plt.sec and .plt.got (declared in elf_symbols.h).
 *
 * An entry has no symbol of its own: it jumps through a slot of the GOT, and the relocation of that
 * slot names the function. Decoding the jump works for every layout linkers make (lazy, -z now,
 * IBT, BTI); counting entries does not.
 */
#include "base/bytes.h"
#include "base/map.h"
#include "base/str.h"
#include "format/elf/elf_sections.h"
#include "format/elf/elf_symbols.h"

#include <string.h>

#define ENTRY_MAX 24	     /* bytes of the longest entry, AArch64 with BTI and PAC */
#define RANK_PLT  (1u << 25) /* behind a real symbol at the same address */

struct plt {
	Elf *elf;
	const struct wp_elf_image *image;
	struct wp_symtab_builder *builder;
	struct wp_map name_of_slot; /* GOT address -> const char * */
	struct wp_map name_at;	    /* symbol address -> const char *, filled at first need */
	size_t symbols;		    /* inputs that were there before the PLT's */
};

/* The name of an indirect function, whose relocation has only its resolver's address. */
static const char *name_at(struct plt *plt, uint64_t addr)
{
	for (size_t i = 0; !plt->name_at.n && i < plt->symbols; i++) {
		const struct wp_symtab_input *in = &plt->builder->inputs.v[i];
		uint64_t *name = wp_map_put(&plt->name_at, in->start);

		if (!*name || in->rank < wp_symtab_rank(WP_SYMTAB_GLOBAL, (const char *)*name))
			*name = (uintptr_t)in->name;
	}
	const uint64_t *name = wp_map_get(&plt->name_at, addr);
	return name ? (const char *)(uintptr_t)*name : NULL;
}

static bool is_jump(uint16_t machine, uint32_t type)
{
	if (machine == EM_X86_64)
		return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
	return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
}

static bool is_indirect(uint16_t machine, uint32_t type)
{
	return type == (machine == EM_X86_64 ? R_X86_64_IRELATIVE : R_AARCH64_IRELATIVE);
}

static void add_relocation(struct plt *plt, const GElf_Rela *rela, Elf_Data *symbols,
			   size_t strings)
{
	uint32_t type = (uint32_t)GELF_R_TYPE(rela->r_info);
	const char *name = NULL;
	GElf_Sym sym;

	if (is_indirect(plt->image->machine, type))
		name = name_at(plt, (uint64_t)rela->r_addend);
	else if (is_jump(plt->image->machine, type) && symbols &&
		 gelf_getsym(symbols, (int)GELF_R_SYM(rela->r_info), &sym))
		name = elf_strptr(plt->elf, strings, sym.st_name);
	if (name && *name)
		*wp_map_put(&plt->name_of_slot, rela->r_offset) = (uintptr_t)name;
}

static void read_relocations(struct plt *plt, Elf_Scn *scn, const GElf_Shdr *h)
{
	Elf_Data *data = (Elf_Data *)wp_elf_section_data(scn, h), *symbols = NULL;
	Elf_Scn *linked = h->sh_link ? elf_getscn(plt->elf, h->sh_link) : NULL;
	size_t size = gelf_fsize(plt->elf, ELF_T_RELA, 1, EV_CURRENT), strings = 0;
	GElf_Shdr lh;
	GElf_Rela rela;

	if (linked && gelf_getshdr(linked, &lh) && lh.sh_type == SHT_DYNSYM) {
		symbols = (Elf_Data *)wp_elf_section_data(linked, &lh);
		strings = lh.sh_link;
	}
	for (size_t i = 0; data && size && i < data->d_size / size; i++)
		if (gelf_getrela(data, (int)i, &rela))
			add_relocation(plt, &rela, symbols, strings);
}

/* jmp *disp(%rip), behind an optional endbr64 and bnd. */
static bool decode_x86(struct wp_bytes at, uint64_t addr, uint64_t *ret_slot)
{
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	size_t from = at.pos;

	if (wp_bytes_left(&at) >= 4 && memcmp(at.data + at.pos, endbr64, 4) == 0)
		wp_bytes_skip(&at, 4);
	uint8_t op = wp_bytes_u8(&at);
	if (op == 0xf2)
		op = wp_bytes_u8(&at);
	if (op != 0xff || wp_bytes_u8(&at) != 0x25)
		return false;
	uint64_t disp = (uint64_t)(int64_t)(int32_t)wp_bytes_u32(&at);
	*ret_slot = addr + (at.pos - from) + disp;
	return !at.failed;
}

/* adrp x16, page; ldr x17, [x16, #offset], behind an optional bti c. */
static bool decode_arm64(struct wp_bytes at, uint64_t addr, uint64_t *ret_slot)
{
	uint32_t adrp = wp_bytes_u32(&at);

	if (adrp == 0xd503245f) {
		addr += 4;
		adrp = wp_bytes_u32(&at);
	}
	uint32_t ldr = wp_bytes_u32(&at);
	if (at.failed || (adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return false;
	uint64_t pages = (adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);
	if (pages & 1 << 20)
		pages |= ~0ull << 21;
	*ret_slot = (addr & ~0xfffull) + (pages << 12) + (ldr >> 10 & 0xfff) * 8;
	return true;
}

static bool decode_entry(const struct plt *plt, struct wp_bytes at, uint64_t addr,
			 uint64_t *ret_slot)
{
	return plt->image->machine == EM_X86_64 ? decode_x86(at, addr, ret_slot)
						: decode_arm64(at, addr, ret_slot);
}

static void add_plt_symbol(struct plt *plt, uint64_t addr, uint64_t size, uint64_t slot)
{
	const uint64_t *name = wp_map_get(&plt->name_of_slot, slot);

	if (!name)
		return;
	const char *s = (const char *)(uintptr_t)*name;
	int len = (int)strcspn(s, "@");
	wp_symtab_add(plt->builder,
		      &(struct wp_symtab_input){
			      .start = addr,
			      .size = size,
			      .name = wp_arena_printf(&plt->builder->arena, "%.*s@plt", len, s),
			      .rank = RANK_PLT,
		      });
}

/* Entries begin at multiples of 8 (x86-64) or 4 bytes; one ends where the next begins. */
static void read_plt_entries(struct plt *plt, const Elf_Data *data, const GElf_Shdr *h)
{
	size_t step = plt->image->machine == EM_X86_64 ? 8 : 4;
	size_t entry = h->sh_entsize >= 8 && h->sh_entsize <= ENTRY_MAX ? h->sh_entsize : 16;
	struct wp_bytes b = wp_bytes_of(data->d_buf, data->d_size);
	size_t pos = 0;

	while (pos < b.size) {
		uint64_t slot;

		wp_bytes_seek(&b, pos);
		if (!decode_entry(plt, b, h->sh_addr + pos, &slot)) {
			pos += step;
			continue;
		}
		size_t size = step;
		uint64_t other;
		for (; size < ENTRY_MAX && size < b.size - pos; size += step) {
			wp_bytes_seek(&b, pos + size);
			if (decode_entry(plt, b, h->sh_addr + pos + size, &other) || size >= entry)
				break;
		}
		add_plt_symbol(plt, h->sh_addr + pos, size < b.size - pos ? size : b.size - pos,
			       slot);
		pos += size;
	}
}

static void each_section(struct plt *plt, bool relocations)
{
	struct wp_elf_sections at = {.elf = plt->elf};
	const GElf_Shdr *h = &at.header;
	const Elf_Data *data;

	while (wp_elf_sections_next(&at)) {
		if (!(h->sh_flags & SHF_ALLOC))
			continue;
		if (relocations && h->sh_type == SHT_RELA)
			read_relocations(plt, at.scn, h);
		if (relocations || h->sh_type != SHT_PROGBITS || !(h->sh_flags & SHF_EXECINSTR))
			continue;
		if (wp_str_has_prefix(at.name, ".plt") && (data = wp_elf_section_data(at.scn, h)))
			read_plt_entries(plt, data, h);
	}
}

void wp_elf_plt_add(Elf *elf, const struct wp_elf_image *image, struct wp_symtab_builder *builder)
{
	struct plt plt = {elf, image, builder, .symbols = builder->inputs.n};

	if (image->machine != EM_X86_64 && image->machine != EM_AARCH64)
		return;
	each_section(&plt, true);
	if (plt.name_of_slot.n)
		each_section(&plt, false);
	wp_map_deinit(&plt.name_of_slot);
	wp_map_deinit(&plt.name_at);
}
