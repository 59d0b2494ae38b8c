/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_perf_record: a stream of kernel records. The first byte chooses the layout (bits 0, 1, 3;
 * bit 2: every record has a trailer; 4: arm64; 5: every register that may be) and the second
 * the read format (bit 7: samples have it); then records follow, each as long as its header says or
 * the rest of the input. Bit 6 of the second byte: raw data is that of perf's offcpu-time.
 */
#include "format/perf/perf_record.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint64_t layouts[] = {
	WP_PERF_SAMPLE_IDENTIFIER | WP_PERF_SAMPLE_IP | WP_PERF_SAMPLE_TID | WP_PERF_SAMPLE_TIME |
		WP_PERF_SAMPLE_CPU | WP_PERF_SAMPLE_PERIOD,
	WP_PERF_SAMPLE_IP | WP_PERF_SAMPLE_TID | WP_PERF_SAMPLE_ID,
	UINT64_MAX,
	0,
	WP_PERF_SAMPLE_IDENTIFIER | WP_PERF_SAMPLE_IP | WP_PERF_SAMPLE_CALLCHAIN |
		WP_PERF_SAMPLE_REGS_USER | WP_PERF_SAMPLE_STACK_USER,
	WP_PERF_SAMPLE_IDENTIFIER | WP_PERF_SAMPLE_IP | WP_PERF_SAMPLE_CALLCHAIN,
	WP_PERF_SAMPLE_IDENTIFIER | WP_PERF_SAMPLE_IP | WP_PERF_SAMPLE_REGS_USER |
		WP_PERF_SAMPLE_STACK_USER,
	UINT64_MAX & ~(uint64_t)(WP_PERF_SAMPLE_READ | WP_PERF_SAMPLE_RAW),
};

static volatile uint64_t sink;

/* So must every byte of a stack. */
static void touch_stack(const struct wp_stack_raw *raw)
{
	for (size_t i = 0; i < raw->n_kernel; i++)
		sink += raw->kernel_ips[i];
	for (size_t i = 0; i < raw->n_user; i++)
		sink += raw->user_ips[i];
	for (size_t i = 0; raw->regs && i < WP_REGS_MAX; i++)
		sink += raw->regs->r[i];
	for (size_t i = 0; i < raw->dump_bytes; i++)
		sink += raw->dump[i];
}

static void touch_regs(const struct wp_data_regs *regs)
{
	for (int i = 0; regs->values && i < __builtin_popcountll(regs->mask); i++)
		sink += regs->values[i];
}

static void touch_data(const struct wp_sample_data *data)
{
	for (size_t i = 0; i < data->n_branches; i++)
		sink += data->branches[i].flags;
	for (size_t i = 0; i < data->n_readings; i++)
		sink += data->readings[i].value;
	touch_regs(&data->user_regs);
	touch_regs(&data->intr_regs);
}

/* Every byte of a string must be ours. */
static void touch(const struct wp_record *r)
{
	if (r->kind == WP_RECORD_SAMPLE && r->sample.stack)
		touch_stack(r->sample.stack);
	if (r->kind == WP_RECORD_SAMPLE && r->sample.data)
		touch_data(r->sample.data);
	if (r->kind == WP_RECORD_CGROUP)
		sink += strlen(r->cgroup.path);
	if (r->kind == WP_RECORD_MAP)
		sink += strlen(r->map.path) + r->map.build_id[r->map.build_id_len / 2];
	if (r->kind == WP_RECORD_COMM)
		sink += strlen(r->comm.name);
}

static void parse(const struct wp_perf_layout *layout, const void *bytes, size_t n)
{
	struct wp_record record;
	uint64_t time_ns = 0;

	if (wp_perf_record_time(layout, bytes, n, &time_ns) == WP_PERF_PARSED)
		sink += time_ns;
	sink += wp_perf_record_head_bytes(layout);
	if (wp_perf_record_parse(layout, bytes, n, &record) != WP_PERF_PARSED)
		return;
	touch(&record);
	for (size_t i = 0; record.kind == WP_RECORD_SAMPLE && i < record.sample.payload_bytes; i++)
		sink += ((const uint8_t *)record.sample.payload)[i];
}

/* Records in rings are aligned, and parts of them used where they lie; here without a neighbour. */
static void parse_aligned(const struct wp_perf_layout *layout, const void *bytes, size_t n)
{
	void *own = malloc(n);

	if (!own)
		abort();
	memcpy(own, bytes, n);
	parse(layout, own, n);
	free(own);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_map ids = {0};
	static struct wp_perf_data more;
	static struct wp_perf_stack stack;
	struct wp_perf_layout layout = {.event_of_id = &ids, .stack = &stack};
	struct wp_perf_reading readings[8];
	size_t at = 2;

	if (size < 2)
		return 0;
	*wp_map_put(&ids, 42) = 1;
	layout.sample_type = layouts[(data[0] & 3) | (data[0] >> 1 & 4)];
	layout.sample_id_all = data[0] & 4;
	layout.regs.arm64 = data[0] & 16;
	layout.regs.mask = data[0] & 32	       ? UINT64_MAX
			   : layout.regs.arm64 ? WP_PERF_REGS_ARM64
					       : WP_PERF_REGS_X86_64;
	layout.regs.branch_type = (uint64_t)(data[0] & 64) << 11 | (uint64_t)(data[0] & 128) << 12;
	layout.read_format = data[1] & 0x80 ? data[1] & 0x1f : 0;
	layout.payloads = data[1] & 0x40;
	layout.raw_waits = layout.payloads ? 2 : 0;
	wp_perf_layout_shape(&layout, layout.regs.mask, data[0] & 4);
	sink += wp_perf_reading_parse(data[1], data + 2, size - 2, readings, 8);
	while (size - at >= 8) {
		size_t n = data[at + 6] | (size_t)data[at + 7] << 8;

		if (n < 8 || n > size - at)
			n = size - at;
		parse(&layout, data + at, n);
		layout.data = &more;
		layout.payloads = true;
		parse_aligned(&layout, data + at, n);
		layout.data = NULL;
		layout.payloads = false;
		at += n;
	}
	wp_map_deinit(&ids);
	return 0;
}
