/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder: batches of records to a perf.data file, as they come.
 *
 * Store stage. Memory is bounded by one buffer, which is flushed several times a second. What was
 * flushed can be read whenever the process is killed, since the header says from the first moment
 * where the data begins and is brought up to date with each flush. With compression the records lie
 * in COMPRESSED records: pieces of one stream of zstd, as perf's -z writes them, so that a stack
 * that was written before costs a few bytes. Python functions are named in FILE.python, which is
 * written before the data that has them.
 */
#ifndef WP_RECORDER_H
#define WP_RECORDER_H

#include "base/err.h"
#include "core/event.h"
#include "core/machine.h"
#include "core/record.h"
#include "core/symbol.h"
#include "format/perf/perf_aux.h"
#include "format/perf/perfdata_notes.h"
#include "format/python/python_bytecode.h"

struct wp_recorder;

struct wp_recorder_options {
	const char *path;
	bool replaces; /* a former file becomes PATH.old, as soon as there is a sample */
	const struct wp_event_set *events; /* borrowed until close */
	const struct wp_machine *machine;  /* borrowed until close */
	char *const *argv;		   /* the command line, NULL-terminated; borrowed */
	bool stacks;			   /* samples have call chains */
	const struct wp_str *tracepoints;  /* samples have the payloads that this describes
					      (format/trace/trace_data.h); empty: none. Borrowed */
	uint64_t branch_type;		   /* which branches, where these are among them */
	uint32_t carried;		   /* enum wp_data_part: what else samples have */
	/* Where an event is of Arm SPE: what its timestamps are. Such recordings are not
	 * compressed, since perf looks for what was traced among the file's own records. */
	struct wp_perf_aux_clock clock;
	bool kernel;
	int level; /* of zstd, 1 to 22; 0: not compressed */
};

struct wp_recorder_figures {
	uint64_t samples, records; /* records: all, samples included */
	uint64_t bytes;		   /* of the file so far */
	uint64_t unpacked_bytes;   /* of all records, before compression */
};

/* The call chain of a sample and what else is known of it. */
struct wp_recorder_stack {
	const uint64_t *frames; /* innermost first; those of Python as wp_recorder_python_frame() */
	size_t n_kernel, n;	/* n_kernel of the n are the kernel's */
	bool python;		/* there are frames of Python */
	const struct wp_stack_note *note; /* NULL: nothing else is known */
};

/* Creates or truncates the file, or with `replaces` makes a new one. */
struct wp_err *wp_recorder_open(const struct wp_recorder_options *options,
				struct wp_recorder **ret) WP_MUST_CHECK;
/* Records but samples. */
void wp_recorder_add(struct wp_recorder *recorder, const struct wp_record *record);
/* The address that stands for a Python frame, for the sample that is added next. */
uint64_t wp_recorder_python_frame(struct wp_recorder *recorder, const struct wp_symbol_set *set,
				  uint32_t symbol, uint32_t line);
/* A code object's bytecode, if samples that were added are of it, or it has a place. */
void wp_recorder_bytecode(struct wp_recorder *recorder, uint32_t number,
			  const struct wp_python_bytecode *bytecode);
/* Where a code object's bytecode lay, of this function (a symbol); before its bytecode. Nothing in
 * a recording without Arm SPE. */
void wp_recorder_place(struct wp_recorder *recorder, const struct wp_symbol_set *set,
		       uint32_t symbol, const struct wp_perfdata_place *place);
/* A type of Python objects, and what of Python's memory samples touched: types first. */
void wp_recorder_type(struct wp_recorder *recorder, const struct wp_perfdata_type *type);
void wp_recorder_block(struct wp_recorder *recorder, const struct wp_perfdata_block *block);
/* A sample, unless it is of Arm SPE: those are in what was traced. Its stack is written only with
 * options.stacks. */
void wp_recorder_add_sample(struct wp_recorder *recorder, const struct wp_record *sample,
			    const struct wp_recorder_stack *stack);
/* There are samples in the file that MAP records call so. */
void wp_recorder_hit(struct wp_recorder *recorder, const char *path);
/* What the run was; once, before close. */
void wp_recorder_run(struct wp_recorder *recorder, const struct wp_perfdata_run *run);
/* After each batch: what came before it is in order of time. Writes when there is enough of it. */
struct wp_err *wp_recorder_round(struct wp_recorder *recorder) WP_MUST_CHECK;
struct wp_recorder_figures wp_recorder_figures(const struct wp_recorder *recorder);
/* Writes the rest and what is said behind the data, and frees. *ret (NULL is fine): what there is
 * then. The first error of all is returned. */
struct wp_err *wp_recorder_close(struct wp_recorder *recorder,
				 struct wp_recorder_figures *ret) WP_MUST_CHECK;
/* Ends it after a failure: a file that replaces another one does so only if it has samples. */
void wp_recorder_abandon(struct wp_recorder *recorder);

#endif
