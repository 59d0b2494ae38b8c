/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * proc_maps: the lines of /proc/PID/maps, from text to plain structs.
 *
 * Format stage; pure. `start-end perms pgoff major:minor inode   path`, proc_pid_maps(5); numbers
 * are hexadecimal but for the inode. A path may contain blanks and is absent for anonymous memory.
 */
#ifndef WP_PROC_MAPS_H
#define WP_PROC_MAPS_H

#include "core/record.h"

/* What perf's own records call executable memory without a file. */
#define WP_PROC_MAPS_ANON "//anon"

/*
 * Reads the line at *at and moves *at behind it. False at the end of the text, which must have a
 * NUL. The line is cut in place: ret->path points into it ("" never: WP_PROC_MAPS_ANON) and has no
 * " (deleted)". A line that does not follow the format, or is not of executable memory, is
 * skipped.
 */
bool wp_proc_maps_next(char **at, struct wp_record_map *ret);
/* Reads also lines about the beginning of a file that a process has mapped for itself (`data`). */
bool wp_proc_maps_next_any(char **at, struct wp_record_map *ret);
/* Reads every line: what is not executable is `data`. */
bool wp_proc_maps_next_all(char **at, struct wp_record_map *ret);

/* The length of a path as the kernel writes it, without the " (deleted)" of a file that has lost
 * its name. */
size_t wp_proc_maps_path_len(const char *path);

#endif
