/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jitdump: jit-PID.dump files, in which JIT compilers say what code is where and when.
 *
 * Source: linux/tools/perf/Documentation/jitdump-specification.txt, version 2 (the file says 1).
 * The process maps a page of the file executable as a marker, which is how a profiler learns of it.
 */
#ifndef WP_JITDUMP_H
#define WP_JITDUMP_H

#include "base/bytes.h"

#define WP_JITDUMP_MAX_RECORD (16u << 20) /* bytes; compilers write the code itself along */

struct wp_jitdump_header {
	uint32_t version, elf_machine, pid;
	uint64_t time;
	bool arch_time; /* times are of the CPU's counter, not of a clock */
};

enum wp_jitdump_kind {
	WP_JITDUMP_LOAD,
	WP_JITDUMP_MOVE,
	WP_JITDUMP_CLOSE,
	WP_JITDUMP_UNWIND, /* call frame information of the code that the next LOAD tells of */
	WP_JITDUMP_OTHER,  /* debug information, unknown records */
};

struct wp_jitdump_record {
	enum wp_jitdump_kind kind;
	uint64_t time; /* nanoseconds of CLOCK_MONOTONIC unless the header says arch_time */
	uint64_t start, size;
	uint64_t old_start; /* MOVE */
	uint64_t index;	    /* the method's number */
	const char *name;   /* LOAD; borrowed */
	/*
	 * UNWIND: .eh_frame without its search table; borrowed, empty where only the table is there
	 * (code with frame pointers). Its addresses are meant as if it lay behind the code, at the
	 * next multiple of 8 (linux/tools/perf/util/genelf.c; V8's eh-frame.cc).
	 */
	const void *eh_frame;
	size_t eh_frame_size;
};

enum wp_jitdump_status {
	WP_JITDUMP_OK,
	WP_JITDUMP_MORE, /* incomplete: try again at the same position when there are more bytes */
	WP_JITDUMP_BAD,	 /* damaged; nothing behind it can be found */
};

/* Reads the file's first bytes. */
enum wp_jitdump_status wp_jitdump_header(struct wp_bytes *b, struct wp_jitdump_header *ret);
/* Reads one record; unless OK the cursor stays. */
enum wp_jitdump_status wp_jitdump_next(struct wp_bytes *b, struct wp_jitdump_record *ret);

#endif
