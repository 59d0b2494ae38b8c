/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cfi: call frame information, from the bytes of .eh_frame and .debug_frame to unwind rules.
 *
 * Pure. In: a section and its address; out: rows of a sorted table, and a count of what could not
 * be said in them. Sources: DWARF 5 section 6.4; Linux Standard Base Core 5.0, "Exception Frames"
 * (.eh_frame, .eh_frame_hdr and their pointer encodings); the x86-64 and AArch64 ABIs for register
 * numbers. What the rules cannot express becomes WP_UNWIND_NONE, never a guess.
 */
#ifndef WP_CFI_H
#define WP_CFI_H

#include "core/unwind_rows.h"
#include "format/unwind/cfi_section.h"

struct wp_cfi_stats {
	uint64_t entries; /* FDEs taken */
	uint64_t damaged; /* entries that could not be read, of unknown augmentations, or
			     overlapping */
	uint64_t without[WP_CFI_REASONS]; /* rows without a rule, by reason */
};

/*
 * Compiles a section for a machine (EM_X86_64, EM_AARCH64; none for others). Rows are appended to
 * *rows, whose base must be set and which must be empty; addresses outside of the 4 GiB above it
 * are dropped. Damaged entries are skipped and counted. Linear in the section's size.
 */
void wp_cfi_compile(uint16_t machine, const struct wp_cfi_section *section,
		    struct wp_unwind_rows *rows, struct wp_cfi_stats *stats);

/* The code that one entry describes: a function, or the part of one that stands elsewhere. */
struct wp_cfi_extent {
	uint64_t start, end;
	struct wp_unwind_rule first; /* its rule at its start */
};

struct wp_cfi_extents {
	WP_VEC(struct wp_cfi_extent) v;
};

/* Appends what the entries of a section describe above `base`, sorted. As wp_cfi_compile(). */
void wp_cfi_extents_read(uint16_t machine, const struct wp_cfi_section *section, uint64_t base,
			 struct wp_cfi_extents *ret);

/*
 * Where .eh_frame lies, as the bytes of .eh_frame_hdr at that address say (for files without
 * section headers). False when they do not.
 */
bool wp_cfi_eh_frame_of(const void *hdr, size_t size, uint64_t addr, uint64_t *ret);

#endif
