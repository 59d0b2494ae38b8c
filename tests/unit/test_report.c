/* SPDX-License-Identifier: BSD-3-Clause */
/* report: of a small recording, whole and cut at every byte; filters and tables by keys. */
#include "base/str.h"
#include "session/session.h"
#include "store/recorder.h"

#include "check.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "/tmp/wperf-test-report-XXXXXX";

static void add_sample(struct wp_recorder *recorder, uint32_t tid, uint64_t time_ns,
		       uint64_t python)
{
	struct wp_record sample = {.kind = WP_RECORD_SAMPLE,
				   .pid = 100,
				   .tid = tid,
				   .cpu = tid % 2,
				   .time_ns = time_ns};
	uint64_t frames[] = {0x401000, python};
	struct wp_stack_note note = {.flags = WP_STACK_NOTE_PYTHON | WP_STACK_NOTE_EXACT,
				     .end = WP_STACK_CUT};
	struct wp_recorder_stack stack = {
		.frames = frames, .n = python ? 2 : 1, .python = python != 0, .note = &note};

	sample.sample = (struct wp_record_sample){.ip = {0x401000}, .period = 10};
	wp_recorder_add_sample(recorder, &sample, &stack);
}

/* Four samples of two threads, three of them in app.py:12. */
static void make_recording(void)
{
	static struct wp_machine machine = {.kernel = "", .arch = "x86_64", .product = "a CPU"};
	struct wp_event clock = {.name = "cpu-clock", .type = 1, .freq_hz = 997};
	struct wp_module module = {.name = "app.py", .path = "/nonexistent/app.py"};
	struct wp_symbol symbol = {.raw = "work", .kind = WP_SYMBOL_PYTHON, .line = 10};
	struct wp_record comm = {.kind = WP_RECORD_COMM, .pid = 100, .tid = 100, .time_ns = 1};
	struct wp_event_set events = {0};
	struct wp_symbol_set set = {0};
	struct wp_recorder_options options = {
		.path = path, .events = &events, .machine = &machine, .stacks = true};
	struct wp_recorder *recorder = NULL;
	uint64_t python;

	wp_vec_push(&events.events, clock);
	wp_vec_push(&set.modules, module);
	wp_vec_push(&set.symbols, symbol);
	CHECK_OK(wp_recorder_open(&options, &recorder));
	comm.comm.name = "prog";
	wp_recorder_add(recorder, &comm);
	python = wp_recorder_python_frame(recorder, &set, 0, 12);
	for (uint32_t i = 0; i < 4; i++)
		add_sample(recorder, 100 + i % 2, 1000000 * (i + 1), i < 3 ? python : 0);
	CHECK_OK(wp_recorder_close(recorder, NULL));
	wp_vec_deinit(&events.events);
	wp_vec_deinit(&set.modules);
	wp_vec_deinit(&set.symbols);
}

/* The report's text, or the error's; the caller frees *ret. */
static void report(const struct wp_session_options *options, struct wp_str *ret)
{
	struct wp_writer *out = wp_writer_of_str(ret);
	struct wp_log log = {0};
	struct wp_session_io io = {.log = &log, .out = out};
	int status = 0;
	struct wp_err *err = wp_session_report(options, &io, &status);

	CHECK_OK(wp_writer_close(out));
	if (err)
		wp_str_puts(ret, err->text);
	wp_err_free(err);
}

static struct wp_session_options options_of(void)
{
	struct wp_session_options options;

	wp_session_options_init(&options);
	options.report.input = path;
	return options;
}

static void check_has(const struct wp_session_options *options, const char *what)
{
	wp_autostr struct wp_str text = {0};

	report(options, &text);
	if (!text.s || !strstr(text.s, what))
		CHECK_STR(text.s, what);
}

static void test_whole(void)
{
	struct wp_session_options options = options_of();

	make_recording();
	options.sampling.call_graph = true;
	check_has(&options, "hot Python lines");
	check_has(&options, "/nonexistent/app.py:12");
	check_has(&options, "work (app.py:10)");
	options.output.json = true;
	check_has(&options, "\"samples_generated\": 4");
}

