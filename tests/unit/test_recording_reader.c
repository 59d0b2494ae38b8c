/* SPDX-License-Identifier: BSD-3-Clause */
/* recording: what its thread reads ahead comes in order and whole, from recordings of many batches,
 * whenever it is stopped; with and without stacks. */
#include "recording/recording.h"

#include "format/perf/perf_record.h"
#include "format/perf/perfdata.h"
#include "recording/recording_batch.h"

#include "check.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define TYPE                                                                                       \
	(WP_PERF_SAMPLE_IP | WP_PERF_SAMPLE_TID | WP_PERF_SAMPLE_TIME | WP_PERF_SAMPLE_CALLCHAIN | \
	 WP_PERF_SAMPLE_REGS_USER | WP_PERF_SAMPLE_STACK_USER)
#define DATA_AT	 (104 + 128 + 16)
#define SAMPLES	 20000
#define ROUND	 500
#define STACK	 8192
#define CALLER	 0x400000
#define BAD_SIZE 3

struct bytes {
	uint8_t *b;
	size_t n;
};

static void put(struct bytes *out, uint64_t value, size_t n)
{
	memcpy(out->b + out->n, &value, n);
	out->n += n;
}

static void put_header(struct bytes *out)
{
	memcpy(out->b, "PERFILE2", 8);
	out->n = 8;
	put(out, 104, 8);
	put(out, 128 + 16, 8);
	put(out, 104, 8);
	put(out, 128 + 16, 8);
	put(out, DATA_AT, 8);
	out->n = 104;
	put(out, 1, 4);
	put(out, 128, 4);
	put(out, 5, 8);
	put(out, 1000, 8);
	put(out, TYPE, 8);
	out->n = DATA_AT;
}

/* [ip] [pid tid] [time] [nr ips] [abi] [size bytes dyn_size]; one in eight has a large stack. */
static void put_sample(struct bytes *out, uint64_t time)
{
	size_t stack = time % 8 ? 0 : STACK, begin = out->n;

	put(out, 9, 4);
	put(out, 2, 2);
	put(out, 8 + 24 + 24 + 8 + 8 + (stack ? stack + 8 : 0), 2);
	put(out, CALLER + time, 8);
	put(out, 7, 4);
	put(out, 7, 4);
	put(out, time, 8);
	put(out, 2, 8);
	put(out, (uint64_t)-512, 8); /* PERF_CONTEXT_USER */
	put(out, CALLER + time, 8);
	put(out, 0, 8);
	put(out, stack, 8);
	if (stack) {
		memset(out->b + out->n, 0x77, stack);
		out->n += stack;
		put(out, stack, 8);
	}
	CHECK((out->n - begin) % 8 == 0);
}

static void put_round(struct bytes *out)
{
	put(out, WP_PERFDATA_FINISHED_ROUND, 4);
	put(out, 0, 2);
	put(out, 8, 2);
}

/* Rounds of two rings each, of which one has the even and one the odd times. */
static struct bytes make(void)
{
	struct bytes out = {wp_calloc(SAMPLES, STACK / 8 + 128), 0};

	put_header(&out);
	for (uint64_t first = 1; first <= SAMPLES; first += ROUND) {
		for (uint64_t i = 0; i < ROUND; i += 2)
			put_sample(&out, first + i);
		for (uint64_t i = 1; i < ROUND; i += 2)
			put_sample(&out, first + i);
		put_round(&out);
	}
	uint64_t size = out.n - DATA_AT;
	memcpy(out.b + 48, &size, 8);
	return out;
}

static const struct wp_log quiet;

static struct wp_source *open_bytes(const struct bytes *in, size_t n)
{
	wp_autoclose int fd = memfd_create("recording", MFD_CLOEXEC);
	wp_autofree char *path = wp_asprintf("/proc/self/fd/%d", fd);
	struct wp_source *source = NULL;

	CHECK(fd >= 0 && write(fd, in->b, n) == (ssize_t)n);
	CHECK_OK(wp_recording_open(path, false, &quiet, NULL, &source));
	return source;
}

