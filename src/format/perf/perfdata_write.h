/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perfdata_write: perf.data, from plain structs to bytes; the other half of perfdata.h.
 *
 * Format stage, pure: everything is appended to a string of bytes. All events of a file share one
 * sample_type, so that each record has the same layout: IDENTIFIER, IP, TID, TIME, CPU, PERIOD,
 * with stacks CALLCHAIN, and what else samples carry. Sources as of perfdata.h.
 */
#ifndef WP_PERFDATA_WRITE_H
#define WP_PERFDATA_WRITE_H

#include "base/str.h"
#include "core/event.h"
#include "core/record.h"
#include "format/perf/perf_aux.h"
#include "format/perf/perfdata.h"

/* HEADER_*: what is written besides those of enum wp_perfdata_feature. */
enum {
	WP_PERFDATA_VERSION = 5,
	WP_PERFDATA_NRCPUS = 7,
	WP_PERFDATA_CPUDESC = 8,
	WP_PERFDATA_TOTAL_MEM = 10,
	WP_PERFDATA_PMU_MAPPINGS = 16,
	WP_PERFDATA_AUXTRACE_INDEX = 18,
	WP_PERFDATA_SAMPLE_TIME = 21,
	WP_PERFDATA_CLOCKID = 23,
};

/* PERF_ATTR_SIZE_VER5: nothing behind it is used, and older perfs refuse files that have more. */
#define WP_PERFDATA_ATTR_BYTES 112
#define WP_PERFDATA_CHAIN_MAX  ((65535 - 128) / 8) /* frames that a sample has room for */

/* The id that events have in the file: their index in the set plus 1. */
static inline uint64_t wp_perfdata_event_id(uint32_t event)
{
	return event + UINT64_C(1);
}

struct wp_perfdata_style {
	uint32_t carried;     /* enum wp_data_part: samples have these, as wp_perf_data_bits() */
	uint64_t branch_type; /* which branches, where these are among them */
	uint64_t regs_user, regs_intr; /* which registers, where these are among them */
	bool payloads;		       /* samples have RAW */
	bool stacks;		       /* samples have call chains */
	bool kernel;		       /* -k: events count in the kernel where they do not say */
};

/* The file's header; attrs and data say where the two sections are. */
void wp_perfdata_put_header(struct wp_str *out, const struct wp_perfdata_header *header);
/* struct perf_event_attr as it is recorded, WP_PERFDATA_ATTR_BYTES of it. */
void wp_perfdata_put_attr(struct wp_str *out, const struct wp_event *event,
			  const struct wp_perfdata_style *style);
void wp_perfdata_put_section(struct wp_str *out, struct wp_perfdata_section section);

/*
 * A MAP, COMM, FORK, EXIT, LOST, THROTTLE, AUX (with its bytes) or RUNS record; other kinds are
 * none of the file. Paths that do not fit into a record are cut.
 */
void wp_perfdata_put_record(struct wp_str *out, const struct wp_record *record);
/*
 * A SAMPLE record with its frames, of which n_kernel are the kernel's, innermost first; those that
 * do not fit into a record are left out from the outermost inwards.
 */
void wp_perfdata_put_sample(struct wp_str *out, const struct wp_record *sample,
			    const struct wp_perfdata_style *style, const uint64_t *frames,
			    size_t n_kernel, size_t n);
/* What wp_perfdata_put_record() of an AUX record begins with, before its AUXTRACE record. */
#define WP_PERFDATA_AUX_BYTES	   (8 + 3 * 8 + 4 * 8)
#define WP_PERFDATA_AUXTRACE_BYTES 48 /* of AUXTRACE without the bytes behind it */
/* AUXTRACE_INFO of Arm SPE (version 1, which every perf reads), behind the TIME_CONV that it takes.
 */
void wp_perfdata_put_trace_info(struct wp_str *out, uint32_t pmu_type,
				const struct wp_perf_aux_clock *clock);
/* A record of one of perf's own types without a body (FINISHED_ROUND). */
void wp_perfdata_put_mark(struct wp_str *out, uint32_t type);
/* COMPRESSED: zstd frames of records; at most WP_PERFDATA_RECORD_MAX - 8 bytes. */
void wp_perfdata_put_compressed(struct wp_str *out, const void *bytes, size_t n);

/* Feature sections' bodies. */
void wp_perfdata_put_string(struct wp_str *out, const char *s);
void wp_perfdata_put_u32(struct wp_str *out, uint32_t value);
void wp_perfdata_put_u64(struct wp_str *out, uint64_t value);
/* argv as CMDLINE has it. */
void wp_perfdata_put_strings(struct wp_str *out, char *const *strings, uint32_t n);
/* An entry of BUILD_IDS: a file with samples, by the path that its mappings have. */
void wp_perfdata_put_build_id(struct wp_str *out, const struct wp_perfdata_build_id *id,
			      bool kernel);
void wp_perfdata_put_desc(struct wp_str *out, const struct wp_event_set *events,
			  const struct wp_perfdata_style *style);

#endif
