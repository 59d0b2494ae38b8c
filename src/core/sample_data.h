/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample_data: what a sample carries besides where and when it was taken: the address of the data,
 * where that came from, what it cost, the branches before it, registers, and the counts of a group.
 *
 * Core. Fields are those of a PERF_RECORD_SAMPLE in perf_event_open(2), and mean what they mean
 * there. What it points at lives as long as the record that has it.
 */
#ifndef WP_SAMPLE_DATA_H
#define WP_SAMPLE_DATA_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wp_data_part {
	WP_DATA_ADDR = 1u << 0,
	WP_DATA_PHYS_ADDR = 1u << 1,
	WP_DATA_SRC = 1u << 2,
	WP_DATA_WEIGHT = 1u << 3,
	WP_DATA_LATENCY = 1u << 4, /* latency and stage, which come with a weight */
	WP_DATA_CODE_PAGE = 1u << 5,
	WP_DATA_PAGE = 1u << 6,
	WP_DATA_CGROUP = 1u << 7,
	WP_DATA_BRANCHES = 1u << 8,
	WP_DATA_USER_REGS = 1u << 9,
	WP_DATA_INTR_REGS = 1u << 10,
	WP_DATA_READING = 1u << 11,
	WP_DATA_OPERATION = 1u << 12,
};

/* struct perf_branch_entry: from, to, and bits of flags. */
struct wp_branch {
	uint64_t from, to, flags;
};

#define WP_BRANCH_MISPREDICTED (UINT64_C(1) << 0)
#define WP_BRANCH_PREDICTED    (UINT64_C(1) << 1)
#define WP_BRANCH_IN_TX	       (UINT64_C(1) << 2)
#define WP_BRANCH_ABORT	       (UINT64_C(1) << 3)

static inline uint32_t wp_branch_cycles(const struct wp_branch *branch)
{
	return branch->flags >> 4 & 0xffff;
}

/* enum perf_branch_type; the hardware's word. */
static inline uint32_t wp_branch_type(const struct wp_branch *branch)
{
	return branch->flags >> 20 & 0xf;
}

/* enum perf_branch_spec_outcome */
static inline uint32_t wp_branch_spec(const struct wp_branch *branch)
{
	return branch->flags >> 24 & 3;
}

/* Registers by their bit in `mask`, lowest first; abi 0: there were none. */
struct wp_data_regs {
	uint64_t abi, mask;
	const uint64_t *values;
};

#define WP_DATA_NO_EVENT UINT32_MAX

/* A counter of a group as it stood when the sample was taken. */
struct wp_data_reading {
	uint64_t id;	/* the kernel's */
	uint32_t event; /* index in the event set, or WP_DATA_NO_EVENT */
	uint64_t value;
};

/* What a profiler of operations (Arm SPE) says of one. */
enum wp_operation_fact {
	WP_OPERATION_BRANCH = 1u << 0,
	WP_OPERATION_MISPREDICTED = 1u << 1,
	WP_OPERATION_NOT_TAKEN = 1u << 2,
	WP_OPERATION_REMOTE = 1u << 3, /* another chip answered */
	WP_OPERATION_ISSUE = 1u << 4,  /* issue was measured */
	WP_OPERATION_TRANSLATION = 1u << 5,
};

struct wp_data_operation {
	uint64_t events;	     /* as its packet says (format/spe/spe_packet.h) */
	uint32_t facts;		     /* enum wp_operation_fact, or'ed */
	uint16_t issue, translation; /* cycles */
};

struct wp_sample_data {
	uint32_t has; /* enum wp_data_part, or'ed */
	uint64_t addr, phys_addr, src, weight;
	uint16_t latency, stage;
	uint64_t code_page_bytes, data_page_bytes; /* 0: not known */
	uint64_t cgroup;			   /* the kernel's id of it */
	const struct wp_branch *branches;	   /* newest first */
	size_t n_branches;
	struct wp_data_regs user_regs, intr_regs;
	struct wp_data_operation operation;
	const struct wp_data_reading *readings;
	size_t n_readings;
	bool per_thread; /* readings are of the thread alone: the event is inherited */
};

/* A copy in the arena; *total grows by its bytes. */
const struct wp_sample_data *wp_sample_data_keep(struct wp_arena *arena,
						 const struct wp_sample_data *data, size_t *total);

#endif
