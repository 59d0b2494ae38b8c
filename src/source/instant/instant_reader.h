/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instant_reader: what a thread is doing now, read without stopping it: its place, a copy of its
 * stack, its Python frames.
 *
 * Source stage; one thread. /proc/TID/syscall tells stack pointer and instruction of a thread that
 * sleeps; the third number of /proc/TID/schedstat counts how often it got a CPU. A thread that
 * slept before and behind all reads, and got none in between, has not moved: else it is read again,
 * a bounded number of times, and the last reading says that it ran. Needs the right to trace the
 * process, as readers of Python frames do.
 */
#ifndef WP_INSTANT_READER_H
#define WP_INSTANT_READER_H

#include "base/err.h"
#include "base/log.h"
#include "core/instant.h"
#include "core/memory.h"

#include <sys/types.h>

struct wp_instant_reader;

/* arch: of the machine, for names of system calls; borrowed. tasks: what awaits what a thread runs
 * is among its Python frames. */
struct wp_instant_reader *wp_instant_reader_new(const char *arch, bool tasks);
void wp_instant_reader_free(struct wp_instant_reader *reader);

/*
 * All registers of threads, also of those that run, where BPF is permitted, and, if wanted, kernel
 * stacks. False: it is not; nothing changes but for a line, of -v unless kernel stacks were wanted.
 */
bool wp_instant_reader_use_bpf(struct wp_instant_reader *reader, bool with_kernel,
			       const struct wp_log *log);

/* An error with one line that says what would allow it, when the process may not be read. Gone: no
 * error. */
struct wp_err *wp_instant_reader_allowed(uint32_t pid) WP_MUST_CHECK;
/* The interpreters of the process that is read from now on; n 0: it has none. Copied. */
void wp_instant_reader_python(struct wp_instant_reader *reader, uint32_t pid,
			      const struct wp_python_plan *plans, size_t n);
/*
 * Is called at each reading of a thread when its frames have been read, and before it is known
 * whether it ran meanwhile: what look() reads is as proven as the instant comes to be. The last
 * call counts.
 */
void wp_instant_reader_look(struct wp_instant_reader *reader,
			    void (*look)(void *arg, const struct wp_instant *at), void *arg);
/*
 * Reads one thread, with at most stack_bytes of its stack; *ret borrows from the reader until its
 * next call. False: the thread is gone.
 */
bool wp_instant_reader_read(struct wp_instant_reader *reader, uint32_t pid, uint32_t tid,
			    size_t stack_bytes, struct wp_instant *ret);
/*
 * The Python frames of a thread whose process is no more, from what stands for its memory; at has
 * all else. pointer: its thread pointer, or 0.
 */
void wp_instant_reader_walk(struct wp_instant_reader *reader, const struct wp_memory *memory,
			    uint64_t pointer, struct wp_instant *at);
/*
 * What every thread of a process has done, in one number. False: one is on a CPU or waits for it,
 * or that is not counted. What is read between two calls that give the same number stood still.
 */
bool wp_instant_reader_stands(uint32_t pid, uint64_t *ret);
/*
 * The Python slots of an asyncio task that waits, by a plan of the process that is read from now:
 * see wp_pinned_walk_task(). Borrowed until the next reading.
 */
uint64_t wp_instant_reader_task(struct wp_instant_reader *reader, uint32_t plan, uint64_t task,
				const struct wp_python_slot **ret, size_t *ret_n);
/* Forgets what was read for other tasks. memory: what stands for the process's, or NULL. */
void wp_instant_reader_forget(struct wp_instant_reader *reader, const struct wp_memory *memory);

#endif
