/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record: what a source says happened, one type for counts and samples.
 *
 * A batch is an array of records in time order, borrowed from the source until its next call.
 * Strings in a record have the same life. Times are nanoseconds of CLOCK_MONOTONIC.
 */
#ifndef WP_RECORD_H
#define WP_RECORD_H

#include "core/addr.h"
#include "core/sample_data.h"
#include "core/stack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WP_BUILD_ID_MAX 20
#define WP_ANY_CPU	UINT32_MAX /* a count that was taken per process, not per CPU */

enum wp_record_kind {
	WP_RECORD_COUNT,
	WP_RECORD_SAMPLE,
	WP_RECORD_MAP,	    /* a file (or JIT memory) became executable in a process */
	WP_RECORD_COMM,	    /* a process has a new name; exec when it became another program */
	WP_RECORD_FORK,	    /* a new process or thread */
	WP_RECORD_EXIT,	    /* a thread ended */
	WP_RECORD_LOST,	    /* the kernel dropped records */
	WP_RECORD_THROTTLE, /* the kernel paused an event that fired too often */
	WP_RECORD_CODE,	    /* a code object that a later sample's Python frames are in */
	WP_RECORD_CGROUP,   /* what a cgroup is called that samples name by its id */
	WP_RECORD_SWITCH,   /* a thread leaves its CPU or gets one; only for core/wait.h */
	WP_RECORD_AUX,	    /* what a processor traced into a buffer; only for recordings */
	WP_RECORD_RUNS,	    /* a thread has the CPU whose buffer was traced; only for recordings */
	WP_RECORD_NAME,	    /* what a thread is called in its program: Python's Thread.name */
};

/* Which mode the CPU was in when a sample was taken. */
enum wp_cpumode {
	WP_MODE_USER,
	WP_MODE_KERNEL,
	WP_MODE_OTHER, /* hypervisor or guest */
};

struct wp_record_count {
	uint32_t event; /* index in the event set */
	uint64_t value, enabled_ns, running_ns;
};

struct wp_record_sample {
	uint32_t event;
	enum wp_cpumode mode;
	struct wp_va ip;
	uint64_t period;		   /* how many events it stands for */
	const struct wp_stack_raw *stack;  /* NULL: no stack was taken */
	const struct wp_sample_data *data; /* NULL: nothing else, or nobody wants it */
	const uint8_t *payload;		   /* what the event's fields are of; NULL: nothing came */
	uint32_t payload_bytes;
	uint64_t waited_ns; /* how long before its time the stack was taken: of a wait */
};

struct wp_record_map {
	struct wp_va start;
	uint64_t len;
	struct wp_off pgoff;
	uint32_t dev_major, dev_minor;
	uint64_t inode;
	bool kernel; /* kernel text or a kernel module */
	bool data;   /* not executable: of interest if it is the headers of a Windows image */
	const char *path;
	uint8_t build_id[WP_BUILD_ID_MAX];
	uint8_t build_id_len; /* 0: not known */
};

struct wp_record_comm {
	const char *name;
	bool exec;
};

struct wp_record_named {
	const char *name;
};

struct wp_record_cgroup {
	uint64_t id;
	const char *path;
};

struct wp_record_fork {
	uint32_t parent_pid, parent_tid;
};

struct wp_record_switch {
	bool out; /* it leaves */
};

/* A piece of a CPU's buffer, as the kernel's record AUX told of it. */
struct wp_record_aux {
	const uint8_t *bytes;
	uint64_t n;
	uint64_t offset; /* in all that was ever traced there */
	uint64_t flags;	 /* of PERF_RECORD_AUX */
};

struct wp_record_lost {
	uint64_t count;
};

/* A str (or 2.7's byte string) as it lies in memory. */
struct wp_code_text {
	uint32_t width;	 /* bytes per character: 1 (Latin-1; with `bytes` in plan.flags: as it is),
			    2, 4; 0: it could not be read */
	uint32_t length; /* characters */
	uint32_t n;	 /* bytes that were captured: at most length * width */
	const uint8_t *bytes;
};

/* A Python code object, captured when a walk met it first. */
struct wp_record_code {
	uint64_t addr;
	uint32_t id;	     /* as in the slots that it is for */
	uint32_t generation; /* of the plan it was found with */
	uint32_t uid;	     /* whose process it was in at that instant */
	bool has_uid;
	uint32_t first_line;
	struct wp_code_text name, qualname, filename;
	uint64_t lines_len;   /* bytes of its line table; UINT64_MAX: not known */
	const uint8_t *lines; /* the first lines_captured of them */
	uint32_t lines_captured;
	const uint8_t *bytecode; /* only a script tells it with the rest */
	uint32_t bytecode_bytes;
	uint64_t bytecode_at; /* where it lies in the process; 0: not known */
};

struct wp_record {
	enum wp_record_kind kind;
	uint32_t pid, tid, cpu;
	uint64_t time_ns;
	union {
		struct wp_record_count count;
		struct wp_record_sample sample;
		struct wp_record_map map;
		struct wp_record_comm comm;
		struct wp_record_named named;
		struct wp_record_cgroup cgroup;
		struct wp_record_fork fork;
		struct wp_record_switch switched;
		struct wp_record_aux aux;
		struct wp_record_lost lost;
		struct wp_record_code code;
	};
};

struct wp_batch {
	const struct wp_record *records;
	size_t n;
	bool ended;  /* the target is gone (or the recording is at its end): no more will come */
	bool paused; /* a script's: no more will come before the next start() */
};

#endif
