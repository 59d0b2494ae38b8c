/* SPDX-License-Identifier: BSD-3-Clause */
/* small_elf_file: a small_elf of an open file, whose bytes are mapped. */
#ifndef WP_SMALL_ELF_FILE_H
#define WP_SMALL_ELF_FILE_H

#include "windows/small_elf.h"

/* NULL: it cannot be read, or wp_small_elf_new() does not want it. The descriptor may be closed. */
struct wp_small_elf *wp_small_elf_open(int fd);
/* Takes those of wp_small_elf_new() as well, and NULL. */
void wp_small_elf_close(struct wp_small_elf *elf);

#endif
