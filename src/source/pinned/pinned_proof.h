/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned_proof: which Python frames, read a moment after a sample, are those of its instant.
 *
 * Source stage, main thread. In: what readers read, when (CLOCK_MONOTONIC, as the records), and the
 * moments at which threads got onto a CPU, from the rings of all CPUs. The proof of a sample: its
 * thread left the CPU right behind it, before the read began, and was on no CPU until the read had
 * ended. Without it the THREAD slots say WP_PYTHON_LATE. Nothing is decided before every CPU's
 * records up to the end of the read are in.
 */
#ifndef WP_PINNED_PROOF_H
#define WP_PINNED_PROOF_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "core/record.h"

/* How long after its sample a thread may have left the CPU without having gone on: an interrupt, a
 * wake-up and a switch. Measured: beyond it one in some hundreds had. */
#define WP_PINNED_GAP_NS 50000u
/*
 * As long when a real-time reader was waiting for samples at that instant: the interrupt that took
 * the sample wakes it, and the kernel switches to it before it returns to the program. What takes
 * long is the interrupt (a copy of the stack, other timers, the kernel's own work behind it).
 */
#define WP_PINNED_REAL_TIME_GAP_NS 250000u

/* What a reader read for one sample. */
struct wp_pinned_read {
	uint32_t pid, tid;
	uint64_t time_ns;	   /* of the sample */
	uint64_t out_ns;	   /* when its thread left the CPU; 0: it did not, in that ring */
	uint64_t begin_ns, end_ns; /* of the reads */
	uint64_t wait_ns, woke_ns; /* a real-time reader was waiting in between; else 0 */
	uint64_t version;	   /* of the plans it was read with */
	uint64_t slots;		   /* index of the first, in the owner's array */
	uint32_t n;
	uint32_t unused;
};

struct wp_pinned_arrival {
	uint32_t tid;
	uint64_t time_ns;
};

struct wp_pinned_tally {
	uint64_t proven, late, missed; /* missed: no reader saw the sample in time */
	/* Of the late ones: the thread had gone on when it left the CPU (or had not left it), was
	 * back before the read had ended, or might have been: a ring was full. */
	uint64_t went_on, came_back, in_doubt;
	uint64_t obsolete; /* read with the plans of the program before an exec */
};

/* All-zero is empty. */
struct wp_pinned_proof {
	WP_VEC(struct wp_pinned_read) reads;
	WP_VEC(struct wp_python_slot) slots;
	WP_VEC(struct wp_pinned_arrival) arrivals;
	struct wp_map by_sample; /* -> index in reads + 1, while a batch is settled */
	struct wp_map outdated;	 /* pid -> version; up to it plans are of before its exec */
	uint64_t settled_ns;	 /* samples up to here have been delivered */
	uint64_t doubt_from_ns, doubt_to_ns; /* when a ring was full, arrivals may be missing */
	struct wp_arena arena;		     /* stacks of the batch */
	struct wp_pinned_tally tally;
};

/* Before anything new comes in: what the batch before pointed at is gone. */
void wp_pinned_proof_begin(struct wp_pinned_proof *proof);
/* A read; its slots are copied. */
void wp_pinned_proof_read(struct wp_pinned_proof *proof, const struct wp_pinned_read *read,
			  const struct wp_python_slot *slots);
/* A thread got onto a CPU. */
void wp_pinned_proof_arrival(struct wp_pinned_proof *proof, uint32_t tid, uint64_t time_ns);
/* A ring had no room for records at some time in between. */
void wp_pinned_proof_doubt(struct wp_pinned_proof *proof, uint64_t from_ns, uint64_t to_ns);
/* How far samples may be delivered when all records up to the horizon are in: not beyond one whose
 * read had not ended by then. */
uint64_t wp_pinned_proof_horizon(const struct wp_pinned_proof *proof, uint64_t horizon_ns);

/* Before the samples of a batch. */
void wp_pinned_proof_settle(struct wp_pinned_proof *proof);
/*
 * Gives a sample its Python frames, which are valid until the next begin. `known` is whether its
 * process had plans when the sample was taken.
 */
void wp_pinned_proof_sample(struct wp_pinned_proof *proof, struct wp_record *sample, bool known);
/* Among the samples, in order: what was read with plans of that version or older is void from here
 * on. */
void wp_pinned_proof_exec(struct wp_pinned_proof *proof, uint32_t pid, uint64_t version);
/* After a batch: all up to that time has been settled. */
void wp_pinned_proof_end(struct wp_pinned_proof *proof, uint64_t horizon_ns);
void wp_pinned_proof_deinit(struct wp_pinned_proof *proof);

#endif
