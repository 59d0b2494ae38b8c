/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_record: the kernel's perf records and counter readings, from bytes to plain structs.
 *
 * The format stage's reader of what perf_event_open(2) puts in a ring and of what read(2) returns.
 * Pure; layouts are those of the kernel's include/uapi/linux/perf_event.h, little-endian. Every
 * record ends with the same trailer of ids when sample_id_all is set.
 */
#ifndef WP_PERF_RECORD_H
#define WP_PERF_RECORD_H

#include "base/map.h"
#include "core/record.h"
#include "format/perf/perf_data.h"
#include "format/perf/perf_stack.h"

#define WP_PERF_RECORD_SAMPLE 9 /* enum perf_event_type */

#define WP_PERF_RECORD_MAX 65535 /* the header's size field has 16 bits */

/* What all events that write to one stream have in common. */
struct wp_perf_layout {
	uint64_t sample_type;
	bool sample_id_all;
	const struct wp_map *event_of_id; /* kernel id -> index in the event set */
	struct wp_perf_regs regs;	  /* of REGS_USER */
	uint64_t read_format;		  /* of READ in a sample */
	/* Where a sample's stack goes, to be overwritten by the next one; NULL: it is passed over.
	 */
	struct wp_perf_stack *stack;
	/* Where what else a sample has goes (core/sample_data.h), in data_shape; or NULL. */
	struct wp_perf_data *data;
	struct wp_perf_data_shape data_shape;
	bool payloads; /* RAW is read */
	/* With payloads: RAW of offcpu-time is perf's (Linux 6.15 and newer: off_cpu_dump() in
	 * tools/perf/util/bpf_skel/off_cpu.bpf.c, off_cpu_write()), unless it is ours: who waited,
	 * for how long and where; what the sample says of these is of somebody else, or 0. */
	uint32_t raw_waits; /* the event, from 1: layouts of one shape stand for each other */
	bool switches;	    /* become records */
};

/* Every event's layout has this shape of data: from its other members and regs_intr, inherit. */
void wp_perf_layout_shape(struct wp_perf_layout *layout, uint64_t regs_intr, bool inherit);

enum wp_perf_parsed {
	WP_PERF_PARSED,
	WP_PERF_IGNORED,   /* a well-formed record of a kind that nobody here needs */
	WP_PERF_MALFORMED, /* too short, without a NUL, or a sample of no known event */
};

/*
 * Reads one record; size must be the one in its header. Strings of *ret point into bytes. *ret says
 * nothing unless WP_PERF_PARSED (it is filled in place: samples come by the million). A field that
 * the layout does not carry is 0, a CPU WP_ANY_CPU. sample.stack is &layout->stack->raw when the
 * layout has stack parts and room for them.
 */
enum wp_perf_parsed wp_perf_record_parse(const struct wp_perf_layout *layout, const void *bytes,
					 size_t size, struct wp_record *ret);

/*
 * Bytes of a sample in front of its stack parts, of which a record's head may be made for whoever
 * needs no stack; 0: that differs (READ). At most WP_PERF_RECORD_HEAD_MAX.
 */
#define WP_PERF_RECORD_HEAD_MAX 128
size_t wp_perf_record_head_bytes(const struct wp_perf_layout *layout);

/*
 * The time of one record alone, to put it in order before it is read; 0 when it carries none. What
 * is not malformed here may still be when it is parsed.
 */
enum wp_perf_parsed wp_perf_record_time(const struct wp_perf_layout *layout, const void *bytes,
					size_t size, uint64_t *ret_ns);

/* Who, where and when of any kernel record but a sample, in ret's pid, tid, cpu and time_ns; false
 * when it is too short. */
bool wp_perf_record_ids(const struct wp_perf_layout *layout, const void *bytes, size_t size,
			struct wp_record *ret);

/* Passes over the READ of a sample. */
void wp_perf_reading_skip(uint64_t read_format, struct wp_bytes *b);

/* One counter as read. */
struct wp_perf_reading {
	uint64_t id, value, enabled_ns, running_ns, lost;
};

/*
 * Reads what read(2) gave for a descriptor with this read_format: one counter, or a group (each
 * member gets the group's times). Returns how many were stored, 0 when the bytes are too short or
 * there are more than max.
 */
size_t wp_perf_reading_parse(uint64_t read_format, const void *bytes, size_t size,
			     struct wp_perf_reading *ret, size_t max);

#endif
