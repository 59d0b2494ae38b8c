/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_namer: reads now and then what sampled threads are called in Python.
 *
 * Session stage. In: samples of processes that have an interpreter, and what becomes of threads.
 * Out: NAME records. A thread is asked for when its first sample has come and then at growing
 * intervals while more come, since it may not be registered yet, or be given another name; and once
 * more at the end of a run, if it lives. Nothing is read per sample.
 */
#ifndef WP_PYTHON_NAMER_H
#define WP_PYTHON_NAMER_H

#include "base/strpool.h"
#include "session/follow/python_processes.h"
#include "core/record_keep.h"

struct wp_python_namer_thread {
	uint32_t pid, tid;
	uint32_t inner;	     /* in its own PID namespace; 0: not asked yet */
	uint32_t name;	     /* string id + 1, as it was told; 0: not at all */
	uint32_t found;	     /* the same, as it was read last */
	uint64_t sampled_ns; /* its last sample */
	uint64_t asked_ns;   /* the sample that asks for its name; 0: none does */
	uint64_t due_ns;     /* samples from then on ask */
	uint64_t wait_ns;    /* until the next time; 0: it was never asked for */
	bool ended;
};

/* All-zero does nothing. */
struct wp_python_namer {
	bool on;
	struct wp_map by_tid; /* -> index in threads + 1 */
	WP_VEC(struct wp_python_namer_thread) threads;
	WP_VEC(uint32_t) asked; /* indexes of those that are asked for */
	struct wp_map due_of;	/* pid -> when its memory may be read again */
	struct wp_strpool strings;
	/* Of the process at hand. */
	WP_VEC(uint32_t) reading; /* indexes */
	struct wp_map wanted;	  /* inner tid -> index */
};

/* A change of the table of processes. arg: a struct wp_python_namer. */
void wp_python_namer_changed(void *arg, const struct wp_process_change *change);
void wp_python_namer_sample(struct wp_python_namer *namer, const struct wp_record *sample);
/*
 * Reads the names that are due, or, at the end of a run, `all`. Appends what is new: records whose
 * names live as long as the namer, and whose time is right before the sample that asked.
 */
void wp_python_namer_read(struct wp_python_namer *namer, struct wp_python_processes *processes,
			  bool all, struct wp_records *ret);
void wp_python_namer_deinit(struct wp_python_namer *namer);

#endif
