/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_data: what a kernel sample has besides its head and its stack (core/sample_data.h).
 *
 * The format stage's reader of all other fields of PERF_RECORD_SAMPLE; pure. It passes over the
 * whole sample by itself, so that whoever needs none of this does not pay for it.
 */
#ifndef WP_PERF_DATA_H
#define WP_PERF_DATA_H

#include "base/bytes.h"
#include "base/map.h"
#include "core/sample_data.h"
#include "format/perf/perf_sample.h"

/* A record has no room for more. */
#define WP_PERF_BRANCHES_MAX (65536 / 24)
#define WP_PERF_READINGS_MAX (65536 / 8)

/* How the samples of an event are laid out. */
struct wp_perf_data_shape {
	uint64_t sample_type, read_format, branch_type, regs_user, regs_intr;
	bool inherit;
	const struct wp_map *event_of_id; /* kernel id -> index in the event set */
};

/* Room for one sample's; `data` points into it. */
struct wp_perf_data {
	struct wp_sample_data data;
	struct wp_branch branches[WP_PERF_BRANCHES_MAX];
	struct wp_data_reading readings[WP_PERF_READINGS_MAX];
	uint64_t user[64], intr[64];
};

/*
 * Reads all parts from a cursor that stands behind the record's header. False when the bytes end
 * too early, or a count is larger than they are.
 */
bool wp_perf_data_read(const struct wp_perf_data_shape *shape, struct wp_bytes b,
		       struct wp_perf_data *ret);

/* Passes over the call chain of a sample. */
void wp_perf_chain_skip(struct wp_bytes *b);

/*
 * The bits of sample_type for parts of 8 bytes that stand in every sample: WP_DATA_ADDR,
 * WP_DATA_SRC, WP_DATA_PHYS_ADDR, WP_DATA_WEIGHT (with WP_DATA_LATENCY the struct),
 * WP_DATA_CODE_PAGE, WP_DATA_PAGE; other parts have none.
 */
uint64_t wp_perf_data_bits(uint32_t parts);
/* The bits for those among the parts that say how long they are: branches, registers. */
uint64_t wp_perf_data_sized(uint32_t parts);

#endif
