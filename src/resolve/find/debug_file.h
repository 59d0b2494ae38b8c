/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * debug_file: where the debug information that was split from a program lies.
 *
 * By build-id under /usr/lib/debug/.build-id, by .gnu_debuglink next to the program, in .debug/
 * there and under /usr/lib/debug; first as the process sees the file system, then as we do; then by
 * build-id in perf's cache (~/.debug) and on the debuginfod servers. Source: gdb manual, "Debugging
 * Information in Separate Files"; perf-buildid-cache(1).
 */
#ifndef WP_DEBUG_FILE_H
#define WP_DEBUG_FILE_H

#include "format/elf/elf_image.h"
#include "resolve/find/debug_places.h"

/*
 * Opens the debug file of the program at `path`; -1 when there is none whose build-id (or, without
 * one, CRC32) matches.
 */
int wp_debug_file_open(const struct wp_debug_places *places, uint32_t pid, const char *path,
		       const struct wp_elf_image *program);
/* A program whose own file is gone: a copy of it, else its debug file, by build-id alone. */
int wp_debug_file_program(const struct wp_debug_places *places, uint32_t pid, const uint8_t *id,
			  size_t len);

#endif
