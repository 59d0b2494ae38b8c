/* The pinned readers' parts, without threads: what is seen in a ring, the queue, the plans of
 * processes, and the proof that frames are of their sample's instant. */
#include "source/pinned_code.h"
#include "source/pinned_look.h"
#include "source/pinned_memory.h"
#include "source/pinned_plans.h"
#include "source/pinned_proof.h"
#include "source/pinned_queue.h"
#include "source/pinned_threads.h"
#include "source/perf_attr.h"

#include "check.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

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
	CHECK_U64(look.v[0].sp, 0x1007);
	CHECK_U64(look.v[0].ip, 0x1008);
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
		      look.v[0].out_ns == 1005 + i * 10 && look.v[0].sp == 0x1007);
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

/* ---- the queue ---- */

static void test_queue(void)
{
	struct wp_pinned_queue queue;
	uint8_t message[64], got[64];
	struct wp_pinned_part parts[2] = {{message, 0}, {message, 0}};
	size_t pushed = 0, taken = 0;

	wp_pinned_queue_init(&queue, 256);
	CHECK_U64(wp_pinned_queue_next(&queue), 0);
	for (size_t i = 0; i < 2000; i++) {
		parts[0].n = 1 + i % 30;
		parts[1].n = i % 7;
		memset(message, (int)(pushed & 0xff), sizeof(message));
		if (wp_pinned_queue_push(&queue, parts, 2))
			pushed++;
		while (wp_pinned_queue_used(&queue) > 128) {
			size_t n = wp_pinned_queue_next(&queue);

			CHECK(n > 0 && n < sizeof(got));
			wp_pinned_queue_take(&queue, got);
			CHECK(got[0] == (taken & 0xff) && got[n - 1] == (taken & 0xff));
			taken++;
		}
	}
	CHECK_U64(pushed, 2000);
	parts[0].n = 250;
	CHECK(!wp_pinned_queue_push(&queue, parts, 2));
	wp_pinned_queue_deinit(&queue);
}

/* ---- plans ---- */

static void test_plans(void)
{
	struct wp_python_plan plan = {.generation = 1};
	struct wp_pinned_plans plans;
	const struct wp_pinned_table *table;

	wp_pinned_plans_init(&plans);
	wp_pinned_plans_readers(&plans, 2);
	wp_pinned_plans_set(&plans, 5, &plan, 1);
	table = wp_pinned_plans_enter(&plans, 1);
	plan.generation = 2;
	wp_pinned_plans_set(&plans, 5, &plan, 1);
	wp_pinned_plans_set(&plans, 6, &plan, 1);
	wp_pinned_plans_set(&plans, 5, NULL, 0);
	/* Who reads an old table still sees all of it. */
	CHECK_U64(wp_pinned_table_find(table, 5)->plans[0].generation, 1);
	CHECK(!wp_pinned_table_find(table, 6));
	CHECK_U64(plans.retired.n, 3);
	CHECK(!wp_pinned_plans_find(&plans, 5));
	CHECK_U64(wp_pinned_plans_find(&plans, 6)->plans[0].generation, 2);
	wp_pinned_plans_leave(&plans, 1);
	wp_pinned_plans_set(&plans, 7, &plan, 1);
	CHECK_U64(plans.retired.n, 0);
	table = wp_pinned_plans_enter(&plans, 0);
	CHECK(wp_pinned_table_find(table, 6)->version < wp_pinned_table_find(table, 7)->version);
	wp_pinned_plans_leave(&plans, 0);
	wp_pinned_plans_deinit(&plans);
}

/* ---- the proof ---- */

static const struct wp_python_slot frames[] = {
	{0x1000, WP_PYTHON_THREAD,
	 WP_PYTHON_THREAD_ID(0u, (uint32_t)WP_PYTHON_COMPLETE) | WP_PYTHON_GIL_KNOWN |
		 WP_PYTHON_GIL_HELD},
	{0x2000, 4, 99},
};

