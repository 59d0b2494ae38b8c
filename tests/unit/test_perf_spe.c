/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_spe: buffers of Arm SPE in memory of our own, and the kernel's records of them. */
#include "source/perf/perf_spe.h"

#include "check.h"

#include <linux/perf_event.h>
#include <string.h>

#define BYTES	    4096
#define RECORD	    64
#define TICK_NS	    16
#define ZERO_NS	    1000
#define SAMPLE_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

/* One CPU's ring and buffer, which are plain memory. */
struct fixture {
	struct perf_event_mmap_page control;
	uint8_t bytes[BYTES];
	struct wp_event_set events;
	struct wp_machine machine;
	struct wp_source_options options;
	struct wp_perf_set set;
	struct wp_perf_layout layout;
	struct wp_perf_spe spe;
	struct wp_perf_merge merge;
};

static void open_fixture(struct fixture *f, bool wide)
{
	*f = (struct fixture){0};
	wp_vec_push(&f->events.events, ((struct wp_event){.name = "clock"}));
	wp_vec_push(&f->events.events,
		    ((struct wp_event){.name = "arm_spe_0//", .is_spe = true, .period = 4096}));
	f->options = (struct wp_source_options){.events = &f->events, .machine = &f->machine};
	f->set.options = &f->options;
	wp_vec_push(&f->set.rings, ((struct wp_perf_ring){.control = &f->control, .cpu = 3}));
	f->layout = (struct wp_perf_layout){.sample_type = SAMPLE_TYPE, .sample_id_all = true};
	f->spe = (struct wp_perf_spe){.on = true, .wide = wide, .keeps = true};
	f->spe.clock = (struct wp_perf_aux_clock){.mult = TICK_NS, .zero = ZERO_NS};
	wp_vec_push(&f->spe.buffers, ((struct wp_perf_spe_buffer){.size = BYTES, .event = 1}));
	f->spe.buffers.v[0].bytes = f->bytes;
	wp_spe_decoder_init(&f->spe.buffers.v[0].decoder, 0);
}

static void close_fixture(struct fixture *f)
{
	f->spe.buffers.v[0].bytes = NULL; /* nothing to unmap */
	wp_perf_spe_close(&f->spe, NULL);
	wp_perf_merge_deinit(&f->merge);
	wp_vec_deinit(&f->set.rings);
	wp_event_set_deinit(&f->events);
}

static uint8_t *put_packet(uint8_t *at, uint8_t header, uint64_t value, int n)
{
	*at++ = header;
	for (; n--; value >>= 8)
		*at++ = (uint8_t)value;
	return at;
}

/* A load at pc of a word at `addr`, at that tick; context 0: no packet says the thread. */
static void write_traced(struct fixture *f, uint64_t offset, uint64_t pc, uint64_t addr,
			 uint32_t context, uint64_t tick)
{
	uint8_t record[RECORD] = {0}, *at = record;

	at = put_packet(at, 0xb0, pc, 8);
	if (context)
		at = put_packet(at, 0x64, context, 4);
	at = put_packet(at, 0x49, 0, 1);
	at = put_packet(at, 0x98, 77, 2);
	put_packet(at, 0xb2, addr, 8);
	put_packet(record + RECORD - 9, 0x71, tick, 8);
	for (size_t i = 0; i < RECORD; i++)
		f->bytes[(offset + i) % BYTES] = record[i];
}

/* Body, then pid tid time cpu 0 id. */
static bool take_kernel(struct fixture *f, uint32_t type, uint16_t misc, const uint64_t *body,
			size_t n, uint32_t tid, uint64_t time_ns)
{
	uint8_t bytes[128];
	struct perf_event_header header = {.type = type, .misc = misc};
	uint32_t ids[2] = {10, tid}, cpu[2] = {3, 0};
	uint64_t id = 1;
	size_t at = sizeof(header);

	memcpy(bytes + at, body, 8 * n), at += 8 * n;
	memcpy(bytes + at, ids, 8), at += 8;
	memcpy(bytes + at, &time_ns, 8), at += 8;
	memcpy(bytes + at, cpu, 8), at += 8;
	memcpy(bytes + at, &id, 8), at += 8;
	header.size = (uint16_t)at;
	memcpy(bytes, &header, sizeof(header));
	return wp_perf_spe_take(&f->spe, &f->set, &f->layout, 0, bytes, at, &f->merge);
}

static void take_piece(struct fixture *f, uint64_t offset, uint64_t size, uint64_t flags,
		       uint32_t tid, uint64_t time_ns)
{
	f->control.aux_head = offset + size;
	CHECK(take_kernel(f, PERF_RECORD_AUX, 0, (uint64_t[]){offset, size, flags}, 3, tid,
			  time_ns));
}

static void take_switch_to(struct fixture *f, uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	CHECK(take_kernel(f, PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_MISC_SWITCH_OUT,
			  (uint64_t[]){(uint64_t)tid << 32 | pid}, 1, 1, time_ns));
}

static const struct wp_record *nth(const struct wp_batch *batch, enum wp_record_kind kind, size_t n)
{
	for (size_t i = 0; i < batch->n; i++)
		if (batch->records[i].kind == kind && !n--)
			return &batch->records[i];
	return NULL;
}

