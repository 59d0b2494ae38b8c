/* SPDX-License-Identifier: BSD-3-Clause */
/* The three views over documents made by hand. */
#include "check.h"

#include "base/str.h"
#include "view/view.h"

#include <math.h>

static char *render(const struct wp_view_ops *view, const struct wp_doc *doc)
{
	struct wp_str text = {0};
	struct wp_writer *out = wp_writer_of_str(&text);

	view->render(doc, out);
	CHECK_OK(wp_writer_close(out));
	return text.s ? text.s : wp_strdup("");
}

static void check_view(const struct wp_view_ops *view, struct wp_doc *doc, const char *want)
{
	wp_autofree char *got = render(view, doc);

	CHECK_STR(got, want);
	wp_doc_free(doc);
}

/* The example of one core's counters in WindowsPerf's documents. */
static struct wp_doc *counters(void)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_table *table = wp_doc_table(doc, doc->root, "Performance_counter");

	wp_table_column(table, "counter value", WP_ALIGN_RIGHT);
	wp_table_column(table, "event name", WP_ALIGN_LEFT);
	wp_table_column(table, "event idx", WP_ALIGN_LEFT);
	wp_table_column(table, "event note", WP_ALIGN_LEFT);
	wp_table_add(table, (struct wp_cell[]){wp_cell_count(13612036), wp_cell_str("cycle"),
					       wp_cell_str("fixed"), wp_cell_str("e")});
	wp_table_add(table, (struct wp_cell[]){wp_cell_count(999), wp_cell_str("inst_spec"),
					       wp_cell_str("0x1b"), wp_cell_str("e")});
	return doc;
}

/* Of shares alone, and never in what is no table for a terminal. */
static struct wp_doc *shares(bool coloured)
{
	static const double values[] = {5, 4.99, 0.49};
	struct wp_doc *doc = wp_doc_new();
	struct wp_table *table = wp_doc_table(doc, doc->root, "t");

	doc->screen.coloured = coloured;
	wp_table_share_column(table, "share");
	wp_table_column(table, "p", WP_ALIGN_RIGHT);
	for (size_t i = 0; i < 3; i++)
		wp_table_add(table, (struct wp_cell[]){wp_cell_real(values[i], 2),
						       wp_cell_real(values[i], 0)});
	return doc;
}

static struct wp_doc *tree_lines(bool coloured)
{
	struct wp_doc *doc = wp_doc_new();

	doc->screen.coloured = coloured;
	wp_doc_shares(doc, doc->root, 50, 0.5, "", "main");
	wp_doc_shares(doc, doc->root, 0.1, 0, "`-- ", "\33\xc2\x9b\xc2\xa0");
	return doc;
}

/* An event's name, in a headline, is what a stranger's recording says. */
static void test_prose(void)
{
	struct wp_doc *doc = wp_doc_new();

	wp_doc_prose(doc, doc->root, "== %s ==\n\t(%s)\n", "cy\33]0;cles\7", "\xc3\xa9");
	check_view(&wp_view_text, doc, "== cy?]0;cles? ==\n\t(\xc3\xa9)\n");
}

static void test_colours(void)
{
	check_view(&wp_view_text, shares(false),
		   "        share  p\n"
		   "        =====  =\n"
		   "         5.00  5\n"
		   "         4.99  5\n"
		   "         0.49  0\n");
	check_view(&wp_view_text, shares(true),
		   "        share  p\n"
		   "        =====  =\n"
		   "         \33[31m5.00\33[m  5\n"
		   "         \33[32m4.99\33[m  5\n"
		   "         0.49  0\n");
	check_view(&wp_view_text, tree_lines(true),
		   "         \33[31m50.00\33[m    \33[32m0.50\33[m  main\n"
		   "          0.10    0.00  `-- ??\xc2\xa0\n");
	check_view(&wp_view_text, tree_lines(false),
		   "         50.00    0.50  main\n"
		   "          0.10    0.00  `-- ??\xc2\xa0\n");
	check_view(&wp_view_csv, tree_lines(true), "");
	check_view(&wp_view_json, tree_lines(true), "{}");
	check_view(&wp_view_csv, shares(true), "share,p,\n5.00,5,\n4.99,5,\n0.49,0,\n\n");
}

