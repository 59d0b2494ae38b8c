/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf_usdt: the markers (SystemTap's probes, USDT) that an ELF file has: notes in .note.stapsdt.
 *
 * Format stage. A marker is a nop at `location`; who wants its arguments made counts a 16-bit
 * semaphore up. Source: sys/sdt.h of SystemTap, "UserSpaceProbeImplementation" of its wiki.
 */
#ifndef WP_ELF_USDT_H
#define WP_ELF_USDT_H

#include "base/bytes.h"
#include "format/elf/elf_image.h"

#define WP_ELF_USDT_NAME 512 /* bytes of a name or of arguments at most */

struct wp_elf_marker {
	const char *provider, *name;
	const char *arguments;	      /* "-4@%edi 8@-8(%rbp)"; "" for none */
	uint64_t location, semaphore; /* addresses as linked; semaphore 0: none */
};

/*
 * The next well-formed marker of a section's notes; false at the end. Addresses are as the note has
 * them, *ret_base what the linker put .stapsdt.base at. Strings are borrowed.
 */
bool wp_elf_usdt_next(struct wp_bytes *notes, struct wp_elf_marker *ret, uint64_t *ret_base);
/* Called with each marker of the file, whose addresses are right even when it was prelinked. */
typedef void wp_elf_usdt_each(void *arg, const struct wp_elf_marker *marker);
void wp_elf_usdt_list(Elf *elf, wp_elf_usdt_each *each, void *arg);

#endif
