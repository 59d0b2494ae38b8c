/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_record: see perf_record.h. Comments show the kernel's layout behind the 8-byte header. */
#include "format/perf/perf_record.h"

#include "base/bytes.h"
#include "core/wait.h"

#include <string.h>

/* enum perf_event_type */
enum {
	MMAP = 1,
	LOST = 2,
	COMM = 3,
	EXIT = 4,
	THROTTLE = 5,
	FORK = 7,
	SAMPLE = WP_PERF_RECORD_SAMPLE,
	MMAP2 = 10,
	LOST_SAMPLES = 13,
	SWITCH = 14,
	SWITCH_CPU_WIDE = 15,
	CGROUP = 19,
};

#define HEADER_BYTES	    8
#define MISC_CPUMODE	    7
#define MISC_KERNEL	    1
#define MISC_USER	    2
#define MISC_MMAP_DATA	    (1u << 13)
#define MISC_COMM_EXEC	    (1u << 13)
#define MISC_SWITCH_OUT	    (1u << 13)
#define MISC_MMAP_BUILD_ID  (1u << 14)
#define PATH_BYTES	    4096
#define MMAP2_BUILD_ID_SIZE 20

static enum wp_cpumode mode_of(uint16_t misc)
{
	switch (misc & MISC_CPUMODE) {
	case MISC_KERNEL: return WP_MODE_KERNEL;
	case MISC_USER: return WP_MODE_USER;
	default: return WP_MODE_OTHER;
	}
}

static void read_pid_and_tid(struct wp_bytes *b, struct wp_record *record)
{
	record->pid = wp_bytes_u32(b);
	record->tid = wp_bytes_u32(b);
}

static void read_cpu(struct wp_bytes *b, struct wp_record *record)
{
	record->cpu = wp_bytes_u32(b);
	wp_bytes_skip(b, 4);
}

/* value [enabled] [running] [id] [lost], or nr [enabled] [running] { value [id] [lost] } */
void wp_perf_reading_skip(uint64_t format, struct wp_bytes *b)
{
	const uint64_t times = format & (WP_PERF_READ_ENABLED | WP_PERF_READ_RUNNING);
	const uint64_t more = format & (WP_PERF_READ_ID | WP_PERF_READ_LOST);
	uint64_t n = format & WP_PERF_READ_GROUP ? wp_bytes_u64(b) : 1;

	wp_bytes_skip(b, 8 * (uint64_t)__builtin_popcountll(times));
	if (n > wp_bytes_left(b) / 8)
		n = UINT32_MAX; /* fails below */
	wp_bytes_skip(b, 8 * n * (1 + (uint64_t)__builtin_popcountll(more)));
}

static void set_payload(struct wp_record *record, const struct wp_bytes *payload)
{
	record->sample.payload = payload->size ? payload->data : NULL;
	record->sample.payload_bytes = (uint32_t)payload->size;
}

/* When the wait ends the sample is of whoever had the CPU before, and the low half of its ids in
 * RAW is the thread; sums behind all others are of nobody, and the low half is the process. */
static void take_raw_wait(const struct wp_perf_layout *layout, struct wp_record *record)
{
	struct wp_bytes payload = wp_bytes_of(record->sample.payload, record->sample.payload_bytes);
	bool is_sum = !record->pid && !record->tid;
	uint32_t ids[2];
	uint64_t ns;

	if (payload.size >= 4 && wp_u32_at(payload.data) == WP_WAIT_MAGIC)
		return;
	record->sample.stack = NULL;
	if (!payload.size || !wp_perf_stack_raw_wait(payload, layout->stack, ids, &ns))
		return;
	record->pid = ids[!is_sum];
	record->tid = ids[is_sum];
	record->sample.period = ns;
	record->sample.mode = WP_MODE_USER;
	record->sample.ip.v = layout->stack->raw.n_user ? layout->stack->raw.user_ips[0] : 0;
	record->sample.stack = &layout->stack->raw;
	record->sample.payload = NULL;
	record->sample.payload_bytes = 0;
}

/* Stack parts, with RAW among them. */
static bool read_stack_with_payload(const struct wp_perf_layout *layout, struct wp_bytes *b,
				    struct wp_record *record)
{
	const uint64_t parts =
		WP_PERF_SAMPLE_CALLCHAIN | WP_PERF_SAMPLE_REGS_USER | WP_PERF_SAMPLE_STACK_USER;
	const uint64_t type = layout->sample_type;
	bool has_payload = layout->payloads && type & WP_PERF_SAMPLE_RAW;
	struct wp_bytes payload;

