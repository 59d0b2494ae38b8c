/* SPDX-License-Identifier: BSD-3-Clause */
/* perfdata: headers, attributes, records and features written by hand, whole, short and wrong. */
#include "format/perf/perfdata.h"

#include "check.h"

/* Bytes under construction. */
struct bytes {
	uint8_t b[512];
	size_t n;
};

static void put(struct bytes *out, uint64_t value, size_t n)
{
	memcpy(out->b + out->n, &value, n);
	out->n += n;
}

static void put_text(struct bytes *out, const char *s, size_t room)
{
	strncpy((char *)out->b + out->n, s, room);
	out->n += room;
}

static struct bytes header(const char *magic, uint64_t size, uint64_t attr_size)
{
	struct bytes out = {0};

	put_text(&out, magic, 8);
	put(&out, size, 8);
	put(&out, attr_size, 8);
	for (uint64_t i = 0; i < 6; i++)
		put(&out, 100 + i, 8);
	put(&out, 1 << 6 | 1 << 12, 8);
	put(&out, 0, 8);
	put(&out, 0, 8);
	put(&out, 1ull << 63, 8);
	return out;
}

static struct wp_err *read_header(struct bytes in, struct wp_perfdata_header *ret)
{
	return wp_perfdata_header_read(in.b, in.n, ret);
}

static void test_header(void)
{
	struct wp_perfdata_header h;
	struct bytes whole = header("PERFILE2", 104, 144);

	CHECK_OK(read_header(whole, &h));
	CHECK(!h.piped);
	CHECK_U64(h.attr_size, 144);
	CHECK_U64(h.attrs.offset, 100);
	CHECK_U64(h.data.offset, 102);
	CHECK_U64(h.data.size, 103);
	CHECK(wp_perfdata_has(&h, WP_PERFDATA_ARCH));
	CHECK(!wp_perfdata_has(&h, WP_PERFDATA_BUILD_IDS));
	CHECK_U64(wp_perfdata_feature_index(&h, WP_PERFDATA_ARCH), 0);
	CHECK_U64(wp_perfdata_feature_index(&h, WP_PERFDATA_EVENT_DESC), 1);
	CHECK_U64(wp_perfdata_feature_count(&h), 3);
	CHECK_OK(read_header(header("PERFILE2", 16, 0), &h));
	CHECK(h.piped);
	for (whole.n = 0; whole.n < 104; whole.n++)
		CHECK_ERR(read_header(whole, &h), "it ");
}

static void test_refused_headers(void)
{
	struct wp_perfdata_header h;

	CHECK_ERR(read_header(header("2ELIFREP", 104, 144), &h), "big-endian");
	CHECK_ERR(read_header(header("PERFFILE", 104, 144), &h), "old format");
	CHECK_ERR(read_header(header("\177ELF", 104, 144), &h), "not a perf.data file");
	CHECK_ERR(read_header(header("PERFILE2", 112, 144), &h), "header has 112 bytes");
	CHECK_ERR(read_header(header("PERFILE2", 104, 79), &h), "79 bytes");
	CHECK_ERR(read_header(header("PERFILE2", 104, UINT64_MAX), &h), "no known size");
}

static struct bytes attr(uint32_t size)
{
	struct bytes out = {0};

	put(&out, 1, 4);
	put(&out, size, 4);
	put(&out, 7, 8);       /* config */
	put(&out, 500, 8);     /* frequency */
	put(&out, 0x10007, 8); /* sample_type */
	put(&out, 4, 8);       /* read_format */
	put(&out, 1 << 5 | 1 << 10 | 1 << 18, 8);
	put(&out, 0, 8);
	put(&out, 21, 8); /* config1 */
	put(&out, 22, 8);
	put(&out, 3, 8);
	put(&out, 0xff0fff, 8);
	out.n = 128;
	return out;
}

static void test_attr(void)
{
	struct wp_perfdata_attr a;
	struct bytes in = attr(128);

	CHECK_OK(wp_perfdata_attr_read(in.b, in.n, &a));
	CHECK_U64(a.type, 1);
	CHECK_U64(a.config, 7);
	CHECK_U64(a.config1, 21);
	CHECK_U64(a.config2, 22);
	CHECK_U64(a.period, 500);
	CHECK_U64(a.sample_type, 0x10007);
	CHECK_U64(a.branch_sample_type, 3);
	CHECK_U64(a.regs_user, 0xff0fff);
	CHECK(a.freq && a.exclude_kernel && a.sample_id_all && !a.exclude_user);
	for (size_t n = 0; n < 128; n++)
		CHECK_ERR(wp_perfdata_attr_read(in.b, n, &a), "no known size");
	in = attr(64);
	CHECK_OK(wp_perfdata_attr_read(in.b, in.n, &a));
	CHECK_U64(a.config1, 21);
	CHECK_U64(a.config2, 0);
	CHECK_U64(a.regs_user, 0);
	in = attr(60);
	CHECK_ERR(wp_perfdata_attr_read(in.b, in.n, &a), "60 bytes");
}

static struct bytes record(uint32_t type, uint16_t size)
{
	struct bytes out = {0};

