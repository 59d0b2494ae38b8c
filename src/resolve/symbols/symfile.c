/* SPDX-License-Identifier: BSD-3-Clause */
/* symfile: see symfile.h. */
#include "resolve/symbols/symfile.h"

#include "resolve/find/pdb_search.h"
#include "resolve/lines/srclines.h"

#include <string.h>
#include <unistd.h>

static const struct wp_symfile_ops *const formats[] = {&wp_elf_symfile, &wp_pe_symfile};

static const struct wp_symfile_ops *format_of(const struct wp_symfile_source *source)
{
	uint8_t head[16];
	ssize_t n;

	if (source->fd >= 0) {
		n = pread(source->fd, head, sizeof(head), 0);
	} else {
		n = source->memory_size < sizeof(head) ? (ssize_t)source->memory_size
						       : (ssize_t)sizeof(head);
		memcpy(head, source->memory, (size_t)n);
	}
	for (size_t i = 0; n > 0 && i < WP_ARRAY_LEN(formats); i++)
		if (formats[i]->match(head, (size_t)n))
			return formats[i];
	return NULL;
}

struct wp_err *wp_symfile_load(const struct wp_symfile_source *source, struct wp_symfile *ret)
{
	const struct wp_symfile_ops *ops = format_of(source);

	if (!ops)
		return wp_err_new(WP_ERR_FORMAT, "not an executable format that is known");
	return ops->load(source, ret);
}

void wp_symfile_keep(const struct wp_symfile_source *source, struct wp_symtab_builder *builder,
		     struct wp_symtab *ret)
{
	uint64_t most = wp_symtab_builder_bytes(builder);

	if (!wp_budget_take(source->budget, WP_BUDGET_SYMBOLS, most)) {
		wp_symtab_builder_deinit(builder);
		return;
	}
	wp_symtab_build(builder, ret);
	wp_budget_give(source->budget, WP_BUDGET_SYMBOLS, most - wp_symtab_bytes(ret));
}

void wp_symfile_objects(const struct wp_symfile_source *source, const struct wp_symfile *file,
			struct wp_symtab *ret)
{
	const struct wp_symfile_ops *ops = format_of(source);

	if (ops && ops->objects)
		ops->objects(source, file, ret);
}

struct wp_srclines *wp_symfile_lines(const struct wp_symfile_source *source,
				     struct wp_symfile *file)
{
	if (!file->lines_tried) {
		const struct wp_symfile_ops *ops = format_of(source);

		file->lines_tried = true;
		file->lines = ops ? ops->lines(source, file) : NULL;
	}
	return file->lines;
}

bool wp_symfile_function(struct wp_symfile *file, uint64_t addr, struct wp_symfile_function *ret)
{
	uint64_t base = wp_elf_image_base(&file->image).v;
	struct wp_pdb_function function;

	if (!file->pdb || !wp_pdb_function(file->pdb->pdb, (struct wp_rva){addr - base}, &function))
		return false;
	ret->raw = wp_pdb_decorated(file->pdb->pdb, &function);
	if (!ret->raw)
		ret->raw = function.name;
	/* What is decorated as C++ is left to the demangler. */
	ret->name = strcmp(ret->raw, function.name) == 0 ? NULL : function.name;
	ret->start = function.start.v + base;
	ret->size = function.size;
	return true;
}

const char *wp_symfile_pdb_path(const struct wp_symfile *file)
{
	return file->pdb ? file->pdb->path : NULL;
}

void wp_symfile_deinit(struct wp_symfile *file)
{
	wp_symtab_deinit(&file->symbols);
	wp_elf_image_deinit(&file->image);
	wp_srclines_free(file->lines);
	wp_pdb_file_close(file->pdb);
	free(file->pdb_missing);
	free(file->pdb_id);
	free(file->pdb_wanted);
	*file = (struct wp_symfile){0};
}
