/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_files: which of the files that processes map are CPythons, or the libc below one.
 *
 * Session stage. A file is looked at once per run, however many processes map it, and only when
 * somebody asks.
 */
#ifndef WP_PYTHON_FILES_H
#define WP_PYTHON_FILES_H

#include "base/log.h"
#include "base/strpool.h"
#include "format/elf/elf_image.h"
#include "resolve/find/mapped_file.h"
#include "runtime/python_asyncio.h"
#include "runtime/python_build.h"

struct wp_python_file {
	uint32_t path; /* in the pool */
	uint32_t next; /* the next file with the same key + 1, or 0 */
	struct wp_file_id id;
	bool looked;		       /* the following are known */
	struct wp_python_build *build; /* NULL: no CPython, or one that cannot be walked */
	bool has_libc;
	struct wp_python_libc libc;
	struct wp_python_asyncio asyncio; /* all-zero: not asyncio's module */
	struct wp_elf_image elf;	  /* of the two kinds above */
};

/* All-zero is empty, but for the log. */
struct wp_python_files {
	const struct wp_log *log;
	struct wp_strpool paths;
	struct wp_map by_key; /* -> index of the first file + 1 */
	WP_VEC(struct wp_python_file) all;
};

/* True when the MAP record is one of a file. *ret: its index, made when it is new. */
bool wp_python_files_of(struct wp_python_files *files, const struct wp_record_map *map,
			uint32_t *ret);
/*
 * Opens the file, once, as mapped at va in that process. A CPython that cannot be walked is named
 * in a note. Valid until the next wp_python_files_of().
 */
const struct wp_python_file *wp_python_files_look(struct wp_python_files *files, uint32_t index,
						  uint32_t pid, struct wp_va va);
/*
 * An open file that processes may map. NULL when it is not known by what name they will. Valid as
 * above.
 */
const struct wp_python_file *wp_python_files_expect(struct wp_python_files *files, int fd);
void wp_python_files_deinit(struct wp_python_files *files);

#endif
