/*
 * pe_symfile: Windows images (PE): exports, the COFF symbols of GNU's and Go's linkers, and lines
 * from DWARF in them. They are read in their ELF form (format/pe_view.h), so that their linked
 * addresses contain the address that they were linked for.
 */
#include "format/elf_file.h"
#include "format/elf_symbols.h"
#include "resolve/srclines.h"
#include "resolve/symfile.h"

static bool match(const uint8_t *head, size_t n)
{
	return wp_pe_image_is(head, n);
}

static struct wp_elf_file open_source(const struct wp_symfile_source *source, bool debug)
{
	if (source->fd >= 0)
		return wp_elf_file_open(source->fd, debug);
	return wp_elf_file_of_memory(source->memory, source->memory_size, debug);
}

static struct wp_err *load(const struct wp_symfile_source *source, struct wp_symfile *ret)
{
	struct wp_symtab_builder builder = {0};
	struct wp_elf_file pe = open_source(source, false);
	struct wp_symfile file = {0};
	struct wp_err *err;

	if (!pe.elf)
		return wp_err_new(WP_ERR_FORMAT, "a damaged PE file");
	err = wp_elf_image_read(pe.elf, &file.image);
	if (!err) {
		wp_elf_symbols_add(pe.elf, &file.image, 0, &builder);
		wp_symtab_build(&builder, &file.symbols);
		*ret = file;
	}
	wp_elf_file_close(&pe);
	return err;
}

static struct wp_srclines *lines(const struct wp_symfile_source *source,
				 const struct wp_symfile *file)
{
	struct wp_elf_file pe = open_source(source, true);

	(void)file;
	return pe.elf ? wp_srclines_of(&pe) : NULL;
}

const struct wp_symfile_ops wp_pe_symfile = {"pe", match, load, lines};
