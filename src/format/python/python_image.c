/* SPDX-License-Identifier: BSD-3-Clause */
/* python_image: see python_image.h. Numbers of DWARF 4, sections 7.5 and 6.2. */
#include "format/python/python_image.h"

#include <elf.h>
#include <string.h>

#define PAGE	 4096
#define BASE	 WP_PERFDATA_PYTHON_FUNCTION /* of .text: function 1 */
#define DW_LINES 0x8001			     /* DW_LANG_lo_user + 1: no language of DWARF's */

/* The second note, without data: its name, whose bytes are a multiple of 4. */
#define OWN_NOTE      "wperf\0\0\0"
#define OWN_NOTE_TYPE 1

enum { NONE, NOTE, TEXT, SYMTAB, STRTAB, ABBREV, INFO, LINE, SHSTRTAB, SECTIONS };

static const char *const section_names[SECTIONS] = {
	"",	     ".note.gnu.build-id", ".text",	  ".symtab",
	".strtab",   ".debug_abbrev",	   ".debug_info", ".debug_line",
	".shstrtab",
};

struct sections {
	struct wp_str bytes[SECTIONS];
	Elf64_Shdr head[SECTIONS];
	uint64_t text_bytes;
};

static void put_image_number(struct wp_str *out, uint64_t value, size_t bytes)
{
	wp_str_append(out, (const char *)&value, bytes);
}

static void put_uleb(struct wp_str *out, uint64_t value)
{
	do {
		uint8_t byte = value & 0x7f;

		value >>= 7;
		put_image_number(out, byte | (value ? 0x80u : 0), 1);
	} while (value);
}

static void put_sleb(struct wp_str *out, int64_t value)
{
	for (;;) {
		uint8_t byte = (uint8_t)((uint64_t)value & 0x7f);

		value >>= 7;
		if ((value == 0 && !(byte & 0x40)) || (value == -1 && byte & 0x40)) {
			put_image_number(out, byte, 1);
			return;
		}
		put_image_number(out, byte | 0x80u, 1);
	}
}

static void put_image_string(struct wp_str *out, const char *s)
{
	wp_str_append(out, s, strlen(s) + 1);
}

/* Fills in the 4 bytes of a length that counts what follows it. */
static void set_length(struct wp_str *out, size_t at)
{
	uint32_t length = (uint32_t)(out->len - at - 4);

	memcpy(out->s + at, &length, sizeof(length));
}

static void make_note(const struct wp_python_image *image, struct wp_str *out)
{
	put_image_number(out, 4, 4);
	put_image_number(out, sizeof(image->build_id), 4);
	put_image_number(out, NT_GNU_BUILD_ID, 4);
	put_image_string(out, "GNU");
	wp_str_append(out, (const char *)image->build_id, sizeof(image->build_id));
	put_image_number(out, sizeof(OWN_NOTE) - 1, 4);
	put_image_number(out, 0, 4);
	put_image_number(out, OWN_NOTE_TYPE, 4);
	wp_str_append(out, OWN_NOTE, sizeof(OWN_NOTE) - 1);
}

static void make_symbols(const struct wp_python_image *image, struct sections *s)
{
	Elf64_Sym symbol = {0};

	wp_str_append(&s->bytes[SYMTAB], (const char *)&symbol, sizeof(symbol));
	wp_str_pad(&s->bytes[STRTAB], '\0', 1);
	for (size_t i = 0; i < image->n; i++) {
		symbol = (Elf64_Sym){
			.st_name = (Elf64_Word)s->bytes[STRTAB].len,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = TEXT,
			.st_value = BASE + i * WP_PERFDATA_PYTHON_FUNCTION,
			.st_size = WP_PERFDATA_PYTHON_FUNCTION,
		};
		put_image_string(&s->bytes[STRTAB], image->names[i]);
		wp_str_append(&s->bytes[SYMTAB], (const char *)&symbol, sizeof(symbol));
	}
}

