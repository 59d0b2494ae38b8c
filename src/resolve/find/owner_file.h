/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * owner_file: opens what watched code names with the rights of the users that it runs as.
 *
 * Resolve stage. A program can say that its source is any file. Where we may read more than it may,
 * the file is opened by a thread that has the user's rights, so that the kernel judges each folder
 * on the way; with several users each of them must be let in, to the same file.
 */
#ifndef WP_OWNER_FILE_H
#define WP_OWNER_FILE_H

#include "core/owner.h"
#include "resolve/find/mapped_file.h"

/* Why a file was not opened. */
enum wp_owner_file {
	WP_OWNER_FILE_OPEN,
	WP_OWNER_FILE_NONE,	 /* there is no such file, or it is not a regular one */
	WP_OWNER_FILE_FORBIDDEN, /* one of the users may not read it */
	WP_OWNER_FILE_POWERLESS, /* it is another user's to say, and only root can read as they may
				  */
};

struct wp_owner_file_found {
	enum wp_owner_file how;
	uint32_t uid; /* FORBIDDEN, POWERLESS: whose rights */
	int fd;	      /* OPEN: the caller's; else -1 */
};

/* wp_mapped_file_path() or wp_mapped_file_no_link(). */
typedef int wp_owner_file_opener(uint32_t pid, const char *path);

/* Code of root and of our own user reads what we may. */
struct wp_owner_file_found wp_owner_file_open(const struct wp_owners *owners,
					      wp_owner_file_opener *opener, uint32_t pid,
					      const char *path);

#endif
