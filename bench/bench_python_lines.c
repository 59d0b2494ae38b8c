/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_python_lines STREAM [LOOKUPS]: how many code objects, seconds to take them in, bytes of
 * their tables; then million lines per second: of a thousand instructions in turn and of any, as a
 * profile asks for them and of the bare table. The stream is tests/live/python_lines_oracle.py's.
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/vec.h"
#include "runtime/python_code.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define STREAM_MAX (1u << 30)
#define HOT	   1000 /* instructions that a program is in most of the time */

struct head {
	uint32_t form, first_line, bytes, name_bytes;
	int32_t first;
	uint32_t step, n;
};

struct tables {
	struct wp_python_codes codes;
	WP_VEC(uint32_t) begins; /* instructions in the code objects before each one */
	uint32_t step, n;
};

static volatile uint64_t sink;

static bool read_codes(const char *stream, size_t size, struct tables *t)
{
	for (size_t at = 0; at < size;) {
		struct head h;

		if (size - at < sizeof(h))
			return false;
		memcpy(&h, stream + at, sizeof(h));
		uint64_t rest = (uint64_t)h.name_bytes + h.bytes + 4ull * h.n;
		if (rest > size - at - sizeof(h))
			return false;
		at += sizeof(h) + h.name_bytes;
		struct wp_record_code record = {
			.addr = t->begins.n + 1,
			.first_line = h.first_line,
			.lines_len = h.bytes,
			.lines = (const uint8_t *)stream + at,
			.lines_captured = h.bytes,
		};
		wp_python_codes_add(&t->codes, &record, 0, h.form);
		wp_vec_push(&t->begins, t->n);
		t->n += h.n;
		t->step = h.step;
		at += rest - h.name_bytes;
	}
	return t->n > 0;
}

/* The code object that has the n-th instruction of all. */
static uint32_t code_of(const struct tables *t, uint32_t n)
{
	size_t lo = 0, hi = t->begins.n;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->begins.v[mid] <= n)
			lo = mid;
		else
			hi = mid;
	}
	return (uint32_t)lo;
}

static uint32_t look(struct wp_python_code *code, uint32_t addr, bool as_profile)
{
	struct wp_python_lines bare = code->lines;

	if (as_profile)
		return wp_python_code_line(code, (int32_t)addr);
	bare.n_marks = 0;
	return wp_python_lines_at(&bare, addr);
}

/* Million lookups a second, of that many different instructions in turn. */
static double run(struct tables *t, size_t lookups, size_t different, bool as_profile)
{
	uint64_t state = 88172645463325252u, begin, sum = 0;
	struct {
		uint32_t code, addr;
	} *places = wp_calloc(different, sizeof(*places));

	for (size_t i = 0; i < different; i++) {
		state ^= state << 13, state ^= state >> 7, state ^= state << 17;
		uint32_t n = (uint32_t)(state % t->n), at = code_of(t, n);
		places[i].code = at;
		places[i].addr = (n - t->begins.v[at]) * t->step;
	}
	begin = wp_clock_now_ns();
	for (size_t i = 0, at = 0; i < lookups; i++, at = at + 1 < different ? at + 1 : 0)
		sum += look(&t->codes.all.v[places[at].code], places[at].addr, as_profile);
	double seconds = (double)(wp_clock_now_ns() - begin) / 1e9;
	sink = sum;
	free(places);
	return (double)lookups / seconds / 1e6;
}

int main(int argc, char **argv)
{
	size_t lookups = argc > 2 ? strtoul(argv[2], NULL, 10) : 2000000, size;
	wp_autofree char *stream = NULL;
	struct tables t = {0};

	wp_autoerr struct wp_err *err =
		argc > 1 ? wp_file_read(argv[1], STREAM_MAX, &stream, &size) : NULL;
	uint64_t begin = wp_clock_now_ns();
	if (argc < 2 || err || !read_codes(stream, size, &t)) {
		fprintf(stderr, "%s\n",
			err ? err->text : "usage: bench_python_lines STREAM [LOOKUPS]");
		return 2;
	}
	double taken = (double)(wp_clock_now_ns() - begin) / 1e9;
	printf("%zu %.3f %" PRIu64 " %.2f %.2f %.2f %.2f\n", t.begins.n, taken, t.codes.table_bytes,
	       run(&t, lookups, HOT, true), run(&t, lookups, lookups, true),
	       run(&t, lookups, HOT, false), run(&t, lookups, lookups, false));
	wp_python_codes_deinit(&t.codes);
	wp_vec_deinit(&t.begins);
	return 0;
}
