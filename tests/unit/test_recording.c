/* SPDX-License-Identifier: BSD-3-Clause */
/* recording: perf.data files written by hand are read in order, cut at every byte, and refused. */
#include "recording/recording.h"

#include "format/perf/perf_record.h"
#include "format/perf/perfdata.h"

#include "check.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#define PLAIN	 (WP_PERF_SAMPLE_IP | WP_PERF_SAMPLE_TID | WP_PERF_SAMPLE_TIME)
#define WITH_ID	 (PLAIN | WP_PERF_SAMPLE_IDENTIFIER)
#define ATTRS_AT 104
#define ENTRY	 (128 + 16)

/* A file under construction. */
struct bytes {
	uint8_t b[32768];
	size_t n;
};

static void put(struct bytes *out, uint64_t value, size_t n)
{
	memcpy(out->b + out->n, &value, n);
	out->n += n;
}

static void put_at(struct bytes *out, size_t at, uint64_t value)
{
	memcpy(out->b + at, &value, 8);
}

static void put_text(struct bytes *out, const char *s, size_t room)
{
	memcpy(out->b + out->n, s, strnlen(s, room)); /* the rest is zero already */
	out->n += room;
}

static void put_head(struct bytes *out, uint32_t type, uint16_t size)
{
	put(out, type, 4);
	put(out, type == 67 ? 1 << 15 : 2, 2);
	put(out, size, 2);
}

static void put_attr(struct bytes *out, uint64_t sample_type, uint64_t config)
{
	size_t end = out->n + 128;

	put(out, 1, 4);
	put(out, 128, 4);
	put(out, config, 8);
	put(out, 1000, 8);
	put(out, sample_type, 8);
	put(out, 0, 8);
	put(out, 1 << 18, 8);
	out->n = end;
}

static void put_sample(struct bytes *out, uint64_t time, uint64_t id)
{
	put_head(out, 9, id ? 40 : 32);
	if (id)
		put(out, id, 8);
	put(out, 0x400123, 8);
	put(out, 7, 4);
	put(out, 7, 4);
	put(out, time, 8);
}

static void put_map(struct bytes *out, bool with_id)
{
	put_head(out, 1, with_id ? 72 : 64);
	put(out, 7, 4);
	put(out, 7, 4);
	put(out, 0x400000, 8);
	put(out, 0x1000, 8);
	put(out, 0, 8);
	put_text(out, "/bin/x", 8);
	put(out, 7, 4);
	put(out, 7, 4);
	put(out, UINT64_MAX, 8); /* perf made it up */
	if (with_id)
		put(out, 0, 8);
}

/* Samples of three rounds; within the reach of two they may be in any order. */
static void put_records(struct bytes *out, uint64_t id, uint64_t other_id)
{
	put_map(out, id);
	put_sample(out, 50, id);
	put_sample(out, 30, id);
	put_head(out, WP_PERFDATA_FINISHED_ROUND, 8);
	put_sample(out, 70, other_id);
	put_sample(out, 40, id);
	put_head(out, WP_PERFDATA_FINISHED_ROUND, 8);
	put_head(out, WP_PERFDATA_AUXTRACE, 16);
	put(out, 24, 8);
	for (int i = 0; i < 3; i++)
		put(out, UINT64_MAX, 8);
	put_sample(out, 60, id);
}

static void put_build_id(struct bytes *out)
{
	put_head(out, 67, 8 + 28 + 8);
	put(out, UINT32_MAX, 4);
	for (uint64_t i = 0; i < 20; i++)
		put(out, 0xa0 + i, 1);
	put(out, 20, 4);
	put_text(out, "/bin/x", 8);
}

static void put_name(struct bytes *out, uint64_t sample_type)
{
	put(out, 1, 4);
	put(out, 128, 4);
	put_attr(out, sample_type, 5);
	put(out, 0, 4);
	put(out, 8, 4);
	put_text(out, "first", 8);
}

/* Sections of BUILD_IDS, ARCH and EVENT_DESC behind the data. */
static void put_features(struct bytes *out, uint64_t sample_type, const char *arch)
{
	size_t table = out->n, at[4];

	put_at(out, 72, 1 << 2 | 1 << 6 | 1 << 12);
	out->n += 3 * 16;
	at[0] = out->n;
	put_build_id(out);
	at[1] = out->n;
	put(out, 8, 4);
	put_text(out, arch, 8);
	at[2] = out->n;
	put_name(out, sample_type);
	at[3] = out->n;
	for (size_t i = 0; i < 3; i++) {
		put_at(out, table + 16 * i, at[i]);
		put_at(out, table + 16 * i + 8, at[i + 1] - at[i]);
	}
}

