/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_stack: the stack parts of a kernel sample: call chain, user registers, copy of the stack.
 *
 * The format stage's reader of what PERF_SAMPLE_CALLCHAIN, REGS_USER and STACK_USER append to a
 * sample; pure. Registers come in the order of the kernel's enum perf_event_x86_regs or
 * perf_event_arm_regs (arch/<arch>/include/uapi/asm/perf_regs.h) and leave by DWARF number.
 */
#ifndef WP_PERF_STACK_H
#define WP_PERF_STACK_H

#include "base/bytes.h"
#include "core/stack.h"
#include "format/perf/perf_sample.h"

/* Everything of the 64-bit general registers that DWARF numbers: sample_regs_user. */
#define WP_PERF_REGS_X86_64 0xff01ffull
#define WP_PERF_REGS_ARM64  0x1ffffffffull
/* sample_regs_intr, as perf asks for it: on x86-64 flags, cs and ss, too. */
#define WP_PERF_REGS_INTR_X86_64 0xff0fffull

#define WP_PERF_CHAIN_MAX 8192 /* a record has no room for more */

/* What the registers of a stream are, and how its branches are laid out. */
struct wp_perf_regs {
	bool arm64; /* or Arm of 32 bits, which has abi 32; else x86 of either */
	uint64_t mask;
	uint64_t branch_type; /* branch_sample_type */
};

/*
 * Room for what a sample brings; `raw` points into it and, for the copy of the stack and a chain
 * that is one piece of kernel and one of user addresses, into the record.
 */
struct wp_perf_stack {
	struct wp_stack_raw raw;
	bool chain_moved;	 /* raw's chain is in `ips` */
	struct wp_bytes payload; /* of RAW; empty: none came */
	struct wp_stack_regs regs;
	uint64_t ips[WP_PERF_CHAIN_MAX];
};

/*
 * Reads the parts that sample_type names, in their order, from a cursor that stands behind PERIOD
 * and READ. False when the bytes end too early or a count is larger than them. BRANCH_STACK is
 * passed over. Registers of a 32-bit program are left out, and with them its copy.
 */
bool wp_perf_stack_read(uint64_t sample_type, const struct wp_perf_regs *regs, struct wp_bytes *b,
			struct wp_perf_stack *ret);
/* u32 ids[2], u64 nanoseconds, and a chain in place of the stack that was read. False: the payload
 * has no such things; then the stack says nothing. */
bool wp_perf_stack_raw_wait(struct wp_bytes payload, struct wp_perf_stack *stack,
			    uint32_t ret_ids[2], uint64_t *ret_ns);
/* RAW: what the event says of itself, borrowed; passes behind it. */
struct wp_bytes wp_perf_stack_payload(struct wp_bytes *b);

#endif
