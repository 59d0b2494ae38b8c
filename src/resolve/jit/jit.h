/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jit: the JIT code of one process, from its perf map (/tmp/perf-PID.map) and its jitdump files.
 *
 * A jitdump may say how its code is to be unwound; the rules go with the code where it is moved.
 * Both are written while the process runs: they are opened at the first need and kept open, and
 * what was appended is read when an address is not known yet. Some compilers write only at the end.
 */
#ifndef WP_JIT_H
#define WP_JIT_H

#include "base/log.h"
#include "resolve/jit/jit_code.h"
#include "resolve/find/mapped_file.h"

struct wp_jit;

/* Whose files, and from when, may be those of a process of the past. */
struct wp_jit_trust {
	uint32_t uid;		  /* of the recording; root's are believed, too */
	bool any_owner;		  /* all are */
	int64_t started;	  /* seconds since 1970; what is older is another's; 0: not known */
	const struct wp_log *log; /* is told whose are not */
};

/*
 * past: NULL, or the process ended before: its files are whole, and /proc is not asked about its
 * number. The budget is borrowed.
 */
struct wp_jit *wp_jit_new(uint32_t pid, const struct wp_jit_trust *past,
			  struct wp_jit_budget *budget);
void wp_jit_free(struct wp_jit *jit);
/* A jit-PID.dump file that the process has mapped, as a MAP record told. */
void wp_jit_add_dump(struct wp_jit *jit, const char *path, const struct wp_file_id *id,
		     struct wp_va va);
/* True once a perf map or jitdump was found. */
bool wp_jit_has_files(const struct wp_jit *jit);
/*
 * The piece at the address at that time (CLOCK_MONOTONIC), or NULL. Reads what was appended to the
 * files first, but not too often; files of the past once. Valid until the next call.
 */
struct wp_jit_piece *wp_jit_find(struct wp_jit *jit, struct wp_va va, uint64_t time_ns);
/*
 * How many pieces of code are known, 0 while the compiler has not told of any how it is unwound.
 * Reads nothing.
 */
uint32_t wp_jit_rules_told(const struct wp_jit *jit);
/* The rules of the code that lies in [ret->base, end) now; see wp_jit_code_rows(). */
void wp_jit_rows(struct wp_jit *jit, uint64_t end, struct wp_unwind_rows *ret);
/* Reads what was appended to the files; returns how many pieces of code are known now. */
uint32_t wp_jit_refresh(struct wp_jit *jit);

#endif
