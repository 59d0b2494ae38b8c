/* SPDX-License-Identifier: BSD-3-Clause */
/* The Python part of the document of sampling: tables, filter, row limit, threads, footer. */
#include "check.h"

#include "aggregate/sample_doc.h"
#include "view/view.h"

static struct wp_event_set events;
static struct wp_symbol_set symbols;
static struct wp_flat flat;
static struct wp_spots spots;
static struct wp_thread_names names;

enum { FIB, PARSE, LAMBDA, UNKNOWN };

static void add(uint32_t thread, enum wp_spot_gil gil, const struct wp_spot_frame *frames, size_t n,
		int times)
{
	for (int i = 0; i < times; i++) {
		wp_flat_add(&flat, 0, UNKNOWN, 100);
		wp_spots_add(&spots, &(struct wp_spot_sample){0, thread, gil, 100, frames, n});
	}
}

static void add_symbol(const char *name, uint32_t module, uint32_t line)
{
	wp_vec_push(&symbols.symbols, (struct wp_symbol){
					      .name = name,
					      .raw = name,
					      .kind = WP_SYMBOL_PYTHON,
					      .module = module,
					      .line = line,
				      });
}

static void name_thread(uint32_t tid, const char *name)
{
	struct wp_record record = {.kind = WP_RECORD_COMM, .pid = 10, .tid = tid};

	record.comm.name = name;
	wp_thread_names_record(&names, &record);
}

/* With thread 0 everything is of one row; with threads the second half is another one's. */
static void fill(bool threads)
{
	static const struct wp_spot_frame fib[] = {{FIB, 4}, {FIB, 5}, {PARSE, 12}};
	static const struct wp_spot_frame parse[] = {{PARSE, 13}},
					  lambda[] = {{LAMBDA, 0}, {UNKNOWN, 0}};
	uint32_t one = threads ? 10 : 0, two = threads ? 11 : 0;

	spots.symbols = &symbols;
	wp_vec_push(&events.events, (struct wp_event){.name = "ev", .period = 100});
	wp_vec_push(&symbols.modules, (struct wp_module){.name = "app.py", .path = "/opt/app.py"});
	wp_vec_push(&symbols.modules,
		    (struct wp_module){.name = "\xc3\xbc.py", .path = "/opt/\xc3\xbc.py"});
	add_symbol("fib", 0, 3);
	add_symbol("Parser.parse", 0, 10);
	add_symbol("<lambda>", 1, 0);
	add_symbol(NULL, WP_NO_MODULE, 0);
	add(one, WP_SPOT_GIL_HELD, fib, 3, 6);
	add(two, WP_SPOT_GIL_RELEASED, fib, 3, 1);
	add(two, WP_SPOT_GIL_HELD, parse, 1, 1);
	add(two, WP_SPOT_GIL_UNKNOWN, lambda, 2, 1);
	add(one, WP_SPOT_GIL_UNKNOWN, NULL, 0, 1);
	wp_flat_sort(&flat);
	wp_spots_sort(&spots, WP_SPOTS_BY_DEFAULT);
	name_thread(10, "python3");
	wp_thread_names_record(
		&names, &(struct wp_record){
				.kind = WP_RECORD_FORK, .pid = 10, .tid = 11, .fork = {10, 10}});
}

static void empty(void)
{
	wp_vec_deinit(&events.events);
	wp_vec_deinit(&symbols.symbols);
	wp_vec_deinit(&symbols.modules);
	wp_flat_deinit(&flat);
	wp_spots_deinit(&spots);
	wp_thread_names_deinit(&names);
	flat = (struct wp_flat){0};
	spots = (struct wp_spots){0};
	names = (struct wp_thread_names){0};
}

static struct wp_python_report report_of(void)
{
	return (struct wp_python_report){
		.transport = "bpf",
		.spots = &spots,
		.symbols = &symbols,
		.counts = {.samples = 10, .with_frames = 9, .ends = {[WP_PYTHON_COMPLETE] = 9}},
		.rows = 50,
		.text_rows = 50,
		.native_first = true,
	};
}

/* The part behind the native table's total. */
static char *render(const struct wp_python_report *python, const struct wp_view_ops *view,
		    const char *from, const char *to)
{
	struct wp_sample_report report = {
		.events = &events,
		.symbols = &symbols,
		.flat = &flat,
		.pe_file = "",
		.pdb_file = "",
		.rows = 50,
		.python = python,
	};
	struct wp_doc *doc = wp_sample_doc(&report);
	struct wp_str text = {0};
	struct wp_writer *out = wp_writer_of_str(&text);
	char *begin, *end, *ret;

	view->render(doc, out);
	CHECK_OK(wp_writer_close(out));
	wp_doc_free(doc);
	begin = strstr(text.s, from);
	end = begin ? strstr(begin, to) : NULL;
	ret = end ? wp_strndup(begin, (size_t)(end - begin)) : wp_strdup(text.s);
	wp_str_deinit(&text);
	return ret;
}

#define LINE "========================"