/* A file with one event, or with a second one that has other samples or none to tell it by. */
static struct bytes file_of(uint64_t first, uint64_t second, const char *arch)
{
	struct bytes out = {0};
	size_t n = second ? 2 : 1, ids = ATTRS_AT + n * ENTRY, data;
	bool has_ids = first & WP_PERF_SAMPLE_IDENTIFIER;

	put_text(&out, "PERFILE2", 8);
	put(&out, ATTRS_AT, 8);
	put(&out, ENTRY, 8);
	put(&out, ATTRS_AT, 8);
	put(&out, n * ENTRY, 8);
	out.n = ATTRS_AT;
	for (size_t i = 0; i < n; i++) {
		put_attr(&out, i ? second : first, 5 + i);
		put(&out, ids + 8 * i, 8);
		put(&out, 8, 8);
	}
	for (size_t i = 0; i < n; i++)
		put(&out, 11 + i, 8);
	data = out.n;
	put_records(&out, has_ids ? 11 : 0, second && has_ids ? 12 : 0);
	put_at(&out, 40, data);
	put_at(&out, 48, out.n - data);
	put_features(&out, first, arch);
	return out;
}

static struct bytes piped(void)
{
	struct bytes out = {0};

	put_text(&out, "PERFILE2", 8);
	put(&out, 16, 8);
	put_head(&out, WP_PERFDATA_HEADER_ATTR, 8 + 128 + 8);
	put_attr(&out, WITH_ID, 5);
	put(&out, 11, 8);
	put_head(&out, WP_PERFDATA_TRACING_DATA, 16);
	put(&out, 5, 8);
	put(&out, UINT64_MAX, 8);
	put_head(&out, WP_PERFDATA_HEADER_FEATURE, 8 + 8 + 8 + 128 + 16);
	put(&out, WP_PERFDATA_EVENT_DESC, 8);
	put_name(&out, WITH_ID);
	put_records(&out, 11, 11);
	put_build_id(&out);
	return out;
}

static char noted[256];

/* The last warning, and the last note. */
static void note(void *arg, enum wp_log_level level, const char *line)
{
	if (level == WP_LOG_NOTE)
		snprintf(noted, sizeof(noted), "%s", line);
	if (level == WP_LOG_WARNING)
		snprintf(arg, 256, "%s", line);
}

static char warned[256];
static const struct wp_log notes = {.sink = note, .arg = warned};

static struct wp_err *open_bytes(const struct bytes *in, size_t n, struct wp_source **ret)
{
	wp_autoclose int fd = memfd_create("recording", MFD_CLOEXEC);
	wp_autofree char *path = wp_asprintf("/proc/self/fd/%d", fd);

	warned[0] = noted[0] = '\0';
	if (fd < 0 || write(fd, in->b, n) != (ssize_t)n)
		return wp_err_new(WP_ERR_OTHER, "no file to test with");
	return wp_recording_open(path, false, &notes, NULL, ret);
}

/* What was delivered: the times of all samples as "30 40 ..." and how many maps. */
struct seen {
	char times[128];
	size_t samples, maps, batches;
	uint32_t events[16];
};

static void see(struct seen *seen, const struct wp_record *r)
{
	size_t used = strlen(seen->times);

	if (r->kind == WP_RECORD_MAP) {
		seen->maps++;
		CHECK_STR(r->map.path, "/bin/x");
		CHECK(r->map.build_id_len == 0 || r->map.build_id[1] == 0xa1);
	}
	if (r->kind != WP_RECORD_SAMPLE)
		return;
	CHECK_U64(r->sample.period, 1000); /* the event's own */
	seen->events[seen->samples++] = r->sample.event;
	snprintf(seen->times + used, sizeof(seen->times) - used, "%s%llu", used ? " " : "",
		 (unsigned long long)r->time_ns);
}

static struct wp_err *read_all(struct wp_source *source, struct seen *ret)
{
	struct wp_batch batch = {0};

	*ret = (struct seen){0};
	TRY(source->ops->start(source));
	while (!batch.ended) {
		TRY(source->ops->next(source, 0, &batch));
		ret->batches++;
		for (size_t i = 0; i < batch.n && ret->samples < 16; i++)
			see(ret, &batch.records[i]);
	}
	return NULL;
}