static void test_table(void)
{
	check_view(&wp_view_text, counters(),
		   "        counter value  event name  event idx  event note\n"
		   "        =============  ==========  =========  ==========\n"
		   "           13,612,036  cycle       fixed      e         \n"
		   "                  999  inst_spec   0x1b       e         \n");
	check_view(&wp_view_json, counters(),
		   "{\n\"Performance_counter\": ["
		   "{\"counter_value\":13612036,\"event_name\":\"cycle\",\"event_idx\":\"fixed\","
		   "\"event_note\":\"e\"},"
		   "{\"counter_value\":999,\"event_name\":\"inst_spec\",\"event_idx\":\"0x1b\","
		   "\"event_note\":\"e\"}]\n}");
	check_view(&wp_view_csv, counters(),
		   "counter value,event name,event idx,event note,\n"
		   "13612036,cycle,fixed,e,\n"
		   "999,inst_spec,0x1b,e,\n\n");
}

static struct wp_doc *cells(void)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_table *table = wp_doc_table(doc, doc->root, "t");

	wp_table_column(table, "a", WP_ALIGN_RIGHT);
	wp_table_column(table, "long heading", WP_ALIGN_RIGHT);
	wp_table_column(table, "b", WP_ALIGN_LEFT);
	wp_table_add(table, (struct wp_cell[]){wp_cell_number(1234567),
					       wp_cell_real(76.171875, 2),
					       {.kind = WP_CELL_NOT_COUNTED}});
	wp_table_add(table, (struct wp_cell[]){wp_cell_count(UINT64_MAX), wp_cell_real(NAN, 2),
					       wp_cell_str("\xc3\xbc, \"x\"\x1b\xff")});
	wp_table_add(table, (struct wp_cell[]){wp_cell_count(0), wp_cell_count(1000), {0}});
	return doc;
}

static void test_cells(void)
{
	check_view(&wp_view_text, cells(),
		   "                                 a  long heading  b            \n"
		   "                                 =  ============  =            \n"
		   "                           1234567         76.17  <not counted>\n"
		   "        18,446,744,073,709,551,615           nan  \xc3\xbc, \"x\"?\xff     \n"
		   "                                 0         1,000               \n");
	check_view(&wp_view_json, cells(),
		   "{\n\"t\": [{\"a\":1234567,\"long_heading\":76.1719,\"b\":null},"
		   "{\"a\":18446744073709551615,\"long_heading\":null,"
		   "\"b\":\"\xc3\xbc, \\\"x\\\"\\u001b\xef\xbf\xbd\"},"
		   "{\"a\":0,\"long_heading\":1000,\"b\":null}]\n}");
	check_view(&wp_view_csv, cells(),
		   "a,long heading,b,\n1234567,76.17,<not counted>,\n"
		   "18446744073709551615,nan,\"\xc3\xbc, \"\"x\"\"?\xff\",\n0,1000,,\n\n");
}

static struct wp_doc *nested(void)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_table *outer = wp_doc_table(doc, doc->root, "annotate");
	struct wp_table *inner = wp_doc_nested(doc);

	wp_table_column(inner, "address", WP_ALIGN_LEFT);
	wp_table_column(inner, "instruction", WP_ALIGN_LEFT);
	wp_table_add(inner, (struct wp_cell[]){wp_cell_str("3eba74"), wp_cell_str("ldr x8")});
	wp_table_column(outer, "hits", WP_ALIGN_LEFT);
	wp_table_column(outer, "disassembled_line", WP_ALIGN_LEFT);
	wp_table_column(outer, "n", WP_ALIGN_RIGHT);
	wp_table_add(outer,
		     (struct wp_cell[]){wp_cell_count(12), wp_cell_table(inner), wp_cell_count(7)});
	wp_table_add(outer,
		     (struct wp_cell[]){wp_cell_count(3), wp_cell_str("-"), wp_cell_count(8)});
	return doc;
}

