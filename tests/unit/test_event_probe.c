/* SPDX-License-Identifier: BSD-3-Clause */
/* event_probe: words of uprobes, kprobes and markers; what separates them in lists. */
#include "event/event_lookup.h"
#include "event/event_probe.h"

#include "event_fixture.h"

static struct event_fixture f;

static struct wp_err *parse(const char *list, bool sampling)
{
	struct wp_catalogue *catalogue = wp_catalogue_new(&f.machine, &logger);
	struct wp_err *err;

	wp_event_set_deinit(&f.set);
	f.set = (struct wp_event_set){0};
	err = sampling ? wp_event_parse_sampling(catalogue, list, 0, &f.set)
		       : wp_event_parse_counting(catalogue, list, &f.set);
	wp_catalogue_free(catalogue);
	return err;
}

static const struct wp_probe *probe(size_t i)
{
	return f.set.events.v[i].probe;
}

static void test_places(void)
{
	CHECK_OK(parse("uprobe:/bin/a:main,uprobe:libc.so.6:write+0x10,uprobe:./b:0x401000,"
		       "uprobe:b:f.c:12,uprobe:b:f%return",
		       false));
	CHECK_U64(f.set.events.n, 5);
	CHECK_STR(probe(0)->binary, "/bin/a");
	CHECK_STR(probe(0)->symbol, "main");
	CHECK_U64(f.set.events.v[0].type, 30);
	CHECK_U64(f.set.events.v[0].source, WP_EVENT_PROBE);
	CHECK_STR(probe(1)->symbol, "write");
	CHECK_U64(probe(1)->offset, 0x10);
	CHECK(!probe(2)->symbol);
	CHECK_U64(probe(2)->offset, 0x401000);
	CHECK_STR(probe(3)->symbol, "f.c");
	CHECK_U64(probe(3)->line, 12);
	CHECK(probe(4)->is_return && !probe(3)->is_return);
	CHECK_U64(f.set.events.v[4].config, 1);
}

static void test_names(void)
{
	CHECK_OK(parse("{uprobe:b:ns::f<a, b>::g,uprobe:b:operator+},cs", false));
	CHECK_U64(f.set.events.n, 3);
	CHECK_STR(probe(0)->symbol, "ns::f<a, b>::g");
	CHECK_STR(probe(1)->symbol, "operator+");
	CHECK_U64(probe(1)->offset, 0);
	CHECK(f.set.events.v[0].group == 0 && f.set.events.v[1].group == 0);
	CHECK(!probe(2));
}

static void test_markers(void)
{
	CHECK_OK(parse("usdt:python3.11:python:gc__start:7,usdt:12:audit,usdt:a:audit:9", true));
	CHECK_STR(probe(0)->binary, "python3.11");
	CHECK_STR(probe(0)->provider, "python");
	CHECK_STR(probe(0)->symbol, "gc__start");
	CHECK_U64(f.set.events.v[0].period, 7);
	CHECK_STR(probe(1)->binary, "12");
	CHECK(!probe(1)->provider);
	CHECK_U64(f.set.events.v[1].period, 1);
	CHECK_STR(probe(2)->symbol, "audit");
	CHECK_U64(f.set.events.v[2].period, 9);
}

/* A number behind a function or file is a line, the one behind that the interval. */
static void test_intervals(void)
{
	CHECK_OK(parse("uprobe:b:f:3:50,uprobe:b:f+4:50,uprobe:b:0x10:50,uprobe:b:f%return:50,"
		       "uprobe:b:f/period=50,name=x/,uprobe:b:f/name=y/:50",
		       true));
	CHECK_U64(f.set.events.n, 6);
	for (size_t i = 0; i < f.set.events.n; i++)
		CHECK_U64(f.set.events.v[i].period, 50);
	CHECK_U64(probe(0)->line, 3);
	CHECK_U64(probe(1)->line, 0);
	CHECK_STR(f.set.events.v[4].name, "x");
	CHECK_STR(f.set.events.v[5].name, "y");
	CHECK_ERR(parse("uprobe:b:f/name=y/:0", true), "out of range");
}

/* Words behind the place are arguments, up to the interval; a type is of the one before it. */
static void test_args(void)
{
	CHECK_OK(parse("usdt:b:p:m:arg1:string:arg3:9,usdt:b:m:arg2,uprobe:b:f:12:x=arg1:s16:name,"
		       "uprobe:b:f%return:ret,uprobe:b:f:arg1:arg2/weight=arg2,period=3/",
		       true));
	CHECK_U64(probe(0)->n_args, 2);
	CHECK_STR(probe(0)->symbol, "m");
	CHECK(probe(0)->args[0].is_string && probe(0)->args[0].number == 1);
	CHECK_STR(probe(0)->args[1].name, "arg3");
	CHECK_U64(f.set.events.v[0].period, 9);
	CHECK(!probe(1)->provider && probe(1)->n_args == 1);
	CHECK_U64(probe(2)->line, 12);
	CHECK_STR(probe(2)->args[0].name, "x");
	CHECK(probe(2)->args[0].size == 2 && probe(2)->args[0].is_signed);
	CHECK_STR(probe(2)->args[1].word, "name");
	CHECK_U64(probe(2)->args[1].number, 0);
	CHECK(probe(3)->is_return && probe(3)->args[0].is_result);
	CHECK_STR(f.set.events.v[4].weight, "arg2");
	CHECK_U64(f.set.events.v[4].period, 3);
	CHECK_ERR(parse("uprobe:b:f:arg1:arg1", false), "twice");
	CHECK_ERR(parse("uprobe:b:f%return:arg1", false), "are gone");
	CHECK_ERR(parse("uprobe:b:f:a-b", false), "'a-b' is no argument");
	CHECK_ERR(parse("uprobe:b:f:common_pid", false), "no argument");
	CHECK_ERR(parse("usdt:b:p:m:a", false), "have no names");
}

static void test_refusals(void)
{
	CHECK_ERR(parse("uprobe:b", false), "names no place");
	CHECK_ERR(parse("uprobe::f", false), "no program or library");
	CHECK_ERR(parse("uprobe:b:", false), "names no place");
	CHECK_ERR(parse("uprobe:b:%return", false), "no function");
	CHECK_ERR(parse("uprobe:b:f%ret", false), "only %return");
	CHECK_ERR(parse("uprobe:b:f+3%return", false), "whole function");
	CHECK_ERR(parse("uprobe:b:f:0", false), "no line");
	CHECK_ERR(parse("uprobe:b:12x", false), "0x...");
	CHECK_ERR(parse("uprobe:b:f/name=x", false), "missing '/'");
	CHECK_ERR(parse("uprobe:b:f/x=1/", false), "'x=1' is not known");
	CHECK_ERR(parse("uprobe:b:f/name=x/u", false), "no modifiers");
	CHECK_ERR(parse("usdt:b:p:", false), "names no marker");
	CHECK_ERR(parse("usdt:b:p:m:n", false), "have no names");
	CHECK_ERR(parse("kprobe:f", false), "this kernel has no kprobes");
	CHECK_ERR(parse("kprobe:f:3", false), "lines of the kernel");
}

int main(void)
{
	arm(&f.machine);
	add_pmu(&f.machine, "uprobe", 30, false);
	f.machine.pmus.v[f.machine.pmus.n - 1].dir = "/sys/bus/event_source/devices/uprobe";
	RUN(test_places);
	RUN(test_names);
	RUN(test_markers);
	RUN(test_intervals);
	RUN(test_args);
	RUN(test_refusals);
	wp_event_set_deinit(&f.set);
	wp_machine_deinit(&f.machine);
	return check_done();
}
