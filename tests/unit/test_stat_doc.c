/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts to documents: grids, blocks, multiplexing, timelines; rendered by the real views. */
#include "check.h"

#include "aggregate/counts.h"
#include "aggregate/stat_doc.h"
#include "aggregate/stat_split.h"
#include "aggregate/stat_rows.h"
#include "aggregate/timeline_doc.h"
#include "base/clock.h"
#include "view/view.h"

#define NOTE                                                                              \
	"note: 'e' - normal event, 'gN' - grouped event with group number N, metric name" \
	" will be appended if 'e' or 'g' comes from it\n\n"

static struct wp_event_set two_events(void)
{
	struct wp_event_set set = {0};

	wp_vec_push(&set.events, (struct wp_event){.name = "cycle",
						   .is_fixed = true,
						   .config = 0x11,
						   .group = WP_EVENT_NO_GROUP});
	wp_vec_push(
		&set.events,
		(struct wp_event){.name = "inst_spec", .config = 0x1b, .group = WP_EVENT_NO_GROUP});
	return set;
}

static struct wp_record count_record(uint32_t cpu, uint32_t event, uint64_t value,
				     uint64_t enabled_ms, uint64_t running_ms)
{
	return (struct wp_record){.kind = WP_RECORD_COUNT,
				  .cpu = cpu,
				  .count = {.event = event,
					    .value = value,
					    .enabled_ns = enabled_ms * WP_NS_PER_MS,
					    .running_ns = running_ms * WP_NS_PER_MS}};
}

static struct wp_counts counts_of(size_t n_events, const struct wp_record *records, size_t n)
{
	struct wp_counts counts;

	wp_counts_init(&counts, n_events);
	wp_counts_add(&counts, &(struct wp_batch){.records = records, .n = n});
	return counts;
}

static char *render(const struct wp_view_ops *view, struct wp_doc *doc)
{
	struct wp_str text = {0};
	struct wp_writer *out = wp_writer_of_str(&text);

	view->render(doc, out);
	CHECK_OK(wp_writer_close(out));
	wp_doc_free(doc);
	return text.s ? text.s : wp_strdup("");
}

static struct wp_doc *stat_doc(const struct wp_stat_info *info, const struct wp_counts *counts)
{
	struct wp_doc *doc = wp_doc_new();

	wp_stat_doc_add(doc, doc->root, info, counts, true);
	wp_stat_doc_add_elapsed(doc, doc->root, counts->elapsed_ns, &(struct wp_stat_times){0},
				false);
	return doc;
}

static void test_counts(void)
{
	struct wp_record records[] = {
		count_record(3, 0, 10, 100, 100), count_record(1, 1, 7, 100, 50),
		count_record(3, 1, 5, 100, 0),	  count_record(1, 0, 1, 100, 100),
		count_record(1, 2, 99, 1, 1), /* an event that is not in the set */
		{.kind = WP_RECORD_SAMPLE},
	};
	struct wp_counts counts = counts_of(2, records, WP_ARRAY_LEN(records));

	CHECK_U64(counts.cpus.n, 2);
	CHECK_U64(counts.cpus.v[0], 1);
	CHECK_U64(counts.cpus.v[1], 3);
	CHECK_U64(wp_counts_at(&counts, 0, 0)->value, 1);
	CHECK_U64(wp_counts_at(&counts, 0, 1)->value, 7);
	CHECK_U64(wp_counts_at(&counts, 1, 0)->value, 10);
	CHECK(!wp_count_ran(wp_counts_at(&counts, 1, 1)));
	CHECK_U64(wp_counts_sum(&counts, 0).value, 11);
	CHECK_U64(wp_counts_scaled(&counts, 1), 14);
	wp_counts_deinit(&counts);
}

static void test_scaled(void)
{
	struct wp_count count = {.value = UINT64_MAX / 2, .enabled_ns = 9, .running_ns = 3};

	CHECK_U64(wp_count_scaled(&count), UINT64_MAX);
	count.value = 1000000007;
	CHECK_U64(wp_count_scaled(&count), 3000000021);
	count.running_ns = 0;
	CHECK_U64(wp_count_scaled(&count), 0);
	count.running_ns = 10;
	CHECK_U64(wp_count_scaled(&count), 1000000007);
}

