/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_core_notes: what the notes of a core say of its process, its threads and its files. */
#ifndef WP_ELF_CORE_NOTES_H
#define WP_ELF_CORE_NOTES_H

#include "base/bytes.h"
#include "format/elf/elf_core_data.h"

/* Adds what one segment of notes says. A note that makes no sense is left out. */
void wp_elf_core_notes(struct wp_elf_core *core, struct wp_bytes notes);

#endif