/* One unit for everything: stmt_list, low_pc, high_pc, name. */
static void make_unit(struct sections *s)
{
	static const uint8_t abbrev[] = {1,    0x11, 0,	   0x10, 0x17, 0x11, 0x01, 0x12,
					 0x07, 0x03, 0x08, 0x13, 0x05, 0,    0,	   0};
	struct wp_str *info = &s->bytes[INFO];

	wp_str_append(&s->bytes[ABBREV], (const char *)abbrev, sizeof(abbrev));
	put_image_number(info, 0, 4);
	put_image_number(info, 4, 2); /* version */
	put_image_number(info, 0, 4); /* of .debug_abbrev */
	put_image_number(info, 8, 1); /* bytes of an address */
	put_uleb(info, 1);
	put_image_number(info, 0, 4); /* of .debug_line */
	put_image_number(info, BASE, 8);
	put_image_number(info, s->text_bytes, 8);
	put_image_string(info, "Python");
	put_image_number(info, DW_LINES, 2);
	set_length(info, 0);
}

static void put_line_head(const struct wp_python_image *image, struct wp_str *out)
{
	static const uint8_t lengths[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
	size_t at;

	put_image_number(out, 0, 4);
	put_image_number(out, 4, 2); /* version */
	at = out->len;
	put_image_number(out, 0, 4);
	put_image_number(out, 1, 1); /* bytes of an instruction at least */
	put_image_number(out, 1, 1); /* operations of an instruction */
	put_image_number(out, 1, 1); /* rows are statements */
	put_image_number(out, (uint8_t)-5, 1);
	put_image_number(out, 14, 1); /* of the special opcodes, which are not used */
	put_image_number(out, 13, 1);
	wp_str_append(out, (const char *)lengths, sizeof(lengths));
	put_image_number(out, 0, 1); /* no folders */
	for (size_t i = 0; i < image->n_files; i++) {
		put_image_string(out, *image->files[i] ? image->files[i] : "?");
		wp_str_pad(out, '\0', 3);
	}
	put_image_number(out, 0, 1);
	set_length(out, at);
}

static void put_line_rows(const struct wp_python_image *image, struct wp_str *out)
{
	uint64_t at = BASE, line = 1;

	put_image_number(out, 0x00, 1); /* DW_LNE_set_address */
	put_uleb(out, 9);
	put_image_number(out, 2, 1);
	put_image_number(out, at, 8);
	for (size_t i = 0; i < image->n_lines; i++) {
		const struct wp_python_image_line *row = &image->lines[i];

		put_image_number(out, 2, 1); /* DW_LNS_advance_pc */
		put_uleb(out, row->address - at);
		put_image_number(out, 4, 1); /* DW_LNS_set_file */
		put_uleb(out, row->file + UINT64_C(1));
		put_image_number(out, 3, 1); /* DW_LNS_advance_line */
		put_sleb(out, (int64_t)row->line - (int64_t)line);
		put_image_number(out, 1, 1); /* DW_LNS_copy */
		at = row->address, line = row->line;
	}
}

static void make_lines(const struct wp_python_image *image, struct sections *s)
{
	struct wp_str *out = &s->bytes[LINE];
	uint64_t last = image->n_lines ? image->lines[image->n_lines - 1].address : BASE;

	put_line_head(image, out);
	put_line_rows(image, out);
	put_image_number(out, 2, 1);
	put_uleb(out, BASE + s->text_bytes - last);
	put_image_number(out, 0x00, 1); /* DW_LNE_end_sequence */
	put_uleb(out, 1);
	put_image_number(out, 1, 1);
	set_length(out, 0);
}

/* Heads of all sections, with where their bytes will be. */
static void lay_out_sections(struct sections *s)
{
	static const uint32_t types[SECTIONS] = {
		SHT_NULL,     SHT_NOTE,	    SHT_NOBITS,	  SHT_SYMTAB, SHT_STRTAB,
		SHT_PROGBITS, SHT_PROGBITS, SHT_PROGBITS, SHT_STRTAB,
	};
	uint64_t at = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);

	for (int i = NOTE; i < SECTIONS; i++) {
		at = (at + 7) & ~UINT64_C(7);
		s->head[i] = (Elf64_Shdr){.sh_name = (Elf64_Word)s->bytes[SHSTRTAB].len,
					  .sh_type = types[i],
					  .sh_offset = at,
					  .sh_size = s->bytes[i].len,
					  .sh_addralign = i == NOTE ? 4 : 8};
		put_image_string(&s->bytes[SHSTRTAB], section_names[i]);
		if (i == SHSTRTAB)
			s->head[i].sh_size = s->bytes[i].len;
		at += s->bytes[i].len;
	}
	s->head[NOTE].sh_flags = SHF_ALLOC;
	s->head[NOTE].sh_addr = s->head[NOTE].sh_offset;
	s->head[TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	s->head[TEXT].sh_addr = s->head[TEXT].sh_offset = BASE;
	s->head[TEXT].sh_size = s->text_bytes;
	s->head[SYMTAB].sh_link = STRTAB;
	s->head[SYMTAB].sh_info = 1;
	s->head[SYMTAB].sh_entsize = sizeof(Elf64_Sym);
}

static void put_heads(const struct wp_python_image *image, const struct sections *s,
		      struct wp_str *out)
{
	const Elf64_Shdr *last = &s->head[SHSTRTAB], *note = &s->head[NOTE];
	Elf64_Ehdr head = {
		.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_DYN,
		.e_machine = image->arm64 ? EM_AARCH64 : EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(head),
		.e_shoff = (last->sh_offset + last->sh_size + 7) & ~UINT64_C(7),
		.e_ehsize = sizeof(head),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 2,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = SECTIONS,
		.e_shstrndx = SHSTRTAB,
	};
	Elf64_Phdr code = {.p_type = PT_LOAD,
			   .p_flags = PF_R | PF_X,
			   .p_offset = BASE,
			   .p_vaddr = BASE,
			   .p_paddr = BASE,
			   .p_memsz = s->text_bytes,
			   .p_align = PAGE};
	Elf64_Phdr id = {.p_type = PT_NOTE,
			 .p_flags = PF_R,
			 .p_offset = note->sh_offset,
			 .p_vaddr = note->sh_addr,
			 .p_paddr = note->sh_addr,
			 .p_filesz = note->sh_size,
			 .p_memsz = note->sh_size,
			 .p_align = 4};

	wp_str_append(out, (const char *)&head, sizeof(head));
	wp_str_append(out, (const char *)&code, sizeof(code));
	wp_str_append(out, (const char *)&id, sizeof(id));
}

void wp_python_image_put(struct wp_str *out, const struct wp_python_image *image)
{
	struct sections s = {.text_bytes = image->n * WP_PERFDATA_PYTHON_FUNCTION};
	size_t begin = out->len;

	make_note(image, &s.bytes[NOTE]);
	make_symbols(image, &s);
	make_unit(&s);
	make_lines(image, &s);
	wp_str_pad(&s.bytes[SHSTRTAB], '\0', 1);
	lay_out_sections(&s);
	put_heads(image, &s, out);
	for (int i = NOTE; i < SECTIONS; i++) {
		if (i != TEXT)
			wp_str_pad(out, '\0', s.head[i].sh_offset - (out->len - begin));
		wp_str_append(out, s.bytes[i].s ? s.bytes[i].s : "", s.bytes[i].len);
	}
	wp_str_pad(out, '\0', -(out->len - begin) & 7);
	wp_str_append(out, (const char *)s.head, sizeof(s.head));
	for (int i = 0; i < SECTIONS; i++)
		wp_str_deinit(&s.bytes[i]);
}

/* The headers and notes are always the same but for what is in them. */
bool wp_python_image_is(const void *head, size_t size)
{
	struct wp_bytes b = wp_bytes_of(head, size);
	const uint8_t *ident = wp_bytes_take(&b, SELFMAG);
	uint32_t name_bytes, type;
	const char *name;

	if (!ident || memcmp(ident, ELFMAG, SELFMAG) != 0)
		return false;
	wp_bytes_skip(&b, sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr) - SELFMAG);
	wp_bytes_skip(&b, 12 + sizeof("GNU") + 20); /* the build-id */
	name_bytes = wp_bytes_u32(&b);
	wp_bytes_skip(&b, 4);
	type = wp_bytes_u32(&b);
	name = wp_bytes_take(&b, sizeof(OWN_NOTE) - 1);
	return name && name_bytes == sizeof(OWN_NOTE) - 1 && type == OWN_NOTE_TYPE &&
	       memcmp(name, OWN_NOTE, sizeof(OWN_NOTE) - 1) == 0;
}
