/* SPDX-License-Identifier: BSD-3-Clause */
/* test_wait_kinds: rows of what threads wait for, their sums and percentiles. */
#include "aggregate/wait_kinds.h"

#include "check.h"
#include "core/wait.h"

#include <string.h>

struct told {
	const char *kind, *on;
	int32_t fd;
	uint32_t line; /* of Python; 0: there is none */
	uint64_t ns;
	uint32_t waits;
};

static void tell(struct wp_sink *sink, const struct told *told)
{
	struct wp_spot_frame frame = {.symbol = 3, .line = told->line};
	struct wp_wait_payload payload;
	struct wp_record record = {.kind = WP_RECORD_SAMPLE,
				   .sample = {.period = told->ns,
					      .payload = (const uint8_t *)&payload,
					      .payload_bytes = sizeof(payload)}};
	struct wp_sample sample = {.record = &record, .is_wait = true};

	wp_wait_fill(WP_WAIT_INTERRUPTIBLE, told->waits, told->ns, &payload);
	strcpy(payload.kind, told->kind);
	payload.fd = told->fd;
	wp_wait_name(told->on, &payload);
	if (told->line) {
		sample.python = &frame;
		sample.n_python = 1;
	}
	sink->ops->sample(sink, &sample);
}

static void tell_all(struct wp_wait_kinds *kinds, const struct told *told, size_t n)
{
	struct wp_sink *sink = wp_wait_kinds_sink(kinds);

	for (size_t i = 0; i < n; i++)
		tell(sink, &told[i]);
	wp_wait_kinds_finish(kinds);
}

static void test_rows(void)
{
	static const struct told all[] = {
		{"read", "pipe:[7]", 4, 10, 1000, 1}, {"read", "pipe:[7]", 4, 10, 2000, 1},
		{"read", "pipe:[7]", 4, 11, 100, 1},  {"read", "pipe:[8]", 4, 10, 200, 1},
		{"read", "pipe:[7]", 5, 10, 300, 1},  {"lock", "", -1, 0, 50, 1},
	};
	struct wp_wait_kinds kinds = {0};

	tell_all(&kinds, all, WP_ARRAY_LEN(all));
	CHECK_U64(kinds.rows.n, 5);
	CHECK_U64(kinds.ns, 3650);
	CHECK_U64(kinds.rows.v[0].ns, 3000);
	CHECK_U64(kinds.rows.v[0].waits, 2);
	CHECK_U64(kinds.rows.v[0].line, 10);
	CHECK_U64(kinds.rows.v[0].longest_ns, 2000);
	CHECK_U64(kinds.rows.v[0].p50_ns, 1000);
	CHECK_STR(wp_strpool_get(&kinds.texts, kinds.rows.v[0].on), "pipe:[7]");
	CHECK_U64(kinds.rows.v[4].symbol, WP_WAIT_KIND_NOWHERE);
	wp_wait_kinds_deinit(&kinds);
}

static bool is_just_below(uint64_t got, uint64_t want)
{
	return got <= want && want - got <= want / 512;
}

/* 1 to 1000 us: below the true value, by 1/512 at most. */
static void test_percentiles(void)
{
	struct wp_wait_kinds kinds = {0};
	struct told told[1000];

	for (uint64_t i = 0; i < 1000; i++)
		told[i] = (struct told){"sleep", "", -1, 0, (1 + i * 7 % 1000) * 1000, 1};
	tell_all(&kinds, told, 1000);
	CHECK_U64(kinds.rows.n, 1);
	CHECK(is_just_below(kinds.rows.v[0].p50_ns, 500000));
	CHECK(is_just_below(kinds.rows.v[0].p90_ns, 900000));
	CHECK(is_just_below(kinds.rows.v[0].p99_ns, 990000));
	CHECK_U64(kinds.rows.v[0].longest_ns, 1000000);
	wp_wait_kinds_deinit(&kinds);
}

/* A sum of short waits has a number and a length, but no median. */
static void test_short(void)
{
	static const struct told all[] = {{"short", "", -1, 0, 5000, 50}};
	struct wp_wait_kinds kinds = {0};

	tell_all(&kinds, all, 1);
	CHECK_U64(kinds.rows.v[0].waits, 50);
	CHECK_U64(kinds.rows.v[0].p50_ns, 0);
	CHECK_U64(kinds.rows.v[0].longest_ns, 0);
	wp_wait_kinds_deinit(&kinds);
}

/* A recording's texts go to a terminal. */
static void test_hostile(void)
{
	static const struct told all[] = {{"re\033[2Jad", "a\nb\xc2\x9b", 4, 0, 5, 1}};
	struct wp_wait_kinds kinds = {0};

	tell_all(&kinds, all, 1);
	CHECK_STR(wp_strpool_get(&kinds.texts, kinds.rows.v[0].kind), "re?[2Jad");
	CHECK(!strpbrk(wp_strpool_get(&kinds.texts, kinds.rows.v[0].on), "\n\xc2"));
	wp_wait_kinds_deinit(&kinds);
}

/* More kinds than have room: those that are known still count, the others are one row. */
static void test_full(void)
{
	static const struct told known = {"lock", "", -1, 1, 7, 1},
				 other = {"lock", "", -1, 0, 5, 1};
	struct wp_wait_kinds kinds = {0};
	struct wp_sink *sink = wp_wait_kinds_sink(&kinds);
	struct told many = {"lock", "", -1, 1, 1, 1};
	uint64_t ns = 0;

	for (; many.line < 300000; many.line++)
		tell(sink, &many);
	tell(sink, &known);
	tell(sink, &other);
	wp_wait_kinds_finish(&kinds);
	CHECK_U64(kinds.rows.n, (1u << 18) + 1);
	CHECK_STR(wp_strpool_get(&kinds.texts, kinds.rows.v[0].kind), "(others)");
	CHECK_U64(kinds.rows.v[1].line, 1);
	CHECK_U64(kinds.rows.v[1].ns, 8);
	wp_vec_each (const struct wp_wait_kind_row, row, &kinds.rows)
		ns += row->ns;
	CHECK_U64(ns, 299999 + 7 + 5);
	wp_wait_kinds_deinit(&kinds);
}

int main(void)
{
	RUN(test_rows);
	RUN(test_percentiles);
	RUN(test_short);
	RUN(test_hostile);
	RUN(test_full);
	return check_done();
}