static void test_one_core(void)
{
	struct wp_event_set set = two_events();
	struct wp_record records[] = {count_record(0, 0, 13612036, 1122, 1122),
				      count_record(0, 1, 16652937, 1122, 1122)};
	struct wp_counts counts = counts_of(2, records, 2);
	struct wp_stat_info info = {.events = &set, .vendor = "Arm Limited"};

	counts.elapsed_ns = 1122 * WP_NS_PER_MS;
	wp_autofree char *text = render(&wp_view_text, stat_doc(&info, &counts));
	CHECK_STR(text, "\nPerformance counter stats for core 0, no multiplexing, kernel mode"
			" excluded, on Arm Limited core implementation:\n" NOTE
			"        counter value  event name  event idx  event note\n"
			"        =============  ==========  =========  ==========\n"
			"           13,612,036  cycle       fixed      e         \n"
			"           16,652,937  inst_spec   0x1b       e         \n"
			"\n               1.122 seconds time elapsed\n");
	wp_counts_deinit(&counts);
	wp_event_set_deinit(&set);
}

static const char several_cores[] =
	"\nPerformance counter stats for core 0, multiplexed, kernel mode included, on AMD"
	" core implementation:\n" NOTE "        counter value  event name  event idx  "
	"event note  multiplexed  scaled value\n"
	"        =============  ==========  =========  ==========  ===========  "
	"============\n"
	"                1,000  cycle       fixed      e             2000/2000         "
	"1,000\n"
	"                  300  inst_spec   0x1b       g2,imix        500/2000         "
	"1,200\n"
	"\nPerformance counter stats for core 1, multiplexed, kernel mode included, on AMD"
	" core implementation:\n" NOTE "        counter value  event name  event idx  "
	"event note  multiplexed   scaled value\n"
	"        =============  ==========  =========  ==========  ===========   "
	"============\n"
	"                   50  cycle       fixed      e             2000/2000             "
	"50\n"
	"        <not counted>  inst_spec   0x1b       g2,imix          0/2000  <not "
	"counted>\n"
	"\nSystem-wide Overall:\n"
	"        counter value  event name  event idx  event note  scaled value\n"
	"        =============  ==========  =========  ==========  ============\n"
	"                1,050  cycle       fixed      e                  1,050\n"
	"                  300  inst_spec   0x001b     g2,imix            1,200\n"
	"\n                   0 seconds time elapsed\n";

static void test_several_cores(void)
{
	struct wp_event_set set = two_events();
	struct wp_record records[] = {
		count_record(0, 0, 1000, 2000, 2000),
		count_record(0, 1, 300, 2000, 500),
		count_record(1, 0, 50, 2000, 2000),
		count_record(1, 1, 0, 2000, 0),
	};
	struct wp_counts counts = counts_of(2, records, 4);
	struct wp_stat_info info = {.events = &set, .vendor = "AMD", .kernel = true};

	set.events.v[1].group = 2;
	set.events.v[1].metric = "imix";
	wp_autofree char *text = render(&wp_view_text, stat_doc(&info, &counts));
	CHECK_STR(text, several_cores);
	wp_counts_deinit(&counts);
	wp_event_set_deinit(&set);
}

static void test_json(void)
{
	struct wp_event_set set = two_events();
	struct wp_record records[] = {count_record(WP_ANY_CPU, 0, 28836267, 10, 10)};
	struct wp_counts counts = counts_of(2, records, 1);
	struct wp_stat_info info = {
		.events = &set, .vendor = "AMD", .label = "process 12 (python3)"};

	counts.elapsed_ns = 10849 * WP_NS_PER_MS;
	wp_autofree char *json = render(&wp_view_json, stat_doc(&info, &counts));
	CHECK_STR(
		json,
		"{\n\"core\": {\n\"Multiplexing\": false,\n\"Kernel_mode\": false,\n\"cores\": [\n"
		"{\n\"core_number\": -1,\n\"Performance_counter\": ["
		"{\"counter_value\":28836267,\"event_name\":\"cycle\",\"event_idx\":\"fixed\","
		"\"event_note\":\"e\"},"
		"{\"counter_value\":null,\"event_name\":\"inst_spec\",\"event_idx\":\"0x1b\","
		"\"event_note\":\"e\"}]\n}\n],\n"
		"\"overall\": {},\n\"ts_metric\": {}\n},\n"
		"\"dsu\": {\n\"l3metric\": {},\n\"overall\": {}\n},\n"
		"\"dmc\": {\n\"pmu\": {},\n\"ddr\": {}\n},\n\"Time_elapsed\": 10.849\n}");
	wp_counts_deinit(&counts);
	wp_event_set_deinit(&set);
}

