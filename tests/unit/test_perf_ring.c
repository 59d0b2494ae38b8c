/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_ring and perf_merge: a ring in ordinary memory, wrapped and damaged; records in time order.
 */
#include "source/perf/perf_merge.h"
#include "source/perf/perf_ring.h"

#include "check.h"

#include <linux/perf_event.h>

#define RING_BYTES 256

static struct perf_event_mmap_page control;
static uint8_t memory[RING_BYTES];

static struct wp_perf_ring fake(void)
{
	memset(&control, 0, sizeof(control));
	return (struct wp_perf_ring){.control = &control, .data = memory, .size = RING_BYTES};
}

/* As the kernel does: a record of n bytes filled with `fill`, wrapping where the ring ends. */
static void kernel_writes(uint16_t n, uint8_t fill)
{
	struct perf_event_header header = {.type = fill, .size = n};
	uint8_t record[RING_BYTES];

	memset(record, fill, sizeof(record));
	memcpy(record, &header, sizeof(header));
	for (uint16_t i = 0; i < n; i++)
		memory[(control.data_head + i) % RING_BYTES] = record[i];
	control.data_head += n;
}

static void test_wrap(void)
{
	struct wp_perf_ring ring = fake();
	const uint8_t *record;
	size_t size, wrapped = 0;

	for (int i = 0; i < 1000; i++) {
		uint16_t n = (uint16_t)(8 + i % 13 * 8);

		kernel_writes(n, (uint8_t)i);
		wp_perf_ring_begin(&ring);
		record = wp_perf_ring_next(&ring, &size);
		CHECK(record && size == n);
		CHECK(record && (n == 8 || record[n - 1] == (uint8_t)i));
		wrapped += record == ring.scratch;
		CHECK(!wp_perf_ring_next(&ring, &size));
		wp_perf_ring_end(&ring);
		CHECK_U64(control.data_tail, control.data_head);
	}
	CHECK(wrapped > 50);
	CHECK_U64(ring.damaged, 0);
	free(ring.scratch);
}

static void test_several_then_more(void)
{
	struct wp_perf_ring ring = fake();
	size_t size;

	kernel_writes(16, 1);
	kernel_writes(24, 2);
	wp_perf_ring_begin(&ring);
	kernel_writes(32, 3); /* comes too late for this drain */
	CHECK(wp_perf_ring_next(&ring, &size) && size == 16);
	CHECK(wp_perf_ring_next(&ring, &size) && size == 24);
	CHECK(!wp_perf_ring_next(&ring, &size));
	CHECK_U64(control.data_tail, 0);
	wp_perf_ring_end(&ring);
	CHECK_U64(control.data_tail, 40);
	wp_perf_ring_begin(&ring);
	CHECK(wp_perf_ring_next(&ring, &size) && size == 32);
	wp_perf_ring_end(&ring);
}

static void damage(uint16_t size_field, uint64_t head)
{
	struct wp_perf_ring ring = fake();
	size_t size;

	kernel_writes(64, 1);
	memcpy(memory + 6, &size_field, 2);
	control.data_head = head;
	wp_perf_ring_begin(&ring);
	CHECK(!wp_perf_ring_next(&ring, &size));
	wp_perf_ring_end(&ring);
	CHECK_U64(ring.damaged, 1);
	CHECK_U64(control.data_tail, head);
	free(ring.scratch);
}

static void test_damage(void)
{
	damage(0, 64);
	damage(7, 64);
	damage(72, 64);
	damage(65535, 64);
	damage(64, 4);		/* not even a header */
	damage(64, 64 + 10000); /* more than fits */
}

static struct wp_record at(uint64_t time_ns, uint32_t cpu)
{
	return (struct wp_record){.kind = WP_RECORD_SAMPLE, .time_ns = time_ns, .cpu = cpu};
}

static void add(struct wp_perf_merge *merge, uint64_t time_ns, uint32_t cpu)
{
	struct wp_record record = at(time_ns, cpu);

	wp_perf_merge_add(merge, &record);
}

static void test_merge_order(void)
{
	struct wp_perf_merge merge = {0};
	struct wp_batch batch;

	add(&merge, 10, 0);
	add(&merge, 30, 0);
	add(&merge, 10, 1);
	add(&merge, 20, 1);
	batch = wp_perf_merge_take(&merge, 15);
	CHECK_U64(batch.n, 2);
	CHECK_U64(batch.records[0].cpu, 0);
	CHECK_U64(batch.records[1].cpu, 1);
	/* A CPU that was late overtakes nothing: 18 was held back for. */
	add(&merge, 18, 1);
	batch = wp_perf_merge_take(&merge, 25);
	CHECK_U64(batch.n, 2);
	CHECK_U64(batch.records[0].time_ns, 18);
	CHECK_U64(batch.records[1].time_ns, 20);
	batch = wp_perf_merge_take(&merge, 25);
	CHECK_U64(batch.n, 0);
	batch = wp_perf_merge_take(&merge, UINT64_MAX);
	CHECK_U64(batch.n, 1);
	CHECK_U64(merge.late, 0);
	add(&merge, 5, 0);
	batch = wp_perf_merge_take(&merge, UINT64_MAX);
	CHECK_U64(batch.n, 1);
	CHECK_U64(merge.late, 1);
	wp_perf_merge_deinit(&merge);
}