static void test_sorted(void)
{
	struct wp_session_options options = options_of();

	options.report.sort = "python-line,thread";
	options.report.csv = true;
	check_has(&options, "50.00,2,/nonexistent/app.py:12,prog (100),");
	check_has(&options, "25.00,1,-,? (101),");
	options.report.sort = "cpu,time";
	options.report.time_slice_ns = 2000000;
	check_has(&options, "25.00,1,1,0.002 s,");
	options.report.sort = "colour";
	check_has(&options, "--sort colour: want one of process");
}

/* Each sample once for each row of its stack; Python keys leave out what is outside of Python. */
static void test_children(void)
{
	struct wp_session_options options = options_of();

	options.report.csv = options.report.children = true;
	check_has(&options, "100.00,100.00,4,4,unknown,\n75.00,0.00,3,0,work (app.py:10),");
	options.tables.symbol_filter = "work";
	check_has(&options, "children,self,total,count,symbol,\n75.00,0.00,3,0,work (app.py:10),");
	options.tables.symbol_filter = NULL;
	options.report.sort = "python-function,tid";
	check_has(&options, "50.00,50.00,2,2,work (app.py:10),prog (100),");
	options.report.sort = "srcline,module";
	check_has(&options, "75.00,0.00,3,0,/nonexistent/app.py:12,app.py,");
}

/* By total is what --children does, by self it has the other order. */
static void test_sort_by(void)
{
	struct wp_session_options options = options_of();

	options.report.csv = true;
	options.report.sort = "symbol";
	options.tables.sort_by = "total";
	check_has(&options, "100.00,100.00,4,4,unknown,\n75.00,0.00,3,0,work (app.py:10),");
	options.tables.sort_by = "self";
	check_has(&options, "overhead,count,symbol,\n100.00,4,unknown,");
}

/* --sort: of samples in such functions only. */
static void test_symbol(void)
{
	struct wp_session_options options = options_of();

	options.report.csv = true;
	options.report.sort = "thread";
	options.tables.symbol_filter = "unknown";
	check_has(&options, "50.00,2,prog (100),");
	options.tables.symbol_filter = "work";
	check_has(&options, "samples,0");
}

static void test_filters(void)
{
	struct wp_session_options options = options_of();

	options.output.json = true;
	options.report.tids = "101";
	check_has(&options, "\"samples_generated\": 2");
	options.report.time_range = "0s,2ms";
	check_has(&options, "\"samples_generated\": 1");
	options.report.tids = NULL;
	options.target.cpus = "0";
	check_has(&options, "\"samples_generated\": 1");
	options.report.time_range = "2ms,1ms";
	check_has(&options, "TO the later");
}

/* Whatever is left of it: a report or one line, never more samples than before. */
static void test_cut(void)
{
	struct wp_session_options options = options_of();
	struct stat whole;
	size_t said = 0;

	options.sampling.call_graph = options.tables.threads = true;
	CHECK(stat(path, &whole) == 0);
	for (off_t size = whole.st_size - 1; size >= 0; size--) {
		wp_autostr struct wp_str text = {0};

		CHECK(truncate(path, size) == 0);
		report(&options, &text);
		said += text.len > 0;
	}
	CHECK_U64(said, (uint64_t)whole.st_size);
}

/* Every byte wrong in turn: a report or one line, in bounded memory. */
static void test_flips(void)
{
	struct wp_session_options options = options_of();
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct rusage usage;
	struct stat whole;
	uint8_t byte, wrong;

	options.sampling.call_graph = options.tables.threads = true;
	CHECK(fstat(fd, &whole) == 0);
	for (off_t at = 0; at < whole.st_size; at++) {
		wp_autostr struct wp_str text = {0};

		CHECK(pread(fd, &byte, 1, at) == 1);
		wrong = byte ^ 0xff;
		CHECK(pwrite(fd, &wrong, 1, at) == 1);
		report(&options, &text);
		CHECK(text.len > 0 && text.len < 1 << 20);
		CHECK(pwrite(fd, &byte, 1, at) == 1);
	}
	close(fd);
	CHECK(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss < 1 << 20); /* kB */
}

static void unlink_all(void)
{
	wp_autofree char *image = wp_asprintf("%s.python", path);

	unlink(path);
	unlink(image);
}

int main(void)
{
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	close(fd);
	RUN(test_whole);
	RUN(test_sorted);
	RUN(test_children);
	RUN(test_sort_by);
	RUN(test_symbol);
	RUN(test_filters);
	RUN(test_flips);
	RUN(test_cut);
	unlink_all();
	return check_done();
}
