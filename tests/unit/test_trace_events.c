/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_events: descriptions of tracepoints, as tracefs has them and as nobody should. */
#include "format/trace/trace_events.h"

#include "check.h"
#include "format/trace/trace_gate.h"

#define COMMON                                                                 \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char write_text[] = "name: sys_exit_write\nID: 7\nformat:\n" COMMON
				 "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
				 "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n"
				 "\nprint fmt: \"0x%lx\", REC->ret\n";

static const char mixed_text[] =
	"name: mixed\nID: 9\nformat:\n" COMMON
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:__data_loc char[] path;\toffset:24;\tsize:4;\tsigned:0;\n"
	"\tfield:void * at;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:u16 pair[2];\toffset:40;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc char[] rest;\toffset:44;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"%s %s at %p\", REC->comm, __get_str(path), REC->at\n";

/* 48 bytes of fields, then "a/b" and "tail" */
static const uint8_t mixed[] = "\x09\0\0\0\x05\0\0\0python3\0\0\0\0\0\0\0\0\0\x30\0\x04\0\0\0\0\0"
			       "\xff\x0f\0\0\0\0\0\0\x01\0\x02\0\x04\0\x05\0"
			       "a/b\0tail";

static struct wp_trace_events *open_texts(const struct wp_trace_text *texts, size_t n)
{
	/* Strings of the kernel that are shorter than what libtraceevent looks at. */
	static const char printk[] = "0x1000 : \"NQ\"\n0x1001 : \"\"\n0x1002 : \"a\\n\"\n";
	struct wp_trace_extra extra = {.printk = {"", printk, sizeof(printk) - 1}};
	struct wp_str bytes = {0};
	uint64_t wanted[] = {7, 9};
	struct wp_trace_events *events;

	wp_trace_data_put(&bytes, texts, n, &extra);
	events = wp_trace_events_new(bytes.s, bytes.len, wanted, 2);
	for (size_t cut = 0; cut < bytes.len; cut++) /* no byte behind a cut is looked at */
		wp_trace_events_free(wp_trace_events_new(bytes.s, cut, wanted, 2));
	wp_str_deinit(&bytes);
	return events;
}

static const char *text_of(const struct wp_fields *fields, const char *name, struct wp_str *out)
{
	const struct wp_field *field = wp_fields_find(fields, name);

	out->len = 0;
	wp_str_puts(out, "");
	if (field)
		wp_field_text(field, mixed, sizeof(mixed), out);
	return out->s;
}

static void test_fields(void)
{
	const struct wp_trace_text texts[] = {
		{"syscalls", write_text, sizeof(write_text) - 1},
		{"other", mixed_text, sizeof(mixed_text) - 1},
	};
	struct wp_trace_events *events = open_texts(texts, 2);
	const struct wp_trace_event *event = wp_trace_events_find(events, 9);
	struct wp_str out = {0};
	int64_t number = 0;

	CHECK(event);
	CHECK_STR(event->system, "other");
	CHECK_STR(event->description.name, "mixed");
	CHECK_STR(text_of(&event->description.fields, "comm", &out), "python3");
	CHECK_STR(text_of(&event->description.fields, "path", &out), "a/b");
	CHECK_STR(text_of(&event->description.fields, "at", &out), "0xfff");
	CHECK_STR(text_of(&event->description.fields, "pair", &out), "[1, 2]");
	CHECK_STR(text_of(&event->description.fields, "rest", &out), "tail");
	CHECK_STR(text_of(&event->description.fields, "common_pid", &out), "5");
	CHECK_STR(text_of(&event->description.fields, "none", &out), "");
	event = wp_trace_events_find(events, 7);
	CHECK(event);
	CHECK(wp_field_number(wp_fields_find(&event->description.fields, "ret"),
			      (const uint8_t *)"................\xfe\xff\xff\xff\xff\xff\xff\xff",
			      24, &number));
	CHECK(number == -2);
	CHECK(!wp_field_number(wp_fields_find(&event->description.fields, "ret"), mixed, 23,
			       &number));
	CHECK(!wp_trace_events_find(events, 8));
	wp_str_deinit(&out);
	wp_trace_events_free(events);
}

static void test_printed(void)
{
	const struct wp_trace_text text = {"other", mixed_text, sizeof(mixed_text) - 1};
	struct wp_trace_events *events = open_texts(&text, 1);
	const struct wp_trace_event *event = wp_trace_events_find(events, 9);
	struct wp_str out = {0};

	CHECK(event);
	wp_trace_events_print(events, event, 0, mixed, sizeof(mixed), &out);
	if (event->printable)
		CHECK_STR(out.s, "python3 a/b at 0xfff");
	else
		CHECK_STR(out.s, "comm=python3 path=a/b at=0xfff pair=[1, 2] rest=tail");
	out.len = 0;
	for (size_t cut = 0; cut < sizeof(mixed); cut++)
		wp_trace_events_print(events, event, 0, mixed, cut, &out);
	wp_str_deinit(&out);
	wp_trace_events_free(events);
}

