/* SPDX-License-Identifier: BSD-3-Clause */
/* recorder: what it writes is read back by the recording source, whole, and cut at every byte. */
#include "store/recorder.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"
#include "format/perf/perf_record.h"
#include "format/perf/perfdata_notes.h"
#include "format/python/python_image.h"
#include "recording/recording.h"
#include "store/recorder_file.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static char path[] = "/tmp/wperf-test-recorder-XXXXXX";

static struct wp_event_set *make_events(void)
{
	static struct wp_event_set set;
	struct wp_event clock = {.name = "cpu-clock", .type = 1, .freq_hz = 997};
	struct wp_event faults = {
		.name = "page-faults", .type = 1, .config = 2, .period = 1, .weight = "bytes"};

	if (!set.events.n) {
		wp_vec_push(&set.events, clock);
		wp_vec_push(&set.events, faults);
	}
	return &set;
}

static struct wp_machine machine = {
	.kernel = "6.1.0", .arch = "x86_64", .product = "a CPU", .core_count = 2};

static struct wp_recorder *open_recorder(int level)
{
	static char *argv[] = {(char *)"wperf", (char *)"record", (char *)"--",
			       (char *)"app",	(char *)"--fast", NULL};
	struct wp_recorder_options options = {
		.path = path,
		.events = make_events(),
		.machine = &machine,
		.argv = argv,
		.stacks = true,
		.level = level,
	};
	struct wp_recorder *recorder = NULL;

	CHECK_OK(wp_recorder_open(&options, &recorder));
	return recorder;
}

static struct wp_record record_of(enum wp_record_kind kind, uint64_t time_ns)
{
	return (struct wp_record){
		.kind = kind, .pid = 100, .tid = 101, .cpu = 1, .time_ns = time_ns};
}

/* main, line 12 of app.py, called from C; and of a function that nobody knows. */
static void write_python(struct wp_recorder *recorder)
{
	struct wp_symbol_set set = {0};
	struct wp_module module = {.name = "app.py", .path = "/srv/app.py"};
	struct wp_symbol known = {.raw = "Class.main", .kind = WP_SYMBOL_PYTHON, .line = 10};
	struct wp_symbol unknown = {.kind = WP_SYMBOL_PYTHON, .module = WP_NO_MODULE};
	struct wp_record sample = record_of(WP_RECORD_SAMPLE, 70);
	struct wp_perfdata_run run = {.image_pid = 100,
				      .image_path = "/bin/prog",
				      .host = "h",
				      .cwd = "/srv",
				      .owners = "7:8:9",
				      .began = 5};
	uint64_t frames[3] = {0x401000}, order[2];
	struct wp_stack_note note = {.thread = 0x10200,
				     .flags = WP_STACK_NOTE_PYTHON,
				     .end = WP_STACK_NO_RULE,
				     .unbound = 1,
				     .missing = 2,
				     .frames = order,
				     .n_frames = 2};
	struct wp_recorder_stack stack = {.frames = frames, .n = 3, .python = true, .note = &note};

	wp_vec_push(&set.modules, module);
	wp_vec_push(&set.symbols, known);
	wp_vec_push(&set.symbols, unknown);
	frames[1] = order[1] = wp_recorder_python_frame(recorder, &set, 0, 70012);
	frames[2] = order[0] = wp_recorder_python_frame(recorder, &set, 1, 0);
	CHECK_U64(wp_recorder_python_frame(recorder, &set, 0, 70012), frames[1]);
	sample.sample = (struct wp_record_sample){.ip = {0x401000}, .period = 1};
	wp_recorder_add_sample(recorder, &sample, &stack);
	wp_recorder_run(recorder, &run);
	wp_vec_deinit(&set.modules);
	wp_vec_deinit(&set.symbols);
}

static void check_function(const struct wp_source *source, uint64_t address, const char *name,
			   uint32_t line)
{
	const struct wp_recording_function *function;
	uint32_t number, offset;

	CHECK(wp_perfdata_python_parts(address, &number, &offset));
	function = wp_recording_function(source, number);
	CHECK(function != NULL);
	if (!function)
		return;
	CHECK_STR(function->name ? function->name : "(none)", name);
	CHECK_U64(function->line_base + offset, line);
}

