/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cache_dir: folders of ours in which a run leaves what spares later ones work.
 *
 * Under $XDG_CACHE_HOME or ~/.cache (root: /var/cache), in wperf/. We may run as root, so folders
 * and files count only when they are ours and nobody else may write them, and a file is replaced by
 * rename. What fails is silent: it is only a cache.
 */
#ifndef WP_CACHE_DIR_H
#define WP_CACHE_DIR_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Opens wperf/NAME, which is made when `make`; -1: it is not there, or not ours. */
int wp_cache_dir_open(const char *name, bool make);
/* Whether an open file of a kind (S_IFREG, S_IFDIR) is ours, and for nobody else to write. */
bool wp_cache_dir_is_ours(int fd, mode_t kind);
/* Opens a file in the folder for reading; -1: there is none of ours. */
int wp_cache_dir_file(int folder, const char *name);
/* Reads exactly n bytes. */
bool wp_cache_dir_read(int fd, void *buf, size_t n);
/* Puts a file of these parts in the place of the one of that name. */
void wp_cache_dir_replace(int folder, const char *name, const struct iovec *parts, size_t n);

#endif
