/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * download_folder: where what symbol servers send is kept.
 *
 * Resolve stage. Root may have the HOME of somebody else (sudo keeps it on some systems) and may
 * be told any folder: root neither writes where another user could lay a link, nor believes that
 * what lies there came from a server. Such a folder is replaced by one below /var/cache/wperf, as
 * the cache of unwind rules has it. Everybody else's rights are the kernel's to judge.
 */
#ifndef WP_DOWNLOAD_FOLDER_H
#define WP_DOWNLOAD_FOLDER_H

#include "base/log.h"

#include <stdbool.h>

/*
 * True for all but root; else when nobody but root can change what the path means: all folders of
 * it that exist are root's, and others may write into them only where a sticky bit keeps them from
 * what is not theirs.
 */
bool wp_download_folder_is_own(const char *path);
/*
 * `wanted`, or /var/cache/wperf/KIND with a note, the first time, when that is not root's own. NULL
 * stays NULL. The caller frees.
 */
char *wp_download_folder(const struct wp_log *log, const char *wanted, const char *kind);
/*
 * Makes a folder and those around it. False, with errno, when that fails or somebody else was
 * there before us.
 */
bool wp_download_folder_make(const char *path);

#endif