static void test_uncore(void)
{
	struct wp_event_set set = two_events();
	struct wp_record records[] = {
		count_record(0, 0, 5, 10, 10),
		count_record(1, 1, 7, 10, 10),
		count_record(1, 2, 9, 10, 10),
	};
	struct wp_counts counts = counts_of(3, records, 3);
	struct wp_stat_info info = {.events = &set, .vendor = "V"};

	set.events.v[1].class = WP_EVENT_DSU;
	set.events.v[1].unit = "arm_dsu_0";
	wp_vec_push(&set.events, (struct wp_event){.name = "rdwr",
						   .class = WP_EVENT_DMC_CLK,
						   .unit = "arm_dmc620_0",
						   .config = 0x12,
						   .group = WP_EVENT_NO_GROUP});
	wp_autofree char *text = render(&wp_view_text, stat_doc(&info, &counts));
	CHECK_STR(text, "\nPerformance counter stats for core 0, no multiplexing, kernel mode"
			" excluded, on V core implementation:\n" NOTE
			"        counter value  event name  event idx  event note\n"
			"        =============  ==========  =========  ==========\n"
			"                    5  cycle       fixed      e         \n"
			"\nPerformance counter stats for DSU cluster 0, no multiplexing, on V"
			" core implementation:\n" NOTE
			"        counter value  event name  event idx  event note\n"
			"        =============  ==========  =========  ==========\n"
			"                    7  inst_spec   0x001b     e         \n"
			"\n"
			"        pmu id   counter value  event name  event idx  event note\n"
			"        ======   =============  ==========  =========  ==========\n"
			"        dmc 0                9  rdwr        0x0012     e         \n"
			"        overall              9  rdwr        0x0012     e         \n"
			"\n                   0 seconds time elapsed\n");
	wp_counts_deinit(&counts);
	wp_event_set_deinit(&set);
}

static void test_plan(void)
{
	struct wp_event_set set = two_events();
	struct wp_doc *doc = wp_doc_new();

	wp_vec_push(&set.events, (struct wp_event){.name = "x", .config = 0x73});
	wp_stat_doc_add_plan(doc, doc->root, &set);
	wp_autofree char *text = render(&wp_view_text, doc);
	CHECK_STR(text, "events to be counted:\n"
			"     2              core events: 0x001b 0x0073\n");
	wp_event_set_deinit(&set);
}

static void test_timeline(void)
{
	struct wp_event_set set = two_events();
	struct wp_stat_info info = {.events = &set, .vendor = "Arm Limited"};
	struct wp_timeline timeline = {0};
	struct wp_record first[] = {count_record(1, 0, 339079492, 1000, 1000),
				    count_record(1, 1, 373027981, 1000, 1000),
				    count_record(2, 0, 1, 1000, 1000),
				    count_record(2, 1, 2, 1000, 1000)};
	struct wp_record second[] = {count_record(1, 0, 64449120, 1000, 1000),
				     count_record(1, 1, 4, 1000, 500)};
	struct wp_counts counts = counts_of(2, first, 4);

	wp_timeline_add(&timeline, &set, &counts);
	wp_autofree char *before = render(
		&wp_view_csv, wp_timeline_csv(&timeline, &info, WP_EVENT_CORE, 2000000000, 0));
	CHECK_STR(before, "Multiplexing,FALSE\nKernel mode,FALSE\nCount interval,2.00\n"
			  "Vendor,Arm Limited\nEvent class,core\n\n"
			  "core 1,core 1,core 2,core 2,\ncycle,inst_spec,cycle,inst_spec,\n"
			  "339079492,373027981,1,2,\n\n");
	counts = counts_of(2, second, 2);
	wp_timeline_add(&timeline, &set, &counts);
	CHECK(timeline.multiplexed[WP_EVENT_CORE] && !timeline.multiplexed[WP_EVENT_DSU]);
	wp_autofree char *after =
		render(&wp_view_csv, wp_timeline_csv(&timeline, &info, WP_EVENT_CORE, 0, 1));
	CHECK_STR(after, "Multiplexing,TRUE\nKernel mode,FALSE\nCount interval,0.00\n"
			 "Vendor,Arm Limited\nEvent class,core\n\n"
			 "core 1,core 1,core 1,core 1,core 2,core 2,core 2,core 2,\n"
			 "cycle,sched_times,inst_spec,sched_times,"
			 "cycle,sched_times,inst_spec,sched_times,\n"
			 "64449120,1000,4,500,,0,,0,\n\n");
	struct wp_timeline_plan plan = {.count_ns = 2200000000, .interval_ns = 1300000000};
	wp_autofree char *text = render(&wp_view_text, wp_timeline_json(&timeline, &plan, &info));
	CHECK_STR(text, "");
	wp_autofree char *json = render(&wp_view_json, wp_timeline_json(&timeline, &plan, &info));
	CHECK(wp_str_has_prefix(json, "{\n\"count_duration\": 2.20,\n\"count_interval\": 1.30,\n"
				      "\"count_timeline\": 2,\n\"timeline\": [\n"));
	wp_timeline_deinit(&timeline);
	wp_event_set_deinit(&set);
}

