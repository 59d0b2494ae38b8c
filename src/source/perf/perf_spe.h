/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_spe: the buffers that Arm SPE writes to, one beside each ring, and the samples in them.
 *
 * Source stage; a part of perf_source. The kernel says with AUX records in the ring which bytes of
 * the buffer (the AUX area: "aux_offset" of perf_event_open(2)) are whole. They are decoded where
 * they lie. It says so when a thread leaves the CPU, when half of the buffer is full, and when the
 * event is stopped: which is done for an instant from time to time, so that no sample is older than
 * what is delivered besides.
 */
#ifndef WP_PERF_SPE_H
#define WP_PERF_SPE_H

#include "base/map.h"
#include "format/perf/perf_aux.h"
#include "format/spe/spe_sample.h"
#include "source/perf/perf_merge.h"
#include "source/perf/perf_set.h"

/* Who had the CPU from then on. */
struct wp_perf_spe_switch {
	uint64_t time_ns;
	uint32_t pid, tid;
};

struct wp_perf_spe_buffer {
	const uint8_t *bytes; /* NULL: no event of Arm SPE is on this CPU */
	uint64_t size;	      /* a power of two */
	uint32_t event;	      /* index of its event */
	uint64_t end;	      /* where the last AUX record ended */
	const struct wp_spe_family *family;
	struct wp_spe_decoder decoder;
	WP_VEC(struct wp_perf_spe_switch) switches; /* the first: who had it before */
	uint32_t told_tid;
	bool told; /* told_tid has the CPU in the recording */
};

/* All-zero is a run without Arm SPE. */
struct wp_perf_spe {
	bool on;
	bool wide;  /* events are of CPUs: threads are known by switches */
	bool keeps; /* what a recording needs is delivered, too */
	bool runs;  /* the events have been seen to run */
	bool full;  /* one was stopped by the kernel, as its buffer was full */
	WP_VEC(struct wp_perf_spe_buffer) buffers; /* one for each ring */
	struct wp_perf_aux_clock clock;
	struct wp_map pid_of_tid;
	struct wp_str scratch;
	uint64_t flushed_ns; /* what is older has come into the rings */
	uint64_t records, damaged, truncated, partial, collisions, missed;
};

/* Maps the buffers of a set that is open. Nothing to do without such an event. With a failure, too,
 * the caller closes. */
struct wp_err *wp_perf_spe_open(struct wp_perf_set *set, struct wp_perf_spe *ret) WP_MUST_CHECK;
/* The events run, but for those that run by a command's exec. */
void wp_perf_spe_start(struct wp_perf_spe *spe, bool by_exec, uint64_t now_ns);
/* A record of the ring: samples go to the merge. True when it is of no interest to others. */
bool wp_perf_spe_take(struct wp_perf_spe *spe, const struct wp_perf_set *set,
		      const struct wp_perf_layout *layout, size_t ring, const void *bytes,
		      size_t size, struct wp_perf_merge *merge);
/* Any other record: who is of which process. */
void wp_perf_spe_learn(struct wp_perf_spe *spe, const struct wp_record *record);
/* Before the rings are looked at: lets the kernel tell what it has, if that was long ago. */
void wp_perf_spe_flush(struct wp_perf_spe *spe, const struct wp_perf_set *set, uint64_t now_ns);
/* What was lost, in warnings; unmaps. */
void wp_perf_spe_close(struct wp_perf_spe *spe, const struct wp_log *log);

#endif