	if (!layout->stack || !(type & parts)) {
		if (!has_payload)
			return true;
		if (type & WP_PERF_SAMPLE_CALLCHAIN)
			wp_perf_chain_skip(b);
		payload = wp_perf_stack_payload(b);
		set_payload(record, &payload);
		return !b->failed;
	}
	record->sample.stack = &layout->stack->raw;
	if (!wp_perf_stack_read(type, &layout->regs, b, layout->stack))
		return false;
	if (has_payload)
		set_payload(record, &layout->stack->payload);
	return true;
}

static bool read_stack_and_payload(const struct wp_perf_layout *layout, struct wp_bytes *b,
				   struct wp_record *record)
{
	if (!read_stack_with_payload(layout, b, record))
		return false;
	if (layout->raw_waits == record->sample.event + 1 && layout->stack)
		take_raw_wait(layout, record);
	return true;
}

/* The cursor stands behind the record's header. */
static bool read_data(const struct wp_perf_layout *layout, struct wp_bytes b,
		      struct wp_record *record)
{
	if (!layout->data)
		return true;
	if (!wp_perf_data_read(&layout->data_shape, b, layout->data))
		return false;
	if (layout->data->data.has)
		record->sample.data = &layout->data->data;
	return true;
}

/* Of a sample in front of READ and the stack parts; all are 8 bytes. */
#define HEAD                                                                  \
	(WP_PERF_SAMPLE_IDENTIFIER | WP_PERF_SAMPLE_IP | WP_PERF_SAMPLE_TID | \
	 WP_PERF_SAMPLE_TIME | WP_PERF_SAMPLE_ADDR | WP_PERF_SAMPLE_ID |      \
	 WP_PERF_SAMPLE_STREAM_ID | WP_PERF_SAMPLE_CPU | WP_PERF_SAMPLE_PERIOD)

/* Unchecked: samples come by the million, so that their head is checked as a whole. */
static uint64_t next_u64(const uint8_t **at)
{
	uint64_t value;

	memcpy(&value, *at, sizeof(value));
	*at += sizeof(value);
	return value;
}

/* [identifier] [ip] [pid tid] [time] [addr] [id] [stream_id] [cpu res] [period] [reading]
 * [stack parts] */
static bool read_sample_record(const struct wp_perf_layout *layout, struct wp_bytes *b,
			       uint16_t misc, struct wp_record *record)
{
	uint64_t has = layout->sample_type, id = 0;
	struct wp_bytes whole = *b;
	uint64_t *event;

	const uint8_t *at = wp_bytes_take(b, 8 * (uint64_t)__builtin_popcountll(has & HEAD));

	if (!at)
		return false;
	record->sample = (struct wp_record_sample){.mode = mode_of(misc)};
	if (has & WP_PERF_SAMPLE_IDENTIFIER)
		id = next_u64(&at);
	if (has & WP_PERF_SAMPLE_IP)
		record->sample.ip.v = next_u64(&at);
	if (has & WP_PERF_SAMPLE_TID) {
		uint64_t ids = next_u64(&at);

		record->pid = (uint32_t)ids;
		record->tid = (uint32_t)(ids >> 32);
	}
	if (has & WP_PERF_SAMPLE_TIME)
		record->time_ns = next_u64(&at);
	if (has & WP_PERF_SAMPLE_ADDR)
		at += 8;
	if (has & WP_PERF_SAMPLE_ID)
		id = next_u64(&at);
	if (has & WP_PERF_SAMPLE_STREAM_ID)
		at += 8;
	if (has & WP_PERF_SAMPLE_CPU)
		record->cpu = (uint32_t)next_u64(&at);
	if (has & WP_PERF_SAMPLE_PERIOD)
		record->sample.period = next_u64(&at);
	if (has & WP_PERF_SAMPLE_READ)
		wp_perf_reading_skip(layout->read_format, b);
	event = wp_map_get(layout->event_of_id, id);
	if (event)
		record->sample.event = (uint32_t)*event;
	return event && !b->failed && read_data(layout, whole, record) &&
	       read_stack_and_payload(layout, b, record);
}