/* Each cgroup has all events, groups of its own, and rates by its own clock. */
static void test_cgroups(void)
{
	const struct wp_record records[] = {
		count_record(0, 0, 500 * WP_NS_PER_MS, 500, 500), count_record(0, 1, 20, 500, 500),
		count_record(0, 2, 100 * WP_NS_PER_MS, 100, 100), count_record(0, 3, 30, 100, 100)};
	struct wp_counts counts = counts_of(4, records, 4);
	struct wp_event_set set = {.groups = 1};
	struct wp_stat_rows rows = {0};
	struct wp_doc *doc = wp_doc_new(), *csv = wp_doc_new();

	wp_vec_push(&set.events, (struct wp_event){.name = "cpu-clock", .is_clock = true});
	wp_vec_push(&set.events, (struct wp_event){.name = "cs", .group = WP_EVENT_NO_GROUP});
	wp_event_set_each_cgroup(&set, "a,b/c");
	CHECK(set.events.n == 4 && set.groups == 2);
	CHECK(set.events.v[0].group == 0 && set.events.v[2].group == 1);
	CHECK(set.events.v[1].cgroup == 1 && set.events.v[3].group == WP_EVENT_NO_GROUP);
	counts.elapsed_ns = WP_NS_PER_S;
	wp_stat_rows_of_counts(&rows, &set, &counts);
	wp_stat_rows_csv(csv, &rows, &(struct wp_stat_style){.separator = ","});
	wp_autofree char *lines = render(&wp_view_text, csv);
	CHECK_STR(lines, "500.00,msec,cpu-clock,a,500000000,100.00,0.500,CPUs utilized\n"
			 "20,,cs,a,500000000,100.00,40.000,/sec\n"
			 "100.00,msec,cpu-clock,b/c,100000000,100.00,0.100,CPUs utilized\n"
			 "30,,cs,b/c,100000000,100.00,300.000,/sec\n");
	wp_stat_rows_text(doc, &rows, &(struct wp_stat_style){0});
	wp_autofree char *text = render(&wp_view_text, doc);
	CHECK(strstr(text, "30      cs                               b/c #  300.000 /sec\n"));
	wp_stat_rows_deinit(&rows);
	wp_counts_deinit(&counts);
	wp_event_set_deinit(&set);
}

/* The cgroups of three events by position, as -G has them: the rows, or why not. */
static char *pair_csv(const char *names, int group)
{
	struct wp_event_set set = {.groups = 1};
	struct wp_counts counts = counts_of(3, NULL, 0);
	struct wp_stat_rows rows = {0};
	struct wp_doc *doc = wp_doc_new();
	wp_autoerr struct wp_err *err = NULL;
	char *ret;

	for (int i = 0; i < 3; i++)
		wp_vec_push(&set.events, (struct wp_event){.name = "cs",
							   .group = i ? group : WP_EVENT_NO_GROUP});
	err = wp_event_set_pair_cgroups(&set, names);
	wp_stat_rows_of_counts(&rows, &set, &counts);
	wp_stat_rows_csv(doc, &rows, &(struct wp_stat_style){.separator = ","});
	ret = render(&wp_view_text, doc);
	if (err) {
		free(ret);
		ret = wp_strdup(err->text);
	}
	wp_stat_rows_deinit(&rows);
	wp_counts_deinit(&counts);
	wp_event_set_deinit(&set);
	return ret;
}