static void test_nested(void)
{
	check_view(&wp_view_text, nested(),
		   "        hits  disassembled_line       n\n"
		   "        ====  =================       =\n"
		   "        12      address  instruction  7\n"
		   "                =======  ===========   \n"
		   "                3eba74   ldr x8        \n"
		   "        3     -                       8\n");
	check_view(&wp_view_json, nested(),
		   "{\n\"annotate\": [{\"hits\":12,\"disassembled_line\":"
		   "[{\"address\":\"3eba74\",\"instruction\":\"ldr x8\"}],\"n\":7},"
		   "{\"hits\":3,\"disassembled_line\":\"-\",\"n\":8}]\n}");
}

static struct wp_doc *tree(void)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_node *core = wp_doc_object(doc, doc->root, "core");
	struct wp_node *cores = wp_doc_array(doc, core, "cores");
	struct wp_table *table;

	wp_doc_prose(doc, core, "Hello, %s:\n", "world");
	wp_doc_bool(doc, core, "Kernel mode", false);
	wp_doc_int(doc, wp_doc_object(doc, cores, NULL), "core_number", -1);
	wp_doc_object(doc, doc->root, "dsu");
	wp_doc_str(doc, doc->root, "back\\slash", "a\tb\nc")->only = WP_TEXT_ONLY;
	wp_doc_prose(doc, doc->root, "hidden\n")->only = WP_DATA_ONLY;
	wp_doc_real(doc, doc->root, "Time_elapsed", 10.8491234, -1);
	wp_doc_real(doc, doc->root, "Count interval", 2, 2);
	table = wp_doc_table(doc, doc->root, "rows");
	wp_table_column(table, "cycle", WP_ALIGN_RIGHT);
	wp_table_column(table, "M@ipc", WP_ALIGN_RIGHT);
	table->columns[0].group = table->columns[1].group = "core 1";
	wp_table_add(table, (struct wp_cell[]){wp_cell_count(339079492), wp_cell_real(1.1, 3)});
	return doc;
}

static void test_tree(void)
{
	check_view(&wp_view_text, tree(),
		   "Hello, world:\n"
		   "              cycle  M@ipc\n"
		   "              =====  =====\n"
		   "        339,079,492  1.100\n");
	check_view(&wp_view_json, tree(),
		   "{\n\"core\": {\n\"cores\": [\n{\n\"core_number\": -1\n}\n],\n"
		   "\"Kernel_mode\": false\n},\n\"dsu\": {},\n\"Time_elapsed\": 10.8491,\n"
		   "\"Count_interval\": 2.00,\n\"rows\": [{\"cycle\":339079492,\"M@ipc\":1.1}]\n}");
	check_view(
		&wp_view_csv, tree(),
		"core_number,-1\nKernel mode,FALSE\nTime_elapsed,10.8491\nCount interval,2.00\n\n"
		"core 1,core 1,\ncycle,M@ipc,\n339079492,1.100,\n\n");
}

/* Every byte sequence becomes valid UTF-8: truncated, overlong, surrogate, too large. */
static void test_json_utf8(void)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{"\xe2\x82\xac \xf0\x9f\x90\x8d", "\xe2\x82\xac \xf0\x9f\x90\x8d"},
		{"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xf5z", "\xef\xbf\xbdz"},
		{"a\\\"\r\x01", "a\\\\\\\"\\u000d\\u0001"},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(cases); i++) {
		struct wp_doc *doc = wp_doc_new();
		wp_autofree char *want = wp_asprintf("{\n\"k\": \"%s\"\n}", cases[i].out);

		wp_doc_str(doc, doc->root, "k", cases[i].in);
		check_view(&wp_view_json, doc, want);
	}
}

static void test_empty(void)
{
	check_view(&wp_view_text, wp_doc_new(), "");
	check_view(&wp_view_json, wp_doc_new(), "{}");
	check_view(&wp_view_csv, wp_doc_new(), "");
}

static void test_find(void)
{
	CHECK(wp_view_find("json") == &wp_view_json);
	CHECK(wp_view_find("csv") == &wp_view_csv);
	CHECK(wp_view_find("xml") == NULL);
}

int main(void)
{
	RUN(test_table);
	RUN(test_prose);
	RUN(test_colours);
	RUN(test_cells);
	RUN(test_nested);
	RUN(test_tree);
	RUN(test_json_utf8);
	RUN(test_empty);
	RUN(test_find);
	return check_done();
}
