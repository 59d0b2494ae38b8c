/* SPDX-License-Identifier: BSD-3-Clause */
/* The document of sampling: rows, total line, footer, hottest addresses. */
#include "check.h"

#include "aggregate/sample_doc.h"
#include "aggregate/weight_doc.h"
#include "view/view.h"

static struct wp_event_set events;
static struct wp_symbol_set symbols;
static struct wp_flat flat;
static struct wp_pcs pcs;

static void fill(void)
{
	static const char *const names[] = {"one", "two", "three"};

	wp_vec_push(&events.events, (struct wp_event){.name = "ev", .period = 100});
	wp_vec_push(&symbols.modules, (struct wp_module){.name = "prog", .path = "/bin/prog"});
	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++)
		wp_vec_push(&symbols.symbols,
			    (struct wp_symbol){.name = names[i], .raw = names[i], .module = 0});
	wp_vec_push(&symbols.symbols, (struct wp_symbol){.reason = WP_SYMBOL_STRIPPED});
	for (uint32_t symbol = 0; symbol < 4; symbol++)
		for (uint32_t i = 0; i < 40 - 10 * symbol; i++) {
			wp_flat_add(&flat, 0, symbol, 100);
			/* Address i of the first symbol has i hits fewer than the one before. */
			for (uint32_t k = 0; symbol == 0 && k < i; k++)
				wp_pcs_add(&pcs, 0, symbol, (struct wp_rva){i},
					   (struct wp_va){0x1000 + i});
		}
	wp_flat_sort(&flat);
	wp_pcs_sort(&pcs);
}

static struct wp_sample_report report_of(void)
{
	return (struct wp_sample_report){
		.events = &events,
		.symbols = &symbols,
		.flat = &flat,
		.pe_file = "/bin/prog",
		.pdb_file = "",
		.rows = 50,
		.elapsed_ns = 1234567890,
	};
}

static char *render(const struct wp_sample_report *report, const struct wp_view_ops *view)
{
	struct wp_doc *doc = wp_sample_doc(report);
	struct wp_str text = {0};
	struct wp_writer *out = wp_writer_of_str(&text);

	view->render(doc, out);
	CHECK_OK(wp_writer_close(out));
	wp_doc_free(doc);
	return text.s;
}

static void test_text(void)
{
	struct wp_sample_report report = report_of();
	wp_autofree char *text = NULL;

	report.rows = 2;
	report.lost = 1;
	text = render(&report, &wp_view_text);
	CHECK_STR(text, "======================== sample source: ev, top 2 hot functions"
			" ========================\n"
			"        overhead  count  symbol\n"
			"        ========  =====  ======\n"
			"           40.00     40  one   \n"
			"           30.00     30  two   \n"
			"           70.00%    70  top 2 in total\n"
			"\n"
			"note: 1 sample lost, 10 samples without symbol (10 stripped: prog)\n"
			"\n"
			"               1.234 seconds time elapsed\n");
}

/* A filter takes rows away, not from the total; it looks behind the row limit. */
static void test_filter(void)
{
	struct wp_sample_report report = report_of();
	wp_autofree char *text = NULL;

	report.rows = 1;
	report.symbol_filter = "^t";
	text = render(&report, &wp_view_text);
	CHECK(strstr(text, "           30.00     30  two   \n           40.00%    40  top 1 in"));
}

static void test_json(void)
{
	struct wp_sample_report report = report_of();
	wp_autofree char *text = NULL;

	report.has_base = true;
	report.base = 4096;
	report.verbose = true;
	report.pcs = &pcs;
	text = render(&report, &wp_view_json);
	CHECK(strstr(text, "\"base_address\": 4096,\n\"runtime_delta\": 0,"));
	CHECK(strstr(text, "\"samples_generated\": 100,"));
	CHECK(strstr(text, "\"stripped\": 10,"));
	/* The ten hottest, hottest first. */
	CHECK(strstr(text, "\"pcs\": [{\"address\":4135,\"count\":39,\"in_symbol\":\"one\"},"
			   "{\"address\":4134,\"count\":38,"));
	CHECK(strstr(text, "{\"address\":4126,\"count\":30,\"in_symbol\":\"one\"}]"));
}

