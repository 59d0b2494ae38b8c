/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_peek: the few words of a perf record by which samples and context switches of threads, and
 * forks and execs of processes, are known, without reading all of it.
 *
 * Format stage, pure. In: the first bytes of a record (a sample with a copy of a stack is long; its
 * head is enough). PERF_RECORD_SWITCH and PERF_RECORD_SWITCH_CPU_WIDE say nothing themselves but
 * "in" or "out": whom and when is in the trailer of ids (include/uapi/linux/perf_event.h).
 */
#ifndef WP_PERF_PEEK_H
#define WP_PERF_PEEK_H

#include "format/perf/perf_record.h"

/* Bytes of a record that are always enough but for a sample's registers when it has a call chain
 * longer than the kernel's default of 127 entries. */
#define WP_PERF_PEEK_BYTES 2048

#define WP_PERF_PEEK_REGS 31 /* general registers without the stack pointer, at most */

enum wp_perf_peek_kind {
	WP_PERF_PEEK_OTHER,
	WP_PERF_PEEK_SAMPLE,
	WP_PERF_PEEK_IN,  /* the thread is on the CPU from now on */
	WP_PERF_PEEK_OUT, /* it no longer is */
	WP_PERF_PEEK_FORK,
	WP_PERF_PEEK_EXEC,
};

/* User registers of a sample. */
struct wp_perf_peek_regs {
	uint64_t ip, sp; /* 0: not told */
	uint32_t n;	 /* of the others, which are in the record's order */
	uint64_t others[WP_PERF_PEEK_REGS];
};

struct wp_perf_peek {
	enum wp_perf_peek_kind kind;
	uint16_t size; /* of the whole record */
	uint32_t pid, tid;
	uint32_t parent_pid;	       /* FORK */
	uint64_t time_ns;	       /* 0 for FORK and EXEC */
	struct wp_perf_peek_regs user; /* SAMPLE */
};

/*
 * Reads the first n bytes of a record. False, and *ret untouched, when its header makes no sense. A
 * record that is too short for what it says it is, is OTHER.
 */
bool wp_perf_peek(const struct wp_perf_layout *layout, const void *bytes, size_t n,
		  struct wp_perf_peek *ret);

#endif
