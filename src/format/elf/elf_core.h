/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf_core: a core file: the memory, the threads and the mapped files of a process as it stood when
 * it ended.
 *
 * Format stage. In: an open file. Of 64-bit processes, x86-64 and arm64, as Linux and gdb's gcore
 * write them: System V ABI; notes as in Linux' include/uapi/linux/elfcore.h, fs/binfmt_elf.c.
 * Nothing of the file is trusted; what of it is not there (a file that was cut) cannot be read, and
 * is counted.
 */
#ifndef WP_ELF_CORE_H
#define WP_ELF_CORE_H

#include "base/err.h"
#include "format/elf/elf_core_data.h"

#include <stddef.h>

/* Whether a file says that it is a core. */
bool wp_elf_core_is(int fd);
/* Reads all but the memory. The caller deinits *ret, also after a failure; path is for messages. */
struct wp_err *wp_elf_core_read(int fd, const char *path, struct wp_elf_core *ret) WP_MUST_CHECK;
void wp_elf_core_deinit(struct wp_elf_core *core);
/* NULL: nothing is mapped there. */
const struct wp_elf_core_segment *wp_elf_core_segment_at(const struct wp_elf_core *core,
							 uint64_t addr);
const struct wp_elf_core_file *wp_elf_core_file_at(const struct wp_elf_core *core, uint64_t addr);
/* Copies memory that the core has, up to n bytes; returns how many. */
size_t wp_elf_core_memory(const struct wp_elf_core *core, uint64_t addr, void *ret, size_t n);

#endif