/* The sample of write_python(). */
static void check_python(const struct wp_source *source, const struct wp_record *r)
{
	const struct wp_stack_raw *stack = r->sample.stack;
	const struct wp_stack_note *note = stack ? stack->note : NULL;

	CHECK(note && stack->n_user == 3 && note->n_frames == 2);
	if (!note || stack->n_user != 3 || note->n_frames != 2)
		return;
	CHECK_U64(note->thread, 0x10200);
	CHECK_U64(note->end, WP_STACK_NO_RULE);
	CHECK_U64(note->missing, 2);
	CHECK_U64(note->frames[1], stack->user_ips[1]);
	check_function(source, stack->user_ips[1], "Class.main", 70012);
	check_function(source, stack->user_ips[2], "(none)", 0);
}

/* One record of each kind, with times 10, 20 ... */
static void write_all(struct wp_recorder *recorder)
{
	static const uint64_t frames[] = {0xffffffff81000010u, 0x401000, 0x402000, 0x7f0000003000u};
	struct wp_record map = record_of(WP_RECORD_MAP, 10), comm = record_of(WP_RECORD_COMM, 20);
	struct wp_record fork = record_of(WP_RECORD_FORK, 30), lost = record_of(WP_RECORD_LOST, 50);
	struct wp_record sample = record_of(WP_RECORD_SAMPLE, 40);
	struct wp_record end = record_of(WP_RECORD_EXIT, 60);
	struct wp_recorder_stack stack = {.frames = frames, .n_kernel = 1, .n = 4};

	map.map = (struct wp_record_map){.start = {0x400000},
					 .len = 0x3000,
					 .pgoff = {0x1000},
					 .path = "/bin/prog",
					 .build_id = {1, 2, 3},
					 .build_id_len = 20};
	comm.comm = (struct wp_record_comm){.name = "prog", .exec = true};
	fork.fork = (struct wp_record_fork){.parent_pid = 99, .parent_tid = 98};
	sample.sample = (struct wp_record_sample){.event = 1, .ip = {0x401000}, .period = 7};
	lost.lost.count = 12;
	wp_recorder_add(recorder, &map);
	wp_recorder_add(recorder, &comm);
	wp_recorder_add(recorder, &fork);
	wp_recorder_add_sample(recorder, &sample, &stack);
	CHECK_OK(wp_recorder_round(recorder));
	wp_recorder_add(recorder, &lost);
	wp_recorder_add(recorder, &end);
}

static void check_sample(const struct wp_record *r)
{
	const struct wp_stack_raw *stack = r->sample.stack;

	CHECK_U64(r->sample.event, 1);
	CHECK_U64(r->sample.ip.v, 0x401000);
	CHECK_U64(r->sample.period, 7);
	CHECK_U64(r->pid, 100);
	CHECK_U64(r->tid, 101);
	CHECK_U64(r->cpu, 1);
	CHECK(stack && stack->n_kernel == 1 && stack->n_user == 3);
	if (stack && stack->n_user == 3)
		CHECK_U64(stack->user_ips[2], 0x7f0000003000u);
}

static void check_record(const struct wp_source *source, const struct wp_record *r)
{
	switch (r->kind) {
	case WP_RECORD_MAP:
		if (r->time_ns == 70)
			break;
		CHECK_STR(r->map.path, "/bin/prog");
		CHECK_U64(r->map.pgoff.v, 0x1000);
		CHECK_U64(r->map.build_id_len, 20);
		CHECK_U64(r->map.build_id[2], 3);
		break;
	case WP_RECORD_COMM:
		CHECK_STR(r->comm.name, "prog");
		CHECK(r->comm.exec);
		break;
	case WP_RECORD_FORK: CHECK_U64(r->fork.parent_pid, 99); break;
	case WP_RECORD_LOST: CHECK_U64(r->lost.count, 12); break;
	case WP_RECORD_SAMPLE:
		if (r->time_ns == 70)
			check_python(source, r);
		else
			check_sample(r);
		break;
	default: break;
	}
}

static char owners_told[16]; /* of the run that was read last */

