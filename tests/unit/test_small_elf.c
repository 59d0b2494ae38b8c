/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "windows/small_elf.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { NONE, NAMES, PACKED, SYMBOLS, SECTIONS };

static const char text[] = "what is said again and again and again and again and again";

/* A file of four sections, headers first. */
struct image {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	Elf64_Shdr sections[SECTIONS];
	Elf64_Chdr packed_header;
	uint8_t packed[200];
	Elf64_Sym symbols[2];
	char names[16];
};

static struct image make_image(void)
{
	struct image image = {
		.header = {.e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT},
		.names = "\0.text\0end",
	};

	memcpy(image.header.e_ident, ELFMAG, SELFMAG);
	image.header.e_ident[EI_CLASS] = ELFCLASS64;
	image.header.e_ident[EI_DATA] = ELFDATA2LSB;
	image.header.e_phoff = offsetof(struct image, segment);
	image.header.e_phnum = 1;
	image.header.e_shoff = offsetof(struct image, sections);
	image.header.e_shnum = SECTIONS;
	image.header.e_shstrndx = NAMES;
	image.segment = (Elf64_Phdr){.p_type = PT_LOAD, .p_vaddr = 0x1000, .p_memsz = 1};
	image.sections[NAMES] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
					     .sh_name = 1,
					     .sh_offset = offsetof(struct image, names),
					     .sh_size = sizeof(image.names)};
	image.symbols[1] = (Elf64_Sym){.st_name = 7, .st_value = 0x1234};
	image.sections[SYMBOLS] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
					       .sh_offset = offsetof(struct image, symbols),
					       .sh_size = sizeof(image.symbols)};
	return image;
}

static void pack_section(struct image *image, uint32_t type)
{
	uLongf n = sizeof(image->packed);

	if (type == ELFCOMPRESS_ZLIB)
		compress(image->packed, &n, (const Bytef *)text, sizeof(text));
	else
		n = ZSTD_compress(image->packed, n, text, sizeof(text), 3);
	image->packed_header = (Elf64_Chdr){.ch_type = type, .ch_size = sizeof(text)};
	image->sections[PACKED] = (Elf64_Shdr){
		.sh_type = SHT_PROGBITS,
		.sh_flags = SHF_COMPRESSED,
		.sh_offset = offsetof(struct image, packed_header),
		.sh_size = sizeof(image->packed_header) + n,
	};
}

static void test_plain(void)
{
	struct image image = make_image();
	struct wp_small_elf *elf = wp_small_elf_new(&image, sizeof(image));
	const struct wp_small_elf_data *data;
	Elf64_Phdr segment;
	Elf64_Sym symbol;
	size_t n;

	CHECK(elf && wp_small_elf_class(elf) == ELFCLASS64);
	CHECK(wp_small_elf_segments(elf, &n) == 0 && n == 1);
	CHECK(wp_small_elf_segment(elf, 0, &segment) && segment.p_vaddr == 0x1000);
	CHECK(!wp_small_elf_segment(elf, 1, &segment) && !wp_small_elf_segment(elf, -1, &segment));
	CHECK_STR(wp_small_elf_string(elf, NAMES, 1), ".text");
	CHECK(!wp_small_elf_string(elf, SYMBOLS, 1) && !wp_small_elf_string(elf, NAMES, 16));
	data = wp_small_elf_data(wp_small_elf_section(elf, SYMBOLS));
	CHECK(data && wp_small_elf_symbol(data, 1, &symbol) && symbol.st_value == 0x1234);
	CHECK(!wp_small_elf_symbol(data, 2, &symbol) && !wp_small_elf_rela(data, 0, NULL));
	CHECK(wp_small_elf_next(elf, NULL) == wp_small_elf_section(elf, 1));
	CHECK(!wp_small_elf_next(elf, wp_small_elf_section(elf, SECTIONS - 1)));
	wp_small_elf_free(elf);
}

static void test_inflated(void)
{
	static const uint32_t types[] = {ELFCOMPRESS_ZLIB, 2 /* zstd */};

	for (size_t i = 0; i < WP_ARRAY_LEN(types); i++) {
		struct image image = make_image();
		struct wp_small_elf_section *section;
		struct wp_small_elf *elf;

		pack_section(&image, types[i]);
		elf = wp_small_elf_new(&image, sizeof(image));
		section = wp_small_elf_section(elf, PACKED);
		CHECK(wp_small_elf_inflate(section) == 1);
		CHECK_STR(wp_small_elf_data(section)->d_buf, text);
		CHECK(wp_small_elf_inflate(section) == -1);
		wp_small_elf_free(elf);
		image.packed[20] ^= 0x55;
		image.packed_header.ch_size++;
		elf = wp_small_elf_new(&image, sizeof(image));
		section = wp_small_elf_section(elf, PACKED);
		CHECK(wp_small_elf_inflate(section) == -1);
		wp_small_elf_free(elf);
	}
}

static void test_old_form(void)
{
	struct image image = make_image();
	struct wp_small_elf_section *section;
	struct wp_small_elf *elf;
	uLongf n = sizeof(image.packed) - 12;

	memcpy(image.packed, "ZLIB\0\0\0\0\0\0\0", 11);
	image.packed[11] = sizeof(text);
	compress(image.packed + 12, &n, (const Bytef *)text, sizeof(text));
	image.sections[PACKED] = (Elf64_Shdr){.sh_type = SHT_PROGBITS,
					      .sh_offset = offsetof(struct image, packed),
					      .sh_size = n + 12};
	elf = wp_small_elf_new(&image, sizeof(image));
	section = wp_small_elf_section(elf, PACKED);
	CHECK(wp_small_elf_inflate(section) == -1 && wp_small_elf_inflate_gnu(section) == 1);
	CHECK_STR(wp_small_elf_data(section)->d_buf, text);
	wp_small_elf_free(elf);
}

static void test_damaged(void)
{
	struct image image = make_image();
	struct wp_small_elf *elf;
	size_t n;

	CHECK(!wp_small_elf_new("x", 1) && !wp_small_elf_new(&image, EI_NIDENT));
	image.header.e_shnum = 0xfff0;
	elf = wp_small_elf_new(&image, sizeof(image));
	CHECK(elf && !wp_small_elf_section(elf, 0));
	wp_small_elf_free(elf);
	image = make_image();
	image.sections[SYMBOLS].sh_size--;
	image.sections[NAMES].sh_offset = UINT64_MAX - 3;
	image.header.e_phoff = sizeof(image) - 1;
	elf = wp_small_elf_new(&image, sizeof(image));
	CHECK(elf && wp_small_elf_segments(elf, &n) == 0 && n == 0);
	CHECK(!wp_small_elf_data(wp_small_elf_section(elf, SYMBOLS)));
	CHECK(wp_small_elf_raw(wp_small_elf_section(elf, SYMBOLS)));
	CHECK(!wp_small_elf_raw(wp_small_elf_section(elf, NAMES)));
	CHECK(!wp_small_elf_string(elf, NAMES, 1));
	wp_small_elf_free(elf);
	image.header.e_ident[EI_DATA] = ELFDATA2MSB;
	elf = wp_small_elf_new(&image, sizeof(image));
	CHECK(elf && !wp_small_elf_next(elf, NULL) && wp_small_elf_segments(elf, &n) == -1);
	wp_small_elf_free(elf);
}

int main(void)
{
	test_plain();
	test_inflated();
	test_old_form();
	test_damaged();
	return check_done();
}