static void test_order(void)
{
	struct bytes in = file_of(PLAIN, 0, "x86_64");
	struct wp_source *source;
	struct seen seen;

	CHECK_OK(open_bytes(&in, in.n, &source));
	for (int again = 0; again < 2; again++) {
		CHECK_OK(read_all(source, &seen));
		CHECK_STR(seen.times, "30 40 50 60 70");
		CHECK_U64(seen.maps, 1);
		CHECK_U64(seen.batches, 2); /* all; the end */
		CHECK_U64(source->ops->elapsed_ns(source), 40);
	}
	CHECK_STR(warned, "");
	CHECK_STR(noted, "");
	source->ops->close(source);
	CHECK_STR(warned, "");
	CHECK(strstr(noted, ": 24 bytes of AUX data"));
}

static void test_names_and_build_ids(void)
{
	struct bytes in = file_of(WITH_ID, WITH_ID, "x86_64");
	const struct wp_event_set *events;
	struct wp_batch batch;
	struct wp_source *source;

	CHECK_OK(open_bytes(&in, in.n, &source));
	events = wp_recording_events(source);
	CHECK_U64(events->events.n, 2);
	CHECK_STR(events->events.v[0].name, "first");
	CHECK_STR(events->events.v[1].name, "major-faults");
	CHECK_U64(events->events.v[0].source, WP_EVENT_SW);
	CHECK_U64(events->events.v[0].period, 1000);
	CHECK_OK(source->ops->start(source));
	CHECK_OK(source->ops->next(source, 0, &batch));
	CHECK_U64(batch.n, 6);
	CHECK_U64(batch.records[0].kind, WP_RECORD_MAP);
	CHECK_U64(batch.records[0].time_ns, 0);
	CHECK_U64(batch.records[0].map.build_id_len, 20);
	CHECK_U64(batch.records[0].map.build_id[19], 0xb3);
	CHECK_OK(source->ops->stop(source));
	CHECK_OK(source->ops->next(source, 0, &batch));
	CHECK(batch.ended && batch.n == 0);
	source->ops->close(source);
}

/* Two events in one stream, with samples alike and, told apart by their identifier, not alike. */
static void test_two_layouts(void)
{
	struct bytes in = file_of(WITH_ID, WITH_ID, "x86_64");
	uint64_t other = WITH_ID & ~(uint64_t)WP_PERF_SAMPLE_TIME;
	struct wp_source *source;
	struct seen seen;

	CHECK_OK(open_bytes(&in, in.n, &source));
	CHECK_OK(read_all(source, &seen));
	CHECK_U64(seen.samples, 5);
	CHECK_U64(seen.events[4], 1);
	CHECK_U64(seen.events[3], 0);
	source->ops->close(source);
	in = file_of(WITH_ID, other, "x86_64");
	CHECK_OK(open_bytes(&in, in.n, &source));
	CHECK_OK(read_all(source, &seen));
	CHECK_STR(seen.times, "0 30 40 50 60"); /* the second event's has no time */
	CHECK_U64(seen.events[0], 1);
	source->ops->close(source);
}

static void test_piped(void)
{
	struct bytes in = piped();
	struct wp_source *source;
	struct seen seen;

	CHECK_OK(open_bytes(&in, in.n, &source));
	CHECK_OK(read_all(source, &seen));
	CHECK_STR(seen.times, "30 40 50 60 70");
	CHECK_STR(wp_recording_events(source)->events.v[0].name, "first");
	CHECK_STR(warned, "");
	source->ops->close(source);
}

/* perf before 4.17 names a pipe's events one by one, each by an id of it. */
static void test_updates(void)
{
	struct bytes in = piped();
	struct wp_source *source;

	for (int kind = 2; kind >= 1; kind--) {
		put_head(&in, WP_PERFDATA_EVENT_UPDATE, 8 + 16 + 8);
		put(&in, (uint64_t)kind, 8);
		put(&in, 11, 8);
		put_text(&in, kind == 2 ? "second\0" : "unit\0\0\0", 8);
	}
	put_head(&in, WP_PERFDATA_EVENT_UPDATE, 8 + 16 + 8);
	put(&in, 2, 8);
	put(&in, 12, 8); /* nobody's */
	put_text(&in, "third\0\0", 8);
	CHECK_OK(open_bytes(&in, in.n, &source));
	CHECK_STR(wp_recording_events(source)->events.v[0].name, "second");
	CHECK(wp_recording_has_time(source, 0));
	CHECK(!wp_recording_has_time(source, 1));
	source->ops->close(source);
}

