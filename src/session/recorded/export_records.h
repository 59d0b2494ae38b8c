/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_records: the operations and accesses of a recording, one after the other, for `wperf
 * export --format csv`.
 *
 * Session stage, a sink behind traced_python: rows come when their Python line is known, so that
 * those of one thread are in order of time, and those of several are not quite.
 */
#ifndef WP_EXPORT_RECORDS_H
#define WP_EXPORT_RECORDS_H

#include "session/recorded/frame_places.h"
#include "session/recorded/traced_python.h"

struct wp_export_records {
	struct wp_sink sink;
	struct wp_traced_python traced;
	struct wp_sampling *s;
	struct wp_frame_filter filter;
	struct wp_writer *out;
	uint64_t rows, left_out; /* left_out: samples that say nothing of data */
};

/* s was made by wp_sampling_init_recorded(); it and out outlive e. The filter was parsed. */
void wp_export_records_attach(struct wp_export_records *e, struct wp_sampling *s,
			      struct wp_writer *out);
/* When all samples have come. */
void wp_export_records_end(struct wp_export_records *e);
void wp_export_records_deinit(struct wp_export_records *e);
#define wp_autoexport_records WP_CLEANUP(wp_export_records_deinit)

#endif
