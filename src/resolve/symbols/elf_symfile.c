/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf_symfile: ELF modules: their own symbols, those of the separate debug file or of
 * .gnu_debugdata, and the names of PLT entries, in one table.
 */
#include "format/elf/elf_sections.h"
#include "format/elf/elf_symbols.h"
#include "format/elf/xz_decode.h"
#include "resolve/find/debug_file.h"
#include "resolve/lines/srclines.h"
#include "resolve/symbols/symfile.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MINI_LIMIT (256u << 20)

/* A second ELF file with symbols for the first; names are borrowed from it until the table is made.
 */
struct extra {
	int fd;
	void *memory;
	Elf *elf;
};

static bool match_elf_head(const uint8_t *head, size_t n)
{
	return n >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0;
}

static Elf *open_elf_source(const struct wp_symfile_source *source)
{
	return source->fd >= 0 ? wp_elf_open(source->fd)
			       : wp_elf_open_memory(source->memory, source->memory_size);
}

/* How far a second file's addresses are from the program's (prelink moves only one of them). */
static uint64_t shift_of(const struct wp_elf_image *program, const struct wp_elf_image *other)
{
	return program->text && other->text ? program->text - other->text : 0;
}

/* Reading the tables takes room as well, for a moment. */
static void add_symbols(const struct wp_symfile_source *source, Elf *elf,
			const struct wp_elf_image *program, uint64_t shift, bool objects,
			struct wp_symtab_builder *builder)
{
	uint64_t bytes = wp_elf_symbols_bytes(elf);

	if (!wp_budget_take(source->budget, WP_BUDGET_SYMBOLS, bytes))
		return;
	if (objects)
		wp_elf_symbols_add_objects(elf, program, shift, builder);
	else
		wp_elf_symbols_add(elf, program, shift, builder);
	wp_budget_give(source->budget, WP_BUDGET_SYMBOLS, bytes);
}

static void add_extra_symbols(const struct wp_symfile_source *source, struct extra *extra,
			      const struct wp_elf_image *program, bool objects,
			      struct wp_symtab_builder *builder)
{
	struct wp_elf_image image;
	wp_autoerr struct wp_err *err = wp_elf_image_read(extra->elf, &image);

	if (err)
		return;
	add_symbols(source, extra->elf, program, shift_of(program, &image), objects, builder);
	wp_elf_image_deinit(&image);
}

static void open_mini(Elf *elf, struct extra *ret)
{
	GElf_Shdr h;
	const Elf_Data *data = wp_elf_section(elf, ".gnu_debugdata", &h);
	size_t size;

	if (!data)
		return;
	wp_autoerr struct wp_err *err =
		wp_xz_decode(data->d_buf, data->d_size, MINI_LIMIT, &ret->memory, &size);
	if (!err)
		ret->elf = wp_elf_open_memory(ret->memory, size);
}

static bool same_build(const struct wp_elf_image *program, int fd)
{
	struct wp_elf_image other;
	Elf *elf = wp_elf_open(fd);
	wp_autoerr struct wp_err *err = wp_elf_image_read(elf, &other);
	bool same = false;

	if (!err) {
		same = other.build_id_len == program->build_id_len &&
		       memcmp(other.build_id, program->build_id, other.build_id_len) == 0;
		wp_elf_image_deinit(&other);
	}
	elf_end(elf);
	return same;
}

/* The one that the user names, if it is of this build, or the one that the program names. */
static int open_debug_file(const struct wp_symfile_source *source, const struct wp_elf_image *image)
{
	int fd;

	if (!source->pdb)
		return wp_debug_file_open(source->places, source->pid, source->path, image);
	fd = open(source->pdb, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || same_build(image, fd))
		return fd;
	close(fd);
	return -1;
}

/* The debug file when the program has no full table itself, else the small one inside it. */
static void open_extra(const struct wp_symfile_source *source, Elf *elf,
		       const struct wp_elf_image *image, struct extra *ret)
{
	if (image->has_symtab)
		return;
	if (source->fd >= 0)
		ret->fd = open_debug_file(source, image);
	if (ret->fd >= 0)
		ret->elf = wp_elf_open(ret->fd);
	else
		open_mini(elf, ret);
}

static void close_extra(struct extra *extra)
{
	elf_end(extra->elf);
	free(extra->memory);
	if (extra->fd >= 0)
		close(extra->fd);
}

static struct wp_err *load_elf(const struct wp_symfile_source *source, struct wp_symfile *ret)
{
	struct wp_symtab_builder builder = {0};
	struct extra extra = {.fd = -1};
	struct wp_symfile file = {0};
	Elf *elf = open_elf_source(source);
	struct wp_err *err = wp_elf_image_read(elf, &file.image);

	if (!err) {
		add_symbols(source, elf, &file.image, 0, false, &builder);
		open_extra(source, elf, &file.image, &extra);
		if (extra.elf)
			add_extra_symbols(source, &extra, &file.image, false, &builder);
		else if (source->pdb && !file.image.has_symtab)
			file.pdb_missing = wp_asprintf("%s is of another build", source->pdb);
		/* One with a full table was not asked for a separate file. */
		file.lacks_lines = !file.image.has_lines && !file.image.has_symtab && extra.fd < 0;
		wp_elf_plt_add(elf, &file.image, &builder);
		wp_symfile_keep(source, &builder, &file.symbols);
		close_extra(&extra);
		*ret = file;
	}
	elf_end(elf);
	return err;
}

static void load_objects(const struct wp_symfile_source *source, const struct wp_symfile *file,
			 struct wp_symtab *ret)
{
	struct wp_symtab_builder builder = {0};
	struct extra extra = {.fd = -1};
	Elf *elf = open_elf_source(source);

	if (!elf)
		return;
	add_symbols(source, elf, &file->image, 0, true, &builder);
	open_extra(source, elf, &file->image, &extra);
	if (extra.elf)
		add_extra_symbols(source, &extra, &file->image, true, &builder);
	wp_symfile_keep(source, &builder, ret);
	close_extra(&extra);
	elf_end(elf);
}

static struct wp_srclines *open_elf_lines(const struct wp_symfile_source *source,
					  const struct wp_symfile *file)
{
	struct wp_elf_image image;
	int fd;

	if (source->fd < 0)
		return NULL;
	if (file->image.has_lines)
		return wp_srclines_open(dup(source->fd), 0, source->budget);
	fd = open_debug_file(source, &file->image);
	if (fd < 0)
		return NULL;
	Elf *elf = wp_elf_open(fd);
	wp_autoerr struct wp_err *err = wp_elf_image_read(elf, &image);
	elf_end(elf);
	if (err) {
		close(fd);
		return NULL;
	}
	uint64_t shift = shift_of(&file->image, &image);
	wp_elf_image_deinit(&image);
	return wp_srclines_open(fd, shift, source->budget);
}

const struct wp_symfile_ops wp_elf_symfile = {"elf", match_elf_head, load_elf, load_objects,
					      open_elf_lines};
