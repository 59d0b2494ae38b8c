/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * world: what a session asks the system: the machine, processes, commands, events, files.
 *
 * Core. There are two: the system that we run on (machine/system_world.h), and a script that says
 * what a system would have answered (replay/replay.h).
 */
#ifndef WP_WORLD_H
#define WP_WORLD_H

#include "core/addr.h"
#include "core/event.h"
#include "core/machine.h"
#include "core/place.h"
#include "core/record_keep.h"
#include "core/source.h"
#include "core/target.h"

#include <time.h>

struct wp_launch;
struct wp_sudo_user;
struct wp_replay_python;
struct wp_replay_symbol;
struct wp_world;

/* How a command ended. */
struct wp_world_end {
	int status; /* as a shell gives it; 0 while it runs */
	bool timed; /* its CPU time, with that of all it waited for, is known */
	uint64_t user_ns, system_ns;
};

/* Where NULL is allowed, there is no such thing in that world. */
struct wp_world_ops {
	const char *name;
	void (*close)(struct wp_world *world);
	time_t (*time)(time_t *ret);	    /* NULL: no time passes but in its records */
	bool (*has_file)(const char *path); /* NULL: every file is there */

	/* False: it does not run. Each text may be NULL on the way in and out; the caller frees. */
	bool (*process)(struct wp_world *world, pid_t pid, char **ret_exe, char **ret_comm);
	/* Appends the processes of an image, by path or by name; none: nothing is appended. */
	struct wp_err *(*find)(struct wp_world *world, const char *image, struct wp_target *ret);
	/* NULL is allowed. As wp_procfs_everybody(), wp_procfs_of_user(), wp_cgroups_open(),
	 * wp_cgroups_tell(), wp_procfs_thread_names(). */
	void (*everybody)(struct wp_target *ret);
	struct wp_err *(*of_user)(const char *user, struct wp_target *ret, uint32_t *ret_uid);
	struct wp_err *(*open_cgroups)(const char *list, struct wp_target *ret);
	void (*tell_cgroups)(struct wp_records *ret);
	void (*thread_names)(pid_t pid, struct wp_records *ret);
	/* Where a CPU is. */
	struct wp_cpu_place (*place)(const struct wp_world *world, uint32_t cpu);
	/* Appends COMM and MAP records of what the target's processes are called and have mapped.
	 */
	struct wp_err *(*snapshot)(struct wp_world *world, const struct wp_target *target,
				   struct wp_records *ret);

	/*
	 * Appends the command's process to target->pids. It is held, and *ret is its; where it is
	 * nobody's to hold and to end, *ret stays as it was, all zero.
	 */
	struct wp_err *(*launch)(struct wp_world *world, char *const argv[],
				 const struct wp_sudo_user *user, struct wp_target *target,
				 struct wp_launch *ret);
	struct wp_world_end (*end)(const struct wp_world *world, struct wp_launch *launch);

	/* What keeps it from counting and sampling anything at all; NULL: nothing does. */
	struct wp_err *(*ready)(struct wp_world *world);
	/* Marks the events of a default set that there are not; NULL: all are there. */
	void (*try_events)(struct wp_event_set *set);
	/* As wp_perf_source_open(). */
	struct wp_err *(*open)(struct wp_world *world, const struct wp_source_options *options,
			       struct wp_source **ret);

	/* What files say, borrowed; NULL: they are here to be asked. The text of a source line: */
	const char *(*text)(const struct wp_world *world, const char *file, uint32_t line);
	/* The source file of an address, NULL when it has none. */
	const char *(*line)(const struct wp_world *world, const char *module, struct wp_rva rva,
			    uint32_t *ret_line);
	/* Instruction bytes; returns how many. */
	size_t (*code)(const struct wp_world *world, const char *module, struct wp_rva rva,
		       uint8_t *ret, size_t n);
};

/* The first member of every world's own struct. */
struct wp_world {
	const struct wp_world_ops *ops;
	const struct wp_machine *machine;
	bool offline; /* what it names is not here: no file and no memory is looked at */
	const struct wp_replay_symbol *symbols; /* known beforehand */
	size_t n_symbols;
	const struct wp_replay_python *pythons; /* the first one's generation is 1 */
	size_t n_pythons;
};

#endif
