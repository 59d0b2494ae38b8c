/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe_file: the files that the binary of a probe may mean, looked up as the loader does.
 *
 * Resolve stage. A path, a name or a process's number becomes open files: a name is a library or
 * program that a watched process has mapped, a program of $PATH, or a library of $LD_LIBRARY_PATH,
 * /etc/ld.so.cache or the system's folders. With a watched process all of it below its root.
 */
#ifndef WP_PROBE_FILE_H
#define WP_PROBE_FILE_H

#include "base/err.h"
#include "base/vec.h"
#include "core/target.h"

struct wp_probe_file {
	int fd;
	char *path; /* as its process sees it, for people and for its debug file */
	uint32_t pid;
};

/* All-zero is empty. */
struct wp_probe_files {
	WP_VEC(struct wp_probe_file) v;
};

/*
 * Appends at least one, in the order in which they are to be tried: only a process's number gives
 * several. WP_ERR_NOT_FOUND with one line that begins with the event's name.
 */
struct wp_err *wp_probe_files_find(const char *event, const char *binary,
				   const struct wp_target *target,
				   struct wp_probe_files *ret) WP_MUST_CHECK;
void wp_probe_files_deinit(struct wp_probe_files *files);

#endif
