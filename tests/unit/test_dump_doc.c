/* SPDX-License-Identifier: BSD-3-Clause */
/* The document of `dump`: headlines, frames of every kind, what a stack lacks. */
#include "check.h"

#include "aggregate/dump_doc.h"
#include "view/view.h"

#include <string.h>

static const struct wp_dump_frame frames[] = {
	{.kind = WP_SYMBOL_NATIVE,
	 .function = "read",
	 .module = "libc.so.6",
	 .path = "/lib/libc.so.6",
	 .address = 0x7f0012},
	{.kind = WP_SYMBOL_INLINE,
	 .function = "fill",
	 .module = "app",
	 .path = "/opt/app",
	 .file = "/build/x/fill.c",
	 .line = 12},
	{.kind = WP_SYMBOL_NATIVE, .module = "app", .path = "/opt/app", .address = 0x401000},
	{.kind = WP_SYMBOL_PYTHON,
	 .function = "f\n<script>",
	 .module = "app.py",
	 .path = "/opt/app.py",
	 .file = "/opt/app.py",
	 .line = 3},
	{.kind = WP_SYMBOL_PYTHON},
};

static struct wp_instant asleep(void)
{
	return (struct wp_instant){
		.pid = 7,
		.tid = 8,
		.name = "worker",
		.state = 'S',
		.has_place = true,
		.in_call = true,
		.call = 7,
		.known = wp_syscall_find("x86_64", 7),
		.fds = {{3, "pipe:[7]"}, {5, ""}},
		.n_fds = 2,
		.more_fds = true,
		.args = {3, 0x10},
		.where = "pipe_read",
	};
}

static char *render(const struct wp_dump_thread *thread, const struct wp_view_ops *view)
{
	struct wp_dump_doc dump;
	struct wp_str text = {0};
	struct wp_writer *out = wp_writer_of_str(&text);

	wp_dump_doc_init(&dump);
	wp_dump_doc_process(&dump, &(struct wp_dump_process){.pid = 7,
							     .name = "app",
							     .exe = "/opt/app",
							     .command = "app --x\n",
							     .python = "3.12.1"});
	wp_dump_doc_thread(&dump, thread);
	wp_dump_doc_end(&dump);
	view->render(dump.doc, out);
	CHECK_OK(wp_writer_close(out));
	wp_doc_free(dump.doc);
	return text.s;
}

static void test_text(void)
{
	struct wp_instant at = asleep();
	struct wp_dump_thread thread = {
		.at = &at,
		.name = "Thread-1 \x1b[0m",
		.frames = frames,
		.n = WP_ARRAY_LEN(frames),
		.has_native = true,
		.end = WP_STACK_NO_RULE,
		.python = WP_PYTHON_THREAD_ID(0, WP_PYTHON_PARTIAL) | WP_PYTHON_GIL_KNOWN |
			  WP_PYTHON_GIL_HELD,
	};
	wp_autofree char *text = render(&thread, &wp_view_text);

	CHECK_STR(text, "process 7 (app): /opt/app; CPython 3.12.1\n"
			"command: app --x?\n"
			"\n"
			"thread 8 (worker, \"Thread-1 ?[0m\"): sleeping in poll, fds 3 (pipe:[7]), "
			"5 ...; holds the "
			"GIL; consistent\n"
			"    read (libc.so.6)\n"
			"    fill (fill.c:12, app)\n"
			"    0x401000 (app)\n"
			"    f?<script> (/opt/app.py:3)\n"
			"    unknown\n"
			"    [the native stack ends here: code without unwind information]\n"
			"    [Python frames: partial]\n"
			"\n"
			"1 thread of 1 process; 1 stack is proven consistent\n");
}

static void test_running(void)
{
	struct wp_instant at = {
		.pid = 7, .tid = 7, .name = "a", .state = 'R', .proof = WP_INSTANT_RAN};
	struct wp_dump_thread thread = {.at = &at, .has_native = true};
	wp_autofree char *text = render(&thread, &wp_view_text);

	CHECK(strstr(text, "\nthread 7 (a): running; ran meanwhile, approximate\n"
			   "    [native frames are not known of a thread that runs]\n"
			   "\n"
			   "1 thread of 1 process; 0 stacks are proven consistent\n"));
}

static void test_json(void)
{
	struct wp_instant at = asleep();
	struct wp_dump_thread thread = {.at = &at,
					.name = "Thread-1",
					.frames = frames,
					.n = 2,
					.has_native = true,
					.python = WP_PYTHON_GIL_KNOWN};
	wp_autofree char *text = render(&thread, &wp_view_json);

	CHECK(strstr(text, "\"pid\": 7,\n\"name\": \"app\",\n\"exe\": \"/opt/app\",\n"
			   "\"command\": \"app --x\\n\",\n\"python\": \"3.12.1\",\n"));
	CHECK(strstr(text, "\"tid\": 8,\n\"name\": \"worker\",\n"
			   "\"python_name\": \"Thread-1\",\n\"state\": \"S\",\n"));
	CHECK(strstr(text, "\"number\": 7,\n\"name\": \"poll\",\n"));
	CHECK(strstr(text, "\"fd\": 3,\n\"name\": \"pipe:[7]\"\n"));
	CHECK(strstr(text, "\"wchan\": \"pipe_read\",\n\"gil\": \"not_held\",\n"
			   "\"proof\": \"proven\",\n\"native_end\": \"complete\",\n"));
	CHECK(strstr(text, "\"kind\": \"inline\",\n\"function\": \"fill\",\n"
			   "\"module\": \"/opt/app\",\n\"file\": \"/build/x/fill.c\",\n"
			   "\"line\": 12\n"));
}