static void test_refused(void)
{
	struct bytes in = file_of(PLAIN, PLAIN, "x86_64");
	struct wp_source *source;

	CHECK_ERR(open_bytes(&in, in.n, &source), "its 2 events cannot be told apart");
	in = file_of(WITH_ID, PLAIN, "x86_64");
	CHECK_ERR(open_bytes(&in, in.n, &source), "cannot be told apart");
	in = file_of(PLAIN, 0, "s390x");
	CHECK_ERR(open_bytes(&in, in.n, &source), "of type s390x");
	in = file_of(PLAIN, 0, "x86_64");
	put_at(&in, 32, 0);
	CHECK_ERR(open_bytes(&in, in.n, &source), "no event");
	CHECK_ERR(wp_recording_open("/", false, &notes, NULL, &source), "is a folder without");
	CHECK_ERR(wp_recording_open("/dev/null", false, &notes, NULL, &source),
		  "not a regular file");
	CHECK_ERR(wp_recording_open("/nonexistent", false, &notes, NULL, &source),
		  "cannot open /nonexistent");
}

static void test_machines(void)
{
	static const struct {
		const char *says, *arch;
	} machines[] = {
		{"x86_64", "x86_64"}, {"aarch64", "aarch64"}, {"i386", "i686"},
		{"i686", "i686"},     {"armv7l", "arm"},      {"armv6l", "arm"},
		{"armv7b", NULL},     {"i786", NULL},	      {"armv7ln", NULL},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(machines); i++) {
		char arch[8] = {0};
		struct bytes in;
		struct wp_source *source;
		wp_autoerr struct wp_err *err = NULL;

		memcpy(arch, machines[i].says, strlen(machines[i].says));
		in = file_of(PLAIN, 0, arch);
		err = open_bytes(&in, in.n, &source);
		CHECK(!err == !!machines[i].arch);
		if (err)
			continue;
		CHECK_STR(wp_recording_head(source)->arch, machines[i].arch);
		source->ops->close(source);
	}
}

/* Events that all name the same 40 MB of a hole for their ids. */
static void test_many_ids(void)
{
	struct bytes in = file_of(WITH_ID, WITH_ID, "x86_64");
	wp_autoclose int fd = memfd_create("recording", MFD_CLOEXEC);
	wp_autofree char *path = wp_asprintf("/proc/self/fd/%d", fd);
	struct wp_source *source;

	for (size_t i = 0; i < 2; i++) {
		put_at(&in, ATTRS_AT + i * ENTRY + 128, 8192);
		put_at(&in, ATTRS_AT + i * ENTRY + 136, 40 << 20);
	}
	CHECK(write(fd, in.b, in.n) == (ssize_t)in.n && ftruncate(fd, 48 << 20) == 0);
	CHECK_ERR(wp_recording_open(path, false, &notes, NULL, &source), "more than 64 MB of ids");
}

/* Opens and reads what is left of a file: never more than the whole one has. */
static void read_cut(const struct bytes *in, size_t n)
{
	struct wp_source *source;
	struct seen seen;
	wp_autoerr struct wp_err *err = open_bytes(in, n, &source);

	if (err)
		return;
	err = read_all(source, &seen);
	CHECK(seen.samples <= 5 && seen.maps <= 1);
	/* Without its end a file says so, unless it went through a pipe. */
	CHECK(warned[0] || n == in->n || in->b[8] == 16);
	source->ops->close(source);
}

static struct wp_err *read_unchecked(struct wp_source *source)
{
	struct wp_batch batch = {0};

	TRY(source->ops->start(source));
	while (!batch.ended)
		TRY(source->ops->next(source, 0, &batch));
	return NULL;
}

/* A pipe's recording whose records are in compressed ones of `piece` bytes each, as perf makes
 * them: one stream with flushes. */
static struct bytes packed(size_t piece, bool second_kind)
{
	struct bytes in = piped(), records = {0}, out = {0};
	uint8_t stream[4096];
	ZSTD_CCtx *z = ZSTD_createCCtx();
	ZSTD_outBuffer to = {stream, sizeof(stream), 0};

