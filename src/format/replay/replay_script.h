/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay_script: the text of a replay script to plain data; docs/replay.md has the grammar.
 *
 * Format stage: pure, no I/O. In: the bytes of a script. Out: a machine, modules' symbols and an
 * ordered list of entries, which the replay source plays.
 */
#ifndef WP_REPLAY_SCRIPT_H
#define WP_REPLAY_SCRIPT_H

#include "base/err.h"
#include "core/machine.h"
#include "core/record.h"
#include "format/replay/replay_python.h"

#include <sys/types.h>

/* One `symbol` line: the symbol table of a module that exists only in the script. */
struct wp_replay_symbol {
	const char *path; /* of the module, as in `map` lines; "[kernel]" for the kernel */
	struct wp_rva start;
	uint64_t size;
	const char *name;
};

/* One `line` line: from this address on (until the next one) this is the source position. */
struct wp_replay_line {
	const char *path;
	struct wp_rva rva;
	const char *file;
	uint32_t line;
};

/* One `code` line: the instruction bytes that the module has at an address. */
struct wp_replay_code {
	const char *path;
	struct wp_rva rva;
	const uint8_t *bytes;
	size_t n;
};

/* One `process` line. */
struct wp_replay_process {
	pid_t pid;
	const char *comm, *exe;
	bool launched; /* stands for the command that `record` or `stat --` would start */
};

enum wp_replay_kind {
	WP_REPLAY_RECORD,    /* MAP, COMM, FORK, EXIT, LOST, THROTTLE, CODE: as it is */
	WP_REPLAY_SAMPLE,    /* `record` once for each `repeat` */
	WP_REPLAY_COUNT,     /* `record` answers ops->counts */
	WP_REPLAY_WAIT,	     /* `ns` pass */
	WP_REPLAY_ELAPSED,   /* the block took `ns` in all, whatever the waits say */
	WP_REPLAY_INTERRUPT, /* Ctrl-C */
	WP_REPLAY_END,	     /* the block ends */
};

struct wp_replay_entry {
	enum wp_replay_kind kind;
	struct wp_record record; /* its event index is not set: see `event` */
	const char *event;	 /* SAMPLE, COUNT; THROTTLE: NULL when not said */
	const char *unit;	 /* COUNT: whose of several like units; NULL: each one's */
	uint64_t repeat, ns;
	/* COUNT: times that the script leaves out are the block's elapsed time. SAMPLE: the event's
	 * own period. */
	bool has_enabled, has_running, has_period;
};

/* Strings live in machine.arena. */
struct wp_replay_script {
	struct wp_machine machine;
	WP_VEC(struct wp_replay_process) processes;
	WP_VEC(struct wp_replay_symbol) symbols;
	WP_VEC(struct wp_replay_line) lines;
	WP_VEC(struct wp_replay_code) codes;
	WP_VEC(struct wp_replay_python) pythons; /* the first one's generation is 1 */
	WP_VEC(struct wp_replay_pycode) pycodes; /* also CODE records among the entries */
	WP_VEC(struct wp_replay_pytext) pytexts;
	WP_VEC(struct wp_record) snapshot; /* of `process` and `map` lines in front */
	WP_VEC(struct wp_replay_entry) entries;
	int exit_status;	     /* of the launched process's `exit` line */
	uint64_t user_ns, system_ns; /* ... and its CPU time; both 0: not said */
};

/*
 * Parses a whole script; `name` is for error texts, which say name:line. The caller deinits *ret
 * also after a failure; it must be all-zero before.
 */
struct wp_err *wp_replay_script_parse(const char *text, size_t size, const char *name,
				      struct wp_replay_script *ret) WP_MUST_CHECK;
void wp_replay_script_deinit(struct wp_replay_script *script);

#endif
