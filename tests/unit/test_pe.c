/* SPDX-License-Identifier: BSD-3-Clause */
/* test_pe: the seeds of fuzz_pe, small PE files of which all is known, whole and cut off anywhere.
 */
#include "base/file.h"
#include "check.h"
#include "format/pe/pe_unwind.h"
#include "resolve/symbols/symfile.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BASE 0x180000000ull

static char *memory;
static size_t memory_size;

static struct wp_pe_file read_seed(const char *name)
{
	const char *top = getenv("TOP");
	wp_autofree char *path =
		wp_asprintf("%s/tests/fuzz/corpus/fuzz_pe/%s", top ? top : ".", name);

	CHECK_OK(wp_file_read(path, 1 << 20, &memory, &memory_size));
	return (struct wp_pe_file){(const uint8_t *)memory, memory_size};
}

static void test_headers(void)
{
	struct wp_pe_file file = read_seed("x64");
	struct wp_pe_codeview codeview;
	struct wp_pe_image image;
	size_t n;

	CHECK_OK(wp_pe_image_read(&file, &image));
	CHECK_U64(image.machine, WP_PE_MACHINE_AMD64);
	CHECK_U64(image.base, BASE);
	CHECK_U64(image.size, 0x7000);
	CHECK_U64(image.characteristics & WP_PE_DLL, WP_PE_DLL);
	CHECK_U64(image.sections.n, 6);
	CHECK_STR(image.sections.v[5].name, ".debug_line");
	CHECK_STR(wp_pe_image_section(&image, 0x2004)->name, ".pdata");
	CHECK(!wp_pe_image_section(&image, 0x1fff));
	CHECK(wp_pe_image_bytes(&image, &file, 0x1001, &n)[0] == 0x53);
	CHECK(wp_pe_image_codeview(&image, &file, &codeview));
	CHECK_U64(codeview.age, 3);
	CHECK_U64(codeview.guid[15], 15);
	CHECK_STR(codeview.path, "d:\\build\\small.pdb");
	wp_pe_image_deinit(&image);
	free(memory);
}

static const char *at(const struct wp_symfile *file, uint64_t addr)
{
	size_t piece = wp_symtab_find(&file->symbols, addr);

	return piece == WP_SYMTAB_NONE ? NULL : wp_symtab_name(&file->symbols, piece);
}

static struct wp_symfile load(const char *name)
{
	struct wp_symfile_source source = {.path = name, .fd = -1};
	struct wp_symfile file = {0};

	read_seed(name);
	source.memory = memory;
	source.memory_size = memory_size;
	CHECK_OK(wp_symfile_load(&source, &file));
	free(memory);
	return file;
}

static void test_symbols(void)
{
	struct wp_symfile file = load("x64");
	struct wp_rva rva;

	CHECK_STR(at(&file, BASE + 0x1000), "pushes");
	CHECK_STR(at(&file, BASE + 0x100e), "pushes");
	CHECK_STR(at(&file, BASE + 0x100f), NULL); /* .pdata says where it ends */
	CHECK_STR(at(&file, BASE + 0x1010), "framed");
	CHECK_STR(at(&file, BASE + 0x1033), "a_static_function");
	CHECK_STR(at(&file, BASE + 0x1040), "sub_1040"); /* only .pdata knows it */
	CHECK_STR(at(&file, BASE + 0x1054), "sub_1040");
	CHECK_STR(at(&file, BASE + 0x1055), NULL);
	CHECK_STR(at(&file, BASE + 0x1060), "pushes"); /* an entry that continues the first one */
	CHECK_STR(at(&file, BASE + 0x1070), "label");
	CHECK_STR(at(&file, BASE + 0x5000), NULL); /* data */
	/* The file's positions lead to linked addresses, exactly. */
	CHECK(wp_elf_image_rva(&file.image, (struct wp_off){0x412}, &rva));
	CHECK_U64(rva.v, BASE + 0x1012);
	CHECK(wp_elf_image_rva(&file.image, (struct wp_off){0}, &rva));
	CHECK_U64(rva.v, BASE);
	wp_symfile_deinit(&file);
	file = load("x86");
	CHECK_STR(at(&file, 0x401000), "main");
	wp_symfile_deinit(&file);
}