static void test_gil(void)
{
	static const char *const names[] = {"take_gil", "take_gil.lto_priv.0", "take_gills", NULL};
	static const char *const words[] = {"waits", "waits", "not_held", "not_held"};
	struct wp_instant at = asleep();

	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++) {
		struct wp_dump_frame frame = {.function = names[i]};
		struct wp_dump_thread thread = {
			.at = &at, .frames = &frame, .n = 1, .python = WP_PYTHON_GIL_KNOWN};
		wp_autofree char *text = render(&thread, &wp_view_json);
		wp_autofree char *want = wp_asprintf("\"gil\": \"%s\"", words[i]);

		CHECK(strstr(text, want));
	}
}

static void test_kernel(void)
{
	static const char *const texts[] = {"[kernel frames are not known of a thread that runs]",
					    "    [kernel frames: cut]\n"};
	static const char *const words[] = {"not_known", "cut", "complete"};
	struct wp_dump_frame frame = {.kind = WP_SYMBOL_KERNEL, .function = "do_poll"};
	struct wp_instant at = asleep();
	struct wp_dump_thread thread = {.at = &at, .has_kernel = true, .frames = &frame};

	for (size_t i = 0; i < WP_ARRAY_LEN(words); i++) {
		at.n_kernel = i > 0;
		at.kernel_cut = i == 1;
		thread.n = at.n_kernel;
		wp_autofree char *text = render(&thread, &wp_view_text);
		wp_autofree char *json = render(&thread, &wp_view_json);
		wp_autofree char *want = wp_asprintf("\"kernel_end\": \"%s\"", words[i]);

		CHECK(strstr(json, want));
		CHECK(i >= WP_ARRAY_LEN(texts) ? !strstr(text, "[kernel")
					       : strstr(text, texts[i]) != NULL);
	}
}

static void test_locals(void)
{
	static const struct wp_python_local locals[] = {{0, "x", "1"}, {0, "y", "'\x1b'"}};
	struct wp_dump_frame two[] = {frames[3], frames[3]};
	struct wp_instant at = asleep();
	struct wp_dump_thread thread = {
		.at = &at, .frames = two, .n = 2, .no_locals = "it ran meanwhile"};

	two[0].locals = locals;
	two[0].n_locals = WP_ARRAY_LEN(locals);
	wp_autofree char *text = render(&thread, &wp_view_text);
	wp_autofree char *json = render(&thread, &wp_view_json);

	CHECK(strstr(text, "    f?<script> (/opt/app.py:3)\n"
			   "        x = 1\n"
			   "        y = '?'\n"
			   "    f?<script> (/opt/app.py:3)\n"
			   "    [variables: it ran meanwhile]\n"));
	CHECK(strstr(json,
		     "\"line\": 3,\n\"locals\": [\n{\n\"name\": \"x\",\n\"value\": \"1\"\n},\n"));
	CHECK(strstr(json, "\"no_locals\": \"it ran meanwhile\""));
}

static void test_many(void)
{
	struct wp_instant at = asleep();
	struct wp_dump_thread thread = {.at = &at};
	wp_autofree char *json = NULL;
	wp_autofree char *text = NULL;

	for (int i = 0; i < 2; i++) {
		const struct wp_view_ops *view = i ? &wp_view_json : &wp_view_text;
		struct wp_writer *out;
		struct wp_dump_doc dump;
		struct wp_str str = {0};

		wp_dump_doc_init(&dump);
		for (uint32_t pid = 7; pid < 9; pid++) {
			wp_dump_doc_process(&dump,
					    &(struct wp_dump_process){.pid = pid, .name = "a\nb"});
			wp_dump_doc_thread(&dump, &thread);
			wp_dump_doc_unread(&dump, pid + 2, pid == 7 ? "c" : NULL, "no");
		}
		wp_dump_doc_end(&dump);
		out = wp_writer_of_str(&str);
		view->render(dump.doc, out);
		CHECK_OK(wp_writer_close(out));
		wp_doc_free(dump.doc);
		*(i ? &json : &text) = str.s;
	}
	CHECK(strstr(text, "\n\nprocess 8 (a?b)\n\nthread 8"));
	CHECK(strstr(text, "\n2 threads of 2 processes; 2 stacks are proven consistent\n"
			   "2 processes could not be read: -v says why\n"));
	CHECK(strstr(json, "\"unread\": [\n{\n\"pid\": 9,\n\"name\": \"c\",\n\"why\": \"no\"\n},"
			   "\n{\n\"pid\": 10,\n\"why\": \"no\"\n}\n]"));
}

int main(void)
{
	RUN(test_text);
	RUN(test_running);
	RUN(test_json);
	RUN(test_gil);
	RUN(test_kernel);
	RUN(test_locals);
	RUN(test_many);
	return check_done();
}