static void test_text(void)
{
	struct wp_python_report report = report_of();
	wp_autofree char *text = NULL;

	fill(false);
	text = render(&report, &wp_view_text, "\n" LINE " hot Python l",
		      "\n                   0 s");
	CHECK_STR(text, "\n" LINE " hot Python lines: ev " LINE "\n"
			"         self  total  count  function      file:line\n"
			"         ====  =====  =====  ========      =========\n"
			"        70.00  70.00      7  fib           /opt/app.py:4\n"
			"        10.00  10.00      1  Parser.parse  /opt/app.py:13\n"
			"        10.00  10.00      1  <lambda>      /opt/\xc3\xbc.py:?\n"
			"         0.00  70.00      0  fib           /opt/app.py:5\n"
			"         0.00  70.00      0  Parser.parse  /opt/app.py:12\n"
			"         0.00  10.00      0  unknown\n"
			"\n" LINE " hot Python functions: ev " LINE "\n"
			"         self  total  count  function      file:line\n"
			"         ====  =====  =====  ========      =========\n"
			"        70.00  70.00      7  fib           /opt/app.py:3\n"
			"        10.00  80.00      1  Parser.parse  /opt/app.py:10\n"
			"        10.00  10.00      1  <lambda>      /opt/\xc3\xbc.py\n"
			"         0.00  10.00      0  unknown\n"
			"\npython: bpf, 10 samples, 90.00% with Python frames\n");
	empty();
}

static const char *source(void *arg, const char *file, uint32_t line)
{
	++*(int *)arg;
	return strcmp(file, "/opt/app.py") == 0 && line == 4
		       ? "return \"\xc3\xbc\" + "
			 "1234567890123456789012345678901234567890123456789012"
			 "345678901234567890"
		       : NULL;
}

static void test_source_and_limits(void)
{
	struct wp_python_report report = report_of();
	wp_autofree char *text = NULL, *filtered = NULL, *json = NULL, *csv = NULL;
	int asked = 0;

	fill(false);
	report.rows = 2;
	report.text_rows = 2;
	report.source = source;
	report.source_arg = &asked;
	text = render(&report, &wp_view_text, LINE " hot Python lines", "\n" LINE " hot Python f");
	CHECK_STR(text, LINE
		  " hot Python lines: ev " LINE "\n"
		  "         self  total  count  function      file:line       source\n"
		  "         ====  =====  =====  ========      =========       ======\n"
		  "        70.00  70.00      7  fib           /opt/app.py:4   return \"\xc3\xbc\""
		  " + 12345678901234567890123456789012345678901234567890123456789...\n"
		  "        10.00  10.00      1  Parser.parse  /opt/app.py:13\n");
	CHECK_U64((uint64_t)asked, 8); /* rows that are shown, not all: two of four tables */
	report.source = NULL;
	report.symbol_filter = "parse";
	filtered = render(&report, &wp_view_text, LINE " hot Python functions", "\npython:");
	CHECK_STR(filtered, LINE " hot Python functions: ev " LINE "\n"
				 "         self  total  count  function      file:line\n"
				 "         ====  =====  =====  ========      =========\n"
				 "        10.00  80.00      1  Parser.parse  /opt/app.py:10\n");
	csv = render(&report, &wp_view_csv, "self,total", "\n\n");
	CHECK_STR(csv, "self,total,count,total_count,function,file,line,\n"
		       "10.00,80.00,1,8,Parser.parse,/opt/app.py,10,");
	report.symbol_filter = "^lam";
	json = render(&report, &wp_view_json, "\"python_functions\"", "\n}");
	CHECK_STR(json, "\"python_functions\": [],\n\"python_lines\": [],\n"
			"\"python_own\": []");
	empty();
}

/* Python first, each sample credited to one own line, and a word about what is not shown. */
static void test_first_table(void)
{
	struct wp_python_report report = report_of();
	wp_autofree char *text = NULL;

	fill(false);
	report.text_rows = 2;
	report.native_first = false;
	text = render(&report, &wp_view_text, LINE, "\n" LINE " hot Python l");
	CHECK_STR(text, LINE " your code: ev " LINE "\n"
			     "          own   self  total  count  function      file:line\n"
			     "          ===   ====  =====  =====  ========      =========\n"
			     "        70.00  70.00  70.00      7  fib           /opt/app.py:4\n"
			     "        10.00  10.00  10.00      1  Parser.parse  /opt/app.py:13\n"
			     "        3 more rows: --rows 50\n");
	empty();
}