static struct wp_pinned_read read_of(uint64_t time_ns, uint64_t out_ns, uint64_t end_ns)
{
	return (struct wp_pinned_read){
		.pid = 10,
		.tid = 11,
		.time_ns = time_ns,
		.out_ns = out_ns,
		.begin_ns = out_ns + 1000,
		.end_ns = end_ns,
		.version = 3,
		.n = 2,
	};
}

/* How the frames of the sample at that time end; UINT32_MAX: it has none. */
static uint32_t end_of(struct wp_pinned_proof *proof, uint64_t time_ns, bool known)
{
	struct wp_record sample = {
		.kind = WP_RECORD_SAMPLE, .pid = 10, .tid = 11, .time_ns = time_ns};

	wp_pinned_proof_settle(proof);
	wp_pinned_proof_sample(proof, &sample, known);
	if (!sample.sample.stack || !sample.sample.stack->n_python)
		return UINT32_MAX;
	CHECK_U64((uint32_t)sample.sample.stack->python[0].lasti, (uint32_t)WP_PYTHON_THREAD);
	return WP_PYTHON_THREAD_END(sample.sample.stack->python[0].id);
}

static void test_proven(void)
{
	struct wp_pinned_proof proof = {0};
	struct wp_pinned_read read = read_of(1000000, 1005000, 1020000);
	struct wp_record sample = {
		.kind = WP_RECORD_SAMPLE, .pid = 10, .tid = 11, .time_ns = 1000000};

	wp_pinned_proof_begin(&proof);
	wp_pinned_proof_read(&proof, &read, frames);
	/* It was on a CPU before, and is again afterwards; others come and go. */
	wp_pinned_proof_arrival(&proof, 11, 990000);
	wp_pinned_proof_arrival(&proof, 12, 1010000);
	wp_pinned_proof_arrival(&proof, 11, 1020001);
	wp_pinned_proof_settle(&proof);
	wp_pinned_proof_sample(&proof, &sample, true);
	CHECK_U64(sample.sample.stack->n_python, 2);
	CHECK_U64(sample.sample.stack->python[0].id, frames[0].id);
	CHECK_U64(sample.sample.stack->python[1].addr, 0x2000);
	CHECK_U64(proof.tally.proven, 1);
	wp_pinned_proof_deinit(&proof);
}

static void check_late(const struct wp_pinned_read *read, uint64_t arrival_ns)
{
	struct wp_pinned_proof proof = {0};

	wp_pinned_proof_begin(&proof);
	wp_pinned_proof_read(&proof, read, frames);
	if (arrival_ns)
		wp_pinned_proof_arrival(&proof, 11, arrival_ns);
	CHECK_U64(end_of(&proof, 1000000, true), WP_PYTHON_LATE);
	CHECK_U64(proof.tally.late, 1);
	CHECK_U64(proof.tally.proven, 0);
	wp_pinned_proof_deinit(&proof);
}

static void test_late(void)
{
	struct wp_pinned_read good = read_of(1000000, 1005000, 1020000), bad;

	bad = read_of(1000000, 0, 1020000); /* it never left the CPU */
	check_late(&bad, 0);
	bad = read_of(1000000, 1000000 + WP_PINNED_GAP_NS, 1100000); /* it left too late */
	check_late(&bad, 0);
	bad = good;
	bad.begin_ns = 1004999; /* the read began before it left */
	check_late(&bad, 0);
	check_late(&good, 1005001); /* it came back, on whatever CPU, while it was read */
	check_late(&good, 1020000);
}

static void test_full_ring_is_no_proof(void)
{
	struct wp_pinned_proof proof = {0};
	struct wp_pinned_read read = read_of(1000000, 1005000, 1020000);

	wp_pinned_proof_read(&proof, &read, frames);
	wp_pinned_proof_doubt(&proof, 1010000, 1030000);
	CHECK_U64(end_of(&proof, 1000000, true), WP_PYTHON_LATE);
	wp_pinned_proof_end(&proof, 2000000);
	wp_pinned_proof_begin(&proof);
	/* What comes later is not doubted. */
	read = read_of(3000000, 3005000, 3020000);
	wp_pinned_proof_read(&proof, &read, frames);
	CHECK_U64(end_of(&proof, 3000000, true), WP_PYTHON_COMPLETE);
	wp_pinned_proof_deinit(&proof);
}

