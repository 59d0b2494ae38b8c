/* SPDX-License-Identifier: BSD-3-Clause */
/* scratch_file: a file for what is too large for memory, which is gone when it is closed. */
#ifndef WP_SCRATCH_FILE_H
#define WP_SCRATCH_FILE_H

/* Where it is, for errors. */
const char *wp_scratch_file_folder(void);
/* In $TMPDIR, or where the system has such files. An open descriptor, or -1 with errno. */
int wp_scratch_file_open(void);

#endif
