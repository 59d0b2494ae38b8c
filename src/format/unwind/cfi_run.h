/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cfi_run: runs call frame instructions and says each row as an unwind rule; the inner half of cfi.
 */
#ifndef WP_CFI_RUN_H
#define WP_CFI_RUN_H

#include "base/bytes.h"
#include "core/unwind_rule.h"
#include "format/unwind/cfi_section.h"

#define WP_CFI_REMEMBERED 32 /* states that can be remembered at a time */

/* Numbers of the registers that matter, in DWARF's words. */
struct wp_cfi_machine {
	uint8_t word; /* bytes */
	uint8_t sp, fp, ra;
	uint8_t bx;	     /* rbx; arm64 has none and its other registers are of no use: 255 */
	bool ra_in_register; /* until it is saved, the return address is in `ra` */
};

/* Where a register of the caller is. */
struct wp_cfi_register {
	enum {
		WP_CFI_SAME, /* unchanged */
		WP_CFI_UNDEFINED,
		WP_CFI_AT_CFA, /* at CFA + off */
		WP_CFI_AT_FP,  /* at fp + off */
		WP_CFI_ELSEWHERE,
	} how;
	int64_t off;
};

/* One row of the table that DWARF imagines. */
struct wp_cfi_state {
	uint8_t cfa; /* enum wp_unwind_cfa; NONE: because of why */
	uint8_t why;
	uint64_t cfa_reg;
	int64_t cfa_off;		       /* bytes */
	struct wp_cfi_register ra, fp, bx, sp; /* sp: the CFA unless something is said of it */
	bool ra_signed;
};

/* What a CIE says. */
struct wp_cfi_cie {
	bool usable;
	bool has_data; /* augmentation 'z' */
	bool signal;
	uint8_t encoding; /* of the FDEs' addresses */
	uint64_t code_align;
	int64_t data_align;
	struct wp_cfi_state initial;
};

struct wp_cfi_pointers {
	const struct wp_cfi_section *section;
	uint64_t function; /* for function-relative pointers */
	uint8_t word;	   /* bytes of an address */
};

/*
 * Reads a pointer of an encoding (DW_EH_PE_...) at b, whose data is the section's. An indirect one
 * is its slot's address. Marks b as failed on an unknown encoding.
 */
uint64_t wp_cfi_pointer(struct wp_bytes *b, uint8_t encoding, const struct wp_cfi_pointers *bases);

/* Signed and unsigned LEB128; failed when longer than 64 bits can be. */
uint64_t wp_cfi_uleb(struct wp_bytes *b);
int64_t wp_cfi_sleb(struct wp_bytes *b);

struct wp_cfi_run {
	const struct wp_cfi_machine *machine;
	const struct wp_cfi_cie *cie;
	struct wp_cfi_pointers bases;
	uint64_t pc, end; /* where the row begins; the function's end */
	struct wp_cfi_state state;
	struct wp_cfi_state remembered[WP_CFI_REMEMBERED];
	size_t n_remembered;
	struct wp_cfi_register ignored; /* takes what is said of registers that do not matter */
	/* Receives each row that covers something; NULL for a CIE's instructions. */
	void (*row)(void *arg, uint64_t pc, const struct wp_cfi_state *state);
	void *arg;
};

/* Runs instructions up to `end` (a position in b). False when they are damaged. */
bool wp_cfi_run(struct wp_cfi_run *run, struct wp_bytes *b, size_t end);
/* A state as a rule (pc 0). Says why when it is WP_UNWIND_NONE. */
struct wp_unwind_rule wp_cfi_rule(const struct wp_cfi_machine *machine,
				  const struct wp_cfi_state *state, enum wp_cfi_reason *ret_why);

#endif
