/* SPDX-License-Identifier: BSD-3-Clause */
/* traced_python: which operations of a trace are of which Python line, exactly, by agreement of
 * both sides, or not at all; and python_places: when a place is believed. */
#include "session/recorded/traced_python.h"

#include "check.h"
#include "core/data_src.h"
#include "resolve/resolver.h"

#define LOOP  0x400010
#define OTHER 0x400210

static struct wp_processes processes;

/* Two code objects of eight bytes: f() on lines 6 and 7 at 0x1000, g() on 12 at 0x2000. */
static const uint8_t lines_of_f[] = {0xe9, 2, 0xe9, 2}; /* two units each, a line further */
static const uint8_t lines_of_g[] = {0xeb, 4};

struct taken {
	struct wp_sink sink;
	char text[1024];
};

struct fixture {
	struct wp_recording_notes notes;
	struct wp_resolver *resolver;
	struct taken taken;
	struct wp_traced_python traced;
	struct wp_sink *sink;
	uint64_t time_ns;
	uint32_t loop, other;
};

/* Each sample as "WEIGHT:FUNCTION:LINE:CODE+OFFSET ". */
static void take_text(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct taken *taken = (struct taken *)sink;
	struct fixture *f = (struct fixture *)((char *)taken - offsetof(struct fixture, taken));
	size_t n = strlen(taken->text);
	const char *name = "-";
	uint32_t line = 0;

	if (!sample->record->sample.data)
		return;
	if (sample->n_python) {
		name = wp_resolver_symbol_of(f->resolver, sample->python[0].symbol)->raw;
		line = sample->python[0].line;
	}
	snprintf(taken->text + n, sizeof(taken->text) - n, "%d:%s:%u:%u+%d ",
		 (int)sample->record->sample.data->weight, name, line, sample->instruction.code,
		 sample->instruction.lasti);
}

static void add_note_code(struct wp_recording_notes *notes, uint32_t number, const uint8_t *lines,
			  uint32_t n)
{
	struct wp_perfdata_notes out = {0};
	uint8_t bytes[8 + 8] = {0};
	struct wp_perfdata_bytecode bytecode = {
		.number = number,
		.version = 0x030b,
		.form = WP_PYTHON_LOCATIONS,
		.first_line = number == 1 ? 5 : 10,
		.code_bytes = 8,
		.lines_bytes = n,
		.bytes = bytes,
	};
	struct wp_perfdata_function function = {
		.number = number,
		.first_line = bytecode.first_line,
		.name = number == 1 ? "f" : "g",
		.file = "app.py",
	};
	wp_autostr struct wp_str record = {0};

	memcpy(bytes + 8, lines, n);
	wp_perfdata_put_function(&out, &function);
	wp_perfdata_put_bytecode(&out, &bytecode);
	wp_perfdata_put_notes(&record, &out);
	wp_recording_notes_take(notes, wp_bytes_of((const uint8_t *)record.s + 8, record.len - 8),
				NULL, NULL);
	wp_perfdata_notes_deinit(&out);
}

static void add_note_place(struct wp_recording_notes *notes, uint32_t number, uint64_t start,
			   uint64_t first_ns, uint64_t last_ns)
{
	struct wp_perfdata_place place = {number, number, 10, 8, start, first_ns, last_ns};
	struct wp_perfdata_notes out = {0};
	wp_autostr struct wp_str record = {0};

	wp_perfdata_put_place(&out, &place);
	wp_perfdata_put_notes(&record, &out);
	wp_recording_notes_take(notes, wp_bytes_of((const uint8_t *)record.s + 8, record.len - 8),
				NULL, NULL);
	wp_perfdata_notes_deinit(&out);
}

static uint32_t symbol_at(struct fixture *f, uint64_t ip)
{
	struct wp_record sample = {.kind = WP_RECORD_SAMPLE, .pid = 10, .tid = 10};

	sample.sample.ip.v = ip;
	return wp_resolver_symbol(f->resolver, &sample);
}

static void begin(struct fixture *f)
{
	static const struct wp_sink_ops ops = {.sample = take_text};
	struct wp_record map = {
		.kind = WP_RECORD_MAP,
		.pid = 10,
		.tid = 10,
		.map = {.start = {0x400000}, .len = 0x1000, .path = "/bin/python3"},
	};

	*f = (struct fixture){.taken.sink.ops = &ops};
	f->resolver = wp_resolver_new(
		&(struct wp_resolver_options){.processes = &processes, .offline = true});
	wp_resolver_add_symbol(f->resolver, "/bin/python3", (struct wp_rva){0}, 0x100,
			       "_PyEval_EvalFrameDefault");
	wp_resolver_add_symbol(f->resolver, "/bin/python3", (struct wp_rva){0x200}, 0x100,
			       "_PyEval_EvalFrameDefaults");
	wp_processes_take(&processes, &map);
	f->loop = symbol_at(f, LOOP);
	f->other = symbol_at(f, OTHER);
	add_note_code(&f->notes, 1, lines_of_f, sizeof(lines_of_f));
	add_note_code(&f->notes, 2, lines_of_g, sizeof(lines_of_g));
}