/* Strings of held records live on when the batch they came with has gone. */
static void test_merge_strings(void)
{
	struct wp_perf_merge merge = {0};
	struct wp_record comm = {.kind = WP_RECORD_COMM, .time_ns = 100};
	struct wp_record map = {.kind = WP_RECORD_MAP, .time_ns = 101};
	char name[] = "name", path[] = "/tmp/x (deleted)";
	struct wp_batch batch;

	comm.comm.name = name;
	map.map.path = path;
	add(&merge, 1, 0);
	wp_perf_merge_add(&merge, &comm);
	wp_perf_merge_add(&merge, &map);
	memset(name, 'X', sizeof(name) - 1);
	memset(path, 'X', sizeof(path) - 1);
	for (uint64_t i = 1; i < 50; i++) {
		batch = wp_perf_merge_take(&merge, i);
		CHECK_U64(batch.n, 1);
		wp_perf_merge_begin(&merge);
		add(&merge, i + 1, 0);
	}
	batch = wp_perf_merge_take(&merge, 200);
	CHECK_U64(batch.n, 3);
	CHECK_STR(batch.records[1].comm.name, "name");
	CHECK_STR(batch.records[2].map.path, "/tmp/x");
	wp_perf_merge_deinit(&merge);
}

/* So do stacks. */
static void test_merge_stacks(void)
{
	struct wp_perf_merge merge = {0};
	struct wp_record sample = {.kind = WP_RECORD_SAMPLE, .time_ns = 100};
	uint64_t kernel[] = {1, 2}, user[] = {3};
	struct wp_stack_regs regs = {.r = {[7] = 77}, .valid = 1 << 7};
	uint8_t dump[100] = {[99] = 9};
	struct wp_stack_raw raw = {
		.kernel_ips = kernel,
		.n_kernel = 2,
		.user_ips = user,
		.n_user = 1,
		.regs = &regs,
		.dump = dump,
		.dump_bytes = sizeof(dump),
	};
	const struct wp_stack_raw *kept;
	struct wp_batch batch;

	sample.sample.stack = &raw;
	add(&merge, 1, 0);
	wp_perf_merge_add(&merge, &sample);
	memset(kernel, 0, sizeof(kernel));
	memset(user, 0, sizeof(user));
	memset(&regs, 0, sizeof(regs));
	memset(dump, 0, sizeof(dump));
	memset(&raw, 0, sizeof(raw));
	batch = wp_perf_merge_take(&merge, 50);
	CHECK_U64(batch.n, 1);
	batch = wp_perf_merge_take(&merge, 100);
	CHECK_U64(batch.n, 1);
	kept = batch.records[0].sample.stack;
	CHECK_U64(kept->kernel_ips[1], 2);
	CHECK_U64(kept->user_ips[0], 3);
	CHECK_U64(kept->regs->r[7], 77);
	CHECK_U64(kept->dump[99], 9);
	CHECK(!kept->walked);
	wp_perf_merge_deinit(&merge);
}

static void test_merge_many(void)
{
	struct wp_perf_merge merge = {0};
	struct wp_batch batch;
	uint64_t x = 88172645463325252u, last = 0;
	size_t got = 0;

	for (uint64_t round = 0; round <= 100; round++) {
		wp_perf_merge_begin(&merge);
		for (int i = 0; round < 100 && i < 200; i++) {
			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			/* As late as one round. */
			add(&merge, 1000 + round * 100 + x % 200, 0);
		}
		batch = wp_perf_merge_take(&merge, round == 100 ? UINT64_MAX : 999 + round * 100);
		for (size_t i = 0; i < batch.n; i++) {
			CHECK(batch.records[i].time_ns >= last);
			last = batch.records[i].time_ns;
		}
		got += batch.n;
	}
	CHECK_U64(got, 20000);
	CHECK_U64(merge.late, 0);
	wp_perf_merge_deinit(&merge);
}

int main(void)
{
	RUN(test_wrap);
	RUN(test_several_then_more);
	RUN(test_damage);
	RUN(test_merge_order);
	RUN(test_merge_strings);
	RUN(test_merge_stacks);
	RUN(test_merge_many);
	return check_done();
}
