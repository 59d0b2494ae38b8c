/* SPDX-License-Identifier: BSD-3-Clause */
/* Python frames and code objects on their way from the ring to the batch. */
#include "source/bpf/bpf_join.h"
#include "source/perf/perf_merge.h"

#include "bpf/wire.h"
#include "core/python_text.h"

#include "check.h"

#define EVENT_ID 42 /* of event 0 */
#define TID	 5
#define RAW_AT	 60 /* of a perf sample: where its raw data begins */

/* Makes a perf sample around raw data; returns its length. */
static size_t make_sample(uint8_t *bytes, const void *raw, size_t n)
{
	uint64_t sample[7] = {9, 77, 0, (uint64_t)TID << 32 | 4, 2000, 1, 1};
	uint32_t padded = (uint32_t)((n + 4 + 7) / 8 * 8 - 4);

	memset(bytes, 0, RAW_AT + padded);
	memcpy(bytes, sample, sizeof(sample));
	memcpy(bytes + RAW_AT - 4, &padded, 4);
	memcpy(bytes + RAW_AT, raw, n);
	return RAW_AT + padded;
}

struct piece {
	struct wp_walk_head head;
	struct wp_walk_frame frames[2];
	struct wp_python_slot slots[4];
};

/* A piece with the slots addr, addr + 1, ...; its first one is a THREAD slot where plan >= 0. */
static struct piece piece(uint64_t serial, uint32_t number, uint64_t addr, int plan)
{
	struct piece piece = {.head = {.kind = number ? WP_WALK_MORE : WP_WALK_STACK,
				       .piece = number,
				       .id = EVENT_ID,
				       .time = 100,
				       .serial = serial,
				       .n = 2,
				       .slots = 4}};

	for (uint32_t i = 0; i < 4; i++)
		piece.slots[i] = (struct wp_python_slot){addr + i, 7, 9};
	if (plan >= 0)
		piece.slots[0] = (struct wp_python_slot){addr, WP_PYTHON_THREAD, (uint32_t)plan};
	return piece;
}

static void add(struct wp_bpf_join *join, struct piece piece)
{
	uint8_t bytes[512], raw[sizeof(piece)];
	size_t frames = piece.head.n * sizeof(*piece.frames), at = sizeof(piece.head);

	memcpy(raw, &piece.head, at);
	memcpy(raw + at, piece.frames, frames);
	memcpy(raw + at + frames, piece.slots, sizeof(piece.slots));
	wp_bpf_join_walk(join, 0, bytes,
			 make_sample(bytes, raw, at + frames + sizeof(piece.slots)));
}

static const struct wp_stack_raw *sample_at(struct wp_bpf_join *join, uint64_t time_ns)
{
	static struct wp_record sample;

	sample = (struct wp_record){.kind = WP_RECORD_SAMPLE, .tid = TID, .time_ns = time_ns};
	wp_bpf_join_sample(join, 0, &sample);
	return sample.sample.stack;
}

static const struct wp_stack_raw *sample_of(struct wp_bpf_join *join)
{
	return sample_at(join, 100);
}

static void begin(struct wp_bpf_join *join, struct wp_map *ids)
{
	*wp_map_put(ids, EVENT_ID) = 0;
	*join = (struct wp_bpf_join){.event_of_id = ids};
}

static void end(struct wp_bpf_join *join, struct wp_map *ids)
{
	wp_bpf_join_deinit(join);
	wp_map_deinit(ids);
}

static void test_one_piece(void)
{
	struct wp_map ids = {0};
	struct wp_bpf_join join;
	struct piece whole = piece(1, 0, 0x1000, 0);
	const struct wp_stack_raw *raw;

	begin(&join, &ids);
	/* Two interpreters. */
	whole.slots[2] = (struct wp_python_slot){0x2000, WP_PYTHON_THREAD, 1};
	whole.head.plans = 2;
	whole.head.threads[0] =
		WP_PYTHON_THREAD_ID(0u, (uint32_t)WP_PYTHON_PARTIAL) | WP_PYTHON_REPAIRED;
	whole.head.threads[1] = WP_PYTHON_THREAD_ID(1u, (uint32_t)WP_PYTHON_NO_THREAD);
	add(&join, whole);
	raw = sample_of(&join);
	CHECK(raw && raw->n_python == 4 && raw->n_walked == 2);
	CHECK_U64(raw->python[0].id, whole.head.threads[0]);
	CHECK_U64(raw->python[1].addr, 0x1001);
	CHECK_U64(raw->python[2].id, whole.head.threads[1]);
	/* Only Python's frames. */
	whole.head.n = 0;
	add(&join, whole);
	raw = sample_of(&join);
	CHECK(raw && raw->n_python == 4 && raw->n_walked == 0);
	CHECK_U64(raw->python[3].addr, 0x1003);
	CHECK_U64(join.cut, 0);
	end(&join, &ids);
}

