/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording_packed: the records inside of COMPRESSED records (perf record -z).
 *
 * Source stage. In: the bodies of COMPRESSED records in the order of the file, pieces of a zstd
 * stream that may begin and end in the middle of a record. Out: records, as they lie in other
 * recordings. Memory is bounded: they are unpacked as they are asked for, whatever a body gives.
 */
#ifndef WP_RECORDING_PACKED_H
#define WP_RECORDING_PACKED_H

#include "format/perf/perfdata.h"

/* All-zero is empty. */
struct wp_recording_packed {
	void *stream;	   /* ZSTD_DCtx */
	uint8_t *bytes;	   /* unpacked; 8-byte aligned, as records are */
	size_t at, filled; /* of bytes: what was given out; what there is */
	uint64_t trailing; /* bytes behind `at` that belong to the record before it */
	uint8_t *packed;   /* a copy of the body that is being unpacked */
	size_t packed_at, packed_n;
	bool full; /* there may be more of it inside the stream */
};

/* The feature COMPRESSED: refuses what is not zstd. */
struct wp_err *wp_recording_packed_check(struct wp_bytes feature) WP_MUST_CHECK;
/* Takes the body of a COMPRESSED record (of either kind), once there is nothing left to give out of
 * the one before. */
struct wp_err *wp_recording_packed_add(struct wp_recording_packed *packed,
				       const struct wp_perfdata_record *record,
				       const uint8_t *bytes) WP_MUST_CHECK;
/* There may be more to give out. */
bool wp_recording_packed_has(const struct wp_recording_packed *packed);
/* The next whole record; *ret_bytes is NULL when there is none yet. Borrowed until the next call.
 */
struct wp_err *wp_recording_packed_next(struct wp_recording_packed *packed,
					struct wp_perfdata_record *ret,
					const uint8_t **ret_bytes) WP_MUST_CHECK;
/* Forgets all: the file is read from its beginning again, or never. */
void wp_recording_packed_deinit(struct wp_recording_packed *packed);

#endif