static void check_stack(const struct wp_record *r, bool stacks)
{
	const struct wp_stack_raw *raw = r->sample.stack;

	if (!stacks) {
		CHECK(!raw);
		return;
	}
	CHECK(raw && raw->n_user == 1 && raw->user_ips[0] == CALLER + r->time_ns);
	/* Copies are of no use without registers. */
	CHECK(!raw->dump_bytes || raw->dump[raw->dump_bytes - 1] == 0x77);
}

/* Up to `most` samples, whose times must be 1, 2, 3 ...; returns how many came. */
static uint64_t take(struct wp_source *source, uint64_t most, bool stacks)
{
	struct wp_batch batch = {0};
	uint64_t n = 0;

	CHECK_OK(source->ops->start(source));
	while (!batch.ended && n < most) {
		CHECK_OK(source->ops->next(source, 0, &batch));
		for (size_t i = 0; i < batch.n; i++) {
			CHECK_U64(batch.records[i].time_ns, ++n);
			CHECK_U64(batch.records[i].sample.ip.v, CALLER + n);
			check_stack(&batch.records[i], stacks);
		}
	}
	return n;
}

static void test_whole(void)
{
	struct bytes in = make();

	for (int stacks = 0; stacks < 2; stacks++) {
		struct wp_source *source = open_bytes(&in, in.n);

		if (!stacks)
			wp_recording_no_stacks(source);
		CHECK_U64(take(source, UINT64_MAX, stacks), SAMPLES);
		CHECK_U64(source->ops->elapsed_ns(source), SAMPLES - 1);
		CHECK_U64(take(source, UINT64_MAX, stacks), SAMPLES);
		source->ops->close(source);
	}
	free(in.b);
}

/* While batches are under way: from the beginning again, stopped, closed. */
static void test_stopped(void)
{
	struct bytes in = make();
	struct wp_source *source = open_bytes(&in, in.n);
	struct wp_batch batch;

	for (uint64_t most = 1; most < SAMPLES; most = most * 3 + WP_RECORDING_BATCH / 2)
		CHECK(take(source, most, true) >= most);
	CHECK_OK(source->ops->stop(source));
	CHECK_OK(source->ops->next(source, 0, &batch));
	CHECK(batch.ended && !batch.n);
	CHECK_OK(source->ops->stop(source));
	CHECK_U64(take(source, UINT64_MAX, true), SAMPLES);
	CHECK(take(source, 1, true) >= 1);
	source->ops->close(source);
	source = open_bytes(&in, in.n); /* never started */
	source->ops->close(source);
	free(in.b);
}

/* A file that ends anywhere has the samples in front of it, skipped stacks or not. */
static void test_cut(void)
{
	struct bytes in = make();

	for (size_t n = DATA_AT; n < in.n; n += in.n / 37) {
		struct wp_source *source = open_bytes(&in, n), *bare = open_bytes(&in, n);
		uint64_t samples = 0, without = 0;
		struct wp_batch batch = {0};

		wp_recording_no_stacks(bare);
		CHECK_OK(source->ops->start(source));
		CHECK_OK(bare->ops->start(bare));
		for (; !batch.ended; samples += batch.n)
			CHECK_OK(source->ops->next(source, 0, &batch));
		for (batch.ended = false; !batch.ended; without += batch.n)
			CHECK_OK(bare->ops->next(bare, 0, &batch));
		CHECK_U64(without, samples);
		CHECK(samples <= SAMPLES && samples * 64 <= n);
		source->ops->close(source);
		bare->ops->close(bare);
	}
	free(in.b);
}

/* What is read ahead of an error is not lost on anyone: whoever takes the batches gets it, once. */
static void test_error(void)
{
	struct bytes in = make();
	struct wp_batch batch = {0};
	struct wp_source *source;
	struct wp_err *err = NULL;

	in.n -= 8;
	put(&in, 9, 4);
	put(&in, 0, 2);
	put(&in, BAD_SIZE, 2);
	source = open_bytes(&in, in.n);
	CHECK_OK(source->ops->start(source));
	while (!err && !batch.ended)
		err = source->ops->next(source, 0, &batch);
	CHECK_ERR(err, "no record begins at offset");
	CHECK_OK(source->ops->next(source, 0, &batch));
	CHECK(batch.ended && !batch.n);
	source->ops->close(source);
	free(in.b);
}

int main(void)
{
	RUN(test_whole);
	RUN(test_stopped);
	RUN(test_cut);
	RUN(test_error);
	return check_done();
}