/* How many records there are; each looked at when `look`. */
static size_t read_all(bool look)
{
	struct wp_source *source = NULL;
	struct wp_log log = {0};
	struct wp_batch batch = {0};
	size_t n = 0;
	struct wp_err *err = wp_recording_open(path, false, &log, NULL, &source);

	if (!err)
		err = source->ops->start(source);
	while (!err && !batch.ended) {
		err = source->ops->next(source, 0, &batch);
		for (size_t i = 0; !err && i < batch.n; i++, n++)
			if (look)
				check_record(source, &batch.records[i]);
	}
	if (source && wp_recording_run(source)->owners)
		snprintf(owners_told, sizeof(owners_told), "%s", wp_recording_run(source)->owners);
	if (source && look) {
		CHECK_STR(wp_recording_weight(source, 1), "bytes");
		CHECK(!wp_recording_weight(source, 0));
	}
	if (source)
		source->ops->close(source);
	if (err && look)
		CHECK_STR(err->text, "");
	wp_err_free(err);
	return n;
}

static void test_round_trip(void)
{
	struct wp_recorder *recorder = open_recorder(0);

	write_all(recorder);
	CHECK_U64(wp_recorder_figures(recorder).samples, 1);
	CHECK_OK(wp_recorder_close(recorder, NULL));
	CHECK_U64(read_all(true), 6);
}

/* A sample with Python frames, its MAP record, and the image. */
static void test_python(void)
{
	struct wp_recorder *recorder = open_recorder(0);
	wp_autofree char *image = wp_asprintf("%s.python", path);
	wp_autofree char *bytes = NULL;
	size_t size = 0;

	write_all(recorder);
	write_python(recorder);
	CHECK_OK(wp_recorder_close(recorder, NULL));
	CHECK_U64(read_all(true), 8);
	CHECK_STR(owners_told, "7:8:9");
	CHECK_OK(wp_file_read(image, 1 << 20, &bytes, &size));
	CHECK(size > 64 && memcmp(bytes, "\177ELF", 4) == 0);
	CHECK(wp_python_image_is(bytes, size) && wp_python_image_is(bytes, WP_PYTHON_IMAGE_HEAD));
	CHECK(!wp_python_image_is(bytes, 200) && !wp_python_image_is(bytes + 1, size - 1));
	CHECK(size && memmem(bytes, size, "Class.main", 11) &&
	      memmem(bytes, size, "/srv/app.py", 12));
	unlink(image);
}

static void unlink_image(void)
{
	wp_autofree char *image = wp_asprintf("%s.python", path);

	unlink(image);
}

#define MANY 5000

/* Notes of many samples, some with lists longer than a record; *note is the i-th one's. */
static void make_note(size_t i, uint64_t *list, struct wp_stack_note *note)
{
	*note = (struct wp_stack_note){.thread = i / 100 % 7 << 8, .end = WP_STACK_CUT};
	note->flags = i % 500 ? WP_STACK_NOTE_STACK : WP_STACK_NOTE_LOST;
	for (size_t at = 0; at < 20000; at++)
		list[at] = i + at;
	note->frames = list;
	note->n_frames = i % 1000 == 999 ? 20000 : i % 50 == 7;
	note->rest = list + 1;
	note->n_rest = i % 70 == 3 ? 2 : 0;
}

static void check_note(size_t i, const struct wp_stack_note *note)
{
	static uint64_t list[20000];
	struct wp_stack_note want;

	make_note(i, list, &want);
	CHECK(note != NULL);
	if (!note)
		return;
	CHECK_U64(note->thread, want.thread);
	CHECK_U64(note->flags, want.flags);
	CHECK_U64(note->n_frames, want.n_frames);
	CHECK_U64(note->n_rest, want.n_rest);
	if (note->n_frames && note->n_frames == want.n_frames)
		CHECK(memcmp(note->frames, want.frames, 8 * want.n_frames) == 0);
	if (note->n_rest)
		CHECK_U64(note->rest[0], i + 1);
}

