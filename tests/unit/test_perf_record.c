/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_record: records and readings written by hand, whole, short and wrong. */
#include "format/perf/perf_record.h"

#include "check.h"

#define TRAILER_TYPE                                                          \
	(WP_PERF_SAMPLE_IDENTIFIER | WP_PERF_SAMPLE_IP | WP_PERF_SAMPLE_TID | \
	 WP_PERF_SAMPLE_TIME | WP_PERF_SAMPLE_CPU | WP_PERF_SAMPLE_PERIOD)

/* A record under construction; its size is put into the header when it is parsed. */
struct bytes {
	uint8_t b[512];
	size_t n;
};

static struct wp_map ids;

static void put(struct bytes *out, uint64_t value, size_t n)
{
	memcpy(out->b + out->n, &value, n);
	out->n += n;
}

static void put_str(struct bytes *out, const char *s)
{
	size_t padded = (strlen(s) + 8) & ~(size_t)7;

	strcpy((char *)out->b + out->n, s);
	out->n += padded;
}

static struct bytes header(uint32_t type, uint16_t misc)
{
	struct bytes out = {0};

	put(&out, type, 4);
	put(&out, misc, 2);
	put(&out, 0, 2);
	return out;
}

/* pid 7, tid 8, time 1000, cpu 3, id 42 */
static void trailer(struct bytes *out)
{
	put(out, 7, 4);
	put(out, 8, 4);
	put(out, 1000, 8);
	put(out, 3, 4);
	put(out, 0, 4);
	put(out, 42, 8);
}

static enum wp_perf_parsed parse_as(uint64_t sample_type, bool all, struct bytes *in,
				    struct wp_record *ret)
{
	struct wp_perf_layout layout = {sample_type, all, &ids};

	in->b[6] = (uint8_t)in->n;
	in->b[7] = (uint8_t)(in->n >> 8);
	return wp_perf_record_parse(&layout, in->b, in->n, ret);
}

static enum wp_perf_parsed parse(struct bytes *in, struct wp_record *ret)
{
	return parse_as(TRAILER_TYPE, true, in, ret);
}

static void check_trailer(const struct wp_record *r)
{
	CHECK_U64(r->time_ns, 1000);
	CHECK_U64(r->cpu, 3);
}

static void test_sample(void)
{
	struct bytes in = header(9, 2);
	struct wp_record r;

	put(&in, 42, 8);
	put(&in, 0x401000, 8);
	put(&in, 7, 4);
	put(&in, 8, 4);
	put(&in, 1000, 8);
	put(&in, 3, 4);
	put(&in, 0, 4);
	put(&in, 99, 8);
	CHECK_U64(parse(&in, &r), WP_PERF_PARSED);
	CHECK_U64(r.kind, WP_RECORD_SAMPLE);
	CHECK_U64(r.sample.event, 5);
	CHECK_U64(r.sample.ip.v, 0x401000);
	CHECK_U64(r.sample.period, 99);
	CHECK_U64(r.sample.mode, WP_MODE_USER);
	CHECK_U64(r.pid, 7);
	CHECK_U64(r.tid, 8);
	check_trailer(&r);
	in.b[4] = 1;
	CHECK_U64(parse(&in, &r), WP_PERF_PARSED);
	CHECK_U64(r.sample.mode, WP_MODE_KERNEL);
	in.b[8] = 43;
	CHECK_U64(parse(&in, &r), WP_PERF_MALFORMED);
}