static bool reads(const char *text)
{
	struct wp_trace_description description;
	struct wp_arena arena = {0};
	bool ret = wp_trace_text_read(&arena, text, strlen(text), &description);

	wp_arena_deinit(&arena);
	return ret;
}

#define HEAD  "name: x\nID: 1\nformat:\n"
#define PARTS "\tsize:4;\tsigned:0;\n"

static void test_nonsense(void)
{
	CHECK(reads(HEAD "\tfield:int a;\toffset:0;" PARTS));
	CHECK(reads(HEAD "\tfield:char comm[TASK_COMM_LEN];\toffset:0;" PARTS));
	CHECK(!reads(HEAD "\tfield:int a;\toffset:-1;" PARTS));
	CHECK(!reads(HEAD "\tfield:int a;\toffset:70000;" PARTS));
	CHECK(!reads(HEAD "\tfield:int a;\toffset:0;\tsize:4000000000;\n"));
	CHECK(!reads(HEAD "\tfield:int;\toffset:0;" PARTS));
	CHECK(!reads(HEAD "\tfield:int \"a;\toffset:0;" PARTS));
	CHECK(!reads(HEAD "\tfield:"));
	CHECK(!reads("name: x\nformat:\n"));
	CHECK(!reads("ID: 1\n"));
	CHECK(!reads(""));
}

static void test_gate(void)
{
	static const struct wp_field all[] = {
		{.name = "len", .size = 2},
		{.name = "long_len", .size = 4},
		{.name = "buf", .size = 8, .is_array = true},
		{.name = "list", .size = 4, .is_array = true, .is_dynamic = true},
	};
	const struct wp_fields fields = {all, 4};

	CHECK(wp_trace_gate_passes("\"%-3d %.*s %08lx\", REC->len, 3, \"x\", REC->len", &fields));
	CHECK(wp_trace_gate_passes("\"%d%%\", REC->len / 1000", &fields));
	CHECK(wp_trace_gate_passes("\"%s\", __print_hex(REC->buf, REC->len)", &fields));
	CHECK(wp_trace_gate_passes("\"%s\", __print_hex(REC->buf, 16)", &fields));
	CHECK(wp_trace_gate_passes("\"%s\", __print_array(__get_dynamic_array(list), "
				   "__get_dynamic_array_len(list) / sizeof(u64), 8)",
				   &fields));
	CHECK(!wp_trace_gate_passes("\"%s\", __print_hex(REC->buf, REC->long_len)", &fields));
	CHECK(!wp_trace_gate_passes("\"%s\", __print_hex(REC->buf, 1000000)", &fields));
	CHECK(!wp_trace_gate_passes("\"%s\", __print_hex(REC->buf, 1 << 30)", &fields));
	CHECK(wp_trace_gate_passes("\"%s\", (int)(REC->len & 0xff) ? __print_flags(REC->len, "
				   "\"|\", { 1, \"a\" }, { (1 << 2), \"b\" }) : \"none\"",
				   &fields));
	CHECK(!wp_trace_gate_passes("\"%d\", REC->none", &fields));
	CHECK(!wp_trace_gate_passes("\"%d\", other(REC->len)", &fields));
	CHECK(!wp_trace_gate_passes("\"%d\", (REC->len", &fields));
	CHECK(!wp_trace_gate_passes("\"%d\", REC->len +", &fields));
	CHECK(!wp_trace_gate_passes("\"%d\", 1 / REC->len", &fields));
	CHECK(!wp_trace_gate_passes("\"%d\", 1 % 0", &fields));
	CHECK(!wp_trace_gate_passes("\"%100000d\", 1", &fields));
	CHECK(!wp_trace_gate_passes("\"%*d\", REC->len, 1", &fields));
	CHECK(!wp_trace_gate_passes("\"%d\", REC->buf[REC->len]", &fields));
	CHECK(!wp_trace_gate_passes("\"open", &fields));
	CHECK(!wp_trace_gate_passes("", &fields));
	CHECK(!wp_trace_gate_passes("\"%d\", ((((((((((((((((((((((((((((((((((1", &fields));
}

int main(void)
{
	RUN(test_fields);
	RUN(test_printed);
	RUN(test_nonsense);
	RUN(test_gate);
	return check_done();
}