/* Every sample has its own note back. */
static void check_notes(int level)
{
	static uint64_t list[20000];
	struct wp_recorder *recorder = open_recorder(level);
	struct wp_recorder_stack stack = {.frames = list, .n = 3};
	struct wp_stack_note note;
	struct wp_source *source = NULL;
	struct wp_batch batch = {0};
	struct wp_log log = {0};
	size_t n = 0;

	stack.note = &note;
	for (size_t i = 0; i < MANY; i++) {
		struct wp_record sample = record_of(WP_RECORD_SAMPLE, 100 + i);

		make_note(i, list, &note);
		wp_recorder_add_sample(recorder, &sample, &stack);
		if (i % 333 == 0)
			CHECK_OK(wp_recorder_round(recorder));
	}
	CHECK_OK(wp_recorder_close(recorder, NULL));
	CHECK_OK(wp_recording_open(path, false, &log, NULL, &source));
	CHECK_OK(source->ops->start(source));
	while (!batch.ended) {
		CHECK_OK(source->ops->next(source, 0, &batch));
		for (size_t i = 0; i < batch.n; i++)
			check_note(n++, batch.records[i].sample.stack->note);
	}
	CHECK_U64(n, MANY);
	source->ops->close(source);
}

static void test_notes(void)
{
	check_notes(0);
	check_notes(1);
}

/* What was flushed is read, whatever is missing of the stream behind it. */
static void test_packed_cut(void)
{
	struct wp_recorder *recorder = open_recorder(1);
	struct stat flushed;

	write_all(recorder);
	CHECK(stat(path, &flushed) == 0);
	write_python(recorder);
	CHECK_OK(wp_recorder_close(recorder, NULL));
	CHECK_U64(read_all(true), 8);
	CHECK(truncate(path, flushed.st_size) == 0);
	CHECK(read_all(false) >= 4);
	unlink_image();
}

static void put_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	CHECK(file && fputs(text, file) >= 0);
	fclose(file);
}

static struct wp_err *try_open(void)
{
	struct wp_recorder_file file;

	TRY(wp_recorder_file_open(path, false, &file));
	return wp_recorder_file_close(&file);
}

/* What lies at the image's path and is not ours is not deleted, nor is the former recording. */
static void test_others_image(void)
{
	wp_autofree char *image = wp_asprintf("%s.python", path), *text = NULL;
	struct stat st;

	put_file(path, "former");
	put_file(image, "precious");
	CHECK_ERR(try_open(), "not written by wperf");
	CHECK_OK(wp_file_read(image, 100, &text, NULL));
	CHECK_STR(text, "precious");
	CHECK(stat(path, &st) == 0 && st.st_size == 6);
	unlink(image);
	CHECK(symlink(path, image) == 0);
	CHECK_ERR(try_open(), "not written by wperf");
	unlink(image);
	CHECK(mkdir(image, 0700) == 0);
	CHECK_ERR(try_open(), "not written by wperf");
	rmdir(image);
	CHECK_OK(try_open());
	CHECK(stat(path, &st) == 0 && st.st_size == 0);
}

/* The image is for whoever may read the recording. */
static void test_image_mode(void)
{
	struct wp_recorder *recorder = open_recorder(0);
	wp_autofree char *image = wp_asprintf("%s.python", path);
	struct stat st;

	write_python(recorder);
	CHECK_OK(wp_recorder_close(recorder, NULL));
	CHECK(stat(image, &st) == 0 && (st.st_mode & 0777) == 0600);
	CHECK_OK(try_open());
	CHECK(stat(image, &st) != 0); /* ours goes with its recording */
}

static void test_packed(void)
{
	struct wp_recorder *recorder = open_recorder(1);

	write_all(recorder);
	CHECK_OK(wp_recorder_close(recorder, NULL));
	CHECK_U64(read_all(true), 6);
}

/* Killed: what was flushed is there. */
/* What it says of itself besides records: what ran, where and when. */
static void test_head(void)
{
	struct wp_recorder *recorder = open_recorder(0);
	struct wp_log log = {0};
	struct wp_source *source = NULL;
	struct utsname name;
	uint64_t now_s;

	write_all(recorder);
	CHECK_OK(wp_recorder_close(recorder, NULL));
	CHECK_OK(wp_recording_open(path, false, &log, NULL, &source));
	if (!source)
		return;
	CHECK(uname(&name) == 0);
	CHECK_STR(wp_recording_head(source)->command, "app --fast");
	CHECK_STR(wp_recording_head(source)->host, name.nodename);
	CHECK_STR(wp_recording_head(source)->release, "6.1.0");
	now_s = wp_recording_unix_ns(source, wp_clock_now_ns()) / WP_NS_PER_S;
	CHECK(now_s + 600 > (uint64_t)time(NULL) && now_s < (uint64_t)time(NULL) + 600);
	source->ops->close(source);
}