/* Every field before the period, in the kernel's order. */
static void test_sample_with_everything(void)
{
	uint64_t type =
		TRAILER_TYPE | WP_PERF_SAMPLE_ADDR | WP_PERF_SAMPLE_ID | WP_PERF_SAMPLE_STREAM_ID;
	struct bytes in = header(9, 3);
	struct wp_record r;

	put(&in, 42, 8);
	put(&in, 0x1234, 8);
	put(&in, 7, 4);
	put(&in, 8, 4);
	put(&in, 1000, 8);
	put(&in, 0xaaaa, 8);
	put(&in, 42, 8);
	put(&in, 0xbbbb, 8);
	put(&in, 3, 8);
	put(&in, 17, 8);
	put(&in, 0xcccc, 8); /* something behind the period */
	CHECK_U64(parse_as(type, true, &in, &r), WP_PERF_PARSED);
	CHECK_U64(r.sample.period, 17);
	CHECK_U64(r.sample.mode, WP_MODE_OTHER);
	check_trailer(&r);
}

#define DATA_TYPE                                                                             \
	(WP_PERF_SAMPLE_IDENTIFIER | WP_PERF_SAMPLE_ADDR | WP_PERF_SAMPLE_READ |              \
	 WP_PERF_SAMPLE_RAW | WP_PERF_SAMPLE_BRANCH_STACK | WP_PERF_SAMPLE_REGS_USER |        \
	 WP_PERF_SAMPLE_STACK_USER | WP_PERF_SAMPLE_WEIGHT_STRUCT | WP_PERF_SAMPLE_DATA_SRC | \
	 WP_PERF_SAMPLE_TRANSACTION | WP_PERF_SAMPLE_REGS_INTR | WP_PERF_SAMPLE_PHYS_ADDR |   \
	 WP_PERF_SAMPLE_CGROUP | WP_PERF_SAMPLE_DATA_PAGE_SIZE | WP_PERF_SAMPLE_CODE_PAGE_SIZE)

/* Everything that perf_data knows, in the kernel's order. */
static struct bytes data_sample(void)
{
	static const uint64_t words[] = {
		42,
		0xabc, /* identifier addr */
		2,
		100,
		42,
		200,
		99,			 /* a group of two, 99 unknown */
		4 | 0x11223344ull << 32, /* raw: 4 bytes */
		2,
		1,
		2,
		1,
		3,
		4,
		2 | 7 << 4 | 2ull << 20, /* branches */
		2,
		11,
		12, /* user regs */
		8,
		0,
		8,			      /* a dump of 8 bytes */
		30 | 4ull << 32 | 5ull << 48, /* weight latency stage */
		0x68100142,
		0, /* data_src transaction */
		2,
		21, /* intr regs */
		0x1000,
		77,
		4096,
		8192, /* phys_addr cgroup pages */
	};
	struct bytes in = header(9, 2);

	for (size_t i = 0; i < WP_ARRAY_LEN(words); i++)
		put(&in, words[i], 8);
	return in;
}

static enum wp_perf_parsed parse_data(struct bytes *in, struct wp_record *ret)
{
	static struct wp_perf_data data;
	struct wp_perf_layout layout = {
		.sample_type = DATA_TYPE,
		.event_of_id = &ids,
		.regs = {.mask = 3},
		.read_format = WP_PERF_READ_GROUP | WP_PERF_READ_ID,
		.data = &data,
	};

	wp_perf_layout_shape(&layout, 1, true);
	in->b[6] = (uint8_t)in->n;
	in->b[7] = (uint8_t)(in->n >> 8);
	return wp_perf_record_parse(&layout, in->b, in->n, ret);
}

