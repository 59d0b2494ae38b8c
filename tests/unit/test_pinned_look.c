/* SPDX-License-Identifier: BSD-3-Clause */
/* What pinned readers see in a ring that the kernel writes and the main thread empties. */
#include "source/perf/perf_attr.h"
#include "source/pinned/pinned_look.h"

#include "check.h"

#include <linux/perf_event.h>

#define RING_BYTES 4096

static struct perf_event_mmap_page control;
static uint8_t memory[RING_BYTES];
static const struct wp_perf_layout layout = {
	.sample_type = WP_PERF_SAMPLE_TYPE | WP_PERF_SAMPLE_REGS_USER | WP_PERF_SAMPLE_STACK_USER,
	.sample_id_all = true,
	.regs = {false, WP_PERF_REGS_X86_64},
};

static struct wp_perf_ring fake(void)
{
	memset(&control, 0, sizeof(control));
	return (struct wp_perf_ring){.control = &control, .data = memory, .size = RING_BYTES};
}

/* ---- records, as the kernel writes them ---- */

struct bytes {
	uint8_t v[1024];
	size_t n;
};

static void put32(struct bytes *b, uint32_t value)
{
	memcpy(b->v + b->n, &value, 4);
	b->n += 4;
}

static void put64(struct bytes *b, uint64_t value)
{
	memcpy(b->v + b->n, &value, 8);
	b->n += 8;
}

static void kernel_writes(uint32_t type, uint16_t misc, const struct bytes *body)
{
	struct perf_event_header header = {type, misc, (uint16_t)(sizeof(header) + body->n)};
	uint8_t record[sizeof(header) + sizeof(body->v)];

	memcpy(record, &header, sizeof(header));
	memcpy(record + sizeof(header), body->v, body->n);
	for (size_t i = 0; i < header.size; i++)
		memory[(control.data_head + i) % RING_BYTES] = record[i];
	control.data_head += header.size;
}

/* pid tid, time, cpu, identifier */
static void put_trailer(struct bytes *b, uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	put32(b, pid);
	put32(b, tid);
	put64(b, time_ns);
	put64(b, 0);
	put64(b, 77);
}

static void write_sample(uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	struct bytes b = {.n = 0};

	put64(&b, 77);
	put64(&b, 0x401000);
	put32(&b, pid);
	put32(&b, tid);
	put64(&b, time_ns);
	put64(&b, 0);
	put64(&b, 1);
	put64(&b, 2); /* 64-bit registers */
	for (int i = 0; i < __builtin_popcountll(WP_PERF_REGS_X86_64); i++)
		put64(&b, 0x1000u + (uint64_t)i);
	put64(&b, 64); /* of stack */
	for (int i = 0; i < 8; i++)
		put64(&b, 0);
	put64(&b, 64);
	kernel_writes(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &b);
}

static void write_switch(bool out, uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	struct bytes b = {.n = 0};

	put_trailer(&b, pid, tid, time_ns);
	kernel_writes(PERF_RECORD_SWITCH, out ? PERF_RECORD_MISC_SWITCH_OUT : 0, &b);
}

static void write_wide_switch(bool out, uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	struct bytes b = {.n = 0};

	put32(&b, 1);
	put32(&b, 1);
	put_trailer(&b, pid, tid, time_ns);
	kernel_writes(PERF_RECORD_SWITCH_CPU_WIDE, out ? PERF_RECORD_MISC_SWITCH_OUT : 0, &b);
}

static void write_fork(uint32_t pid, uint32_t parent)
{
	struct bytes b = {.n = 0};

	put32(&b, pid);
	put32(&b, parent);
	put32(&b, pid);
	put32(&b, parent);
	put64(&b, 1);
	put_trailer(&b, parent, parent, 1);
	kernel_writes(PERF_RECORD_FORK, 0, &b);
}

static void write_exec(uint32_t pid)
{
	struct bytes b = {.n = 0};

	put32(&b, pid);
	put32(&b, pid);
	put64(&b, 0x68736162); /* "bash" */
	put_trailer(&b, pid, pid, 1);
	kernel_writes(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, &b);
}

/* ---- looks ---- */

static void test_sees_samples_and_switches(void)
{
	struct wp_perf_ring ring = fake();
	struct wp_pinned_look look = {0};

	write_sample(10, 11, 1000);
	write_switch(true, 10, 11, 1005);
	write_switch(false, 10, 12, 1006);
	wp_pinned_look(&look, &ring, &layout);
	CHECK_U64(look.n, 1);
	CHECK_U64(look.v[0].pid, 10);
	CHECK_U64(look.v[0].tid, 11);
	CHECK_U64(look.v[0].time_ns, 1000);
	CHECK_U64(look.v[0].out_ns, 1005);
	CHECK_U64(look.v[0].user.sp, 0x1007);
	CHECK_U64(look.v[0].user.ip, 0x1008);
	/* Nothing was taken out, and it is not seen twice. */
	CHECK_U64(control.data_tail, 0);
	wp_pinned_look(&look, &ring, &layout);
	CHECK_U64(look.n, 0);
	CHECK_U64(look.overtaken, 0);
}

