/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_maps: what the BPF walker knows: the rule tables of modules, where they are mapped in every
 * process, and the processes' interpreters.
 *
 * Source stage; bookkeeping without a system call of its own. Whoever knows mappings and tables
 * (the session) tells it; changes of a process become visible to the program at the next commit,
 * all at once. What finds no room is left out: those frames end as "no rule".
 */
#ifndef WP_BPF_MAPS_H
#define WP_BPF_MAPS_H

#include "bpf/wire.h"
#include "core/mappings.h"
#include "source/bpf/bpf_tables.h"

/* In place of a table. */
#define WP_BPF_UNKNOWN	      (UINT32_MAX - 2u) /* as if it were not mapped: walks end there */
#define WP_BPF_NO_TABLE	      UINT32_MAX	/* nothing is known about the code */
#define WP_BPF_FRAME_POINTERS (UINT32_MAX - 1u) /* it keeps them (JITs) */

/*
 * From here to the three above, ids of tables of JIT code. Such a table comes late, if ever, is
 * replaced when there is more code, and does not tell of all of it: what it says nothing about
 * keeps frame pointers, as far as anybody knows.
 */
#define WP_BPF_JIT 0x80000000u

struct wp_bpf_known;

/* How chunks and processes reach the program. */
struct wp_bpf_maps_ops {
	void *(*make_rows)(void *arg, uint32_t index); /* sizeof(struct wp_walk_rows) */
	void *(*make_buckets)(void *arg, uint32_t index);
	void *(*make_ranges)(void *arg, uint32_t index);
	/* fresh: it may be another address space than that of the ranges put before. */
	void (*put_process)(void *arg, uint32_t pid, const struct wp_walk_process *process,
			    bool fresh);
	void (*drop_process)(void *arg, uint32_t pid);
	/*
	 * known's plans are the interpreters of a process; n_plans 0: it has none, whatever its
	 * parent has. python_fresh: as above.
	 */
	void (*put_python)(void *arg, uint32_t pid, const struct wp_bpf_known *known);
};

struct wp_bpf_known {
	uint32_t pid;
	struct wp_mappings *maps;   /* `image` is a table, `delta` where its pc is 0 */
	struct wp_bpf_slice ranges; /* what the program reads now */
	bool dirty, fresh, present;
	struct wp_python_plan *plans; /* n_plans of them, its own */
	uint32_t n_plans;
	struct wp_python_like like; /* of the only one; proof_at 0: none */
	bool python_dirty, python_fresh;
	bool told_python; /* the program knows of interpreters, or that there are none */
};

struct wp_bpf_maps {
	const struct wp_bpf_maps_ops *ops;
	void *arg;
	struct wp_bpf_tables tables;
	struct wp_bpf_chunks ranges;
	bool unmapped; /* some module may be mapped no more since tables were last looked through */
	struct wp_map known_of_pid; /* -> index in known + 1 */
	WP_VEC(struct wp_bpf_known) known;
	WP_VEC(struct wp_walk_range) scratch;
	uint32_t version;	     /* of the ranges put last */
	uint64_t processes_left_out; /* times that the ranges of one found no room */
};

void wp_bpf_maps_init(struct wp_bpf_maps *maps, const struct wp_bpf_maps_ops *ops, void *arg);
void wp_bpf_maps_deinit(struct wp_bpf_maps *maps);
/* Makes the first chunk of each kind: the kernel takes ten milliseconds for it, which nobody waits
 * for yet. False when it cannot. */
bool wp_bpf_maps_prepare(struct wp_bpf_maps *maps);

/*
 * The rules of a module, sorted by pc; copied. id is the caller's name for it. False when they are
 * not in order or there is no room. Mappings may name an id before its table comes. Where there is
 * no room, tables that no mapping names are forgotten, and all changes are shown to the program.
 */
bool wp_bpf_maps_add_table(struct wp_bpf_maps *maps, uint32_t id,
			   const struct wp_unwind_rule *rules, size_t n);
bool wp_bpf_maps_has_table(const struct wp_bpf_maps *maps, uint32_t id);
/* Adds a table in the place of the one that was known by that id. */
bool wp_bpf_maps_replace_table(struct wp_bpf_maps *maps, uint32_t id,
			       const struct wp_unwind_rule *rules, size_t n);
/* Forgets a table, if there is one. */
void wp_bpf_maps_drop_table(struct wp_bpf_maps *maps, uint32_t id);
/*
 * A process mapped code; it replaces what it overlaps. origin is the run-time address at which the
 * table's pc is 0 (load bias plus the table's base).
 */
void wp_bpf_maps_add_range(struct wp_bpf_maps *maps, uint32_t pid, struct wp_va start, uint64_t len,
			   uint32_t table, uint64_t origin);
/* The table named for an address; WP_BPF_UNKNOWN where nothing was said about it. */
uint32_t wp_bpf_maps_table_at(struct wp_bpf_maps *maps, uint32_t pid, struct wp_va va);
/*
 * The interpreters of a process, at most WP_PYTHON_PLANS, and by what the only one is found in
 * others (or NULL); copied. Those that it had are gone.
 */
void wp_bpf_maps_set_python(struct wp_bpf_maps *maps, uint32_t pid,
			    const struct wp_python_plan *plans, size_t n,
			    const struct wp_python_like *like);
/* A new process with its parent's mappings and interpreters. */
void wp_bpf_maps_fork(struct wp_bpf_maps *maps, uint32_t parent, uint32_t child);
/* It became another program: nothing is mapped, no interpreter is known. */
void wp_bpf_maps_exec(struct wp_bpf_maps *maps, uint32_t pid);
void wp_bpf_maps_drop(struct wp_bpf_maps *maps, uint32_t pid);
/* Shows the program all changes. */
void wp_bpf_maps_commit(struct wp_bpf_maps *maps);

#endif
