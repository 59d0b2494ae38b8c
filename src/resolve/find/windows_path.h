/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * windows_path: paths that Windows programs wrote down, as files of this machine.
 *
 * Resolve stage. "D:\a\x.pdb" is looked for where Wine would: below dosdevices of the prefix, with
 * Z: being the root; names are found whatever their case, as on Windows.
 */
#ifndef WP_WINDOWS_PATH_H
#define WP_WINDOWS_PATH_H

/* What is behind the last slash of either kind (or the drive's colon). */
const char *wp_windows_path_name(const char *path);
/* The path as we would open it; a Unix path stays as it is. NULL: no such drive. The caller frees.
 */
char *wp_windows_path_here(const char *path);
/* The file of that name in a folder: exact, else in another case; NULL: none. The caller frees. */
char *wp_windows_path_in(const char *folder, const char *name);

#endif