static void test_paired_cgroups(void)
{
	wp_autofree char *one = pair_csv("a/b", WP_EVENT_NO_GROUP);
	wp_autofree char *some = pair_csv(",x", WP_EVENT_NO_GROUP);
	wp_autofree char *many = pair_csv("a,b,,c", WP_EVENT_NO_GROUP);
	wp_autofree char *group = pair_csv("a,b,b", 0), *mixed = pair_csv("a,b", 0);

	CHECK(strstr(one, "cs,a/b,0") && strstr(strstr(one, "\n"), "cs,a/b,0"));
	CHECK(strstr(some, "cs,,0") && strstr(some, "\n<not counted>,,cs,x,0"));
	CHECK_STR(many, "-G a,b,,c: more cgroups than events (3)");
	CHECK(strstr(group, "cs,b,0"));
	CHECK(strstr(mixed, "are counted in one cgroup"));
}

static char *split_csv(const struct wp_event_set *set, const struct wp_counts *counts,
		       const struct wp_stat_split *split)
{
	struct wp_stat_rows rows = {0};
	struct wp_doc *doc = wp_doc_new();

	wp_stat_split_rows(&rows, set, counts, split);
	wp_stat_rows_csv(doc, &rows, &(struct wp_stat_style){.separator = ","});
	wp_stat_rows_deinit(&rows);
	return render(&wp_view_text, doc);
}

/* A unit of a socket is read on one of its CPUs; a CPU that nothing is known of has no numbers. */
static void test_split(void)
{
	static const struct wp_cpu_place places[] = {{1, 0, 0, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}};
	const struct wp_record records[] = {
		count_record(0, 0, 100, 10, 10), count_record(1, 0, 20, 10, 10),
		count_record(2, 0, 3, 10, 5),	 count_record(7, 0, 1, 10, 10),
		count_record(0, 1, 40, 10, 10),
	};
	struct wp_counts counts = counts_of(2, records, WP_ARRAY_LEN(records));
	struct wp_stat_split split = {.by = WP_SPLIT_SOCKET, .places = places, .n_places = 3};
	struct wp_event_set set = {0};

	wp_vec_push(&set.events, (struct wp_event){.name = "cs", .group = WP_EVENT_NO_GROUP});
	wp_vec_push(&set.events,
		    (struct wp_event){.name = "reads", .unit = "imc", .group = WP_EVENT_NO_GROUP});
	wp_autofree char *sockets = split_csv(&set, &counts, &split);
	CHECK_STR(sockets, "S-1,1,1,,cs,10000000,100.00,,\n"
			   "S0,1,20,,cs,10000000,100.00,,\n"
			   "S1,2,106,,cs,15000000,75.00,,\n"
			   "S1,1,40,,reads,10000000,100.00,,\n");
	split.by = WP_SPLIT_NODE;
	wp_autofree char *nodes = split_csv(&set, &counts, &split);
	CHECK(strncmp(nodes, "N-1,1,1,,cs,", 12) == 0 && strstr(nodes, "\nN0,2,106,,cs,"));
	split.by = WP_SPLIT_CPU;
	wp_autofree char *cpus = split_csv(&set, &counts, &split);
	CHECK_STR(cpus, "CPU0,100,,cs,10000000,100.00,,\nCPU1,20,,cs,10000000,100.00,,\n"
			"CPU2,6,,cs,5000000,50.00,,\nCPU7,1,,cs,10000000,100.00,,\n"
			"CPU0,40,,reads,10000000,100.00,,\n");
	wp_counts_deinit(&counts);
	wp_event_set_deinit(&set);
}

int main(void)
{
	RUN(test_counts);
	RUN(test_scaled);
	RUN(test_one_core);
	RUN(test_several_cores);
	RUN(test_json);
	RUN(test_uncore);
	RUN(test_plan);
	RUN(test_timeline);
	RUN(test_cgroups);
	RUN(test_paired_cgroups);
	RUN(test_split);
	return check_done();
}