static void test_sample_data(void)
{
	struct bytes in = data_sample();
	const struct wp_sample_data *data;
	struct wp_record r;

	CHECK_U64(parse_data(&in, &r), WP_PERF_PARSED);
	data = r.sample.data;
	CHECK_U64(data->has, WP_DATA_READING * 2 - 1);
	CHECK_U64(data->addr, 0xabc);
	CHECK_U64(data->n_readings, 2);
	CHECK_U64(data->readings[0].event, 5);
	CHECK_U64(data->readings[0].value, 100);
	CHECK_U64(data->readings[1].event, WP_DATA_NO_EVENT);
	CHECK(data->per_thread);
	CHECK_U64(data->n_branches, 2);
	CHECK_U64(data->branches[0].flags, WP_BRANCH_MISPREDICTED);
	CHECK_U64(data->branches[1].to, 4);
	CHECK_U64(wp_branch_cycles(&data->branches[1]), 7);
	CHECK_U64(wp_branch_type(&data->branches[1]), 2);
	CHECK_U64(data->user_regs.values[1], 12);
	CHECK_U64(data->intr_regs.values[0], 21);
	CHECK_U64(data->weight, 30);
	CHECK_U64(data->latency, 4);
	CHECK_U64(data->stage, 5);
	CHECK_U64(data->src, 0x68100142);
	CHECK_U64(data->phys_addr, 0x1000);
	CHECK_U64(data->cgroup, 77);
	CHECK_U64(data->data_page_bytes, 4096);
	CHECK_U64(data->code_page_bytes, 8192);
}

/* Cut anywhere, or with counts that are too large, it is malformed. */
static void test_sample_data_damaged(void)
{
	struct bytes whole = data_sample(), in;
	struct wp_record r;

	for (size_t n = 16; n < whole.n; n += 8) {
		in = whole;
		in.n = n;
		CHECK_U64(parse_data(&in, &r), WP_PERF_MALFORMED);
	}
	for (size_t i = 2; i <= 8; i += 6) { /* nr of readings, of branches */
		in = whole;
		memset(in.b + 8 + 8 * i, 0xff, 8);
		CHECK_U64(parse_data(&in, &r), WP_PERF_MALFORMED);
	}
}

static void test_cgroup(void)
{
	struct bytes in = header(19, 0);
	struct wp_record r;

	put(&in, 77, 8);
	put_str(&in, "/a/b");
	trailer(&in);
	CHECK_U64(parse(&in, &r), WP_PERF_PARSED);
	CHECK_U64(r.cgroup.id, 77);
	CHECK_STR(r.cgroup.path, "/a/b");
}

/* A reading stands between the period and the stack. */
static void test_sample_with_reading(void)
{
	static struct wp_perf_stack stack;
	const uint64_t group = WP_PERF_READ_GROUP | WP_PERF_READ_ENABLED | WP_PERF_READ_ID;
	struct wp_perf_layout layout = {.sample_type = WP_PERF_SAMPLE_IDENTIFIER |
						       WP_PERF_SAMPLE_READ |
						       WP_PERF_SAMPLE_CALLCHAIN,
					.event_of_id = &ids,
					.stack = &stack};
	uint64_t one[] = {9 | 48ull << 48, 42, 0x1111, 2, (uint64_t)-512, 0x401000};
	uint64_t many[] = {9 | 88ull << 48, 42, 2, 0x1111,	   0x2222,  1,
			   0x3333,	    2,	2, (uint64_t)-512, 0x401000};
	struct wp_record r;

	CHECK_U64(wp_perf_record_parse(&layout, one, sizeof(one), &r), WP_PERF_PARSED);
	CHECK_U64(r.sample.stack->user_ips[0], 0x401000);
	layout.read_format = group;
	CHECK_U64(wp_perf_record_parse(&layout, many, sizeof(many), &r), WP_PERF_PARSED);
	CHECK_U64(r.sample.stack->n_user, 1);
	many[2] = UINT64_MAX / 2;
	CHECK_U64(wp_perf_record_parse(&layout, many, sizeof(many), &r), WP_PERF_MALFORMED);
}

#define RAW_TYPE                                                                      \
	(WP_PERF_SAMPLE_IDENTIFIER | WP_PERF_SAMPLE_READ | WP_PERF_SAMPLE_CALLCHAIN | \
	 WP_PERF_SAMPLE_RAW | WP_PERF_SAMPLE_REGS_USER | WP_PERF_SAMPLE_STACK_USER)

/* What a tracepoint of a group, with a copy of the stack, brings: RAW is between its other parts.
 */
