/* SPDX-License-Identifier: BSD-3-Clause */
/* The grammar of -m and -C, and groups of metrics, over machines made by hand. */
#include "event_fixture.h"

#include "event/metric_plan.h"

#include <unistd.h>

static void test_metrics(void)
{
	struct event_fixture f;
	struct wp_catalogue *c = fixture_arm(&f);

	CHECK_OK(wp_event_parse_metrics(c, "imix", &f.set));
	CHECK_U64(f.set.events.n, 5); /* as many as there are counters */
	CHECK_STR(f.set.events.v[0].name, "inst_spec");
	CHECK_STR(f.set.events.v[4].metric, "imix");
	CHECK_U64(f.set.events.v[4].group, 0);
	CHECK_ERR(wp_event_parse_metrics(c, "what", &f.set),
		  "metric 'what' not supported\nsupported metrics:\n  backend_stalled_cycles");
	fixture_deinit(&f, c);
	c = fixture_no_pmu(&f);
	CHECK_ERR(
		wp_event_parse_metrics(c, "imix", &f.set),
		"metric 'imix' not supported\nno metric registered\n"
		"metrics of CPUs cannot be counted here: this virtual machine has no virtual PMU");
	fixture_deinit(&f, c);
}

/* -C FILE and -E FILE */
static void test_files(void)
{
	char path[] = "/tmp/test_event_XXXXXX";
	struct event_fixture f;
	struct wp_catalogue *c = fixture_arm(&f);

	close(mkstemp(path));
	write_text(path, "\n# mine\n ipc : {inst_retired, cpu_cycles} , page-faults\r\n"
			 "big:{r1,r2,r3,r4,r5,r6}\nimix:ld_spec\nbad line\nlate:r1\n");
	CHECK_OK(wp_catalogue_add_metrics(c, path));
	CHECK(strstr(last_log, "unrecognized config component 'badline'"));
	CHECK(wp_catalogue_metric(c, "ipc") != NULL);
	CHECK(wp_catalogue_metric(c, "big") == NULL && wp_catalogue_metric(c, "late") == NULL);
	CHECK_STR(wp_catalogue_metric(c, "imix")->events, "ld_spec");
	CHECK_OK(wp_event_parse_metrics(c, "ipc,imix", &f.set));
	CHECK_STR(f.set.events.v[0].name, "inst_retired");
	CHECK_U64(f.set.events.v[1].group, 0);
	CHECK_U64((unsigned)f.set.events.v[2].group, (unsigned)WP_EVENT_NO_GROUP);
	CHECK_ERR(wp_catalogue_add_metrics(c, "/nonexistent"),
		  "open config file '/nonexistent' failed");
	write_text(path, "x:0x11\n\nfoo:0x12,bar:13\n");
	CHECK_OK(wp_catalogue_add_events(c, path));
	CHECK_STR(parsed(c, "bar"), "bar 8:13");
	unlink(path);
	fixture_deinit(&f, c);
}

/* Groups and formulas that name one another for ever end with an error. */
static void test_hostile_groups(void)
{
	static const struct wp_cpu_group groups[] = {{.name = "A", .metrics = "B,B"},
						     {.name = "B", .metrics = "A,A"}};
	static const struct wp_cpu_metric metrics[] = {
		{.name = "m", .formula = "m + m", .unit = "", .events = "ld_spec,st_spec"},
		{.name = "n", .formula = "ld_spec / vfp_spec", .unit = "", .events = "ld_spec"},
	};
	static const struct wp_cpu cpu = {
		.name = "x", .metrics = metrics, .metrics_n = 2, .groups = groups, .groups_n = 2};
	struct event_fixture f;
	struct wp_catalogue *c = fixture_arm(&f);
	struct wp_metric_plan plan;

	wp_catalogue_use_cpu(c, &cpu);
	CHECK_ERR(wp_event_parse_metrics(c, "A", &f.set), "more than 1000 metrics");
	CHECK_OK(wp_event_parse_metrics(c, "m", &f.set));
	CHECK_ERR(wp_metric_plan_make(c, &f.set, &plan),
		  "metric 'm': its formula names 'm', which is not among its events");
	wp_metric_plan_deinit(&plan);
	f.set.events.n = 0;
	CHECK_OK(wp_event_parse_metrics(c, "n", &f.set));
	CHECK_ERR(wp_metric_plan_make(c, &f.set, &plan), "its formula names 'vfp_spec'");
	wp_metric_plan_deinit(&plan);
	fixture_deinit(&f, c);
}

int main(void)
{
	RUN(test_metrics);
	RUN(test_files);
	RUN(test_hostile_groups);
	return check_done();
}