/* perf names the kernel's mapping after its first symbol. */
static void test_kernel_id(void)
{
	struct wp_recording_head head = {0};
	struct wp_record_map map = {.kernel = true, .path = "[kernel.kallsyms]_text"};

	wp_strpool_id(&head.paths, "[kernel.kallsyms]");
	wp_vec_push(&head.build_ids, (struct wp_perfdata_build_id){.id = {7}, .len = 20});
	wp_recording_head_identify(&head, &map);
	CHECK_U64(map.build_id_len, 20);
	CHECK_U64(map.build_id[0], 7);
	wp_recording_head_deinit(&head);
}

static void test_never_closed(void)
{
	struct wp_recorder *recorder = open_recorder(0);
	struct stat before;

	write_all(recorder);
	CHECK(stat(path, &before) == 0);
	CHECK_U64(read_all(true), 4);
	CHECK_OK(wp_recorder_close(recorder, NULL));
}

static void test_cut(void)
{
	struct wp_recorder *recorder = open_recorder(0);
	struct stat whole;
	size_t last = 8;

	write_all(recorder);
	write_python(recorder);
	CHECK_OK(wp_recorder_close(recorder, NULL));
	CHECK(stat(path, &whole) == 0);
	for (off_t size = whole.st_size - 1; size >= 0; size--) {
		size_t n;

		CHECK(truncate(path, size) == 0);
		n = read_all(false);
		CHECK(n <= last);
		last = n;
	}
	CHECK_U64(last, 0);
	unlink_image();
}

static void test_refused(void)
{
	struct wp_recorder_options options = {
		.path = "/nonexistent/dir/x.data", .events = make_events(), .machine = &machine};
	struct wp_recorder *recorder = NULL;

	CHECK_ERR(wp_recorder_open(&options, &recorder), "cannot be created");
}

/* What a sample carries comes back as it was; what it has not is 0. */
static void check_carried(const struct wp_sample_data *data, uint32_t parts, bool full)
{
	const uint64_t k = full;

	CHECK(data != NULL);
	if (!data)
		return;
	CHECK_U64(data->has, parts);
	CHECK_U64(data->addr, k * 0x7f0012345678);
	CHECK_U64(data->src, parts & WP_DATA_SRC ? k * 0x5080021 : 0);
	CHECK_U64(data->phys_addr, parts & WP_DATA_PHYS_ADDR ? k * 0x1234 : 0);
	CHECK_U64(data->n_branches, parts & WP_DATA_BRANCHES ? k * 2 : 0);
	CHECK(!data->n_branches || (data->branches[0].from == 0x401000 &&
				    data->branches[1].flags == WP_BRANCH_MISPREDICTED));
	CHECK_U64(data->cgroup, parts & WP_DATA_CGROUP ? k * 0x99 : 0);
	CHECK_U64(data->data_page_bytes, parts & WP_DATA_PAGE ? k * 4096 : 0);
	CHECK_U64(data->code_page_bytes, parts & WP_DATA_CODE_PAGE ? k * (2 << 20) : 0);
	CHECK_U64(data->weight, parts & WP_DATA_WEIGHT ? k * 77 : 0);
	CHECK_U64(data->user_regs.abi, parts & WP_DATA_USER_REGS ? k * 2 : 0);
	CHECK_U64(data->intr_regs.abi, parts & WP_DATA_INTR_REGS ? k * 2 : 0);
	CHECK(!data->user_regs.abi || data->user_regs.values[16] == 16);
	CHECK(!data->intr_regs.abi || data->intr_regs.values[19] == 119);
	CHECK_U64(data->latency, parts & WP_DATA_LATENCY ? k * 5 : 0);
	CHECK_U64(data->stage, parts & WP_DATA_LATENCY ? k * 6 : 0);
}