/* maj min ino ino_generation, or build_id_size and 3 reserved bytes and build_id[20] */
static void read_identity(struct wp_bytes *b, uint16_t misc, struct wp_record_map *map)
{
	const uint8_t *id;

	if (!(misc & MISC_MMAP_BUILD_ID)) {
		map->dev_major = wp_bytes_u32(b);
		map->dev_minor = wp_bytes_u32(b);
		map->inode = wp_bytes_u64(b);
		wp_bytes_skip(b, 8);
		return;
	}
	map->build_id_len = wp_bytes_u8(b);
	wp_bytes_skip(b, 3);
	id = wp_bytes_take(b, MMAP2_BUILD_ID_SIZE);
	if (map->build_id_len > WP_BUILD_ID_MAX)
		map->build_id_len = 0;
	for (uint8_t i = 0; id && i < map->build_id_len; i++)
		map->build_id[i] = id[i];
}

/* pid tid addr len pgoff [identity prot flags: only MMAP2] path */
static bool read_map(struct wp_bytes *b, uint32_t type, uint16_t misc, struct wp_record *record)
{
	struct wp_record_map *map = &record->map;

	read_pid_and_tid(b, record);
	map->start.v = wp_bytes_u64(b);
	map->len = wp_bytes_u64(b);
	map->pgoff.v = wp_bytes_u64(b);
	map->kernel = mode_of(misc) == WP_MODE_KERNEL;
	map->data = misc & MISC_MMAP_DATA;
	if (type == MMAP2) {
		read_identity(b, misc, map);
		wp_bytes_skip(b, 8);
	}
	map->path = wp_bytes_str(b, PATH_BYTES);
	return map->path;
}

/* pid tid comm */
static bool read_comm_record(struct wp_bytes *b, uint16_t misc, struct wp_record *record)
{
	read_pid_and_tid(b, record);
	record->comm.exec = misc & MISC_COMM_EXEC;
	record->comm.name = wp_bytes_str(b, PATH_BYTES);
	return record->comm.name;
}

/* id path */
static bool read_cgroup(struct wp_bytes *b, struct wp_record *record)
{
	record->cgroup.id = wp_bytes_u64(b);
	record->cgroup.path = wp_bytes_str(b, PATH_BYTES);
	return record->cgroup.path;
}

/* pid ppid tid ptid time */
static bool read_task_record(const struct wp_perf_layout *layout, struct wp_bytes *b,
			     struct wp_record *record)
{
	uint32_t ppid, ptid;
	uint64_t time_ns;

	record->pid = wp_bytes_u32(b);
	ppid = wp_bytes_u32(b);
	record->tid = wp_bytes_u32(b);
	ptid = wp_bytes_u32(b);
	time_ns = wp_bytes_u64(b);
	if (record->kind == WP_RECORD_FORK)
		record->fork = (struct wp_record_fork){ppid, ptid};
	if (!layout->sample_id_all || !(layout->sample_type & WP_PERF_SAMPLE_TIME))
		record->time_ns = time_ns;
	return !b->failed;
}

/* LOST: id lost; LOST_SAMPLES: lost */
static bool read_lost(struct wp_bytes *b, uint32_t type, struct wp_record *record)
{
	if (type == LOST)
		wp_bytes_skip(b, 8);
	record->lost.count = wp_bytes_u64(b);
	return !b->failed;
}

static size_t trailer_bytes(const struct wp_perf_layout *layout)
{
	const uint64_t in_trailer = WP_PERF_SAMPLE_TID | WP_PERF_SAMPLE_TIME | WP_PERF_SAMPLE_ID |
				    WP_PERF_SAMPLE_STREAM_ID | WP_PERF_SAMPLE_CPU |
				    WP_PERF_SAMPLE_IDENTIFIER;

	if (!layout->sample_id_all)
		return 0;
	return 8 * (size_t)__builtin_popcountll(layout->sample_type & in_trailer);
}

/* The end of every record but SAMPLE: [pid tid] [time] [id] [stream_id] [cpu res] [identifier] */
static void read_trailer(const struct wp_perf_layout *layout, struct wp_bytes b,
			 struct wp_record *record)
{
	uint64_t has = layout->sample_id_all ? layout->sample_type : 0;

	if (has & WP_PERF_SAMPLE_TID)
		read_pid_and_tid(&b, record);
	if (has & WP_PERF_SAMPLE_TIME)
		record->time_ns = wp_bytes_u64(&b);
	if (has & WP_PERF_SAMPLE_ID)
		wp_bytes_skip(&b, 8);
	if (has & WP_PERF_SAMPLE_STREAM_ID)
		wp_bytes_skip(&b, 8);
	if (has & WP_PERF_SAMPLE_CPU)
		read_cpu(&b, record);
}