static void test_missed_and_unknown(void)
{
	struct wp_pinned_proof proof = {0};

	CHECK_U64(end_of(&proof, 1000000, true), WP_PYTHON_LATE);
	CHECK_U64(proof.tally.missed, 1);
	CHECK_U64(end_of(&proof, 1000000, false), UINT32_MAX);
	wp_pinned_proof_deinit(&proof);
}

static void test_exec_voids_older_plans(void)
{
	struct wp_pinned_proof proof = {0};
	struct wp_pinned_read before = read_of(1000000, 1005000, 1020000);
	struct wp_pinned_read after = read_of(2000000, 2005000, 2020000);
	struct wp_pinned_read again = read_of(3000000, 3005000, 3020000);

	again.version = 4;
	wp_pinned_proof_read(&proof, &before, frames);
	wp_pinned_proof_read(&proof, &after, frames);
	wp_pinned_proof_read(&proof, &again, frames);
	CHECK_U64(end_of(&proof, 1000000, true), WP_PYTHON_COMPLETE);
	wp_pinned_proof_exec(&proof, 10, 3);
	CHECK_U64(end_of(&proof, 2000000, true), UINT32_MAX);
	CHECK_U64(end_of(&proof, 3000000, true), WP_PYTHON_COMPLETE);
	CHECK_U64(proof.tally.obsolete, 1);
	wp_pinned_proof_deinit(&proof);
}

static void test_horizon_and_rounds(void)
{
	struct wp_pinned_proof proof = {0};
	struct wp_pinned_read first = read_of(1000, 1500, 1900), second = read_of(2000, 2500, 2900);

	wp_pinned_proof_begin(&proof);
	wp_pinned_proof_read(&proof, &first, frames);
	wp_pinned_proof_read(&proof, &second, frames);
	CHECK_U64(wp_pinned_proof_horizon(&proof, 5000), 5000);
	/* The second read had not ended: its sample waits. */
	CHECK_U64(wp_pinned_proof_horizon(&proof, 2600), 1999);
	CHECK_U64(wp_pinned_proof_horizon(&proof, 1950), 1950);
	wp_pinned_proof_arrival(&proof, 11, 1800);
	wp_pinned_proof_arrival(&proof, 11, 3000);
	CHECK_U64(end_of(&proof, 1000, true), WP_PYTHON_LATE);
	wp_pinned_proof_end(&proof, 1999);
	wp_pinned_proof_begin(&proof);
	CHECK_U64(proof.reads.n, 1);
	CHECK_U64(proof.slots.n, 2);
	CHECK_U64(proof.arrivals.n, 1);
	CHECK_U64(end_of(&proof, 2000, true), WP_PYTHON_COMPLETE);
	wp_pinned_proof_deinit(&proof);
}

/* ---- threads and code objects, in a made-up memory ---- */

static uint64_t image[512];
#define IMAGE 0x10000000ull

static bool read_image(void *arg, uint64_t addr, void *ret, size_t n)
{
	(void)arg;
	if (addr < IMAGE || addr - IMAGE > sizeof(image) || n > sizeof(image) - (addr - IMAGE))
		return false;
	memcpy(ret, (const uint8_t *)image + (addr - IMAGE), n);
	return true;
}

static const struct wp_memory image_memory = {.read = read_image};

static uint64_t *at(uint64_t offset)
{
	return &image[offset / 8];
}

/* Two interpreters; the second has two thread states. */
static struct wp_python_plan make_image(void)
{
	struct wp_python_plan plan = {
		.interpreters = IMAGE + 8,
		.interp_next = 0,
		.interp_threads = 8,
		.ts_next = 8,
		.ts_interp = 16,
		.ts_thread_id = 152,
		.tid = 720,
	};