/* "sp+64 ra-8 fp-16 bx-24" */
static const char *rule_text(const struct wp_unwind_rows *rows, uint32_t pc)
{
	const struct wp_unwind_rule *rule = wp_unwind_rule_find(rows->rows.v, rows->rows.n, pc);
	static char text[80];
	size_t n;

	if (!rule || rule->cfa == WP_UNWIND_NONE)
		return "none";
	n = (size_t)snprintf(text, sizeof(text), "%s%+d", rule->cfa == WP_UNWIND_SP ? "sp" : "fp",
			     rule->cfa_off * 8);
	if (rule->flags & WP_UNWIND_RA_SAVED)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " ra%+d",
				      wp_unwind_ra_off(rule) * 8);
	if (rule->flags & WP_UNWIND_FP_SAVED)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " fp%+d", rule->fp_off * 8);
	if (rule->flags & WP_UNWIND_BX_SAVED)
		snprintf(text + n, sizeof(text) - n, " bx%+d", rule->ra_off * 8);
	return text;
}

static struct wp_unwind_rows compile(const char *name)
{
	struct wp_pe_file file = read_seed(name);
	struct wp_unwind_rows rows = {0};
	struct wp_pe_image image;

	CHECK_OK(wp_pe_image_read(&file, &image));
	wp_pe_unwind_compile(&image, &file, &rows);
	wp_pe_image_deinit(&image);
	free(memory);
	return rows;
}

static void test_x64(void)
{
	struct wp_unwind_rows rows = compile("x64");

	/* Prologue, body, epilogue: each instruction. */
	CHECK_STR(rule_text(&rows, 0x1000), "sp+8 ra-8");
	CHECK_STR(rule_text(&rows, 0x1001), "sp+16 ra-8 fp-16");
	CHECK_STR(rule_text(&rows, 0x1002), "sp+24 ra-8 fp-16 bx-24");
	CHECK_STR(rule_text(&rows, 0x1006), "sp+64 ra-8 fp-16 bx-24");
	CHECK_STR(rule_text(&rows, 0x100a), "sp+64 ra-8 fp-16 bx-24");
	CHECK_STR(rule_text(&rows, 0x100b), "sp+24 ra-8 fp-16 bx-24");
	CHECK_STR(rule_text(&rows, 0x100c), "sp+16 ra-8 fp-16");
	CHECK_STR(rule_text(&rows, 0x100d), "sp+8 ra-8");
	CHECK_STR(rule_text(&rows, 0x100e), "sp+64 ra-8 fp-16 bx-24");
	/* A frame register, an epilogue that jumps to another function. */
	CHECK_STR(rule_text(&rows, 0x1016), "fp-16 ra-8 fp-16");
	CHECK_STR(rule_text(&rows, 0x1022), "sp+16 ra-8 fp-16");
	CHECK_STR(rule_text(&rows, 0x1023), "sp+8 ra-8");
	/* Version 2; a register in the caller's frame; a part of another function; no information.
	 */
	CHECK_STR(rule_text(&rows, 0x1031), "sp+16 ra-8");
	CHECK_STR(rule_text(&rows, 0x1033), "sp+8 ra-8");
	CHECK_STR(rule_text(&rows, 0x104a), "sp+48 ra-8 bx+0");
	CHECK_STR(rule_text(&rows, 0x1053), "sp+16 ra-8");
	CHECK_STR(rule_text(&rows, 0x1062), "sp+64 ra-8 fp-16 bx-24");
	CHECK_STR(rule_text(&rows, 0x1070), "sp+8 ra-8");
	CHECK_STR(rule_text(&rows, 0x2000), "none");
	wp_unwind_rows_deinit(&rows);
	rows = compile("cyclic");
	CHECK_STR(rule_text(&rows, 0x1062), "none");
	wp_unwind_rows_deinit(&rows);
}

