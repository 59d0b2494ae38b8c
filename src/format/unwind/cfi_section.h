/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cfi_section: a section of call frame information, and why a row of it may be no unwind rule.
 */
#ifndef WP_CFI_SECTION_H
#define WP_CFI_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why a stretch of code has no rule although it has call frame information. */
enum wp_cfi_reason {
	WP_CFI_OK,
	WP_CFI_CFA_REGISTER,  /* the CFA comes from another register than sp and fp */
	WP_CFI_EXPRESSION,    /* an expression of no known kind */
	WP_CFI_RETURN,	      /* the return address is in a register, or nowhere */
	WP_CFI_FRAME_POINTER, /* the caller's fp is where a rule cannot say */
	WP_CFI_RANGE,	      /* an offset that is no multiple of 8, or too large */
	WP_CFI_REASONS
};

struct wp_cfi_section {
	const void *data;
	size_t size;
	uint64_t addr;	/* linked address of its first byte; with `shift` added for a debug file */
	bool eh;	/* .eh_frame, not .debug_frame */
	uint64_t shift; /* added to the addresses in .debug_frame */
	uint64_t text_base; /* for text-relative pointers: address of .text */
	uint64_t got_base;  /* for data-relative ones: address of .got */
};

#endif