/* An event whose samples count for a field: what, the sum, and whether that is of all hits. */
static void test_weight(void)
{
	struct wp_event *event = &events.events.v[0];
	struct wp_sample_report report = report_of();
	wp_autofree char *text = NULL, *json = NULL, *part = NULL;

	report.rows = 1;
	event->weight = "ret";
	event->name = "syscalls:sys_exit_write/weight=ret/";
	event->period = 1;
	text = render(&report, &wp_view_text);
	CHECK(strstr(text, "functions ========================\n"
			   "sum of ret: 10000 bytes\n"
			   "        from   to  count  samples                                 \n"
			   "        ====   ==  =====  =======                                 \n"
			   "          64  127    100  ########################################\n\n"
			   "        overhead  count   sum  symbol\n"
			   "        ========  =====   ===  ======\n"
			   "           40.00     40  4000  one   \n"));
	json = render(&report, &wp_view_json);
	CHECK(strstr(json, "\"weight\": \"ret\",\n\"weight_unit\": \"bytes\",\n"
			   "\"weight_sum\": 10000"));
	CHECK(strstr(json, "\"weight_histogram\": [{\"from\":64,\"to\":127,\"count\":100}]"));
	CHECK(strstr(json, "\"count\":40,\"sum\":4000,\"symbol\":\"one\""));
	event->period = 10;
	event->name = "a:b/weight=ret/";
	report.lost = 1;
	part = render(&report, &wp_view_text);
	CHECK(strstr(part, "\nsum of ret: 10000, of one of every 10 hits, without the samples "
			   "that were lost\n"));
	*event = (struct wp_event){.name = "ev", .period = 100};
}

/* From the smallest size to the largest, with those between; what is there is seen. */
static void test_histogram(void)
{
	uint64_t powers[WP_FLAT_POWERS] = {[0] = 1, [2] = 400, [64] = 200};
	struct wp_flat sizes = {0};
	struct wp_doc *doc = wp_doc_new();
	wp_autostr struct wp_str text = {0};
	struct wp_writer *out = wp_writer_of_str(&text);

	wp_weight_histogram(doc, doc->root, "weight_histogram", powers);
	wp_view_text.render(doc, out);
	CHECK_OK(wp_writer_close(out));
	wp_doc_free(doc);
	CHECK(text.s && strstr(text.s, " 0 ") && strstr(text.s, "      1  #  "));
	CHECK(strstr(text.s,
		     " 9223372036854775808  18446744073709551615    200  ####################  "));
	CHECK(strstr(text.s, "    400  ########################################\n"));
	wp_flat_add(&sizes, 0, 0, 0);
	wp_flat_add(&sizes, 0, 0, 1);
	wp_flat_add(&sizes, 0, 0, 3);
	wp_flat_add(&sizes, 0, 0, UINT64_MAX);
	CHECK(sizes.events.v[0].powers[0] == 1 && sizes.events.v[0].powers[1] == 1);
	CHECK(sizes.events.v[0].powers[2] == 1 && sizes.events.v[0].powers[64] == 1);
	wp_flat_deinit(&sizes);
}

static void test_unit(void)
{
	static const struct {
		const char *name, *weight, *unit;
	} cases[] = {
		{"syscalls:sys_exit_write", "ret", "bytes"},
		{"syscalls:sys_exit_write/weight=ret/", "ret", "bytes"},
		{"syscalls:sys_exit_writex", "ret", ""},
		{"syscalls:sys_exit_open", "ret", ""},
		{"syscalls:sys_exit_write", "__syscall_nr", ""},
		{"kmem:kmalloc", "bytes_alloc", "bytes"},
		{"sched:sched_stat_runtime", "runtime", "nanoseconds"},
		{"sched:sched_stat_runtime", "pid", ""},
		{"cycles", NULL, ""},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(cases); i++) {
		const struct wp_event event = {.name = cases[i].name, .weight = cases[i].weight};
		const char *unit = wp_event_weight_unit(&event);

		CHECK_STR(unit ? unit : "", cases[i].unit);
	}
}

int main(void)
{
	fill();
	RUN(test_text);
	RUN(test_filter);
	RUN(test_json);
	RUN(test_weight);
	RUN(test_histogram);
	RUN(test_unit);
	wp_vec_deinit(&events.events);
	wp_vec_deinit(&symbols.symbols);
	wp_vec_deinit(&symbols.modules);
	wp_flat_deinit(&flat);
	wp_pcs_deinit(&pcs);
	return check_done();
}
