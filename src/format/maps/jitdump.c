/* SPDX-License-Identifier: BSD-3-Clause */
/* jitdump: see jitdump.h. */
#include "format/maps/jitdump.h"

#define MAGIC	       0x4a695444u /* "JiTD" as the writer's integer */
#define HEADER_SIZE    40
#define RECORD_HEADER  16
#define FLAG_ARCH_TIME 1

enum {
	ID_LOAD,
	ID_MOVE,
	ID_DEBUG_INFO,
	ID_CLOSE,
	ID_UNWIND,
};

enum wp_jitdump_status wp_jitdump_header(struct wp_bytes *b, struct wp_jitdump_header *ret)
{
	struct wp_bytes at = *b;
	uint32_t magic = wp_bytes_u32(&at);
	uint32_t version = wp_bytes_u32(&at);
	uint32_t size = wp_bytes_u32(&at);

	if (at.failed)
		return WP_JITDUMP_MORE;
	if (magic != MAGIC || version != 1 || size < HEADER_SIZE || size > 1 << 16)
		return WP_JITDUMP_BAD;
	struct wp_jitdump_header header = {.version = version, .elf_machine = wp_bytes_u32(&at)};
	wp_bytes_u32(&at);
	header.pid = wp_bytes_u32(&at);
	header.time = wp_bytes_u64(&at);
	header.arch_time = wp_bytes_u64(&at) & FLAG_ARCH_TIME;
	wp_bytes_skip(&at, size - HEADER_SIZE);
	if (at.failed)
		return WP_JITDUMP_MORE;
	*b = at;
	*ret = header;
	return WP_JITDUMP_OK;
}

static void read_load(struct wp_bytes *body, struct wp_jitdump_record *ret)
{
	ret->kind = WP_JITDUMP_LOAD;
	wp_bytes_skip(body, 16); /* pid, tid, vma: the address where it was compiled */
	ret->start = wp_bytes_u64(body);
	ret->size = wp_bytes_u64(body);
	ret->index = wp_bytes_u64(body);
	ret->name = wp_bytes_str(body, WP_JITDUMP_MAX_RECORD);
}

static void read_move(struct wp_bytes *body, struct wp_jitdump_record *ret)
{
	ret->kind = WP_JITDUMP_MOVE;
	wp_bytes_skip(body, 16); /* pid, tid, vma */
	ret->old_start = wp_bytes_u64(body);
	ret->start = wp_bytes_u64(body);
	ret->size = wp_bytes_u64(body);
	ret->index = wp_bytes_u64(body);
}

/* The specification has the table first; perf and V8, who read and write it, have it last. */
static void unwinding(struct wp_bytes *body, struct wp_jitdump_record *ret)
{
	uint64_t size = wp_bytes_u64(body);
	uint64_t table = wp_bytes_u64(body);

	ret->kind = WP_JITDUMP_UNWIND;
	wp_bytes_skip(body, 8); /* how much of it the process has mapped */
	if (body->failed || size > wp_bytes_left(body) || table > size) {
		ret->kind = WP_JITDUMP_OTHER;
		return;
	}
	ret->eh_frame_size = (size_t)(size - table);
	ret->eh_frame = wp_bytes_take(body, ret->eh_frame_size);
}

enum wp_jitdump_status wp_jitdump_next(struct wp_bytes *b, struct wp_jitdump_record *ret)
{
	struct wp_bytes at = *b;
	uint32_t id = wp_bytes_u32(&at);
	uint32_t size = wp_bytes_u32(&at);
	struct wp_jitdump_record record = {.kind = WP_JITDUMP_OTHER, .time = wp_bytes_u64(&at)};

	if (at.failed)
		return WP_JITDUMP_MORE;
	if (size < RECORD_HEADER || size > WP_JITDUMP_MAX_RECORD)
		return WP_JITDUMP_BAD;
	if (size - RECORD_HEADER > wp_bytes_left(&at))
		return WP_JITDUMP_MORE;
	struct wp_bytes body = wp_bytes_sub(&at, size - RECORD_HEADER);
	if (id == ID_LOAD)
		read_load(&body, &record);
	else if (id == ID_MOVE)
		read_move(&body, &record);
	else if (id == ID_UNWIND)
		unwinding(&body, &record);
	else if (id == ID_CLOSE)
		record.kind = WP_JITDUMP_CLOSE;
	/* The record's own length is sound, so one that lies inside is skipped alone. */
	if (body.failed || record.size > UINT64_MAX - record.start)
		record.kind = WP_JITDUMP_OTHER;
	*b = at;
	*ret = record;
	return WP_JITDUMP_OK;
}
