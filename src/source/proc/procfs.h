/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * procfs: what /proc says about processes that already run, as records like those the kernel would
 * have sent.
 */
#ifndef WP_PROCFS_H
#define WP_PROCFS_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "core/record_keep.h"
#include "core/target.h"

#include <sys/types.h>
#include <time.h>

/* True when the process exists (and is not a zombie). */
bool wp_procfs_alive(pid_t pid);
/*
 * Appends COMM and MAP records (time_ns 0) of one process; executable mappings only, unless `data`
 * is asked for, too, those without a file as "//anon", deleted files by the name they had. Gone:
 * nothing is appended. The mappings of another user's process are an error (WP_ERR_PERMISSION), its
 * name is appended nevertheless.
 */
struct wp_err *wp_procfs_snapshot(pid_t pid, bool data, struct wp_records *ret) WP_MUST_CHECK;
/* Appends every process that may be read. */
struct wp_err *wp_procfs_snapshot_all(bool data, struct wp_records *ret) WP_MUST_CHECK;
/*
 * Appends to ret->pids the pids whose executable's base name, or whose command name, is `name`
 * (without regard to case where nothing matches exactly); never our own. A `name` with a '/' must
 * be the executable's path. None: nothing is appended.
 */
struct wp_err *wp_procfs_find(const char *name, struct wp_target *ret) WP_MUST_CHECK;
/* Appends to ret->pids every process that runs, but ours. */
void wp_procfs_everybody(struct wp_target *ret);
/* Appends the base names of the executables that run, but our own, a line each. */
void wp_procfs_programs(struct wp_str *ret);
/* Appends the names of /etc/passwd, a line each. */
void wp_procfs_users(struct wp_str *ret);
/*
 * Appends to ret->pids the processes that run as a user, by name (of /etc/passwd) or number; never
 * our own. *ret_uid is the number.
 */
struct wp_err *wp_procfs_of_user(const char *user, struct wp_target *ret,
				 uint32_t *ret_uid) WP_MUST_CHECK;
/* The executable's path, as it was when it has been deleted since, or NULL. The caller frees. */
char *wp_procfs_exe(pid_t pid);
/* The words of its command line with a space between any two, any bytes else, cut where it is long;
 * NULL: there is none, or it is gone. The caller frees. */
char *wp_procfs_command(pid_t pid);
/* A thread of the kernel, without memory of its own. */
bool wp_procfs_is_kernel(pid_t pid);
/* When the process began, by the wall clock as it goes now; 0: not known. */
time_t wp_procfs_began(pid_t pid);
/* A word of what the kernel told its program (auxv, AT_... of elf.h); false: not known. */
bool wp_procfs_auxv(pid_t pid, uint64_t type, uint64_t *ret);
/* Where the code of its program begins (mm->start_code); false: not known, or not ours to know. */
bool wp_procfs_code(pid_t pid, uint64_t *ret);
/* True when it runs with another user's effective id than ours. */
bool wp_procfs_foreign(pid_t pid);

struct wp_procfs_ids {
	WP_VEC(pid_t) ids; /* ascending, where nothing else is said */
};

/* Appends the threads of a process; gone: none. The caller deinits ret->ids. */
void wp_procfs_threads(pid_t pid, struct wp_procfs_ids *ret);
/* Appends the children of a process that run, their children, and so on; parents come first. The
 * caller deinits ret->ids. */
void wp_procfs_descendants(pid_t pid, struct wp_procfs_ids *ret);
/* Appends a COMM record for each thread of a process: what they are called. */
void wp_procfs_thread_names(pid_t pid, struct wp_records *ret);
/* A thread's number in its own PID namespace; 0: there is no such thread. */
uint32_t wp_procfs_inner_tid(uint32_t pid, uint32_t tid);

#endif