/* Pieces 0 to n - 1 of a walk; the last of them says that it is if it is number 2. */
static void add_pieces(struct wp_bpf_join *join, uint64_t serial, uint32_t from, uint32_t n)
{
	for (uint32_t i = from; i < n; i++) {
		struct piece next = piece(serial, i, 0x1000 * (i + 1), i ? -1 : 0);

		next.head.n = i ? 0 : 2;
		next.head.more = i < 2;
		next.head.plans = i == 2;
		next.head.threads[0] = WP_PYTHON_THREAD_ID(0u, (uint32_t)WP_PYTHON_COMPLETE);
		add(join, next);
	}
}

static void check_cut(const struct wp_stack_raw *raw, size_t n_python)
{
	CHECK(raw && raw->n_python == n_python);
	CHECK_U64(raw ? WP_PYTHON_THREAD_END(raw->python[0].id) : 0, WP_PYTHON_CUT);
}

static void test_pieces(void)
{
	struct wp_map ids = {0};
	struct wp_bpf_join join;
	const struct wp_stack_raw *raw;

	begin(&join, &ids);
	add_pieces(&join, 1, 0, 3);
	raw = sample_of(&join);
	CHECK(raw && raw->n_python == 12 && raw->n_walked == 2);
	for (uint32_t i = 0; i < 12; i++)
		CHECK_U64(raw->python[i].addr, 0x1000 * (i / 4 + 1) + i % 4);
	CHECK_U64(WP_PYTHON_THREAD_END(raw->python[0].id), WP_PYTHON_COMPLETE);
	CHECK_U64(join.cut, 0);
	end(&join, &ids);
}

/* The last piece was lost, one in the middle, the first; or it is of another walk. */
static void test_lost_pieces(void)
{
	struct wp_map ids = {0};
	struct wp_bpf_join join;

	begin(&join, &ids);
	add_pieces(&join, 2, 0, 2);
	check_cut(sample_of(&join), 8);
	add_pieces(&join, 3, 0, 1);
	add_pieces(&join, 3, 2, 3);
	check_cut(sample_of(&join), 4);
	CHECK_U64(join.cut, 2);
	add_pieces(&join, 4, 1, 3);
	CHECK(!sample_of(&join));
	add_pieces(&join, 5, 0, 1);
	add_pieces(&join, 6, 1, 3);
	check_cut(sample_of(&join), 4);
	end(&join, &ids);
}

static void test_sample_times(void)
{
	struct wp_map ids = {0};
	struct wp_bpf_join join;

	begin(&join, &ids);
	/* The sample behind a piece that found no room is stamped anew; one much later is another.
	 */
	add_pieces(&join, 7, 0, 2);
	CHECK(!sample_at(&join, 2000 + 5000000));
	CHECK(!sample_at(&join, 1999));
	check_cut(sample_at(&join, 2000 + 300000), 8);
	add_pieces(&join, 8, 0, 3);
	CHECK(!sample_at(&join, 2000 + 300000));
	CHECK(sample_of(&join));
	end(&join, &ids);
}

/* More than anybody keeps: what is kept is marked as cut. */
static void test_endless(void)
{
	struct wp_map ids = {0};
	struct wp_bpf_join join;

	begin(&join, &ids);
	for (uint32_t i = 0; i < WP_PYTHON_SLOTS / 4 + 100; i++) {
		struct piece next = piece(1, i, 0x1000, i ? -1 : 0);

		next.head.more = 1;
		add(&join, next);
	}
	check_cut(sample_of(&join), WP_PYTHON_SLOTS);
	end(&join, &ids);
}

static size_t make_code(uint8_t *bytes, uint64_t time)
{
	struct {
		struct wp_walk_code_head head;
		struct wp_python_captured_head code;
		char data[24];
	} raw = {.head = {.kind = WP_WALK_CODE, .uid = 1000, .time = time},
		 .code = {.addr = 0x7000,
			  .lines_len = 70000,
			  .id = 11,
			  .generation = 3,
			  .first_line = 12,
			  .lines_bytes = 4,
			  .name = {1, 1, 1},
			  .qualname = {2, 6, 3},
			  .filename = {1, 4, 900}},
		 .data = "fC\0.\0f\0a.pyABCD"};

	return make_sample(bytes, &raw, sizeof(raw.head) + sizeof(raw.code) + 15);
}

