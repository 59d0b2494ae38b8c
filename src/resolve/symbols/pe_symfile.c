/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pe_symfile: Windows images (PE): functions and lines from their PDB, else from DWARF in them;
 * exports and the COFF symbols of GNU's and Go's linkers. The image itself is read in its ELF form
 * (format/pe/pe_view.h), so that its linked addresses contain the address that it was linked for; a
 * PDB's do not.
 */
#include "format/elf/elf_file.h"
#include "format/elf/elf_symbols.h"
#include "resolve/find/pdb_search.h"
#include "resolve/lines/srclines.h"
#include "resolve/symbols/symfile.h"

static bool match_pe_head(const uint8_t *head, size_t n)
{
	return wp_pe_image_is(head, n);
}

static struct wp_elf_file open_pe_source(const struct wp_symfile_source *source, bool debug)
{
	if (source->fd >= 0)
		return wp_elf_file_open(source->fd, debug);
	return wp_elf_file_of_memory(source->memory, source->memory_size, debug);
}

static void find_pdb(const struct wp_symfile_source *source, const struct wp_pe_codeview *codeview,
		     struct wp_symfile *file)
{
	struct wp_pdb_search search = {
		.image_path = source->path,
		.named = source->pdb,
		.guid = codeview->guid,
		.age = codeview->age,
		.rsds_path = codeview->path,
		.pid = source->pid,
		.log = source->log,
		.budget = source->budget,
		.interrupted = source->places ? source->places->interrupted : NULL,
	};
	char id[WP_PDB_ID];

	wp_pdb_id_write(codeview->guid, codeview->age, id);
	file->pdb_id = wp_strdup(id);
	file->pdb_wanted = wp_strdup(codeview->path);
	wp_autoerr struct wp_err *err = wp_pdb_search(&search, &file->pdb);
	if (!err)
		return;
	file->pdb_missing = wp_strdup(err->text);
	file->pdb_refused = err->code != WP_ERR_NOT_FOUND;
}

/* Which PDB belongs to it, the image says itself. */
static void load_pdb(const struct wp_symfile_source *source, struct wp_symfile *file)
{
	wp_autofree void *bytes = NULL;
	struct wp_pe_codeview codeview;
	struct wp_pe_image image;
	struct wp_pe_file pe;

	if (source->fd < 0 || !wp_elf_file_read_pe(source->fd, &pe, &bytes))
		return;
	wp_autoerr struct wp_err *err = wp_pe_image_read(&pe, &image);
	if (err)
		return;
	if (wp_pe_image_codeview(&image, &pe, &codeview))
		find_pdb(source, &codeview, file);
	else if (source->pdb)
		file->pdb_missing = wp_asprintf("%s was built without one", source->path);
	wp_pe_image_deinit(&image);
}

static struct wp_err *load_pe(const struct wp_symfile_source *source, struct wp_symfile *ret)
{
	struct wp_symtab_builder builder = {0};
	struct wp_elf_file pe = open_pe_source(source, false);
	struct wp_symfile file = {0};
	struct wp_err *err;

	if (!pe.elf)
		return wp_err_new(WP_ERR_FORMAT, "a damaged PE file");
	err = wp_elf_image_read(pe.elf, &file.image);
	if (!err) {
		wp_elf_symbols_add(pe.elf, &file.image, 0, &builder);
		wp_symfile_keep(source, &builder, &file.symbols);
		load_pdb(source, &file);
		*ret = file;
	}
	wp_elf_file_close(&pe);
	return err;
}

static struct wp_srclines *open_pe_lines(const struct wp_symfile_source *source,
					 const struct wp_symfile *file)
{
	struct wp_elf_file pe;

	if (file->pdb && wp_pdb_has_lines(file->pdb->pdb))
		return wp_srclines_of_pdb(file->pdb->pdb, wp_elf_image_base(&file->image).v);
	pe = open_pe_source(source, true);
	return pe.elf ? wp_srclines_of(&pe, source->budget) : NULL;
}

const struct wp_symfile_ops wp_pe_symfile = {"pe", match_pe_head, load_pe, NULL, open_pe_lines};
