/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording_spe_entry: a record of Arm SPE as it waits in the queue.
 *
 * Source stage. Its head is that of a perf record of a type that the queue has no other of.
 */
#ifndef WP_RECORDING_SPE_ENTRY_H
#define WP_RECORDING_SPE_ENTRY_H

#include "format/spe/spe_sample.h"

struct wp_recording_spe_entry {
	uint32_t type; /* WP_PERFDATA_AUXTRACE */
	uint16_t misc, size;
	uint32_t cpu, pid, tid;
	bool has_thread; /* tid is of the record itself, whoever ran on the CPU */
	bool has_pid;
	struct wp_spe_sample sample;
};

/* What became of it. */
struct wp_recording_spe_sums {
	uint64_t records, damaged;
	uint64_t left_out;			 /* bytes of too many buffers */
	uint64_t truncated, partial, collisions; /* AUX records that say so */
};

#endif