	memset(image, 0, sizeof(image));
	*at(8) = IMAGE + 64;
	*at(64) = IMAGE + 96;	   /* next interpreter */
	*at(96 + 8) = IMAGE + 256; /* its first thread state */
	*at(256 + 8) = IMAGE + 512;
	*at(256 + 16) = IMAGE + 96;
	*at(256 + 152) = IMAGE + 1024; /* pthread_self() */
	*at(512 + 152) = IMAGE + 2048;
	*at(1024 + 720) = 501;
	*at(2048 + 720) = 502;
	return plan;
}

static void test_thread_pointers(void)
{
	struct wp_python_plan plan = make_image();
	struct wp_pinned_threads threads = {0};
	uint64_t pointer;

	CHECK(wp_pinned_threads_search(&image_memory, &plan, 501, &pointer));
	CHECK_U64(pointer, IMAGE + 1024);
	CHECK(wp_pinned_threads_search(&image_memory, &plan, 502, &pointer));
	CHECK_U64(pointer, IMAGE + 2048);
	CHECK(!wp_pinned_threads_search(&image_memory, &plan, 503, &pointer));
	/* arm64: the thread pointer is behind struct pthread. */
	plan.thread_id_bias = -64;
	plan.tid = 720 - 64;
	CHECK(wp_pinned_threads_search(&image_memory, &plan, 501, &pointer));
	CHECK_U64(pointer, IMAGE + 1024 + 64);
	/* A libc that does not say where the id is. */
	plan = make_image();
	plan.tid = 0;
	*at(1024 + 48) = 501;
	CHECK(wp_pinned_threads_search(&image_memory, &plan, 501, &pointer));
	CHECK(!wp_pinned_threads_search(&image_memory, &plan, 502, &pointer));
	/* No list, but the running thread. */
	plan = make_image();
	plan.interpreters = 0;
	plan.current = IMAGE + 16;
	*at(16) = IMAGE + 256;
	CHECK(wp_pinned_threads_search(&image_memory, &plan, 502, &pointer));
	/* A list without an end. */
	plan = make_image();
	*at(512 + 8) = IMAGE + 256;
	CHECK(!wp_pinned_threads_search(&image_memory, &plan, 503, &pointer));
	/* A thread that ended: its block is another one's. */
	plan = make_image();
	CHECK_U64(wp_pinned_threads_get(&threads, &image_memory, &plan, 500, 501)->pointer,
		  IMAGE + 1024);
	*at(1024 + 720) = 504;
	CHECK_U64(wp_pinned_threads_get(&threads, &image_memory, &plan, 500, 501)->pointer, 0);
	wp_pinned_threads_deinit(&threads);
}