static void test_threads(void)
{
	struct wp_python_report report = report_of();
	wp_autofree char *text = NULL, *json = NULL;

	fill(true);
	report.threads = &names;
	report.text_rows = 3;
	text = render(&report, &wp_view_text, LINE " hot Python f", "\npython:");
	CHECK_STR(text, LINE
		  " hot Python functions: ev " LINE "\n"
		  "         self  total  count  gil  thread      function      file:line\n"
		  "         ====  =====  =====  ===  ======      ========      =========\n"
		  "        60.00  60.00      6  100  python3 10  fib           /opt/app.py:3\n"
		  "        10.00  20.00      1   50  python3 11  Parser.parse  /opt/app.py:10\n"
		  "        10.00  10.00      1    0  python3 11  fib           /opt/app.py:3\n"
		  "        3 more rows: --rows 50\n"
		  "\n" LINE " Python threads: ev " LINE "\n"
		  "        share  count  python  gil  thread\n"
		  "        =====  =====  ======  ===  ======\n"
		  "        70.00      7       6  100  python3 10\n"
		  "        30.00      3       3   50  python3 11\n");
	report.rows = 1;
	json = render(&report, &wp_view_json, "\"python_threads\"", "\n}");
	CHECK_STR(json,
		  "\"python_threads\": [{\"share\":70,\"count\":7,\"python\":6,\"gil_held\":100,"
		  "\"thread\":\"python3\",\"tid\":10}],\n"
		  "\"python_functions\": [{\"self\":60,\"total\":60,\"count\":6,\"total_count\":6,"
		  "\"gil_held\":100,\"thread\":\"python3\",\"tid\":10,\"function\":\"fib\","
		  "\"file\":\"/opt/app.py\",\"line\":3}],\n"
		  "\"python_lines\": [{\"self\":60,\"total\":60,\"count\":6,\"total_count\":6,"
		  "\"gil_held\":100,\"thread\":\"python3\",\"tid\":10,\"function\":\"fib\","
		  "\"file\":\"/opt/app.py\",\"line\":4}],\n"
		  "\"python_own\": [{\"own\":60,\"self\":60,\"total\":60,\"own_count\":6,"
		  "\"count\":6,\"total_count\":6,"
		  "\"gil_held\":100,\"thread\":\"python3\",\"tid\":10,\"function\":\"fib\","
		  "\"file\":\"/opt/app.py\",\"line\":4}]");
	empty();
}

static void test_footer(void)
{
	struct wp_python_report report = report_of();
	wp_autofree char *text = NULL, *json = NULL;

	fill(false);
	report.counts.ends[WP_PYTHON_PARTIAL] = 1;
	report.counts.ends[WP_PYTHON_LATE] = 2;
	report.counts.ends[WP_PYTHON_NO_THREAD] = 5; /* no fault: not told */
	report.counts.early = 6;
	report.counts.lost = 3;
	report.counts.unresolved = 1;
	report.counts.codes_refused = 7;
	spots.gil_only = true;
	spots.left_out = 4;
	text = render(&report, &wp_view_text, "\npython:", "\n                   0 s");
	CHECK_STR(text,
		  "\npython: bpf, 10 samples, 90.00% with Python frames; 6 before Python "
		  "had started, 3 lost, 1 partial, "
		  "2 late, 1 frame of an unknown code object, 7 code objects more than are kept, "
		  "4 left out: without the GIL\n");
	json = render(&report, &wp_view_json, "\"python\"", ",\n\"events\"");
	CHECK_STR(json,
		  "\"python\": {\n\"transport\": \"bpf\",\n\"samples\": 10,\n"
		  "\"with_frames\": 9,\n\"complete\": 9,\n\"partial\": 1,\n"
		  "\"unreadable\": 0,\n\"damaged\": 0,\n\"cut\": 0,\n\"late\": 2,\n"
		  "\"no_python_thread\": 5,\n\"no_python_frame\": 0,\n\"early\": 6,\n\"lost\": 3,\n"
		  "\"unresolved_frames\": 1,\n\"codes_refused\": 7,\n\"without_gil\": 4\n}");
	empty();
}

/* An interpreter that no sample met: members, but no words. */
static void test_nothing(void)
{
	struct wp_python_report report = report_of();
	wp_autofree char *text = NULL, *json = NULL, *without = NULL;

	fill(false);
	wp_spots_deinit(&spots);
	spots = (struct wp_spots){0};
	report.counts = (struct wp_python_counts){0};
	text = render(&report, &wp_view_text, "", "never");
	CHECK(!strstr(text, "ython"));
	json = render(&report, &wp_view_json, "\"python_functions\"", "\n}");
	CHECK_STR(json, "\"python_functions\": [],\n\"python_lines\": [],\n"
			"\"python_own\": []");
	without = render(NULL, &wp_view_json, "", "never");
	CHECK(!strstr(without, "ython"));
	empty();
}

/* Of a whole machine's samples few are of Python: what the others are of comes first, in all rows.
 */
static void test_rare(void)
{
	struct wp_python_report report = report_of();
	wp_autofree char *often = NULL, *rarely = NULL;

	fill(false);
	report.native_first = false;
	often = render(&report, &wp_view_text, "", "never");
	CHECK(strstr(often, "hot Python lines") < strstr(often, "hot functions"));
	spots.events.v[0].samples = 100;
	rarely = render(&report, &wp_view_text, "", "never");
	CHECK(strstr(rarely, "hot Python lines") > strstr(rarely, "top 50 hot functions"));
	empty();
}

int main(void)
{
	RUN(test_text);
	RUN(test_source_and_limits);
	RUN(test_first_table);
	RUN(test_threads);
	RUN(test_footer);
	RUN(test_nothing);
	RUN(test_rare);
	return check_done();
}