static struct bytes raw_sample(void)
{
	static const uint64_t words[] = {
		42, /* identifier */
		2,
		7,
		42,
		9,
		99, /* a group of two */
		2,
		(uint64_t)-512,
		0x401000, /* chain */
		12 | 0x11223344ull << 32,
		0x5566778899aabbcc, /* raw: 12 bytes */
		2,
		0x7000, /* sp */
		8,
		0x1234,
		8, /* a dump of 8 bytes */
	};
	struct bytes in = header(9, 2);

	for (size_t i = 0; i < WP_ARRAY_LEN(words); i++)
		put(&in, words[i], 8);
	return in;
}

static enum wp_perf_parsed parse_raw(struct bytes *in, struct wp_perf_stack *stack, bool payloads,
				     struct wp_record *ret)
{
	struct wp_perf_layout layout = {
		.sample_type = RAW_TYPE,
		.event_of_id = &ids,
		.regs = {.mask = 1 << 7},
		.read_format = WP_PERF_READ_GROUP | WP_PERF_READ_ID,
		.stack = stack,
		.payloads = payloads,
	};

	in->b[6] = (uint8_t)in->n;
	return wp_perf_record_parse(&layout, in->b, in->n, ret);
}

static void test_sample_with_raw(void)
{
	static struct wp_perf_stack stack;
	struct bytes in = raw_sample();
	struct wp_record r;

	CHECK_U64(parse_raw(&in, &stack, true, &r), WP_PERF_PARSED);
	CHECK_U64(r.sample.payload_bytes, 12);
	CHECK_U64(r.sample.payload[0], 0x44);
	CHECK_U64(r.sample.payload[11], 0x55);
	CHECK_U64(r.sample.stack->user_ips[0], 0x401000);
	CHECK_U64(stack.regs.r[7], 0x7000);
	CHECK_U64(stack.raw.dump[0], 0x34);
	/* without anybody who needs the stack, and without anybody who needs RAW */
	CHECK_U64(parse_raw(&in, NULL, true, &r), WP_PERF_PARSED);
	CHECK(!r.sample.stack);
	CHECK_U64(r.sample.payload_bytes, 12);
	CHECK_U64(r.sample.payload[11], 0x55);
	CHECK_U64(parse_raw(&in, &stack, false, &r), WP_PERF_PARSED);
	CHECK(!r.sample.payload && r.sample.stack->n_user == 1);
}

/* An event that has nothing to say brings an empty RAW of 4 bytes, filled up to 8. */
static void test_sample_with_empty_raw(void)
{
	struct wp_perf_layout layout = {.sample_type =
						WP_PERF_SAMPLE_IDENTIFIER | WP_PERF_SAMPLE_RAW,
					.event_of_id = &ids,
					.payloads = true};
	uint64_t filled[] = {9 | 24ull << 48, 42, 4}, none[] = {9 | 24ull << 48, 42, 0};
	struct wp_record r;

	CHECK_U64(wp_perf_record_parse(&layout, filled, sizeof(filled), &r), WP_PERF_PARSED);
	CHECK_U64(r.sample.payload_bytes, 4);
	CHECK_U64(wp_perf_record_parse(&layout, none, sizeof(none), &r), WP_PERF_PARSED);
	CHECK(!r.sample.payload && !r.sample.payload_bytes);
}

static void test_sample_with_raw_damaged(void)
{
	static struct wp_perf_stack stack;
	struct bytes whole = raw_sample(), in;
	struct wp_record r;

	for (size_t n = 16; n < whole.n; n += 8) {
		in = whole;
		in.n = n;
		CHECK_U64(parse_raw(&in, &stack, true, &r), WP_PERF_MALFORMED);
		if (n < 8 + 11 * 8) /* RAW is not whole */
			CHECK_U64(parse_raw(&in, NULL, true, &r), WP_PERF_MALFORMED);
	}
	in = whole;
	memset(in.b + 8 + 9 * 8, 0xff, 4); /* its size */
	CHECK_U64(parse_raw(&in, &stack, true, &r), WP_PERF_MALFORMED);
	CHECK_U64(parse_raw(&in, NULL, true, &r), WP_PERF_MALFORMED);
}

