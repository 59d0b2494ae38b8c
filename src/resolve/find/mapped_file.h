/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mapped_file: opens the very file that a process has mapped.
 *
 * A path alone is not enough: the process may live in another mount namespace, and the file may
 * have been deleted or replaced since. Tried in turn: the path as the process sees it
 * (/proc/PID/root), /proc/PID/map_files, /proc/PID/exe, the path as we see it; each must have the
 * identity that the MAP record gave. Only regular files are opened.
 */
#ifndef WP_MAPPED_FILE_H
#define WP_MAPPED_FILE_H

#include "core/addr.h"
#include "core/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* What a MAP record says of a file; inode 0 and build_id_len 0 mean "not known". */
struct wp_file_id {
	uint32_t dev_major, dev_minor;
	uint64_t inode;
	uint8_t build_id[WP_BUILD_ID_MAX];
	uint8_t build_id_len;
};

/* Opens a regular file for reading as the process sees its path; -1 with errno. pid 0: as we do. */
int wp_mapped_file_path(uint32_t pid, const char *path);
/* Opens it so, unless the last part of the path is a symbolic link. */
int wp_mapped_file_no_link(uint32_t pid, const char *path);
/* Opens a regular file for reading by its path below a folder that stands for the root. */
int wp_mapped_file_in(int root_fd, const char *path);
/* What the record says. */
struct wp_file_id wp_file_id_of(const struct wp_record_map *map);
bool wp_file_id_same(const struct wp_file_id *a, const struct wp_file_id *b);
/* A key for a map of files, of the id and the caller's number for the path. */
uint64_t wp_file_id_key(const struct wp_file_id *id, uint32_t path);
/* False for anonymous memory, [vdso] and shared memory without a file of its own. */
bool wp_mapped_file_has_path(const char *path);

/* True when the open file is the one described (true also when nothing is known of it). */
bool wp_mapped_file_is(int fd, const struct wp_file_id *id);
/*
 * Opens the file mapped at va in the process. -1 when it cannot be had; *ret_why then is a sentence
 * part of static life ("it was replaced since it was mapped").
 */
int wp_mapped_file_open(uint32_t pid, const char *path, const struct wp_file_id *id,
			struct wp_va va, const char **ret_why);
/* Copies len bytes of the process's memory. False when it is gone or forbidden. */
bool wp_mapped_file_memory(uint32_t pid, struct wp_va va, void *ret, size_t len);
/* Whether that path is what the kernel calls its part of a process. */
bool wp_mapped_file_is_vdso(const char *path);
/*
 * A copy of the process's vdso, which the caller frees. Every process of one kind has the same one:
 * ours serves when the process is gone, if it may. NULL when it cannot be had.
 */
void *wp_mapped_file_vdso(uint32_t pid, struct wp_va va, size_t len, bool or_ours);
/* The pid as the process itself sees it, for names of files that it writes; pid if not known. */
uint32_t wp_mapped_file_inner_pid(uint32_t pid);

#endif