static void go(struct fixture *f)
{
	wp_traced_python_init(&f->traced, &f->taken.sink, f->resolver, &f->notes);
	f->sink = wp_traced_python_sink(&f->traced);
}

static void end(struct fixture *f)
{
	wp_traced_python_deinit(&f->traced);
	wp_recording_notes_deinit(&f->notes);
	wp_resolver_free(f->resolver);
	wp_processes_deinit(&processes);
	processes = (struct wp_processes){0};
}

static struct wp_sample_data load_of(uint64_t addr, uint64_t weight)
{
	return (struct wp_sample_data){
		.has = WP_DATA_ADDR | WP_DATA_SRC | WP_DATA_WEIGHT | WP_DATA_OPERATION,
		.addr = addr,
		.src = WP_SRC_OP(WP_OP_LOAD),
		.weight = weight,
		.operation.events = 1 << 1,
	};
}

static void give_data(struct fixture *f, uint32_t tid, uint32_t symbol,
		      const struct wp_sample_data *data)
{
	struct wp_record record = {
		.kind = WP_RECORD_SAMPLE, .pid = 10, .tid = tid, .time_ns = f->time_ns};
	struct wp_sample sample = {.record = &record, .symbol = symbol};

	record.sample.data = data;
	f->sink->ops->sample(f->sink, &sample);
}

static void give(struct fixture *f, uint32_t tid, uint32_t symbol, uint64_t addr, uint64_t weight)
{
	struct wp_sample_data data = load_of(addr, weight);

	give_data(f, tid, symbol, &data);
}

/* A clock's: in a function's line, or in none (NULL). */
static void walk(struct fixture *f, uint32_t tid, const char *name, uint32_t line,
		 enum wp_python_end how)
{
	struct wp_record record = {
		.kind = WP_RECORD_SAMPLE, .pid = 10, .tid = tid, .time_ns = f->time_ns};
	struct wp_spot_frame frame = {.line = line};
	struct wp_sample sample = {
		.record = &record,
		.symbol = f->loop,
		.word = WP_PYTHON_WALKED,
		.thread = (uint32_t)WP_PYTHON_THREAD_ID(0, how),
		.python = &frame,
		.n_python = name != NULL,
	};

	if (name)
		frame.symbol = wp_resolver_python_symbol(f->resolver, name, "app.py",
							 *name == 'f' ? 5 : 10);
	f->sink->ops->sample(f->sink, &sample);
}

static void told(struct fixture *f, const char *want)
{
	CHECK_STR(f->taken.text, want);
	f->taken.text[0] = '\0';
}

static void test_exact(void)
{
	struct fixture f;

	begin(&f);
	add_note_place(&f.notes, 1, 0x1000, 100, 200);
	go(&f);
	f.time_ns = 100;
	give(&f, 10, f.loop, 0x1000, 1);
	give(&f, 10, f.loop, 0x1003, 2);
	give(&f, 10, f.loop, 0x1004, 3);
	f.time_ns = 200;
	give(&f, 10, f.loop, 0x1007, 4);
	told(&f, "1:f:6:1+0 2:f:6:1+3 3:f:7:1+4 4:f:7:1+7 ");
	CHECK(f.traced.counts[WP_TRACED_EXACT] == 4);
	end(&f);
}

/* Behind its end, before and after it was seen, by other code, in another process; no load, or
 * undone. */
static void test_not_exact(void)
{
	struct wp_sample_data data = load_of(0x1000, 8);
	struct fixture f;

	begin(&f);
	add_note_place(&f.notes, 1, 0x1000, 100, 200);
	go(&f);
	f.time_ns = 150;
	give(&f, 10, f.loop, 0xfff, 1);
	give(&f, 10, f.loop, 0x1008, 2);
	give(&f, 10, f.other, 0x1000, 3);
	f.time_ns = 99;
	give(&f, 10, f.loop, 0x1000, 4);
	f.time_ns = 201;
	give(&f, 10, f.loop, 0x1000, 5);
	f.time_ns = 150;
	data.src = WP_SRC_OP(WP_OP_STORE);
	give_data(&f, 10, f.loop, &data);
	data = load_of(0x1000, 9);
	data.operation.events = 0;
	give_data(&f, 10, f.loop, &data);
	told(&f, "1:(between):0:0+0 2:(between):0:0+0 3:(between):0:0+0 4:(between):0:0+0 "
		 "5:(between):0:0+0 8:(between):0:0+0 9:(between):0:0+0 ");
	CHECK(f.traced.counts[WP_TRACED_BETWEEN] == 7);
	end(&f);
}

