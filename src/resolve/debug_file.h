/*
 * debug_file: where the debug information that was split from a program lies.
 *
 * By build-id under /usr/lib/debug/.build-id, by .gnu_debuglink next to the program, in .debug/
 * there and under /usr/lib/debug; first as the process sees the file system, then as we do. Source:
 * gdb manual, "Debugging Information in Separate Files".
 */
#ifndef WP_DEBUG_FILE_H
#define WP_DEBUG_FILE_H

#include "format/elf_image.h"

/*
 * Opens the debug file of the program at `path`; -1 when there is none whose build-id (or, without
 * one, CRC32) matches.
 */
int wp_debug_file_open(uint32_t pid, const char *path, const struct wp_elf_image *program);
/* The same by build-id alone, for a program whose own file is gone. */
int wp_debug_file_by_id(uint32_t pid, const uint8_t *id, size_t len);

#endif