	put(&out, type, 4);
	put(&out, 2, 2);
	put(&out, size, 2);
	put(&out, 41, 8);
	put(&out, 42, 8);
	return out;
}

static void test_records(void)
{
	struct wp_perfdata_record r;
	struct bytes in = record(9, 24);

	CHECK_U64(wp_perfdata_record_read(in.b, in.n, &r), WP_PERFDATA_WHOLE);
	CHECK_U64(r.type, 9);
	CHECK_U64(r.misc, 2);
	CHECK_U64(r.size, 24);
	CHECK_U64(r.trailing, 0);
	CHECK_U64(wp_perfdata_identifier(in.b, &r), 41);
	CHECK_U64(wp_perfdata_body(in.b, &r).size, 16);
	for (size_t n = 0; n < in.n; n++)
		CHECK_U64(wp_perfdata_record_read(in.b, n, &r), WP_PERFDATA_CUT);
	in = record(3, 24);
	CHECK_U64(wp_perfdata_record_read(in.b, in.n, &r), WP_PERFDATA_WHOLE);
	CHECK_U64(wp_perfdata_identifier(in.b, &r), 42);
	in = record(3, 8);
	CHECK_U64(wp_perfdata_record_read(in.b, in.n, &r), WP_PERFDATA_WHOLE);
	CHECK_U64(wp_perfdata_identifier(in.b, &r), 0);
	in = record(3, 7);
	CHECK_U64(wp_perfdata_record_read(in.b, in.n, &r), WP_PERFDATA_BROKEN);
}

static void test_trailing(void)
{
	struct wp_perfdata_record r;
	struct bytes in = record(WP_PERFDATA_AUXTRACE, 24);

	CHECK_U64(wp_perfdata_record_read(in.b, in.n, &r), WP_PERFDATA_WHOLE);
	CHECK_U64(r.trailing, 41);
	in = record(WP_PERFDATA_TRACING_DATA, 24);
	CHECK_U64(wp_perfdata_record_read(in.b, in.n, &r), WP_PERFDATA_WHOLE);
	CHECK_U64(r.trailing, 48);
	in = record(WP_PERFDATA_AUXTRACE, 12);
	CHECK_U64(wp_perfdata_record_read(in.b, in.n, &r), WP_PERFDATA_BROKEN);
}

static struct bytes build_id(uint32_t room)
{
	struct bytes out = {0};

	put(&out, UINT32_MAX, 4);
	for (uint64_t i = 1; i <= 20; i++)
		put(&out, i, 1);
	put(&out, room, 4);
	put_text(&out, "/bin/x", 8);
	return out;
}

static void test_build_id(void)
{
	struct wp_perfdata_build_id id;
	struct bytes in = build_id(8);

	CHECK(wp_perfdata_build_id_read(wp_bytes_of(in.b, in.n), 1u << 15, &id));
	CHECK_STR(id.path, "/bin/x");
	CHECK_U64(id.len, 8);
	CHECK_U64(id.id[7], 8);
	CHECK(wp_perfdata_build_id_read(wp_bytes_of(in.b, in.n), 0, &id));
	CHECK_U64(id.len, 20);
	in = build_id(21);
	CHECK(wp_perfdata_build_id_read(wp_bytes_of(in.b, in.n), 1u << 15, &id));
	CHECK_U64(id.len, 20);
	for (size_t n = 0; n < 28 + 7; n++)
		CHECK(!wp_perfdata_build_id_read(wp_bytes_of(in.b, n), 0, &id));
	memset(in.b + 4, 0, 20);
	CHECK(wp_perfdata_build_id_read(wp_bytes_of(in.b, in.n), 0, &id));
	CHECK_U64(id.len, 0);
}

static void test_names(void)
{
	struct bytes in = {0}, one = attr(128);
	struct wp_perfdata_desc desc;
	uint32_t n, attr_size;

	put(&in, 1, 4);
	put(&in, 128, 4);
	memcpy(in.b + in.n, one.b, 128);
	in.n += 128;
	put(&in, 2, 4);
	put(&in, 8, 4);
	put_text(&in, "cycles", 8);
	put(&in, 11, 8);
	put(&in, 12, 8);
	for (size_t size = 0; size <= in.n; size++) {
		struct wp_bytes b = wp_bytes_of(in.b, size);
		bool whole = wp_perfdata_desc_begin(&b, &n, &attr_size) &&
			     wp_perfdata_desc_next(&b, attr_size, &desc);

		CHECK(whole == (size == in.n));
	}
	CHECK_U64(n, 1);
	CHECK_STR(desc.name, "cycles");
	CHECK_U64(desc.config, 7);
	memset(in.b + 8 + 128 + 8, 'x', 8); /* no NUL within its length */
	struct wp_bytes b = wp_bytes_of(in.b, in.n);
	CHECK(wp_perfdata_desc_begin(&b, &n, &attr_size));
	CHECK(!wp_perfdata_desc_next(&b, attr_size, &desc));
}

int main(void)
{
	RUN(test_header);
	RUN(test_refused_headers);
	RUN(test_attr);
	RUN(test_records);
	RUN(test_trailing);
	RUN(test_build_id);
	RUN(test_names);
	return check_done();
}