static void check_code(const struct wp_record *r, uint64_t time)
{
	const struct wp_record_code *code = &r->code;

	CHECK_U64(r->kind, WP_RECORD_CODE);
	CHECK_U64(r->time_ns, time);
	CHECK_U64(r->pid, 4);
	CHECK(code->addr == 0x7000 && code->id == 11 && code->generation == 3);
	CHECK_U64(code->first_line, 12);
	CHECK(code->name.n == 1 && code->name.bytes[0] == 'f' && code->name.width == 1);
	CHECK(code->qualname.n == 6 && memcmp(code->qualname.bytes, "C\0.\0f\0", 6) == 0);
	CHECK(code->filename.n == 4 && code->filename.length == 900);
	CHECK(memcmp(code->filename.bytes, "a.py", 4) == 0);
	CHECK(code->lines_captured == 4 && memcmp(code->lines, "ABCD", 4) == 0);
	CHECK_U64(code->lines_len, 70000);
	CHECK(code->has_uid && code->uid == 1000);
}

static void test_code(void)
{
	struct wp_perf_merge merge = {0};
	uint8_t bytes[512];
	size_t size = make_code(bytes, 0);
	struct wp_record record;
	struct wp_batch batch;

	CHECK_U64(wp_bpf_walk_kind(bytes, size), WP_WALK_CODE);
	CHECK(wp_bpf_walk_parse_code(bytes, size, &record));
	check_code(&record, 2000);
	make_code(bytes, 100);
	CHECK(wp_bpf_walk_parse_code(bytes, size, &record));
	check_code(&record, 100);
	wp_perf_merge_add(&merge, &record);
	memset(bytes, 0, sizeof(bytes));
	/* It waits for two rounds; the ring is somebody else's then. */
	batch = wp_perf_merge_take(&merge, 50);
	CHECK_U64(batch.n, 0);
	batch = wp_perf_merge_take(&merge, 150);
	CHECK_U64(batch.n, 1);
	check_code(&batch.records[0], 100);
	wp_perf_merge_deinit(&merge);
	make_code(bytes, 100);
	for (size_t i = 0; i < size - 8; i++)
		CHECK(!wp_bpf_walk_parse_code(bytes, i, &record));
	/* A name that is longer than its string. */
	bytes[RAW_AT + sizeof(struct wp_walk_code_head) +
	      offsetof(struct wp_python_captured_head, name.length)] = 0;
	CHECK(!wp_bpf_walk_parse_code(bytes, size, &record));
}

static void test_lines(void)
{
	struct {
		struct wp_walk_lines_head head;
		char data[4];
	} raw = {{WP_WALK_LINES, 4, 0x7000, 32767, 11, 3}, "ABCD"};
	uint8_t bytes[512];
	size_t size = make_sample(bytes, &raw, sizeof(raw));
	struct wp_bpf_lines lines;
	struct wp_record record;

	CHECK_U64(wp_bpf_walk_kind(bytes, size), WP_WALK_LINES);
	CHECK(!wp_bpf_walk_parse_code(bytes, size, &record));
	CHECK(wp_bpf_walk_parse_lines(bytes, size, &lines));
	CHECK(lines.pid == 4 && lines.code == 0x7000 && lines.id == 11 && lines.generation == 3);
	CHECK(lines.from == 32767 && lines.n == 4 && memcmp(lines.bytes, "ABCD", 4) == 0);
	for (size_t i = 0; i < size - 4; i++)
		CHECK(!wp_bpf_walk_parse_lines(bytes, i, &lines));
	raw.head.bytes = 400;
	size = make_sample(bytes, &raw, sizeof(raw));
	CHECK(!wp_bpf_walk_parse_lines(bytes, size, &lines));
}

static void test_merge_keeps_frames(void)
{
	struct wp_perf_merge merge = {0};
	struct wp_map ids = {0};
	struct wp_bpf_join join;
	struct wp_record sample = {.kind = WP_RECORD_SAMPLE, .tid = TID, .time_ns = 100};
	struct wp_batch batch;

	begin(&join, &ids);
	add_pieces(&join, 1, 0, 3);
	wp_bpf_join_sample(&join, 0, &sample);
	wp_perf_merge_add(&merge, &sample);
	end(&join, &ids);
	batch = wp_perf_merge_take(&merge, 150);
	CHECK_U64(batch.n, 1);
	CHECK_U64(batch.records[0].sample.stack->n_python, 12);
	CHECK_U64(batch.records[0].sample.stack->python[11].addr, 0x3003);
	wp_perf_merge_deinit(&merge);
}

int main(void)
{
	RUN(test_one_piece);
	RUN(test_pieces);
	RUN(test_lost_pieces);
	RUN(test_sample_times);
	RUN(test_endless);
	RUN(test_code);
	RUN(test_lines);
	RUN(test_merge_keeps_frames);
	return check_done();
}
