/* SPDX-License-Identifier: BSD-3-Clause */
/* test_elf_symbols: the seeds of fuzz_elf_symbols, small ELF files of which every symbol is known.
 */
#include "base/file.h"
#include "check.h"
#include "resolve/symbols/symfile.h"

static char *memory;

static struct wp_symfile load(const char *name)
{
	const char *top = getenv("TOP");
	wp_autofree char *path =
		wp_asprintf("%s/tests/fuzz/corpus/fuzz_elf_symbols/%s", top ? top : ".", name);
	struct wp_symfile file = {0};
	size_t size = 0;

	CHECK_OK(wp_file_read(path, 1 << 20, &memory, &size));
	struct wp_symfile_source source = {
		.path = path, .fd = -1, .memory = memory, .memory_size = size};
	CHECK_OK(wp_symfile_load(&source, &file));
	return file;
}

static const char *at(const struct wp_symfile *file, uint64_t addr)
{
	size_t piece = wp_symtab_find(&file->symbols, addr);

	return piece == WP_SYMTAB_NONE ? NULL : wp_symtab_name(&file->symbols, piece);
}

static void unload(struct wp_symfile *file)
{
	wp_symfile_deinit(file);
	free(memory);
}

/* Variables: what has a size, and what has none up to the end of the segment; never a function. */
static void test_objects(void)
{
	struct wp_symfile file = load("x86_full");
	struct wp_symfile_source source = {.path = "x", .fd = -1, .memory = memory};
	struct wp_symfile objects = {0};
	wp_autofree char *path = wp_asprintf("%s/tests/fuzz/corpus/fuzz_elf_symbols/x86_full",
					     getenv("TOP") ? getenv("TOP") : ".");
	wp_autofree char *again = NULL;

	CHECK_OK(wp_file_read(path, 1 << 20, &again, &source.memory_size));
	wp_symfile_objects(&source, &file, &objects.symbols);
	CHECK_STR(at(&objects, 0x1100), "object");
	CHECK_STR(at(&objects, 0x111f), "object");
	CHECK_STR(at(&objects, 0x1120), NULL);
	CHECK_STR(at(&objects, 0x1140), "unsized");
	CHECK_STR(at(&objects, 0x2000), NULL);
	CHECK_STR(at(&objects, 0x9000), NULL);
	CHECK_STR(at(&file, 0x1100), NULL);
	wp_symfile_deinit(&objects);
	unload(&file);
}

static void test_x86(void)
{
	struct wp_symfile file = load("x86_mini");

	CHECK_STR(at(&file, 0x2000), "_ZN3foo3barEi");
	CHECK_STR(at(&file, 0x2040), NULL);
	CHECK_STR(at(&file, 0x205f), "inner");
	CHECK_STR(at(&file, 0x2060), NULL);
	CHECK_STR(at(&file, 0x2090), "label");
	CHECK_STR(at(&file, 0x20a0), "f");
	CHECK_STR(at(&file, 0x20b0), NULL);
	CHECK_STR(at(&file, 0x3000), NULL);
	CHECK_STR(at(&file, 0x3010), "puts@plt");
	CHECK_STR(at(&file, 0x301f), "puts@plt");
	CHECK_STR(at(&file, 0x3020), "_ZN3foo3barEi@plt");
	CHECK_U64(file.image.build_id_len, 8);
	CHECK_STR(file.image.debuglink, "x.debug");
	CHECK_U64(file.image.debuglink_crc, 0x12345678);
	unload(&file);
	file = load("x86_full");
	CHECK(file.image.has_symtab);
	CHECK_STR(at(&file, 0x205f), NULL);
	unload(&file);
}

static void test_arm64(void)
{
	struct wp_symfile file = load("arm64");

	CHECK_STR(at(&file, 0x301f), NULL);
	CHECK_STR(at(&file, 0x3020), "puts@plt");
	CHECK_STR(at(&file, 0x302f), "puts@plt");
	CHECK_STR(at(&file, 0x3030), "_ZN3foo3barEi@plt");
	CHECK_STR(at(&file, 0x3040), "_ZN3foo3barEi@plt");
	unload(&file);
}

/* One page holds the end of one segment and the beginning of the next. */
static void test_segments(void)
{
	struct wp_elf_image image = {0};
	struct wp_rva rva;

	wp_vec_push(&image.segments,
		    (struct wp_elf_segment){{0}, {0x400000}, 0x1800, 0x1800, false});
	wp_vec_push(&image.segments,
		    (struct wp_elf_segment){{0x1800}, {0x402800}, 0x900, 0x900, true});
	CHECK(wp_elf_image_rva(&image, (struct wp_off){0x100}, &rva));
	CHECK_U64(rva.v, 0x400100);
	CHECK(wp_elf_image_rva(&image, (struct wp_off){0x1900}, &rva));
	CHECK_U64(rva.v, 0x402900);
	CHECK(wp_elf_image_rva(&image, (struct wp_off){0x1000}, &rva));
	CHECK_U64(rva.v, 0x402000);
	CHECK(!wp_elf_image_rva(&image, (struct wp_off){0x2100}, &rva));
	CHECK_U64(wp_elf_image_base(&image).v, 0x400000);
	wp_elf_image_deinit(&image);
}

/* A debug file says at which address code is, not where in the program's file. */
static void test_debug_file(void)
{
	struct wp_elf_image image = {.lacks_code = true};
	struct wp_rva rva;

	wp_vec_push(&image.segments, (struct wp_elf_segment){{0}, {0}, 0x394, 0xac0, false});
	wp_vec_push(&image.segments, (struct wp_elf_segment){{0}, {0x1040}, 0, 0x5cd, true});
	wp_vec_push(&image.segments, (struct wp_elf_segment){{0x1000}, {0x2000}, 0x3a8, 0x3a8});
	CHECK(!wp_elf_image_rva(&image, (struct wp_off){0x1100}, &rva));
	CHECK(wp_elf_image_code_page(&image, &rva));
	CHECK_U64(rva.v, 0x1000);
	wp_vec_push(&image.segments, (struct wp_elf_segment){{0}, {0x9000}, 0, 0x10, true});
	CHECK(!wp_elf_image_code_page(&image, &rva));
	wp_elf_image_deinit(&image);
}

static void test_damaged(void)
{
	struct wp_symfile file;
	struct wp_symfile_source source = {.path = "x", .fd = -1};

	source.memory = (char[]){"#!/bin/sh and more"};
	source.memory_size = 18;
	CHECK_ERR(wp_symfile_load(&source, &file), "format");
	source.memory = (char[]){"\177ELF\2\2\1"};
	source.memory_size = 8;
	CHECK_ERR(wp_symfile_load(&source, &file), "ELF");
}

int main(void)
{
	RUN(test_x86);
	RUN(test_objects);
	RUN(test_arm64);
	RUN(test_segments);
	RUN(test_debug_file);
	RUN(test_damaged);
	return check_done();
}
