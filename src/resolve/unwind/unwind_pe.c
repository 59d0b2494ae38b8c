/* SPDX-License-Identifier: BSD-3-Clause */
/* unwind_pe: see unwind_pe.h. */
#include "resolve/unwind/unwind_pe.h"

#include "format/unwind/cfi.h"
#include "format/elf/elf_file.h"
#include "format/pe/pe_unwind.h"
#include "resolve/find/pdb_file.h"
#include "resolve/unwind/unwind_extras.h"

#include <elf.h>
#include <string.h>

/* The return address is on top; the caller's frame pointer is pushed. */
static const struct wp_unwind_rule entry_rule = {.cfa = WP_UNWIND_SP,
						 .flags = WP_UNWIND_RA_SAVED,
						 .cfa_off = 1,
						 .ra_off = -1},
				   pushed_rule = {.cfa = WP_UNWIND_SP,
						  .flags = WP_UNWIND_RA_SAVED | WP_UNWIND_FP_SAVED,
						  .cfa_off = 2,
						  .ra_off = -1,
						  .fp_off = -2};

/* What a section says in DWARF's words; that of a debug file has no bytes. */
static void add_cfi(const struct wp_pe_image *image, const struct wp_pe_file *pe, const char *name,
		    struct wp_unwind_rows *rows)
{
	struct wp_unwind_rows more = {.base = rows->base};
	struct wp_cfi_stats stats = {0};

	wp_vec_each (struct wp_pe_section, section, &image->sections) {
		struct wp_cfi_section cfi = {.addr = image->base + section->rva,
					     .eh = strcmp(name, ".eh_frame") == 0};

		if (strcmp(section->name, name) != 0)
			continue;
		cfi.data = wp_pe_image_bytes(image, pe, section->rva, &cfi.size);
		if (cfi.data)
			wp_cfi_compile(EM_386, &cfi, &more, &stats);
		break;
	}
	wp_unwind_rows_fill(rows, &more);
	wp_unwind_rows_deinit(&more);
}

static void add_pdb(const struct wp_symfile *file, struct wp_unwind_rows *rows)
{
	struct wp_unwind_rows more = {.base = rows->base};

	if (!file->pdb)
		return;
	wp_pdb_frames(file->pdb->pdb, &more);
	wp_unwind_rows_fill(rows, &more);
	wp_unwind_rows_deinit(&more);
}

/*
 * What keeps a frame pointer: "push ebp; mov ebp, esp" and "leave; ret" or "pop ebp; ret". In
 * between the unwinder follows the frame pointer without being told to.
 */
static void add_edges(const struct wp_pe_image *image, const struct wp_pe_file *pe,
		      const struct wp_pe_section *section, struct wp_unwind_rows *rows)
{
	size_t n = 0;
	const uint8_t *code = wp_pe_image_bytes(image, pe, section->rva, &n);

	for (size_t i = 0; code && n >= 4 && i <= n - 4; i++) {
		bool begins = code[i] == 0x55 && ((code[i + 1] == 0x8b && code[i + 2] == 0xec) ||
						  (code[i + 1] == 0x89 && code[i + 2] == 0xe5));
		bool ends = (code[i] == 0xc9 || code[i] == 0x5d) &&
			    (code[i + 1] == 0xc3 || code[i + 1] == 0xc2);
		uint32_t at = section->rva + (uint32_t)i;

		if (begins) {
			wp_unwind_rows_append(rows, at, entry_rule);
			wp_unwind_rows_append(rows, at + 1, pushed_rule);
			wp_unwind_rows_append(rows, at + 3, (struct wp_unwind_rule){0});
		} else if (ends) {
			wp_unwind_rows_append(rows, at + 1, entry_rule);
			wp_unwind_rows_append(rows, at + 2, (struct wp_unwind_rule){0});
		}
	}
}

static void fill_edges(const struct wp_pe_image *image, const struct wp_pe_file *pe,
		       struct wp_unwind_rows *rows)
{
	struct wp_unwind_rows more = {.base = rows->base};

	wp_vec_each (struct wp_pe_section, section, &image->sections)
		if (section->flags & WP_PE_CODE)
			add_edges(image, pe, section, &more);
	wp_unwind_rows_fill(rows, &more);
	wp_unwind_rows_deinit(&more);
}

static void compile_x86(const struct wp_symfile *file, const struct wp_pe_image *image,
			const struct wp_pe_file *pe, struct wp_unwind_rows *rows)
{
	rows->base = image->base;
	add_cfi(image, pe, ".eh_frame", rows);
	add_cfi(image, pe, ".debug_frame", rows);
	add_pdb(file, rows);
	fill_edges(image, pe, rows);
}

bool wp_unwind_pe_compile(const struct wp_symfile_source *source, const struct wp_symfile *file,
			  struct wp_unwind_rows *ret)
{
	wp_autofree void *bytes = NULL;
	struct wp_unwind_rows rows = {0};
	struct wp_pe_image image;
	struct wp_pe_file pe;

	if (source->fd < 0 || !wp_elf_file_read_pe(source->fd, &pe, &bytes))
		return false;
	wp_autoerr struct wp_err *err = wp_pe_image_read(&pe, &image);
	if (err)
		return true;
	if (image.machine == WP_PE_MACHINE_I386)
		compile_x86(file, &image, &pe, &rows);
	else
		wp_pe_unwind_compile(&image, &pe, &rows);
	wp_pe_image_deinit(&image);
	wp_unwind_extras_name(&file->symbols, &rows);
	*ret = rows;
	return true;
}
