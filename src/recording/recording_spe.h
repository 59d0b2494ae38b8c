/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording_spe: samples out of what Arm SPE wrote, in order of time among the recording's records.
 *
 * Source stage. The bytes lie behind AUXTRACE records, wherever perf had them when it wrote a
 * round: often older than the records around them. So all of these records are found first (an
 * index, the bytes stay in the file), and each buffer is decoded as far as time has come. A
 * record's thread is the one that its context packet says; else the buffer's; else the one that ran
 * on the CPU (SWITCH, ITRACE_START); else the one at whose end the kernel told of these bytes
 * (AUX).
 */
#ifndef WP_RECORDING_SPE_H
#define WP_RECORDING_SPE_H

#include "base/map.h"
#include "format/perf/perf_aux.h"
#include "recording/recording_head.h"
#include "recording/recording_queue.h"
#include "recording/recording_spe_entry.h"

struct wp_recording_spe_buffer;

/* All-zero is a recording without Arm SPE. */
struct wp_recording_spe {
	bool active;
	bool wants_data;
	uint32_t event; /* index of the event whose samples these are */
	uint64_t period;
	struct wp_perf_aux_clock clock;
	WP_VEC(struct wp_recording_spe_buffer *) buffers;
	struct wp_map buffer_of; /* by CPU; of a thread, 1 << 32 | tid */
	uint64_t slice_ns;	 /* how far time is moved at once */
	struct wp_map on_cpu;	 /* pid << 32 | tid */
	struct wp_map pid_of_tid;
	struct wp_recording_spe_sums sums;
};

/* Looks whether there is any, and where, up to the first record that cannot be read. The head was
 * read. The caller deinits. */
void wp_recording_spe_open(struct wp_recording_file *file, struct wp_recording_head *head,
			   struct wp_recording_spe *ret);
/* Before the first record is read, again or for the first time. */
void wp_recording_spe_rewind(struct wp_recording_spe *spe);
/* Adds what is due up to until_ns, or some of it: *ret_ns says up to which time all is there. */
struct wp_err *wp_recording_spe_read(struct wp_recording_spe *spe,
				     const struct wp_recording_file *file, uint64_t until_ns,
				     struct wp_recording_queue *queue,
				     uint64_t *ret_ns) WP_MUST_CHECK;

/* Whether a kernel record, which is no sample, is needed only here; *ret_ns is its time. */
bool wp_recording_spe_wants(const struct wp_recording_spe *spe, const struct wp_perf_layout *layout,
			    const uint8_t *bytes, size_t size, uint64_t *ret_ns);
/* Takes such a record when its time has come. */
void wp_recording_spe_take(struct wp_recording_spe *spe, const struct wp_perf_layout *layout,
			   const uint8_t *bytes, size_t size);
/* Any other record when its time has come: who is of which process. */
void wp_recording_spe_learn(struct wp_recording_spe *spe, const struct wp_record *record);
/* What was added, as a record, when its time has come. *ret_data has what ret->sample.data points
 * at. */
void wp_recording_spe_sample(const struct wp_recording_spe *spe, const uint8_t *bytes,
			     struct wp_record *ret, struct wp_sample_data *ret_data);
void wp_recording_spe_deinit(struct wp_recording_spe *spe);

#endif