static void carry_round(uint32_t parts)
{
	const uint64_t frame = 0x401000;
	uint64_t user[17], intr[20];
	const struct wp_branch branches[] = {{0x401000, 0x402000, WP_BRANCH_PREDICTED},
					     {0x402010, 0x401005, WP_BRANCH_MISPREDICTED}};
	const struct wp_sample_data data = {
		.branches = branches,
		.n_branches = WP_ARRAY_LEN(branches),
		.user_regs = {2, WP_PERF_REGS_X86_64, user},
		.intr_regs = {2, WP_PERF_REGS_INTR_X86_64, intr},
		.addr = 0x7f0012345678,
		.src = 0x5080021,
		.phys_addr = 0x1234,
		.cgroup = 0x99,
		.weight = 77,
		.latency = parts & WP_DATA_LATENCY ? 5 : 0,
		.stage = parts & WP_DATA_LATENCY ? 6 : 0,
		.data_page_bytes = 4096,
		.code_page_bytes = 2 << 20,
	};
	struct wp_recorder_options options = {.path = path,
					      .events = make_events(),
					      .machine = &machine,
					      .argv = (char *[]){(char *)"x", NULL},
					      .stacks = true,
					      .branch_type = 0x18009, /* save_type, no_cycles */
					      .carried = parts};
	struct wp_recorder_stack stack = {.frames = &frame, .n = 1};
	struct wp_record sample = record_of(WP_RECORD_SAMPLE, 70),
			 cgroup = record_of(WP_RECORD_CGROUP, 0);
	struct wp_recorder *recorder = NULL;
	struct wp_source *source = NULL;
	struct wp_log log = {0};
	struct wp_batch batch = {0};
	size_t n = 0, n_cgroups = 0;

	for (size_t i = 0; i < WP_ARRAY_LEN(intr); i++)
		intr[i] = 100 + i;
	for (size_t i = 0; i < WP_ARRAY_LEN(user); i++)
		user[i] = i;
	CHECK_OK(wp_recorder_open(&options, &recorder));
	cgroup.cgroup = (struct wp_record_cgroup){0x99, "/one.slice/two"};
	wp_recorder_add(recorder, &cgroup);
	sample.sample = (struct wp_record_sample){.ip = {frame}, .period = 1, .data = &data};
	wp_recorder_add_sample(recorder, &sample, &stack);
	sample.sample.data = NULL;
	sample.time_ns++;
	wp_recorder_add_sample(recorder, &sample, &stack);
	CHECK_OK(wp_recorder_close(recorder, NULL));
	CHECK_OK(wp_recording_open(path, false, &log, NULL, &source));
	wp_recording_want_data(source);
	CHECK_OK(source->ops->start(source));
	while (!batch.ended) {
		CHECK_OK(source->ops->next(source, 0, &batch));
		for (size_t i = 0; i < batch.n; i++) {
			const struct wp_record *record = &batch.records[i];

			if (record->kind == WP_RECORD_SAMPLE)
				check_carried(record->sample.data, parts, n++ == 0);
			if (record->kind != WP_RECORD_CGROUP)
				continue;
			CHECK_U64(record->cgroup.id, 0x99);
			CHECK_STR(record->cgroup.path, "/one.slice/two");
			n_cgroups++;
		}
	}
	CHECK_U64(n, 2);
	CHECK_U64(n_cgroups, 1);
	source->ops->close(source);
}

static void test_carried(void)
{
	const uint32_t all = WP_DATA_ADDR | WP_DATA_SRC | WP_DATA_PHYS_ADDR | WP_DATA_WEIGHT |
			     WP_DATA_CODE_PAGE | WP_DATA_PAGE;

	carry_round(all);
	carry_round(all | WP_DATA_LATENCY);
	carry_round(all | WP_DATA_USER_REGS | WP_DATA_INTR_REGS);
	carry_round(WP_DATA_INTR_REGS | WP_DATA_ADDR);
	carry_round(all | WP_DATA_CGROUP);
	carry_round(WP_DATA_BRANCHES | WP_DATA_ADDR);
	carry_round(all | WP_DATA_BRANCHES | WP_DATA_USER_REGS);
}

/* A load at pc, at that tick, as a core writes it. */
static void put_traced(uint8_t *at, uint64_t pc, uint64_t tick)
{
	memset(at, 0, 64);
	at[0] = 0xb0;
	memcpy(at + 1, &pc, 8);
	at[9] = 0x49;
	at[55] = 0x71;
	memcpy(at + 56, &tick, 8);
}

