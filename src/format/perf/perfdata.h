/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perfdata: the file of `perf record`, from bytes to plain structs.
 *
 * The format stage's reader of everything in a perf.data file but the kernel's own records
 * (perf_record.h). Pure: the caller brings the bytes. Layouts are those of
 * tools/perf/Documentation/perf.data-file-format.txt and, for attributes,
 * include/uapi/linux/perf_event.h; little-endian only.
 */
#ifndef WP_PERFDATA_H
#define WP_PERFDATA_H

#include "base/bytes.h"
#include "base/err.h"
#include "core/record.h"

#define WP_PERFDATA_HEADER_BYTES 104
#define WP_PERFDATA_PIPED_BYTES	 16 /* the whole header of a recording that went through a pipe */
#define WP_PERFDATA_RECORD_MAX	 65535

struct wp_perfdata_section {
	uint64_t offset, size; /* bytes; they may lie outside of the file */
};

/* HEADER_*: bits of the header, in whose order the feature sections follow the data. */
enum wp_perfdata_feature {
	WP_PERFDATA_TRACEPOINTS = 1, /* HEADER_TRACING_DATA: format/trace/trace_data.h */
	WP_PERFDATA_BUILD_IDS = 2,
	WP_PERFDATA_HOSTNAME = 3,
	WP_PERFDATA_OSRELEASE = 4,
	WP_PERFDATA_ARCH = 6,
	WP_PERFDATA_CPUID = 9,
	WP_PERFDATA_CMDLINE = 11,
	WP_PERFDATA_EVENT_DESC = 12,
	WP_PERFDATA_COMPRESSED = 27,
	WP_PERFDATA_CLOCK_DATA = 29,
	WP_PERFDATA_FEATURES = 256
};

struct wp_perfdata_header {
	bool piped; /* no sections: records follow at once, attributes and features among them */
	uint64_t attr_size; /* of one entry of `attrs`: an attribute, then the section of its ids */
	struct wp_perfdata_section attrs, data;
	uint64_t features[WP_PERFDATA_FEATURES / 64];
};

/* Refuses what is not a little-endian PERFILE2 with a header of a known size. */
struct wp_err *wp_perfdata_header_read(const void *bytes, size_t size,
				       struct wp_perfdata_header *ret) WP_MUST_CHECK;
bool wp_perfdata_has(const struct wp_perfdata_header *header, enum wp_perfdata_feature feature);
/* How many features the header names, and the number of feature's section among theirs. */
unsigned int wp_perfdata_feature_count(const struct wp_perfdata_header *header);
unsigned int wp_perfdata_feature_index(const struct wp_perfdata_header *header,
				       enum wp_perfdata_feature feature);
struct wp_perfdata_section wp_perfdata_section_read(struct wp_bytes *b);

/* struct perf_event_attr, as far as reading needs it; what an older one lacks is 0. */
struct wp_perfdata_attr {
	uint32_t type;
	uint32_t size; /* of the attribute itself, as it says */
	uint64_t config, config1, config2;
	uint64_t period; /* or, with `freq`, samples a second */
	uint64_t sample_type, read_format, branch_sample_type, regs_user, regs_intr;
	bool inherit, freq, exclude_user, exclude_kernel, sample_id_all;
};

/* Reads an attribute of at most size bytes; refuses one that says it is longer or is too short. */
struct wp_err *wp_perfdata_attr_read(const void *bytes, size_t size,
				     struct wp_perfdata_attr *ret) WP_MUST_CHECK;

/* enum perf_user_event_type, as far as it is looked at. Lower types are the kernel's. */
enum {
	WP_PERFDATA_USER_TYPES = 64,
	WP_PERFDATA_HEADER_ATTR = 64,
	WP_PERFDATA_TRACING_DATA = 66,
	WP_PERFDATA_BUILD_ID = 67,
	WP_PERFDATA_FINISHED_ROUND = 68,
	WP_PERFDATA_AUXTRACE = 71,
	WP_PERFDATA_EVENT_UPDATE = 78,
	WP_PERFDATA_HEADER_FEATURE = 80,
	WP_PERFDATA_COMPRESSED_RECORD = 81,
	WP_PERFDATA_COMPRESSED_RECORD2 = 83,
};

struct wp_perfdata_record {
	uint32_t type;
	uint16_t misc;
	uint16_t size;	   /* with its header of 8 bytes */
	uint64_t trailing; /* bytes that follow the record and belong to it */
};

enum wp_perfdata_found {
	WP_PERFDATA_WHOLE,
	WP_PERFDATA_CUT,    /* the bytes end before the record does */
	WP_PERFDATA_BROKEN, /* no record begins so */
};

/* The record at the beginning of the bytes; its trailing bytes need not be there. */
enum wp_perfdata_found wp_perfdata_record_read(const void *bytes, size_t size,
					       struct wp_perfdata_record *ret);
/* The body of a record that is whole: what follows its header. */
struct wp_bytes wp_perfdata_body(const void *bytes, const struct wp_perfdata_record *record);
/*
 * The IDENTIFIER of a kernel record whose event has one in its sample_type, which is at the same
 * place for every event: first in a sample, last in others. 0 when the record is too short.
 */
uint64_t wp_perfdata_identifier(const void *bytes, const struct wp_perfdata_record *record);

/* One entry of the feature BUILD_IDS, or a BUILD_ID record's body. */
struct wp_perfdata_build_id {
	uint8_t id[WP_BUILD_ID_MAX];
	uint8_t len;
	const char *path; /* borrowed */
};

/* pid, build_id[24] and path; misc is the record's. False when it is too short. */
bool wp_perfdata_build_id_read(struct wp_bytes body, uint16_t misc,
			       struct wp_perfdata_build_id *ret);

/* The body of an EVENT_UPDATE record that names an event, by an id of it; false: it does not, or is
 * too short. */
bool wp_perfdata_update_read(struct wp_bytes body, uint64_t *ret_id, const char **ret_name);

/* A string with its length in front, borrowed; NULL (and failed) when it has no NUL. */
const char *wp_perfdata_string(struct wp_bytes *b);

/* The feature CLOCK_DATA: one instant by two clocks, that of the wall and that of the records. */
struct wp_perfdata_clock {
	uint64_t unix_ns, record_ns;
};

/* Untouched when there is no sense in it. */
void wp_perfdata_clock_read(struct wp_bytes b, struct wp_perfdata_clock *ret);

/* One entry of the feature EVENT_DESC, which has them in the order of the attributes. */
struct wp_perfdata_desc {
	uint32_t type;
	uint64_t config;
	const char *name; /* borrowed */
};

/* The entries' number and the size of their attributes; false when there is no sense in them. */
bool wp_perfdata_desc_begin(struct wp_bytes *b, uint32_t *ret_n, uint32_t *ret_attr_size);
/* The next entry; false when it is not whole. */
bool wp_perfdata_desc_next(struct wp_bytes *b, uint32_t attr_size, struct wp_perfdata_desc *ret);

#endif
