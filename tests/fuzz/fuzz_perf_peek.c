/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_perf_peek: a ring as a pinned reader sees it. The first byte chooses the layout (bits 0 to
 * 2; bit 3: arm64), the second how much has been taken, the third where in the ring the bytes
 * begin; the rest are records, which wrap.
 */
#include "source/perf/perf_attr.h"
#include "source/pinned/pinned_look.h"

#include <linux/perf_event.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEAD_BYTES 3
#define RING_BYTES (1u << 16)

static const uint64_t layouts[8] = {
	WP_PERF_SAMPLE_TYPE | WP_PERF_SAMPLE_REGS_USER | WP_PERF_SAMPLE_STACK_USER,
	WP_PERF_SAMPLE_TYPE,
	WP_PERF_SAMPLE_TYPE | WP_PERF_SAMPLE_CALLCHAIN | WP_PERF_SAMPLE_REGS_USER,
	WP_PERF_SAMPLE_IP,
	0,
	UINT64_MAX,
	UINT64_MAX &
		~(uint64_t)(WP_PERF_SAMPLE_READ | WP_PERF_SAMPLE_RAW | WP_PERF_SAMPLE_BRANCH_STACK),
	WP_PERF_SAMPLE_TID | WP_PERF_SAMPLE_TIME,
};

static volatile uint64_t sink;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t memory[RING_BYTES];
	struct perf_event_mmap_page control = {0};
	struct wp_perf_ring ring = {.control = &control, .data = memory, .size = RING_BYTES};
	struct wp_perf_layout layout = {.sample_id_all = true};
	static struct wp_pinned_look look;

	if (size < HEAD_BYTES || size - HEAD_BYTES > RING_BYTES)
		return 0;
	memset(&look, 0, sizeof(look));
	layout.sample_type = layouts[data[0] & 7];
	layout.regs.arm64 = data[0] & 8;
	layout.regs.mask = layout.regs.arm64 ? WP_PERF_REGS_ARM64 : WP_PERF_REGS_X86_64;
	look.at = (uint64_t)data[2] << 8;
	control.data_tail = look.at + data[1];
	control.data_head = look.at + (size - HEAD_BYTES);
	for (size_t i = HEAD_BYTES; i < size; i++)
		memory[(look.at + i - HEAD_BYTES) % RING_BYTES] = data[i];
	wp_pinned_look(&look, &ring, &layout);
	for (size_t i = 0; i < look.n; i++)
		sink += look.v[i].pid + look.v[i].out_ns + look.v[i].user.sp + look.v[i].user.n;
	sink += wp_pinned_look_parent(&ring, &layout, 21);
	return 0;
}