static void test_switch_of_another_thread_is_no_proof(void)
{
	struct wp_perf_ring ring = fake();
	struct wp_pinned_look look = {0};

	write_wide_switch(true, 10, 11, 990); /* before the sample */
	write_sample(10, 11, 1000);
	write_wide_switch(true, 10, 12, 1002);
	write_wide_switch(false, 10, 11, 1003);
	wp_pinned_look(&look, &ring, &layout);
	CHECK_U64(look.n, 1);
	CHECK_U64(look.v[0].out_ns, 0);
}

static void test_wraps_and_many(void)
{
	struct wp_perf_ring ring = fake();
	struct wp_pinned_look look = {0};
	size_t size;

	for (uint64_t i = 0; i < 500; i++) {
		write_sample(10, 11, 1000 + i * 10);
		write_switch(true, 10, 11, 1005 + i * 10);
		wp_pinned_look(&look, &ring, &layout);
		CHECK(look.n == 1 && look.v[0].time_ns == 1000 + i * 10 &&
		      look.v[0].out_ns == 1005 + i * 10 && look.v[0].user.sp == 0x1007);
		wp_perf_ring_begin(&ring);
		while (wp_perf_ring_next(&ring, &size))
			;
		wp_perf_ring_end(&ring);
	}
	CHECK_U64(look.overtaken, 0);
	free(ring.scratch);
}

static void test_main_thread_is_faster(void)
{
	struct wp_perf_ring ring = fake();
	struct wp_pinned_look look = {0};
	uint64_t middle;

	write_sample(10, 11, 1000);
	middle = control.data_head;
	write_sample(10, 11, 2000);
	control.data_tail = middle;
	wp_pinned_look(&look, &ring, &layout);
	CHECK_U64(look.n, 1);
	CHECK_U64(look.v[0].time_ns, 2000);
	CHECK_U64(look.overtaken, 1);
}

static void test_young_records_stay(void)
{
	struct wp_perf_ring ring = fake();
	uint64_t middle;
	size_t size;

	write_switch(true, 1, 1, 1);
	middle = control.data_head;
	write_sample(10, 11, 1000);
	wp_perf_ring_begin(&ring);
	CHECK(wp_perf_ring_next(&ring, &size));
	CHECK(wp_perf_ring_next(&ring, &size));
	wp_perf_ring_unread(&ring, size);
	wp_perf_ring_end(&ring);
	CHECK_U64(control.data_tail, middle);
}

static void test_damage(void)
{
	struct wp_perf_ring ring = fake();
	struct wp_pinned_look look = {0};
	struct bytes nothing = {.n = 0};

	/* Types that want more than the record has. */
	kernel_writes(PERF_RECORD_SAMPLE, 0, &nothing);
	kernel_writes(PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, &nothing);
	write_sample(10, 11, 1000);
	wp_pinned_look(&look, &ring, &layout);
	CHECK_U64(look.n, 1);
	/* A size that makes no sense, one that reaches beyond the head, a head that cannot be. */
	kernel_writes(0, 0, &nothing);
	memory[(control.data_head - 2) % RING_BYTES] = 3;
	wp_pinned_look(&look, &ring, &layout);
	CHECK_U64(look.n, 0);
	CHECK_U64(look.at, control.data_head);
	kernel_writes(PERF_RECORD_SWITCH, 0, &nothing);
	memory[(control.data_head - 1) % RING_BYTES] = 0xff;
	wp_pinned_look(&look, &ring, &layout);
	CHECK_U64(look.at, control.data_head);
	control.data_head += 10 * RING_BYTES;
	wp_pinned_look(&look, &ring, &layout);
	CHECK_U64(look.at, control.data_head);
}

static void test_parents(void)
{
	struct wp_perf_ring ring = fake();

	write_fork(21, 20);
	write_fork(22, 20);
	write_exec(22);
	write_fork(23, 23); /* a thread */
	CHECK_U64(wp_pinned_look_parent(&ring, &layout, 21), 20);
	CHECK_U64(wp_pinned_look_parent(&ring, &layout, 22), 0);
	CHECK_U64(wp_pinned_look_parent(&ring, &layout, 23), 0);
	CHECK_U64(wp_pinned_look_parent(&ring, &layout, 24), 0);
}

static void test_overflowing_look(void)
{
	static uint8_t large[1 << 16];
	struct wp_perf_ring ring = fake();
	struct wp_pinned_look look = {0};

	for (uint64_t i = 0; i < WP_PINNED_SIGHTINGS + 5; i++) {
		control.data_head = 0;
		write_sample(10, 11, i);
		memcpy(large + i * control.data_head, memory, control.data_head);
	}
	control.data_head *= WP_PINNED_SIGHTINGS + 5;
	ring.data = large;
	ring.size = sizeof(large);
	wp_pinned_look(&look, &ring, &layout);
	CHECK_U64(look.n, WP_PINNED_SIGHTINGS);
	CHECK_U64(look.dropped, 5);
	CHECK_U64(look.v[0].time_ns, 5);
	CHECK_U64(look.v[WP_PINNED_SIGHTINGS - 1].time_ns, WP_PINNED_SIGHTINGS + 4);
}

int main(void)
{
	RUN(test_sees_samples_and_switches);
	RUN(test_switch_of_another_thread_is_no_proof);
	RUN(test_wraps_and_many);
	RUN(test_main_thread_is_faster);
	RUN(test_young_records_stay);
	RUN(test_damage);
	RUN(test_parents);
	RUN(test_overflowing_look);
	return check_done();
}
