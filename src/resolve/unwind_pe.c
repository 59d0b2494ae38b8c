/* unwind_pe: see unwind_pe.h. */
#include "resolve/unwind_pe.h"

#include "format/cfi.h"
#include "format/elf_file.h"
#include "format/pe_unwind.h"
#include "resolve/unwind_extras.h"

#include <elf.h>
#include <string.h>

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

static void compile_x86(const struct wp_pe_image *image, const struct wp_pe_file *pe,
			struct wp_unwind_rows *rows)
{
	rows->base = image->base;
	add_cfi(image, pe, ".eh_frame", rows);
	add_cfi(image, pe, ".debug_frame", rows);
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
		compile_x86(&image, &pe, &rows);
	else
		wp_pe_unwind_compile(&image, &pe, &rows);
	wp_pe_image_deinit(&image);
	wp_unwind_extras_name(&file->symbols, &rows);
	*ret = rows;
	return true;
}