	put_records(&records, 11, 11);
	for (size_t at = 0; at < records.n; at += 100) {
		size_t n = records.n - at < 100 ? records.n - at : 100;
		ZSTD_inBuffer from = {records.b + at, n, 0};

		CHECK(ZSTD_compressStream2(z, &to, &from, ZSTD_e_flush) == 0);
	}
	ZSTD_freeCCtx(z);
	out = in;
	out.n = in.n - records.n - 44; /* the build-id's record is the last one */
	memset(out.b + out.n, 0, sizeof(out.b) - out.n);
	for (size_t at = 0; at < to.pos; at += piece) {
		size_t n = to.pos - at < piece ? to.pos - at : piece,
		       pad = second_kind ? -n & 7 : 0;

		if (second_kind) {
			put_head(&out, WP_PERFDATA_COMPRESSED_RECORD2, (uint16_t)(16 + n + pad));
			put(&out, n, 8);
		} else {
			put_head(&out, WP_PERFDATA_COMPRESSED_RECORD, (uint16_t)(8 + n));
		}
		memcpy(out.b + out.n, stream + at, n);
		out.n += n + pad;
	}
	return out;
}

static void test_compressed(void)
{
	const size_t pieces[] = {1024, 200, 33, 8};

	for (size_t i = 0; i < 8; i++) {
		struct bytes in = packed(pieces[i / 2], i % 2);
		struct wp_source *source;
		struct seen seen;

		CHECK_OK(open_bytes(&in, in.n, &source));
		for (int again = 0; again < 2; again++) {
			CHECK_OK(read_all(source, &seen));
			CHECK_STR(seen.times, "30 40 50 60 70");
			CHECK_U64(seen.maps, 1);
		}
		source->ops->close(source);
		for (size_t n = 0; n < in.n; n++)
			read_cut(&in, n);
	}
}

/* 72 MB of records in one that has some kB: all are there, and memory is not asked for them. */
static void test_much_compressed(void)
{
	enum { COPIES = 1800000 };
	struct bytes in = piped(), one = {0};
	ZSTD_CCtx *z = ZSTD_createCCtx();
	ZSTD_outBuffer to = {in.b + in.n + 8, sizeof(in.b) - in.n - 8, 0};
	wp_autofree uint8_t *all = NULL;
	struct wp_batch batch = {0};
	struct wp_source *source;
	size_t n = 0;

	put_sample(&one, 80, 11);
	all = wp_calloc(COPIES, one.n);
	for (size_t i = 0; i < COPIES; i++)
		memcpy(all + i * one.n, one.b, one.n);
	ZSTD_inBuffer from = {all, COPIES * one.n, 0};
	ZSTD_CCtx_setParameter(z, ZSTD_c_windowLog, 17); /* long matches, small memory */
	CHECK(ZSTD_compressStream2(z, &to, &from, ZSTD_e_end) == 0);
	ZSTD_freeCCtx(z);
	put_head(&in, WP_PERFDATA_COMPRESSED_RECORD, (uint16_t)(8 + to.pos));
	in.n += to.pos;
	CHECK_OK(open_bytes(&in, in.n, &source));
	CHECK_OK(source->ops->start(source));
	while (!batch.ended) {
		CHECK_OK(source->ops->next(source, 0, &batch));
		for (size_t i = 0; i < batch.n; i++)
			n += batch.records[i].kind == WP_RECORD_SAMPLE;
	}
	CHECK_U64(n, 5 + COPIES);
	source->ops->close(source);
}

