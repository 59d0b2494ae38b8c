/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording_spe_buffer: one buffer that Arm SPE wrote to, of a CPU or a thread, decoded bit by bit.
 *
 * Source stage, part of recording_spe. Its pieces lie all over the file; memory is a window.
 */
#ifndef WP_RECORDING_SPE_BUFFER_H
#define WP_RECORDING_SPE_BUFFER_H

#include "base/err.h"
#include "format/perf/perf_aux.h"
#include "recording/recording_file.h"
#include "recording/recording_spe_entry.h"

struct wp_recording_spe_buffer;

/* What an AUX record says: when, and at whose end, these bytes were there. */
struct wp_recording_spe_told {
	uint64_t offset, size, time_ns;
	uint32_t pid, tid;
};

/* The caller frees it. cpu or tid is UINT32_MAX: the buffer is the other's. */
struct wp_recording_spe_buffer *wp_recording_spe_buffer_new(uint32_t cpu, uint32_t tid,
							    uint64_t midr);
void wp_recording_spe_buffer_free(struct wp_recording_spe_buffer *buffer);
/* A piece: where it is in the file, where it stood in the buffer. In order. */
void wp_recording_spe_buffer_add(struct wp_recording_spe_buffer *buffer, uint64_t at,
				 uint64_t offset, uint64_t size);
void wp_recording_spe_buffer_tell(struct wp_recording_spe_buffer *buffer,
				  const struct wp_recording_spe_told *told);
void wp_recording_spe_buffer_rewind(struct wp_recording_spe_buffer *buffer);
/* The time of the next record; UINT64_MAX: there is none. */
struct wp_err *wp_recording_spe_buffer_time(struct wp_recording_spe_buffer *buffer,
					    const struct wp_recording_file *file,
					    const struct wp_perf_aux_clock *clock,
					    uint64_t *ret_ns) WP_MUST_CHECK;
/* Takes it; ret->has is 0 when it is damaged. */
void wp_recording_spe_buffer_take(struct wp_recording_spe_buffer *buffer,
				  struct wp_recording_spe_entry *ret,
				  struct wp_recording_spe_sums *sums);

#endif
