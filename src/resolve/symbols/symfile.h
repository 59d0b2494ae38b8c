/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symfile: an opened module: its symbols, how file positions become linked addresses, its line
 * table. One implementation per executable format (elf_symfile.c, pe_symfile.c).
 */
#ifndef WP_SYMFILE_H
#define WP_SYMFILE_H

#include "base/err.h"
#include "core/budget.h"
#include "core/symtab.h"
#include "format/elf/elf_image.h"
#include "resolve/find/debug_places.h"
#include "resolve/find/mapped_file.h"

struct wp_pdb_file;
struct wp_srclines;

/* What the resolver knows when it opens a module. */
struct wp_symfile_source {
	uint32_t pid;	  /* a process that has it mapped; 0: none */
	const char *path; /* as in that process */
	const struct wp_file_id *id;
	const struct wp_debug_places *places;
	int fd; /* -1: the bytes are in memory */
	void *memory;
	size_t memory_size;
	const char *pdb;	  /* the PDB, or debug file, that the user names for it; or NULL */
	const struct wp_log *log; /* downloads are told; may be NULL */
	struct wp_budget *budget; /* what is kept of it, for the run */
};

/* All-zero is empty. */
struct wp_symfile {
	struct wp_symtab symbols;
	struct wp_elf_image image;
	struct wp_srclines *lines; /* opened at the first question */
	bool lines_tried;
	bool lacks_lines;	 /* neither it nor a separate file has DWARF */
	struct wp_pdb_file *pdb; /* of a Windows image; NULL: none was found */
	/* Why there is none, when it says that it has one, or why the one that the user names does
	 * not count; else NULL. */
	char *pdb_missing;
	bool pdb_refused;	   /* a file lies there, but it is not that PDB, or damaged */
	char *pdb_id, *pdb_wanted; /* of the PDB that the image names: id and path; NULL: none */
};

/* A function that is not in the table of symbols. */
struct wp_symfile_function {
	const char *name; /* as people write it, or NULL: as the raw one tells */
	const char *raw;
	uint64_t start, size;
};

struct wp_symfile_ops {
	const char *name;
	/* The first bytes of the file (16, or fewer). */
	bool (*match)(const uint8_t *head, size_t n);
	struct wp_err *(*load)(const struct wp_symfile_source *source, struct wp_symfile *ret);
	/* The objects (variables) of a loaded file; NULL: the format tells none. */
	void (*objects)(const struct wp_symfile_source *source, const struct wp_symfile *file,
			struct wp_symtab *ret);
	/* A NULL result means there is no line table. */
	struct wp_srclines *(*lines)(const struct wp_symfile_source *source,
				     const struct wp_symfile *file);
};

extern const struct wp_symfile_ops wp_elf_symfile, wp_pe_symfile;

/* Loads with the first format that matches. The caller deinits *ret. */
struct wp_err *wp_symfile_load(const struct wp_symfile_source *source,
			       struct wp_symfile *ret) WP_MUST_CHECK;
/* For formats: makes a table if the budget has room for it, and empties the builder. */
void wp_symfile_keep(const struct wp_symfile_source *source, struct wp_symtab_builder *builder,
		     struct wp_symtab *ret);
/* The table of the objects in a loaded file, by linked address. The caller deinits *ret. */
void wp_symfile_objects(const struct wp_symfile_source *source, const struct wp_symfile *file,
			struct wp_symtab *ret);
/* Opens the line table once; NULL when there is none. Belongs to the file. */
struct wp_srclines *wp_symfile_lines(const struct wp_symfile_source *source,
				     struct wp_symfile *file);
/* The function at a linked address as a PDB names it, which knows better than the table; false: the
 * table is all there is. Strings belong to the file. */
bool wp_symfile_function(struct wp_symfile *file, uint64_t addr, struct wp_symfile_function *ret);
/* The path of its PDB, or NULL. */
const char *wp_symfile_pdb_path(const struct wp_symfile *file);
void wp_symfile_deinit(struct wp_symfile *file);

#endif