/* What Arm SPE traced, and who ran: two threads of one CPU. */
static void write_traced(uint64_t *ret_written)
{
	static struct wp_event_set events;
	struct wp_recorder_options options = {
		.path = path,
		.events = &events,
		.machine = &machine,
		.level = 3, /* not taken */
		.clock = {.mult = 10, .zero = 1000},
	};
	struct wp_event spe = {.name = "arm_spe_0//", .type = 9, .period = 4096, .is_spe = true};
	struct wp_record piece = record_of(WP_RECORD_AUX, 2000), runs, sample;
	const struct wp_recorder_stack stack = {0};
	struct wp_recorder *recorder = NULL;
	uint8_t bytes[2 * 64];

	if (!events.events.n)
		wp_vec_push(&events.events, spe);
	put_traced(bytes, 0x401000, 10);
	put_traced(bytes + 64, 0x402000, 20);
	CHECK_OK(wp_recorder_open(&options, &recorder));
	runs = record_of(WP_RECORD_RUNS, 1050);
	wp_recorder_add(recorder, &runs);
	runs.time_ns = 1150;
	runs.tid = 102;
	wp_recorder_add(recorder, &runs);
	sample = record_of(WP_RECORD_SAMPLE, 1100);
	wp_recorder_add_sample(recorder, &sample, &stack); /* it is in the piece */
	piece.aux = (struct wp_record_aux){bytes, sizeof(bytes), 0, 1};
	wp_recorder_add(recorder, &piece);
	*ret_written = wp_recorder_figures(recorder).samples;
	CHECK_OK(wp_recorder_close(recorder, NULL));
}

/* Where the file's index says that the only AUXTRACE record is, there it is. */
static void check_trace_index(void)
{
	static const uint8_t head[8] = {71, 0, 0, 0, 0, 0, 48, 0};
	char *text;
	size_t n;

	CHECK_OK(wp_file_read(path, 1 << 20, &text, &n));
	const uint8_t *at = memmem(text, n, head, sizeof(head));
	uint64_t index[3] = {1, at ? (uint64_t)(at - (const uint8_t *)text) : 0, 48};
	CHECK(at && memmem(text, n, index, sizeof(index)));
	free(text);
}

static void test_traced(void)
{
	struct wp_log log = {0};
	struct wp_source *source;
	struct wp_batch batch;
	uint64_t written;
	size_t n = 0;

	write_traced(&written);
	CHECK_U64(written, 1);
	check_trace_index();
	CHECK_OK(wp_recording_open(path, false, &log, NULL, &source));
	CHECK_OK(source->ops->start(source));
	do {
		CHECK_OK(source->ops->next(source, UINT64_MAX, &batch));
		for (size_t i = 0; i < batch.n; i++) {
			const struct wp_record *r = &batch.records[i];

			if (r->kind != WP_RECORD_SAMPLE)
				continue;
			CHECK_U64(r->time_ns, n ? 1200 : 1100);
			CHECK_U64(r->tid, n ? 102 : 101);
			CHECK_U64(r->sample.ip.v, n ? 0x402000 : 0x401000);
			CHECK(r->cpu == 1 && r->sample.period == 4096);
			n++;
		}
	} while (!batch.ended);
	CHECK_U64(n, 2);
	source->ops->close(source);
}

static void test_full(void)
{
	struct wp_recorder_options options = {
		.path = "/dev/full", .events = make_events(), .machine = &machine};
	struct wp_recorder *recorder = NULL;
	struct wp_err *err = wp_recorder_open(&options, &recorder);

	if (!err)
		err = wp_recorder_close(recorder, NULL);
	CHECK_ERR(err, "/dev/full");
}

int main(void)
{
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	close(fd);
	RUN(test_round_trip);
	RUN(test_python);
	RUN(test_notes);
	RUN(test_packed_cut);
	RUN(test_others_image);
	RUN(test_image_mode);
	RUN(test_packed);
	RUN(test_head);
	RUN(test_kernel_id);
	RUN(test_never_closed);
	RUN(test_cut);
	RUN(test_refused);
	RUN(test_carried);
	RUN(test_traced);
	RUN(test_full);
	unlink(path);
	return check_done();
}