static bool read_record_body(const struct wp_perf_layout *layout, struct wp_bytes *b, uint32_t type,
			     uint16_t misc, struct wp_record *record)
{
	switch (record->kind) {
	case WP_RECORD_MAP: return read_map(b, type, misc, record);
	case WP_RECORD_COMM: return read_comm_record(b, misc, record);
	case WP_RECORD_FORK:
	case WP_RECORD_EXIT: return read_task_record(layout, b, record);
	case WP_RECORD_LOST: return read_lost(b, type, record);
	case WP_RECORD_CGROUP: return read_cgroup(b, record);
	case WP_RECORD_SWITCH: /* of the thread that the trailer names */
		record->switched.out = misc & MISC_SWITCH_OUT;
		return true;
	default: return true;
	}
}

/* False for a type (or a mapping of data) that becomes no record. */
static bool record_kind_of(const struct wp_perf_layout *layout, uint32_t type, uint16_t misc,
			   enum wp_record_kind *ret)
{
	switch (type) {
	case MMAP: *ret = WP_RECORD_MAP; return !(misc & MISC_MMAP_DATA);
	case MMAP2: *ret = WP_RECORD_MAP; return true;
	case COMM: *ret = WP_RECORD_COMM; return true;
	case FORK: *ret = WP_RECORD_FORK; return true;
	case EXIT: *ret = WP_RECORD_EXIT; return true;
	case LOST:
	case LOST_SAMPLES: *ret = WP_RECORD_LOST; return true;
	case THROTTLE: *ret = WP_RECORD_THROTTLE; return true;
	case CGROUP: *ret = WP_RECORD_CGROUP; return true;
	case SAMPLE: *ret = WP_RECORD_SAMPLE; return true;
	case SWITCH:
	case SWITCH_CPU_WIDE: *ret = WP_RECORD_SWITCH; return layout->switches;
	default: return false;
	}
}

/* A sample's own part is set when it is read; most of a record's room is that of other kinds. */
static void reset_record(struct wp_record *record, enum wp_record_kind kind)
{
	if (kind != WP_RECORD_SAMPLE)
		*record = (struct wp_record){0};
	record->kind = kind;
	record->pid = record->tid = 0;
	record->cpu = WP_ANY_CPU;
	record->time_ns = 0;
}

enum wp_perf_parsed wp_perf_record_parse(const struct wp_perf_layout *layout, const void *bytes,
					 size_t size, struct wp_record *ret)
{
	struct wp_bytes b = wp_bytes_of(bytes, size), body;
	uint32_t type = wp_bytes_u32(&b);
	uint16_t misc = wp_bytes_u16(&b);
	uint16_t length = wp_bytes_u16(&b);
	enum wp_record_kind kind;
	size_t trailer;
	bool good;

	if (b.failed || length != size)
		return WP_PERF_MALFORMED;
	if (!record_kind_of(layout, type, misc, &kind))
		return WP_PERF_IGNORED;
	reset_record(ret, kind);
	if (kind == WP_RECORD_SAMPLE) {
		good = read_sample_record(layout, &b, misc, ret);
	} else {
		trailer = trailer_bytes(layout);
		if (size < HEADER_BYTES + trailer)
			return WP_PERF_MALFORMED;
		body = wp_bytes_sub(&b, size - HEADER_BYTES - trailer);
		read_trailer(layout, b, ret);
		good = read_record_body(layout, &body, type, misc, ret);
	}
	return good ? WP_PERF_PARSED : WP_PERF_MALFORMED;
}

bool wp_perf_record_ids(const struct wp_perf_layout *layout, const void *bytes, size_t size,
			struct wp_record *ret)
{
	struct wp_bytes b = wp_bytes_of(bytes, size);
	size_t trailer = trailer_bytes(layout);

	if (size < HEADER_BYTES + trailer)
		return false;
	reset_record(ret, WP_RECORD_THROTTLE);
	wp_bytes_seek(&b, size - trailer);
	read_trailer(layout, b, ret);
	return true;
}

void wp_perf_layout_shape(struct wp_perf_layout *layout, uint64_t regs_intr, bool inherit)
{
	layout->data_shape = (struct wp_perf_data_shape){
		.sample_type = layout->sample_type,
		.read_format = layout->read_format,
		.branch_type = layout->regs.branch_type,
		.regs_user = layout->regs.mask,
		.regs_intr = regs_intr,
		.inherit = inherit,
		.event_of_id = layout->event_of_id,
	};
}