/* Of a process's events the piece's own thread is the samples'. */
static void test_threads_of_pieces(void)
{
	struct fixture f;
	struct wp_batch batch;
	const struct wp_record *record;

	open_fixture(&f, false);
	write_traced(&f, 0, 0x1000, 0x7000, 0, 10);
	write_traced(&f, RECORD, 0x2000, 0x7008, 0, 20);
	write_traced(&f, (uint64_t)2 * RECORD, 0x3000, 0x7010, 99, 30);
	take_piece(&f, 0, RECORD, 0, 11, 5000);
	take_piece(&f, RECORD, (uint64_t)2 * RECORD, 0, 12, 6000);
	CHECK_U64(f.control.aux_tail, 3 * RECORD);
	batch = wp_perf_merge_take(&f.merge, UINT64_MAX);
	record = nth(&batch, WP_RECORD_SAMPLE, 0);
	CHECK(record && record->pid == 10 && record->tid == 11 && record->cpu == 3);
	CHECK(record && record->time_ns == ZERO_NS + 10 * TICK_NS && record->sample.event == 1);
	CHECK(record && record->sample.ip.v == 0x1000 && record->sample.period == 4096);
	CHECK(record && record->sample.data->addr == 0x7000 && record->sample.data->weight == 77);
	record = nth(&batch, WP_RECORD_SAMPLE, 1);
	CHECK(record && record->tid == 12 && record->time_ns == ZERO_NS + 20 * TICK_NS);
	record = nth(&batch, WP_RECORD_SAMPLE, 2); /* its context says otherwise */
	CHECK(record && record->tid == 99 && record->pid == 99);
	record = nth(&batch, WP_RECORD_RUNS, 1);
	CHECK(record && record->tid == 12 && record->time_ns == ZERO_NS + 20 * TICK_NS - 1);
	CHECK(!nth(&batch, WP_RECORD_RUNS, 2));
	record = nth(&batch, WP_RECORD_AUX, 1);
	CHECK(record && record->aux.n == 2 * RECORD && record->aux.offset == RECORD &&
	      memcmp(record->aux.bytes, f.bytes + RECORD, RECORD) == 0);
	close_fixture(&f);
}

/* Of a CPU's, whoever ran at that time: the one before the first switch is not known. */
static void test_threads_of_switches(void)
{
	static const uint32_t want[] = {21, 21, 22, 22, 23};
	static const uint64_t ticks[] = {5, 20, 40, 41, 100};
	struct fixture f;
	struct wp_batch batch;

	open_fixture(&f, true);
	take_switch_to(&f, 20, 21, ZERO_NS + 10 * TICK_NS);
	take_switch_to(&f, 20, 22, ZERO_NS + 30 * TICK_NS);
	for (size_t i = 0; i < 4; i++)
		write_traced(&f, i * RECORD, 0x1000, 0x7000, 0, ticks[i]);
	take_piece(&f, 0, (uint64_t)4 * RECORD, 0, 1, 9000);
	CHECK_U64(f.spe.buffers.v[0].switches.n, 1); /* what is behind is not forgotten */
	take_switch_to(&f, 20, 23, ZERO_NS + 50 * TICK_NS);
	write_traced(&f, (uint64_t)4 * RECORD, 0x1000, 0x7000, 0, ticks[4]);
	take_piece(&f, (uint64_t)4 * RECORD, RECORD, 0, 1, 9001);
	batch = wp_perf_merge_take(&f.merge, UINT64_MAX);
	for (size_t i = 0; i < 5; i++) {
		const struct wp_record *record = nth(&batch, WP_RECORD_SAMPLE, i);

		CHECK(record && record->tid == want[i] && record->pid == 20);
	}
	close_fixture(&f);
}

/* Pieces that wrap, that end inside a record, that are not connected, and that lie. */
static void test_spe_pieces(void)
{
	struct fixture f;
	struct wp_batch batch;

	open_fixture(&f, false);
	f.spe.buffers.v[0].end = BYTES - 10;
	for (uint64_t i = 0; i < 3; i++)
		write_traced(&f, BYTES - 10 + i * RECORD, 0x1000 + i, 0, 0, i);
	take_piece(&f, BYTES - 10, 100, 0, 11, 5000);
	take_piece(&f, BYTES + 90, 92, 0, 11, 5001);
	batch = wp_perf_merge_take(&f.merge, UINT64_MAX);
	CHECK(nth(&batch, WP_RECORD_SAMPLE, 2) && !nth(&batch, WP_RECORD_SAMPLE, 3));
	CHECK_U64(f.spe.records, 3);
	/* The first half of a record, then something else: nothing is made of the half. */
	write_traced(&f, (uint64_t)2 * BYTES, 0x5000, 0, 0, 50);
	take_piece(&f, (uint64_t)2 * BYTES, RECORD / 2, WP_PERF_AUX_PARTIAL, 11, 6000);
	write_traced(&f, (uint64_t)3 * BYTES, 0x6000, 0, 0, 60);
	take_piece(&f, (uint64_t)3 * BYTES, RECORD, WP_PERF_AUX_TRUNCATED | WP_PERF_AUX_COLLISION,
		   11, 6001);
	take_piece(&f, (uint64_t)4 * BYTES, (uint64_t)2 * BYTES, 0, 11, 6002);
	take_piece(&f, (uint64_t)6 * BYTES, 0, WP_PERF_AUX_COLLISION, 11, 6003);
	batch = wp_perf_merge_take(&f.merge, UINT64_MAX);
	CHECK(nth(&batch, WP_RECORD_SAMPLE, 0) &&
	      nth(&batch, WP_RECORD_SAMPLE, 0)->sample.ip.v == 0x6000);
	CHECK(!nth(&batch, WP_RECORD_SAMPLE, 1));
	CHECK(f.spe.truncated == 1 && f.spe.partial == 1 && f.spe.collisions == 2);
	CHECK(f.spe.missed == 2 * BYTES && f.spe.full);
	close_fixture(&f);
}

int main(void)
{
	printf("test_threads_of_pieces\n"), test_threads_of_pieces();
	printf("test_threads_of_switches\n"), test_threads_of_switches();
	printf("test_spe_pieces\n"), test_spe_pieces();
	return check_done();
}