static struct bytes mmap2(uint16_t misc)
{
	struct bytes in = header(10, misc);

	put(&in, 70, 4);
	put(&in, 71, 4);
	put(&in, 0x7f0000000000, 8);
	put(&in, 0x2000, 8);
	put(&in, 0x1000, 8);
	return in;
}

static void test_map(void)
{
	struct bytes in = mmap2(2);
	struct wp_record r;

	put(&in, 254, 4);
	put(&in, 1, 4);
	put(&in, 123456789012, 8);
	put(&in, 0, 8);
	put(&in, 5, 4);
	put(&in, 2, 4);
	put_str(&in, "/usr/lib/libm.so.6");
	trailer(&in);
	CHECK_U64(parse(&in, &r), WP_PERF_PARSED);
	CHECK_U64(r.kind, WP_RECORD_MAP);
	CHECK_U64(r.pid, 70);
	CHECK_U64(r.tid, 71);
	CHECK_U64(r.map.start.v, 0x7f0000000000);
	CHECK_U64(r.map.len, 0x2000);
	CHECK_U64(r.map.pgoff.v, 0x1000);
	CHECK_U64(r.map.dev_major, 254);
	CHECK_U64(r.map.dev_minor, 1);
	CHECK_U64(r.map.inode, 123456789012);
	CHECK_STR(r.map.path, "/usr/lib/libm.so.6");
	CHECK(!r.map.kernel);
	CHECK_U64(r.map.build_id_len, 0);
	check_trailer(&r);
}

static void test_map_build_id(void)
{
	struct bytes in = mmap2(2 | 1 << 14);
	struct wp_record r;

	put(&in, 3, 4);
	for (int i = 0; i < 20; i++)
		put(&in, (uint64_t)(0xa0 + i), 1);
	put(&in, 0, 8);
	put_str(&in, "x");
	trailer(&in);
	CHECK_U64(parse(&in, &r), WP_PERF_PARSED);
	CHECK_U64(r.map.build_id_len, 3);
	CHECK_U64(r.map.build_id[0], 0xa0);
	CHECK_U64(r.map.build_id[2], 0xa2);
	CHECK_U64(r.map.build_id[3], 0);
	CHECK_STR(r.map.path, "x");
	in.b[40] = 200; /* a length that does not fit */
	CHECK_U64(parse(&in, &r), WP_PERF_PARSED);
	CHECK_U64(r.map.build_id_len, 0);
}

static void test_old_map(void)
{
	struct bytes in = header(1, 1), data = header(1, 2 | 1 << 13);
	struct wp_record r;

	put(&in, 0xffffffff, 4);
	put(&in, 0, 4);
	put(&in, 0xffffffff81000000, 8);
	put(&in, 0x1000, 8);
	put(&in, 0, 8);
	put_str(&in, "[kernel.kallsyms]_text");
	trailer(&in);
	CHECK_U64(parse(&in, &r), WP_PERF_PARSED);
	CHECK(r.map.kernel);
	CHECK_STR(r.map.path, "[kernel.kallsyms]_text");
	CHECK_U64(parse(&data, &r), WP_PERF_IGNORED);
}

/* A path that the trailer ends instead of a NUL. */
static void test_no_nul(void)
{
	struct bytes in = mmap2(2);
	struct wp_record r;

	for (int i = 0; i < 4; i++)
		put(&in, 0x6161616161616161, 8);
	put(&in, 0x6161616161616161, 8);
	trailer(&in);
	CHECK_U64(parse(&in, &r), WP_PERF_MALFORMED);
}