static void test_arm64(void)
{
	struct wp_unwind_rows rows = compile("arm64");

	CHECK_STR(rule_text(&rows, 0x1000), "sp+0");
	CHECK_STR(rule_text(&rows, 0x1008), "sp+32 ra-24 fp-32");
	CHECK_STR(rule_text(&rows, 0x100c), "fp+32 ra-24 fp-32");
	CHECK_STR(rule_text(&rows, 0x1030), "fp+32 ra-24 fp-32");
	CHECK_STR(rule_text(&rows, 0x1034), "sp+32 ra-24 fp-32");
	CHECK_STR(rule_text(&rows, 0x103c), "sp+0");
	/* Packed: x19 and x20, a chain. */
	CHECK_STR(rule_text(&rows, 0x1044), "sp+16");
	CHECK_STR(rule_text(&rows, 0x1048), "sp+64 ra-56 fp-64");
	CHECK_STR(rule_text(&rows, 0x104c), "fp+64 ra-56 fp-64");
	CHECK_STR(rule_text(&rows, 0x1074), "sp+64 ra-56 fp-64");
	CHECK_STR(rule_text(&rows, 0x1078), "sp+16");
	CHECK_STR(rule_text(&rows, 0x107c), "sp+0");
	/* Packed: three registers and lr, floats, parameters, a frame that takes two instructions.
	 */
	CHECK_STR(rule_text(&rows, 0x1084), "sp+112");
	CHECK_STR(rule_text(&rows, 0x1088), "sp+112 ra-88");
	CHECK_STR(rule_text(&rows, 0x10a0), "sp+4192 ra-88");
	CHECK_STR(rule_text(&rows, 0x10a4), "sp+4800 ra-88");
	CHECK_STR(rule_text(&rows, 0x10b4), "sp+112 ra-88");
	CHECK_STR(rule_text(&rows, 0x10bc), "sp+0");
	/* A part of a function, whose codes are those of another part. */
	CHECK_STR(rule_text(&rows, 0x10c0), "sp+32 ra-24 fp-32");
	wp_unwind_rows_deinit(&rows);
}

/* Whatever is missing, nothing is read behind the end (a sanitizer watches), and nothing hangs. */
static void test_cut(void)
{
	struct wp_pe_file file = read_seed("x64");

	for (size_t n = 0; n < file.size; n++) {
		wp_autofree uint8_t *cut = wp_calloc(n + 1, 1);
		struct wp_symfile_source source = {
			.path = "cut", .fd = -1, .memory = cut, .memory_size = n};
		struct wp_pe_file part = {cut, n};
		struct wp_unwind_rows rows = {0};
		struct wp_symfile symbols = {0};
		struct wp_pe_image image;

		memcpy(cut, file.data, n);
		wp_autoerr struct wp_err *err = wp_pe_image_read(&part, &image);
		if (err)
			continue;
		wp_pe_unwind_compile(&image, &part, &rows);
		wp_unwind_rows_deinit(&rows);
		wp_pe_image_deinit(&image);
		CHECK_OK(wp_symfile_load(&source, &symbols));
		wp_symfile_deinit(&symbols);
	}
	free(memory);
}

static void test_nonsense(void)
{
	struct wp_pe_file empty = {(const uint8_t *)"MZ", 2};
	struct wp_pe_image image;
	struct wp_symfile file = load("absurd");

	CHECK_ERR(wp_pe_image_read(&empty, &image), "PE");
	CHECK_STR(at(&file, BASE + 0x1000), "pushes");
	wp_symfile_deinit(&file);
}

int main(void)
{
	RUN(test_headers);
	RUN(test_symbols);
	RUN(test_x64);
	RUN(test_arm64);
	RUN(test_cut);
	RUN(test_nonsense);
	return check_done();
}
