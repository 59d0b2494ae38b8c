/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder_features: what a recording says of its machine and its run, behind the data.
 *
 * Store stage. One row of a table for each feature of the header; sources as of perfdata.h.
 */
#ifndef WP_RECORDER_FEATURES_H
#define WP_RECORDER_FEATURES_H

#include "core/event.h"
#include "core/machine.h"
#include "format/perf/perfdata_write.h"
#include "store/recorder_ids.h"

/* All borrowed. */
struct wp_recorder_said {
	const struct wp_machine *machine;
	const struct wp_event_set *events;
	const struct wp_perfdata_style *style;
	const struct wp_recorder_ids *ids;
	const struct wp_str *tracepoints; /* NULL or empty: not written */
	char *const *argv;		  /* NULL: not known */
	uint64_t first_ns, last_ns;	  /* of samples */
	int level;			  /* of zstd; 0: not compressed */
	uint64_t unpacked_bytes, packed_bytes;
	const uint64_t *traces; /* where AUXTRACE records are in the file; NULL: not written */
	size_t n_traces;
	uint64_t piece_bytes; /* of records that are compressed together, at most */
};

/*
 * Appends the table of sections, in the order of the features, and their bodies, to be written at
 * position `at` of the file; sets the features' bits.
 */
void wp_recorder_features_put(struct wp_str *out, uint64_t at, const struct wp_recorder_said *said,
			      uint64_t features[WP_PERFDATA_FEATURES / 64]);

#endif