/* Two code objects that took turns in one place are both doubted; one after the other is not. */
static void test_reused_places(void)
{
	struct fixture f;

	begin(&f);
	add_note_place(&f.notes, 1, 0x1000, 100, 200);
	add_note_place(&f.notes, 2, 0x1004, 150, 250);
	add_note_place(&f.notes, 1, 0x3000, 100, 200);
	add_note_place(&f.notes, 2, 0x3000, 201, 250);
	go(&f);
	f.time_ns = 120;
	give(&f, 10, f.loop, 0x1000, 1);
	give(&f, 10, f.loop, 0x3002, 2);
	f.time_ns = 230;
	give(&f, 10, f.loop, 0x1008, 3);
	give(&f, 10, f.loop, 0x3002, 4);
	wp_traced_python_end(&f.traced);
	told(&f, "1:(between):0:0+0 2:f:6:1+2 3:(between):0:0+0 4:g:12:2+2 ");
	end(&f);
}

static void test_agreed(void)
{
	struct fixture f;

	begin(&f);
	add_note_place(&f.notes, 1, 0x1000, 0, 200);
	go(&f);
	walk(&f, 10, "f", 6, WP_PYTHON_COMPLETE);
	give(&f, 10, f.other, 0x9000, 1);
	give(&f, 11, f.other, 0x9000, 2); /* of a thread that nothing is known of */
	told(&f, "2:(between):0:0+0 ");
	give(&f, 10, f.loop, 0x1002, 3);
	told(&f, "1:f:6:0+0 3:f:6:1+2 ");
	give(&f, 10, f.other, 0x9000, 4);
	walk(&f, 10, "g", 12, WP_PYTHON_LATE); /* which nobody believes */
	give(&f, 10, f.other, 0x9000, 5);
	walk(&f, 10, "f", 7, WP_PYTHON_COMPLETE);
	told(&f, "4:f:0:0+0 5:f:0:0+0 ");
	give(&f, 10, f.other, 0x9000, 6);
	walk(&f, 10, "g", 12, WP_PYTHON_COMPLETE);
	told(&f, "6:(between):0:0+0 ");
	give(&f, 10, f.other, 0x9000, 7);
	walk(&f, 10, NULL, 0, WP_PYTHON_NO_FRAME);
	told(&f, "7:(between):0:0+0 ");
	give(&f, 10, f.other, 0x9000, 8);
	told(&f, "8:(between):0:0+0 ");
	walk(&f, 10, "f", 0, WP_PYTHON_COMPLETE); /* lines that are not known do not agree */
	give(&f, 10, f.other, 0x9000, 9);
	walk(&f, 10, "f", 0, WP_PYTHON_COMPLETE);
	told(&f, "9:f:0:0+0 ");
	give(&f, 10, f.other, 0x9000, 10);
	told(&f, "");
	wp_traced_python_end(&f.traced);
	told(&f, "10:(between):0:0+0 ");
	CHECK(f.traced.counts[WP_TRACED_LINE] == 1);
	CHECK(f.traced.counts[WP_TRACED_FUNCTION] == 3);
	CHECK(f.traced.counts[WP_TRACED_BETWEEN] == 5);
	end(&f);
}

/* What finds no room is between, of the thread that has most of it first. */
static void test_bounded(void)
{
	struct fixture f;

	begin(&f);
	go(&f);
	f.traced.held_most = 4;
	walk(&f, 10, "f", 6, WP_PYTHON_COMPLETE);
	walk(&f, 11, "f", 6, WP_PYTHON_COMPLETE);
	for (uint64_t i = 1; i <= 3; i++)
		give(&f, 10, f.other, 0x9000, i);
	give(&f, 11, f.other, 0x9000, 4);
	told(&f, "");
	give(&f, 11, f.other, 0x9000, 5);
	told(&f, "1:(between):0:0+0 2:(between):0:0+0 3:(between):0:0+0 ");
	walk(&f, 11, "f", 6, WP_PYTHON_COMPLETE);
	told(&f, "4:f:6:0+0 5:f:6:0+0 ");
	CHECK(f.traced.beyond == 3 && f.traced.held == 0);
	end(&f);
}

/* Of programs without Python nothing is said; nor where no notes are. */
static void test_no_python(void)
{
	struct fixture f;

	begin(&f);
	go(&f);
	give(&f, 10, f.other, 0x9000, 1);
	told(&f, "1:-:0:0+0 ");
	wp_traced_python_deinit(&f.traced);
	wp_traced_python_init(&f.traced, &f.taken.sink, f.resolver, NULL);
	CHECK(wp_traced_python_sink(&f.traced) == &f.taken.sink);
	end(&f);
}

int main(void)
{
	RUN(test_exact);
	RUN(test_not_exact);
	RUN(test_reused_places);
	RUN(test_agreed);
	RUN(test_bounded);
	RUN(test_no_python);
	return check_done();
}