static void test_comm(void)
{
	struct bytes in = header(3, 1 << 13);
	struct wp_record r;

	put(&in, 7, 4);
	put(&in, 9, 4);
	put_str(&in, "python3");
	trailer(&in);
	CHECK_U64(parse(&in, &r), WP_PERF_PARSED);
	CHECK_U64(r.kind, WP_RECORD_COMM);
	CHECK_U64(r.tid, 9);
	CHECK_STR(r.comm.name, "python3");
	CHECK(r.comm.exec);
	in.b[5] = 0;
	CHECK_U64(parse(&in, &r), WP_PERF_PARSED);
	CHECK(!r.comm.exec);
}

static void put_task(struct bytes *in)
{
	put(in, 20, 4);
	put(in, 7, 4);
	put(in, 21, 4);
	put(in, 8, 4);
	put(in, 555, 8);
}

static void test_tasks(void)
{
	struct bytes in = header(7, 0), bare = header(4, 0);
	struct wp_record r;

	put_task(&in);
	trailer(&in);
	CHECK_U64(parse(&in, &r), WP_PERF_PARSED);
	CHECK_U64(r.kind, WP_RECORD_FORK);
	CHECK_U64(r.pid, 20);
	CHECK_U64(r.tid, 21);
	CHECK_U64(r.fork.parent_pid, 7);
	CHECK_U64(r.fork.parent_tid, 8);
	check_trailer(&r);
	put_task(&bare);
	CHECK_U64(parse_as(TRAILER_TYPE, false, &bare, &r), WP_PERF_PARSED);
	CHECK_U64(r.kind, WP_RECORD_EXIT);
	CHECK_U64(r.time_ns, 555);
	CHECK_U64(r.cpu, WP_ANY_CPU);
}

static void test_lost_and_throttle(void)
{
	struct bytes lost = header(2, 0), samples = header(13, 0), throttle = header(5, 0),
		     unthrottle = header(6, 0);
	struct wp_record r;

	put(&lost, 42, 8);
	put(&lost, 1234, 8);
	trailer(&lost);
	CHECK_U64(parse(&lost, &r), WP_PERF_PARSED);
	CHECK_U64(r.kind, WP_RECORD_LOST);
	CHECK_U64(r.lost.count, 1234);
	put(&samples, 77, 8);
	trailer(&samples);
	CHECK_U64(parse(&samples, &r), WP_PERF_PARSED);
	CHECK_U64(r.lost.count, 77);
	put(&throttle, 900, 8);
	put(&throttle, 42, 8);
	put(&throttle, 42, 8);
	trailer(&throttle);
	CHECK_U64(parse(&throttle, &r), WP_PERF_PARSED);
	CHECK_U64(r.kind, WP_RECORD_THROTTLE);
	CHECK_U64(r.pid, 7);
	check_trailer(&r);
	CHECK_U64(parse(&unthrottle, &r), WP_PERF_IGNORED);
}

static enum wp_perf_parsed parse_switch(struct bytes *in, struct wp_record *ret)
{
	struct wp_perf_layout layout = {TRAILER_TYPE, true, &ids};

	layout.switches = true;
	in->b[6] = (uint8_t)in->n;
	return wp_perf_record_parse(&layout, in->b, in->n, ret);
}

/* Of the thread that the trailer names, whatever the one before or behind it is. */
static void test_switch(void)
{
	struct bytes in = header(14, 0), out = header(14, 1u << 13), wide = header(15, 1u << 13);
	struct wp_record r;

	trailer(&in);
	trailer(&out);
	put(&wide, 900, 8);
	trailer(&wide);
	CHECK_U64(parse(&in, &r), WP_PERF_IGNORED);
	CHECK_U64(parse_switch(&in, &r), WP_PERF_PARSED);
	CHECK(r.kind == WP_RECORD_SWITCH && !r.switched.out && r.pid == 7);
	check_trailer(&r);
	CHECK_U64(parse_switch(&out, &r), WP_PERF_PARSED);
	CHECK(r.kind == WP_RECORD_SWITCH && r.switched.out);
	CHECK_U64(parse_switch(&wide, &r), WP_PERF_PARSED);
	CHECK(r.switched.out && r.pid == 7 && r.tid == 8);
	check_trailer(&r);
}

