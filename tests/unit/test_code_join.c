/* SPDX-License-Identifier: BSD-3-Clause */
/* A long line table on its way from the ring: a code object, then the pieces. */
#include "source/bpf/code_join.h"

#include "check.h"

#define TABLE 100000u

static uint8_t table[TABLE];

/* The code object with the first n bytes of its table. */
static struct wp_record code_with(uint32_t n)
{
	return (struct wp_record){
		.kind = WP_RECORD_CODE,
		.pid = 4,
		.time_ns = 77,
		.code = {.addr = 0x7000,
			 .id = 11,
			 .generation = 3,
			 .name = {1, 1, 1, (const uint8_t *)"f"},
			 .lines_len = TABLE,
			 .lines = table,
			 .lines_captured = n},
	};
}

static struct wp_bpf_lines piece(uint32_t from, uint32_t n)
{
	return (struct wp_bpf_lines){.pid = 4,
				     .code = 0x7000,
				     .id = 11,
				     .generation = 3,
				     .from = from,
				     .bytes = table + from,
				     .n = n};
}

static const struct wp_record *add(struct wp_code_join *join, size_t ring, uint32_t from,
				   uint32_t n)
{
	struct wp_bpf_lines lines = piece(from, n);

	return wp_code_join_lines(join, ring, &lines);
}

static void begin(struct wp_code_join *join, size_t ring, uint32_t captured)
{
	struct wp_record record = code_with(captured);

	wp_code_join_code(join, ring, &record);
}

static void test_whole(void)
{
	struct wp_code_join join = {0};
	const struct wp_record *whole;

	begin(&join, 1, 40000);
	CHECK(!add(&join, 1, 40000, 30000));
	begin(&join, 0, 99999); /* another CPU's comes in between */
	whole = add(&join, 1, 70000, 30000);
	CHECK(whole && whole->pid == 4 && whole->time_ns == 77);
	CHECK(whole->code.addr == 0x7000 && whole->code.name.bytes[0] == 'f');
	CHECK_U64(whole->code.lines_captured, TABLE);
	CHECK(memcmp(whole->code.lines, table, TABLE) == 0);
	CHECK(add(&join, 0, 99999, 1));
	CHECK_U64(join.joined, 2);
	CHECK_U64(join.unused, 0);
	wp_code_join_deinit(&join);
}

/* A piece that is missing, comes twice or is too long ends it. */
static void test_lost(void)
{
	struct wp_code_join join = {0};

	begin(&join, 0, 40000);
	CHECK(!add(&join, 0, 70000, 30000));
	CHECK(!add(&join, 0, 40000, 60000));
	begin(&join, 0, 40000);
	CHECK(!add(&join, 0, 40000, 30000));
	CHECK(!add(&join, 0, 40000, 30000));
	CHECK(!add(&join, 0, 70000, 30000));
	begin(&join, 0, 40000);
	CHECK(!add(&join, 0, 40000, 60001));
	CHECK_U64(join.unused, 5);
	CHECK_U64(join.joined, 0);
	wp_code_join_deinit(&join);
}

static void test_strangers(void)
{
	struct wp_code_join join = {0};
	struct wp_bpf_lines lines[4] = {piece(40000, 60000), piece(40000, 60000),
					piece(40000, 60000), piece(40000, 60000)};

	lines[0].pid++;
	lines[1].code++;
	lines[2].id++;
	lines[3].generation++;
	for (size_t i = 0; i < 4; i++) {
		begin(&join, 0, 40000);
		CHECK(!wp_code_join_lines(&join, 0, &lines[i]));
	}
	CHECK_U64(join.unused, 4);
	wp_code_join_deinit(&join);
}

/* Those without a table, with all of it, or with one that has no pieces. */
static void test_no_pieces(void)
{
	struct wp_code_join join = {0};
	struct wp_record record = code_with(40000);

	begin(&join, 0, 0);
	CHECK(!add(&join, 0, 0, TABLE));
	begin(&join, 0, TABLE);
	CHECK(!add(&join, 0, TABLE, 1));
	record.code.lines_len = UINT64_MAX;
	wp_code_join_code(&join, 0, &record);
	CHECK(!add(&join, 0, 40000, 1));
	CHECK_U64(join.unused, 3);
	wp_code_join_deinit(&join);
}

int main(void)
{
	for (size_t i = 0; i < TABLE; i++)
		table[i] = (uint8_t)(i * 7 ^ i >> 9);
	RUN(test_whole);
	RUN(test_lost);
	RUN(test_strangers);
	RUN(test_no_pieces);
	return check_done();
}
