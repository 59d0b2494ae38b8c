/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_aux: the records around what a processor traced into a buffer of its own.
 *
 * Format stage, pure. The kernel says with AUX records how far the buffer was filled, and who ran
 * then (include/uapi/linux/perf_event.h); perf writes the bytes behind AUXTRACE records, and in
 * AUXTRACE_INFO and TIME_CONV what is needed to read them (tools/perf/util/arm-spe.c).
 */
#ifndef WP_PERF_AUX_H
#define WP_PERF_AUX_H

#include "format/perf/perf_record.h"

/* Types of the kernel's records (enum perf_event_type), and of perf's own. */
enum {
	WP_PERF_AUX = 11,
	WP_PERF_ITRACE_START = 12,
	WP_PERF_SWITCH = 14,
	WP_PERF_SWITCH_CPU_WIDE = 15,
	WP_PERF_AUX_INFO = 70,
	WP_PERF_AUX_CLOCK = 79,
};

#define WP_PERF_AUX_ARM_SPE 4 /* of AUXTRACE_INFO: who traced */

struct wp_perf_aux_info {
	uint32_t tracer;
	uint64_t pmu_type;     /* the type of its events */
	struct wp_bytes cores; /* borrowed: what it says of each CPU */
};

/* False when it is too short. */
bool wp_perf_aux_info_read(struct wp_bytes body, struct wp_perf_aux_info *ret);
/* What core a CPU is, of an Arm SPE recording of perf 6.16 and newer; false: it does not say. */
bool wp_perf_aux_info_midr(const struct wp_perf_aux_info *info, uint32_t cpu, uint64_t *ret);

/* AUXTRACE: `size` bytes follow, which stood at `offset` in a buffer. */
struct wp_perf_aux_chunk {
	uint64_t size, offset;
	uint32_t index; /* of the buffer */
	uint32_t tid;	/* whose; UINT32_MAX: the CPU's */
	uint32_t cpu;	/* UINT32_MAX: the thread's */
};

bool wp_perf_aux_chunk_read(struct wp_bytes body, struct wp_perf_aux_chunk *ret);

/* Why an AUX record may be incomplete. */
enum wp_perf_aux_flag {
	WP_PERF_AUX_TRUNCATED = 1, /* the buffer was full */
	WP_PERF_AUX_PARTIAL = 4,   /* with gaps */
	WP_PERF_AUX_COLLISION = 8, /* a sample was due before the last one was done */
};

struct wp_perf_aux {
	uint64_t offset, size, flags;
};

bool wp_perf_aux_read(struct wp_bytes body, struct wp_perf_aux *ret);

/*
 * Whether a record says which thread runs on a CPU from then on: ITRACE_START, SWITCH and
 * SWITCH_CPU_WIDE. `ids` are those of its trailer (wp_perf_record_ids()), and become the thread's.
 */
bool wp_perf_aux_runs(const void *bytes, size_t size, struct wp_record *ids);

/* TIME_CONV: from a counter of the processor to perf's time; mult 0: it does not say. */
struct wp_perf_aux_clock {
	uint64_t shift, mult, zero, cycles, mask;
	bool is_short; /* the counter has the bits of mask, and stood at cycles */
};

bool wp_perf_aux_clock_read(struct wp_bytes body, struct wp_perf_aux_clock *ret);
uint64_t wp_perf_aux_clock_ns(const struct wp_perf_aux_clock *clock, uint64_t count);

#endif