static void test_sizes(void)
{
	struct wp_perf_layout layout = {TRAILER_TYPE, true, &ids};
	struct bytes in = header(7, 0);
	struct wp_record r;

	put_task(&in);
	trailer(&in);
	CHECK_U64(parse(&in, &r), WP_PERF_PARSED);
	for (size_t n = 0; n < in.n; n++)
		CHECK_U64(wp_perf_record_parse(&layout, in.b, n, &r), WP_PERF_MALFORMED);
	CHECK_U64(wp_perf_record_parse(&layout, in.b, in.n + 8, &r), WP_PERF_MALFORMED);
	for (in.n = 8; in.n < 64; in.n += 8)
		CHECK_U64(parse(&in, &r), WP_PERF_MALFORMED);
}

static void test_reading(void)
{
	uint64_t format = WP_PERF_READ_ENABLED | WP_PERF_READ_RUNNING | WP_PERF_READ_ID;
	uint64_t one[] = {100, 50, 25, 9, 3};
	struct wp_perf_reading r[4];

	CHECK_U64(wp_perf_reading_parse(format | WP_PERF_READ_LOST, one, sizeof(one), r, 1), 1);
	CHECK_U64(r[0].value, 100);
	CHECK_U64(r[0].enabled_ns, 50);
	CHECK_U64(r[0].running_ns, 25);
	CHECK_U64(r[0].id, 9);
	CHECK_U64(r[0].lost, 3);
	CHECK_U64(wp_perf_reading_parse(format, one, 31, r, 1), 0);
	CHECK_U64(wp_perf_reading_parse(format, one, 0, r, 1), 0);
	CHECK_U64(wp_perf_reading_parse(format, one, sizeof(one), r, 0), 0);
}

static void test_group_reading(void)
{
	uint64_t format =
		WP_PERF_READ_ENABLED | WP_PERF_READ_RUNNING | WP_PERF_READ_ID | WP_PERF_READ_GROUP;
	uint64_t group[] = {2, 50, 25, 100, 9, 200, 10};
	struct wp_perf_reading r[4];

	CHECK_U64(wp_perf_reading_parse(format, group, sizeof(group), r, 4), 2);
	CHECK_U64(r[0].value, 100);
	CHECK_U64(r[1].value, 200);
	CHECK_U64(r[1].id, 10);
	CHECK_U64(r[1].enabled_ns, 50);
	CHECK_U64(r[1].running_ns, 25);
	CHECK_U64(wp_perf_reading_parse(format, group, sizeof(group) - 1, r, 4), 0);
	CHECK_U64(wp_perf_reading_parse(format, group, sizeof(group), r, 1), 0);
	group[0] = UINT64_MAX;
	CHECK_U64(wp_perf_reading_parse(format, group, sizeof(group), r, 4), 0);
}

int main(void)
{
	*wp_map_put(&ids, 42) = 5;
	RUN(test_sample);
	RUN(test_sample_with_everything);
	RUN(test_sample_with_reading);
	RUN(test_sample_with_raw);
	RUN(test_sample_with_empty_raw);
	RUN(test_sample_with_raw_damaged);
	RUN(test_sample_data);
	RUN(test_sample_data_damaged);
	RUN(test_cgroup);
	RUN(test_map);
	RUN(test_map_build_id);
	RUN(test_old_map);
	RUN(test_no_nul);
	RUN(test_comm);
	RUN(test_tasks);
	RUN(test_lost_and_throttle);
	RUN(test_switch);
	RUN(test_sizes);
	RUN(test_reading);
	RUN(test_group_reading);
	wp_map_deinit(&ids);
	return check_done();
}