size_t wp_perf_record_head_bytes(const struct wp_perf_layout *layout)
{
	if (layout->sample_type & WP_PERF_SAMPLE_READ)
		return 0;
	return HEADER_BYTES + 8 * (size_t)__builtin_popcountll(layout->sample_type & HEAD);
}

/* How far into a record its time is; 0: it has none. */
static size_t time_at(const struct wp_perf_layout *layout, enum wp_record_kind kind, size_t size)
{
	uint64_t has = layout->sample_type;
	bool told = has & WP_PERF_SAMPLE_TIME;
	size_t tid = has & WP_PERF_SAMPLE_TID ? 8 : 0;

	if (kind == WP_RECORD_SAMPLE)
		return told ? HEADER_BYTES + tid + (has & WP_PERF_SAMPLE_IP ? 8 : 0) +
				       (has & WP_PERF_SAMPLE_IDENTIFIER ? 8 : 0)
			    : 0;
	if (told && layout->sample_id_all)
		return size - trailer_bytes(layout) + tid;
	return kind == WP_RECORD_FORK || kind == WP_RECORD_EXIT ? HEADER_BYTES + 16 : 0;
}

enum wp_perf_parsed wp_perf_record_time(const struct wp_perf_layout *layout, const void *bytes,
					size_t size, uint64_t *ret_ns)
{
	const uint8_t *record = bytes;
	enum wp_record_kind kind;
	uint32_t type;
	uint16_t misc;
	size_t at;

	if (size < HEADER_BYTES)
		return WP_PERF_MALFORMED;
	memcpy(&type, record, sizeof(type));
	memcpy(&misc, record + sizeof(type), sizeof(misc));
	if (!record_kind_of(layout, type, misc, &kind))
		return WP_PERF_IGNORED;
	if (kind != WP_RECORD_SAMPLE && size < HEADER_BYTES + trailer_bytes(layout))
		return WP_PERF_MALFORMED;
	at = time_at(layout, kind, size);
	if (at && size < at + sizeof(*ret_ns))
		return WP_PERF_MALFORMED;
	*ret_ns = 0;
	if (at)
		memcpy(ret_ns, record + at, sizeof(*ret_ns));
	return WP_PERF_PARSED;
}

/* value [enabled] [running] [id] [lost] */
static size_t read_one(uint64_t format, struct wp_bytes *b, struct wp_perf_reading *ret)
{
	struct wp_perf_reading one = {.value = wp_bytes_u64(b)};

	if (format & WP_PERF_READ_ENABLED)
		one.enabled_ns = wp_bytes_u64(b);
	if (format & WP_PERF_READ_RUNNING)
		one.running_ns = wp_bytes_u64(b);
	if (format & WP_PERF_READ_ID)
		one.id = wp_bytes_u64(b);
	if (format & WP_PERF_READ_LOST)
		one.lost = wp_bytes_u64(b);
	if (b->failed)
		return 0;
	*ret = one;
	return 1;
}

/* nr [enabled] [running] { value [id] [lost] } of each member */
static size_t read_group(uint64_t format, struct wp_bytes *b, struct wp_perf_reading *ret,
			 size_t max)
{
	uint64_t n = wp_bytes_u64(b);
	struct wp_perf_reading common = {0};

	if (format & WP_PERF_READ_ENABLED)
		common.enabled_ns = wp_bytes_u64(b);
	if (format & WP_PERF_READ_RUNNING)
		common.running_ns = wp_bytes_u64(b);
	if (n > max)
		return 0;
	for (uint64_t i = 0; i < n; i++) {
		ret[i] = common;
		ret[i].value = wp_bytes_u64(b);
		if (format & WP_PERF_READ_ID)
			ret[i].id = wp_bytes_u64(b);
		if (format & WP_PERF_READ_LOST)
			ret[i].lost = wp_bytes_u64(b);
	}
	return b->failed ? 0 : (size_t)n;
}

size_t wp_perf_reading_parse(uint64_t read_format, const void *bytes, size_t size,
			     struct wp_perf_reading *ret, size_t max)
{
	struct wp_bytes b = wp_bytes_of(bytes, size);

	if (max == 0)
		return 0;
	if (read_format & WP_PERF_READ_GROUP)
		return read_group(read_format, &b, ret, max);
	return read_one(read_format, &b, ret);
}
