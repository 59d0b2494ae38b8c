/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_walk: the records of the BPF walker, from bytes to plain structs.
 *
 * The format stage's reader of a perf sample with raw data (PERF_SAMPLE_RAW), which is a struct
 * wp_walk_head, frames, perhaps a copy of the stack and Python slots, or a code object
 * (bpf/wire.h). Pure; everything is borrowed from the bytes.
 */
#ifndef WP_BPF_WALK_H
#define WP_BPF_WALK_H

#include "bpf/wire.h"
#include "core/record.h"
#include "core/stack.h"

/* A walk, or a piece of one. */
struct wp_bpf_walk {
	uint32_t tid;
	enum wp_walk_kind kind;
	uint64_t serial;		    /* of the walk, on its CPU */
	uint32_t piece;			    /* 0, 1 ... */
	bool more;			    /* another piece follows */
	uint64_t time_ns;		    /* of the walk's own record */
	uint64_t sample_id, sample_time_ns; /* of the sample it belongs to; 0: not told */
	const struct wp_stack_frame
		*frames; /* aligned when the bytes are 4 behind a multiple of 8 */
	size_t n;
	enum wp_stack_end end;
	struct wp_stack_regs regs; /* that the copy begins with; as far as rules need them */
	const uint8_t *dump;
	size_t dump_bytes;
	const struct wp_python_slot *slots; /* aligned as the frames */
	size_t n_slots;
	uint32_t threads[WP_PYTHON_PLANS]; /* ids of the last THREAD slots of `plans` plans */
	uint32_t plans;
	struct wp_stack_call call;
};

/* A piece of the line table of a code object. */
struct wp_bpf_lines {
	uint32_t pid;
	uint64_t code; /* its address */
	uint32_t id, generation;
	uint64_t from; /* where in the table the piece begins, in bytes */
	const uint8_t *bytes;
	size_t n; /* not 0 */
};

/*
 * The identifier of a PERF_RECORD_SAMPLE, the first thing in it; 0 for other records and when it
 * is too short.
 */
uint64_t wp_bpf_walk_identifier(const void *bytes, size_t size);
/* The time of such a record; 0 when it is too short. */
uint64_t wp_bpf_walk_time(const void *bytes, size_t size);
/* What such a record is; a number that is none when it is too short. */
enum wp_walk_kind wp_bpf_walk_kind(const void *bytes, size_t size);
/*
 * Reads a sample whose layout is WP_PERF_SAMPLE_TYPE with RAW behind: a walk's. False, and *ret
 * untouched, when it is too short or says nonsense.
 */
bool wp_bpf_walk_parse(const void *bytes, size_t size, struct wp_bpf_walk *ret);
/* Reads a code object's, likewise. Its time is when the sample was that met it, where that is told.
 */
bool wp_bpf_walk_parse_code(const void *bytes, size_t size, struct wp_record *ret);
/* Reads a piece of a long line table, likewise. */
bool wp_bpf_walk_parse_lines(const void *bytes, size_t size, struct wp_bpf_lines *ret);

#endif