static void test_code(void)
{
	/* 3.12: an ASCII name, a UCS-2 file name, a line table. */
	struct wp_python_plan plan = {
		.generation = 7,
		.str_length = 16,
		.str_state = 32,
		.str_ascii = 40,
		.str_compact = 56,
		.str_kind_shift = 2,
		.str_compact_shift = 5,
		.str_ascii_shift = 6,
		.bytes_size = 16,
		.bytes_data = 32,
	};
	struct wp_pinned_code code = {.addr = IMAGE,
				      .name = IMAGE,
				      .filename = IMAGE + 128,
				      .lines = IMAGE + 256,
				      .id = 5};
	struct wp_pinned_code_head head = {.pid = 10, .tid = 11, .time_ns = 12};
	struct wp_pinned_bytes data = {0};
	uint8_t message[1024];
	struct wp_record record;
	size_t n;

	memset(image, 0, sizeof(image));
	*at(16) = 4;
	*at(32) = 1 << 2 | 1 << 5 | 1 << 6;
	memcpy((uint8_t *)image + 40, "main", 4);
	*at(128 + 16) = 2;
	*at(128 + 32) = 2 << 2 | 1 << 5;
	memcpy((uint8_t *)image + 128 + 56, "\xe4\0\x42\x04", 4);
	*at(256 + 16) = 6;
	memcpy((uint8_t *)image + 256 + 32, "123456", 6);
	wp_pinned_code_capture(&image_memory, &plan, &code, &head, &data);
	memcpy(message, &head, sizeof(head));
	memcpy(message + sizeof(head), data.v.v, data.v.n);
	n = sizeof(head) + data.v.n;
	CHECK(wp_pinned_code_record(message, n, &record));
	CHECK_U64(record.kind, WP_RECORD_CODE);
	CHECK_U64(record.pid, 10);
	CHECK_U64(record.code.generation, 7);
	CHECK(record.code.name.width == 1 && record.code.name.length == 4 &&
	      memcmp(record.code.name.bytes, "main", 4) == 0);
	CHECK_U64(record.code.qualname.width, 0);
	CHECK(record.code.filename.width == 2 && record.code.filename.length == 2 &&
	      record.code.filename.n == 4 && record.code.filename.bytes[2] == 0x42);
	CHECK(record.code.lines_len == 6 && memcmp(record.code.lines, "123456", 6) == 0);
	for (size_t i = 0; i < n; i++)
		CHECK(!wp_pinned_code_record(message, i, &record));
	/* A table that is said to be longer than memory is: nothing of it, no crash. */
	*at(256 + 16) = UINT64_MAX;
	head = (struct wp_pinned_code_head){0};
	wp_pinned_code_capture(&image_memory, &plan, &code, &head, &data);
	CHECK_U64(head.lines_captured, 0);
	wp_vec_deinit(&data.v);
}

/* Our own memory, four pages of which the third cannot be read. */
static void test_memory(void)
{
	static struct wp_pinned_memory own;
	const size_t page = WP_PINNED_PAGE;
	uint8_t *pages =
		mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const uint64_t at_pages = (uint64_t)(uintptr_t)pages;
	struct wp_pinned_pages wanted = {
		.n = 4,
		.addr = {at_pages, at_pages + page, at_pages + 2 * page, at_pages + 3 * page}};
	uint8_t got[16];

	memset(pages, 7, 4 * page);
	mprotect(pages + 2 * page, page, PROT_NONE);
	wp_pinned_memory_begin(&own, (uint32_t)getpid());
	CHECK(wp_pinned_memory_read(&own, at_pages + page - 8, got, 16));
	CHECK(got[0] == 7 && got[15] == 7);
	CHECK_U64(own.calls, 2);
	CHECK_U64(own.touched.n, 2);
	/* What was read stays as it was, until the next walk. */
	pages[0] = 8;
	CHECK(wp_pinned_memory_read(&own, at_pages, got, 1) && got[0] == 7);
	CHECK(!wp_pinned_memory_read(&own, at_pages + 2 * page - 8, got, 16));
	CHECK(!wp_pinned_memory_read(&own, UINT64_MAX - 4, got, 16));
	wp_pinned_memory_begin(&own, (uint32_t)getpid());
	own.calls = 0;
	wp_pinned_memory_fetch(&own, &wanted);
	CHECK_U64(own.calls, 1);
	CHECK_U64(own.touched.n, 0);
	CHECK(wp_pinned_memory_read(&own, at_pages, got, 1) && got[0] == 8);
	CHECK(wp_pinned_memory_read(&own, at_pages + page, got, 1));
	CHECK_U64(own.calls, 1);
	CHECK(!wp_pinned_memory_read(&own, at_pages + 2 * page, got, 1));
	/* Behind one that could not be read: still to be had. */
	CHECK(wp_pinned_memory_read(&own, at_pages + 3 * page, got, 1) && got[0] == 7);
	CHECK_U64(own.touched.n, 3);
	munmap(pages, 4 * page);
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
	RUN(test_queue);
	RUN(test_plans);
	RUN(test_proven);
	RUN(test_late);
	RUN(test_full_ring_is_no_proof);
	RUN(test_missed_and_unknown);
	RUN(test_exec_voids_older_plans);
	RUN(test_horizon_and_rounds);
	RUN(test_thread_pointers);
	RUN(test_code);
	RUN(test_memory);
	return check_done();
}