static void write_part(const char *folder, const char *name, const void *bytes, size_t n)
{
	wp_autofree char *path = wp_asprintf("%s/%s", folder, name);
	wp_autoclose int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

	CHECK(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
}

static void check_folder(const char *folder, const char *want)
{
	struct wp_source *source;
	struct seen seen;

	warned[0] = '\0';
	CHECK_OK(wp_recording_open(folder, false, &notes, NULL, &source));
	for (int again = 0; again < 2; again++) {
		CHECK_OK(read_all(source, &seen));
		CHECK_STR(seen.times, want);
		CHECK_U64(seen.maps, 1);
	}
	source->ops->close(source);
}

/* perf record --threads and --kcore: files of records beside the one with the header, in order of
 * time each, none of them necessarily with any. */
static void test_folder(void)
{
	char folder[] = "/tmp/wperf-recording-XXXXXX";
	const char *const names[] = {"data.10", "data.2", "data.0", "data.x", "data"};
	struct bytes in = file_of(WITH_ID, WITH_ID, "x86_64"), parts[2] = {0};
	struct wp_source *source;

	if (!mkdtemp(folder))
		abort();
	CHECK_ERR(wp_recording_open(folder, false, &notes, NULL, &source),
		  "a folder without a file \"data\"");
	write_part(folder, "data", "", 0);
	CHECK_ERR(wp_recording_open(folder, false, &notes, NULL, &source), "data is empty");
	write_part(folder, "data", in.b, in.n);
	check_folder(folder, "30 40 50 60 70");
	for (uint64_t i = 0; i < 6; i++)
		put_sample(&parts[i % 2], 25 + 10 * i, 11);
	write_part(folder, "data.0", "", 0);
	write_part(folder, "data.2", parts[0].b, parts[0].n);
	write_part(folder, "data.10", parts[1].b, parts[1].n);
	write_part(folder, "data.x", "none of them", 12);
	check_folder(folder, "25 30 35 40 45 50 55 60 65 70 75");
	CHECK_STR(warned, "");
	write_part(folder, "data.2", parts[0].b, parts[0].n - 1);
	check_folder(folder, "25 30 35 40 45 50 55 60 70 75");
	CHECK(strstr(warned, "cut short: files of records: 1 of 3"));
	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++) {
		wp_autofree char *path = wp_asprintf("%s/%s", folder, names[i]);

		unlink(path);
	}
	rmdir(folder);
}

/* Every byte of a compressed recording wrong in turn: an error, or other records. */
static void test_damaged_compression(void)
{
	struct bytes in = packed(64, false), bad;
	struct wp_source *source;

	put_head(&in, WP_PERFDATA_COMPRESSED_RECORD, 16);
	put(&in, UINT64_MAX, 8); /* no block begins so */
	CHECK_ERR(open_bytes(&in, in.n, &source), "damaged");
	in = packed(64, true);
	for (size_t i = 16 + 8 + 128 + 8; i < in.n; i++) {
		bad = in;
		bad.b[i] ^= 0x5a;
		wp_autoerr struct wp_err *err = open_bytes(&bad, bad.n, &source);
		if (err)
			continue;
		err = read_unchecked(source);
		source->ops->close(source);
	}
}

/* Every byte wrong in turn: an error, or other records. */
static void test_every_flip(void)
{
	const struct bytes all[] = {file_of(WITH_ID, WITH_ID | WP_PERF_SAMPLE_CPU, "x86_64"),
				    piped()};
	size_t most = all[0].n > all[1].n ? all[0].n : all[1].n;
	struct wp_source *source;

	for (size_t i = 0; i < 2 * most; i++) {
		struct bytes bad = all[i % 2];

		bad.b[i / 2] ^= 0xff;
		wp_autoerr struct wp_err *err = open_bytes(&bad, bad.n, &source);
		if (err)
			continue;
		err = read_unchecked(source);
		source->ops->close(source);
	}
}

static void test_every_cut(void)
{
	struct bytes in = file_of(WITH_ID, WITH_ID | WP_PERF_SAMPLE_CPU, "x86_64");

	for (size_t n = 0; n <= in.n; n++)
		read_cut(&in, n);
	in = piped();
	for (size_t n = 0; n <= in.n; n++)
		read_cut(&in, n);
}

/* perf record was killed: it had not yet written how much data there is. */
static void test_unfinished(void)
{
	struct bytes in = file_of(PLAIN, 0, "x86_64");
	uint64_t data, size;
	struct wp_source *source;
	struct seen seen;

	memcpy(&data, in.b + 40, 8);
	memcpy(&size, in.b + 48, 8);
	put_at(&in, 48, 0);
	CHECK_OK(open_bytes(&in, data + size - 3, &source));
	CHECK(strstr(warned, "cut short"));
	CHECK_OK(read_all(source, &seen));
	CHECK_STR(seen.times, "30 40 50 70");
	CHECK_STR(wp_recording_events(source)->events.v[0].name, "minor-faults");
	source->ops->close(source);
}

int main(void)
{
	RUN(test_order);
	RUN(test_names_and_build_ids);
	RUN(test_two_layouts);
	RUN(test_piped);
	RUN(test_updates);
	RUN(test_refused);
	RUN(test_machines);
	RUN(test_many_ids);
	RUN(test_folder);
	RUN(test_compressed);
	RUN(test_much_compressed);
	RUN(test_damaged_compression);
	RUN(test_every_cut);
	RUN(test_every_flip);
	RUN(test_unfinished);
	return check_done();
}
