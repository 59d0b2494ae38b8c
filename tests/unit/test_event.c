/* SPDX-License-Identifier: BSD-3-Clause */
/* The grammars of -e and -E over machines made by hand. */
#include "event_fixture.h"

#include "event/event_listing.h"
#include "event/event_names.h"

#include <linux/hw_breakpoint.h>

static void test_names(void)
{
	struct event_fixture f;
	struct wp_catalogue *c = fixture_arm(&f);

	CHECK_STR(parsed(c, "LD_SPEC,inst_retired"), "ld_spec 8:70,inst_retired 8:8");
	CHECK_STR(parsed(c, "r1B,0x1b,033,27"), "r1b 8:1b,r1b 8:1b,r1b 8:1b,r1b 8:1b");
	CHECK_STR(parsed(c, "cycles:u,Instructions"), "cycles:u 0:0,instructions 0:1");
	CHECK_STR(parsed(c, "L1-dcache-load-misses"), "l1-dcache-load-misses 3:10000");
	CHECK_STR(parsed(c, "cs,faults"), "cs 1:3,faults 1:2");
	CHECK_STR(parsed(c, "sched:sched_switch"), "sched:sched_switch 2:13a");
	CHECK_STR(parsed(c, "sched:sched_switch:u"), "sched:sched_switch:u 2:13a");
	CHECK_STR(parsed(c, "tsc,msr/tsc/,msr/config=0x3/uk"),
		  "tsc 9:0,msr/tsc/ 9:0,msr/config=0x3/uk 9:3");
	CHECK_STR(parsed(c, "armv8_pmuv3_0/config=0x11,name=turns/"), "turns 8:11");
	CHECK_STR(parsed(c, "/dsu/l3d_cache,/DSU/r2a"), "l3d_cache 12:2b,r2a 12:2a");
	CHECK_STR(parsed(c, "ld_spce"), "unknown event name: ld_spce, did you mean ld_spec?");
	CHECK_STR(parsed(c, "sched:sched_swich"),
		  "unknown event name: sched:sched_swich, did you mean sched:sched_switch?");
	CHECK_STR(parsed(c, "nothing_like_it"), "unknown event name: nothing_like_it");
	CHECK_STR(parsed(c, "0x1g"), "invalid or too large event number in 0x1g");
	CHECK_STR(parsed(c, "r12345"), "invalid or too large event number in r12345");
	CHECK_STR(parsed(c, "cycles:p"), "event modifier 'p' in cycles:p is not supported: use :u "
					 "(user), :k (kernel) or :uk");
	CHECK_STR(parsed(c, "/dmc_clk/r1"), "/dmc_clk/ events cannot be counted here: the machine "
					    "has no arm_dmc620 PMU");
	CHECK_STR(parsed(c, "nopmu/config=1/"), "unknown event name: nopmu/config=1/ (there is no "
						"PMU nopmu; see wperf detect)");
	CHECK_STR(parsed(c, "msr/config=1"), "missing '/' at the end of msr/config=1");
	fixture_deinit(&f, c);
}

static void test_groups(void)
{
	struct event_fixture f;
	struct wp_catalogue *c = fixture_arm(&f);

	CHECK_STR(parsed(c, "{r1,r2},r3,{r4,r5}"),
		  "r1 8:1 g0,r2 8:2 g0,r3 8:3,r4 8:4 g1,r5 8:5 g1");
	CHECK_STR(parsed(c, "{r1},r2"), "r1 8:1,r2 8:2");
	CHECK_STR(parsed(c, "{r1,{r2}}"), "nested group is not supported {r2}}");
	CHECK_STR(parsed(c, "{what,{ever}}"), "nested group is not supported {ever}}");
	CHECK_STR(parsed(c, "{{r1}}"), "nested group is not supported {{r1}}");
	CHECK_STR(parsed(c, "r1,r2}"), "missing '{' for event group r2}");
	CHECK_STR(parsed(c, "{r1,r2"), "missing '}' for event group in {r1,r2");
	CHECK_STR(parsed(c, "{r1,r2}:u"),
		  "':u' behind '}' in r2}:u: modifiers belong to each event, "
		  "as in {a:u,b:u}");
	CHECK_STR(parsed(c, ""), "empty event name in ''");
	CHECK_STR(parsed(c, "r1,,r2"), "empty event name in 'r1,,r2'");
	CHECK_STR(parsed(c, "r1,"),
		  "empty event name in 'r1,': no spaces behind the commas of a list");
	CHECK_STR(parsed(c, "{r1,r2,r3,r4,r5,r6}"),
		  "event group size(6) exceeds number of hardware PMU counters(5)");
	f.machine.gpc_free = 4;
	CHECK_STR(parsed(c, "{r1,r2,r3,r4,r5}"), "event group size(5) exceeds number of free "
						 "hardware PMU counters(4) out of a total of (5)");
	CHECK_STR(parsed(c, "{cycles,r2,page-faults,r4,r5,r6}"),
		  "cycles 0:0 g0,r2 8:2 g0,page-faults 1:2 g0,r4 8:4 g0,r5 8:5 g0,r6 8:6 g0");
	CHECK_STR(parsed(c, "/dsu/{l3d_cache,/dsu/r2a}"), "l3d_cache 12:2b g0,r2a 12:2a g0");
	CHECK_STR(parsed(c, "{/dsu/l3d_cache,/dsu/r2a}"), "unknown event name: /dsu/l3d_cache");
	fixture_deinit(&f, c);
}

static void test_cores(void)
{
	struct event_fixture f;
	struct wp_catalogue *c = fixture_arm(&f);

	f.machine.core_count = 4;
	CHECK_STR(parsed(c, "core_2/{r11,r8},{r2d}/,core_3/r1/,r1"),
		  "r11 8:11 g0 core 2,r8 8:8 g0 core 2,r2d 8:2d core 2,r1 8:1 core 3,r1 8:1");
	CHECK_STR(parsed(c, "core_4/r1/"), "core_4/r1/: core 4 does not run, want 0 to 3");
	CHECK_STR(parsed(c, "core_1/r1"), "core_1/r1: want core_N/EVENTS/, with no other slash");
	CHECK_STR(parsed(c, "core_1//"), "empty event name in 'core_1//'");
	CHECK_STR(parsed(c, "core_1/{r1/"), "missing '}' for event group in core_1/{r1/");
	CHECK_STR(parsed(c, "{r1,core_1/r1/}"),
		  "core_1/r1/} stands in a group: want core_N/{a,b}/");
	fixture_deinit(&f, c);
}

static void test_no_pmu(void)
{
	struct event_fixture f;
	struct wp_catalogue *c = fixture_no_pmu(&f);

	CHECK_STR(parsed(c, "cycles"),
		  "event 'cycles' cannot be counted here: this virtual machine has no virtual PMU; "
		  "software events can: cpu-clock, task-clock, page-faults, context-switches (see "
		  "wperf list)");
	CHECK(strstr(parsed(c, "r11"), "event 'r11' cannot be counted here"));
	CHECK(strstr(parsed(c, "ld_spec"),
		     "unknown event name: ld_spec (there is no hardware PMU"));
	wp_event_add_fixed(c, &f.set);
	CHECK_U64(f.set.events.n, 0);
	CHECK_STR(last_log, "no cycle counter: this virtual machine has no virtual PMU");
	CHECK_OK(wp_event_default_sampling(c, 0, &f.set));
	CHECK_STR(f.set.events.v[0].name, "cpu-clock");
	CHECK_U64(f.set.events.v[0].freq_hz, 999);
	CHECK(strstr(last_log, "sampling cpu-clock: "));
	fixture_deinit(&f, c);
}

static void test_fixed(void)
{
	struct event_fixture f;
	struct wp_catalogue *c = fixture_arm(&f);

	CHECK_OK(wp_event_parse_counting(c, "ld_spec,st_spec", &f.set));
	wp_event_add_fixed(c, &f.set);
	CHECK_U64(f.set.events.n, 3);
	CHECK_STR(f.set.events.v[0].name, "cycle");
	CHECK(f.set.events.v[0].is_fixed && !f.set.events.v[1].is_fixed);
	CHECK_STR(f.set.events.v[2].name, "st_spec");
	fixture_deinit(&f, c);
}

/* As parsed(), of a sampling list: "name period/freq" words. */
static const char *sampled(struct wp_catalogue *catalogue, const char *list, uint64_t freq_hz)
{
	static char text[1024];
	struct wp_event_set set = {0};
	struct wp_err *err = wp_event_parse_sampling(catalogue, list, freq_hz, &set);
	size_t n = 0;

	text[0] = '\0';
	if (err)
		n += (size_t)snprintf(text, sizeof(text), "%s", err->text);
	else
		wp_vec_each (struct wp_event, event, &set.events)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s %llu/%llu",
					      n ? "," : "", event->name,
					      (unsigned long long)event->period,
					      (unsigned long long)event->freq_hz);
	wp_err_free(err);
	wp_event_set_deinit(&set);
	return text;
}

static void test_sampling(void)
{
	struct event_fixture f;
	struct wp_catalogue *c = fixture_arm(&f);

	CHECK_STR(sampled(c, "ld_spec:100000", 0), "ld_spec 100000/0");
	CHECK_STR(sampled(c, "ld_spec:0x10", 0), "ld_spec 16/0");
	CHECK_STR(sampled(c, "ld_spec", 0), "ld_spec 67108864/0");
	CHECK_STR(sampled(c, "st_spec,ld_spec,r1:5", 0), "r1 5/0,ld_spec 67108864/0,st_spec "
							 "67108864/0");
	CHECK_STR(sampled(c, "st_spec:1,cpu-clock,ld_spec:2", 0),
		  "ld_spec 2/0,cpu-clock 0/999,st_spec 1/0");
	CHECK_STR(sampled(c, "cpu-clock:1000000,page-faults", 0),
		  "cpu-clock 1000000/0,page-faults 1/0");
	CHECK_STR(sampled(c, "cpu-clock,ld_spec:7", 5000), "cpu-clock 0/5000,ld_spec 7/0");
	CHECK_STR(sampled(c, "ld_spec:u:100000", 0), "ld_spec:u 100000/0");
	CHECK_STR(sampled(c, "sched:sched_switch", 0), "sched:sched_switch 1/0");
	CHECK_STR(sampled(c, "sched:sched_switch:10", 0), "sched:sched_switch 10/0");
	CHECK_STR(sampled(c, "off-cpu,cpu-clock", 5000), "offcpu-time 1/0,cpu-clock 0/5000");
	CHECK_STR(sampled(c, "offcpu-time/min_us=7/", 0), "offcpu-time 1/0");
	CHECK(strstr(sampled(c, "off-cpu/min_us=x/", 0), "want off-cpu or off-cpu/min_us=N/"));
	CHECK(strstr(sampled(c, "off-cpu/min_us=7", 0), "want off-cpu or off-cpu/min_us=N/"));
	CHECK(strstr(sampled(c, "off-cpu/", 0), "want off-cpu or off-cpu/min_us=N/"));
	CHECK(strstr(sampled(c, "off-cpu/min_us=4294967296/", 0), "want off-cpu or"));
	CHECK(strstr(sampled(c, "off-cpu:3", 0), "off-cpu has no interval"));
	CHECK(strstr(sampled(c, "off-cpu,off-cpu/min_us=3/", 0), "twice"));
	CHECK(strstr(sampled(c, "{cpu-clock,off-cpu}:S", 0), "cannot be in a {group}"));
	CHECK_STR(sampled(c, "mem:0x1000", 0), "mem:0x1000 1/0");
	CHECK_STR(sampled(c, "mem:0x1000/8:w:u:3", 0), "mem:0x1000/8:w:u 3/0");
	CHECK_STR(sampled(c, "msr/config=0x1/:20", 0), "msr/config=0x1/ 20/0");
	CHECK_STR(sampled(c, "ld_spec:4294967295", 0), "ld_spec 4294967295/0");
	CHECK(strstr(sampled(c, "ld_spec:4294967296", 0),
		     "event interval: 4294967296 is out of range!\nnote: "));
	CHECK(strstr(sampled(c, "ld_spec:0", 0), "event interval: 0 is out of range!"));
	CHECK(strstr(sampled(c, "ld_spec:abc", 0), "event interval: abc is invalid!\nnote: "));
	CHECK(strstr(sampled(c, "ld_spec:12k", 0), "event interval: 12k is invalid!"));
	CHECK(strstr(sampled(c, "ld_spec:-1", 0), "event interval: -1 is invalid!"));
	CHECK(strstr(sampled(c, "ld_spec:", 0), "event interval:  is invalid!"));
	CHECK_STR(sampled(c, "nothing_like_it:100", 0), "unknown event name: nothing_like_it");
	CHECK_STR(sampled(c, "{ld_spec}", 0), "event groups are sampled as {a,b}:S, with the first "
					      "event; '' behind '}' is not :S");
	CHECK_STR(sampled(c, "r1,r2,r3,r4,r5,r6", 0),
		  "number of events requested exceeds the number of hardware PMU counters(5)");
	f.machine.gpc_free = 2;
	CHECK_STR(sampled(c, "r1,r2,r3", 0),
		  "number of events requested exceeds the number of free hardware PMU counters(2) "
		  "out of a total of (5)");
	fixture_deinit(&f, c);
}

static void test_default_sampling(void)
{
	struct event_fixture f;
	struct wp_catalogue *c = fixture_arm(&f);

	CHECK_OK(wp_event_default_sampling(c, 0, &f.set));
	CHECK_U64(f.set.events.v[0].period, 0x8000000);
	CHECK_STR(f.set.events.v[0].name, "cycle");
	fixture_deinit(&f, c);
}

static void test_breakpoint(void)
{
	struct event_fixture f;
	struct wp_catalogue *c = fixture_no_pmu(&f);

	CHECK_OK(wp_event_parse_counting(c, "mem:0x7f00/8:w:u,mem:4096,mem:0x10:x", &f.set));
	CHECK_U64(f.set.events.n, 3);
	CHECK_U64(f.set.events.v[0].bp_addr, 0x7f00);
	CHECK_U64(f.set.events.v[0].bp_len, 8);
	CHECK_U64(f.set.events.v[0].bp_type, HW_BREAKPOINT_W);
	CHECK(f.set.events.v[0].user_only);
	CHECK_U64(f.set.events.v[1].bp_addr, 4096);
	CHECK_U64(f.set.events.v[1].bp_len, 4);
	CHECK_U64(f.set.events.v[1].bp_type, HW_BREAKPOINT_RW);
	CHECK_U64(f.set.events.v[2].bp_len, 8);
	CHECK_STR(parsed(c, "mem:main"), "'main' in mem:main is not an address (0x...)");
	CHECK_STR(parsed(c, "mem:0x1/3"), "'3' in mem:0x1/3 is not a length: use 1, 2, 4 or 8");
	CHECK_STR(parsed(c, "mem:0x1:q"), "'q' in mem:0x1:q is not an access: use r, w, x or rw");
	fixture_deinit(&f, c);
}

static void test_flags(void)
{
	struct event_fixture f;
	struct wp_catalogue *c = fixture_arm(&f);

	CHECK_OK(wp_event_parse_counting(c,
					 "cs,migrations,cgroup-switches,bpf-output,"
					 "sched:sched_switch,cpu-clock,task-clock,page-faults,"
					 "cycles:k,cycles:uk",
					 &f.set));
	for (int i = 0; i < 5; i++)
		CHECK(f.set.events.v[i].in_kernel);
	for (int i = 5; i < 10; i++)
		CHECK(!f.set.events.v[i].in_kernel);
	CHECK(f.set.events.v[5].is_clock && f.set.events.v[6].is_clock &&
	      !f.set.events.v[7].is_clock);
	CHECK(f.set.events.v[8].kernel_only && !f.set.events.v[8].user_only);
	CHECK(!f.set.events.v[9].kernel_only && !f.set.events.v[9].user_only);
	fixture_deinit(&f, c);
}

static void test_extra(void)
{
	struct event_fixture f;
	struct wp_catalogue *c = fixture_arm(&f);

	CHECK_OK(wp_catalogue_add_events(c, "Mine:0x1b,other:42,/dsu/deep:7,again:42"));
	CHECK_STR(parsed(c, "mine,MINE:u,other,r42,/dsu/deep"),
		  "mine 8:1b,mine:u 8:1b,other 8:42,other 8:42,deep 12:7");
	CHECK_STR(parsed(c, "again"), "unknown event name: again");
	CHECK_ERR(wp_catalogue_add_events(c, ""), "nothing to parse!");
	CHECK_ERR(wp_catalogue_add_events(c, "a:1 ,b:2"),
		  "whitespace not allowed in extra event string in 'a:1 ,b:2'");
	CHECK_ERR(wp_catalogue_add_events(c, "a:1,,b:2"), "empty token in 'a:1,,b:2'");
	CHECK_ERR(wp_catalogue_add_events(c, "a:1:2"), "too many delimeters in a:1:2");
	CHECK_ERR(wp_catalogue_add_events(c, "abc"), "missing extra event delimeter ':' in abc");
	CHECK_ERR(wp_catalogue_add_events(c, "a:"), "missing extra event value after ':' in a:");
	CHECK_ERR(wp_catalogue_add_events(c, "a:10000"),
		  "extra event value out of range in a:10000");
	CHECK_ERR(wp_catalogue_add_events(c, "a:xyz"), "extra event value is not a hex number in");
	CHECK_ERR(wp_catalogue_add_events(c, ":1"), "missing extra event name in ':1'");
	fixture_deinit(&f, c);
}

/* perf's names, where a recording has only the numbers. */
static void test_generic_names(void)
{
	struct wp_arena arena = {0};

	CHECK_STR(wp_event_generic_name(&arena, 0, 0), "cycles");
	CHECK_STR(wp_event_generic_name(&arena, 0, 1), "instructions");
	CHECK_STR(wp_event_generic_name(&arena, 0, 4), "branches");
	CHECK_STR(wp_event_generic_name(&arena, 0, 7), "stalled-cycles-frontend");
	CHECK_STR(wp_event_generic_name(&arena, 1, 0), "cpu-clock");
	CHECK_STR(wp_event_generic_name(&arena, 1, 6), "major-faults");
	CHECK_STR(wp_event_generic_name(&arena, 3, 0x10002), "LLC-load-misses");
	CHECK_STR(wp_event_generic_name(&arena, 3, 0x103), "dTLB-stores");
	CHECK_STR(wp_event_generic_name(&arena, 4, 0x1c2), "r1c2");
	CHECK(!wp_event_generic_name(&arena, 0, 99));
	CHECK(!wp_event_generic_name(&arena, 1, 99));
	CHECK(!wp_event_generic_name(&arena, 2, 0x2c1));
	CHECK(!wp_event_generic_name(&arena, 3, 0x104)); /* nothing stores to an iTLB */
	CHECK(!wp_event_generic_name(&arena, 11, 0));
	wp_arena_deinit(&arena);
}

static void test_caches(void)
{
	struct wp_arena arena = {0};
	uint64_t config, again;
	int n = 0;

	for (unsigned int i = 0; i < WP_EVENT_CACHES; i++) {
		const char *name = wp_event_cache_name(&arena, i, &config);

		if (!name)
			continue;
		n++;
		CHECK(wp_event_cache_find(name, &again));
		CHECK_U64(again, config);
	}
	CHECK_U64(n, 2 * (3 + 2 + 3 + 3 + 1 + 1 + 3));
	CHECK(wp_event_cache_find("dTLB-store-misses", &config));
	CHECK_U64(config, 3 | 1 << 8 | 1 << 16);
	CHECK(wp_event_cache_find("LLC", &config));
	CHECK_U64(config, 2);
	CHECK(wp_event_cache_find("l1d-speculative-read-miss", &config));
	CHECK(!wp_event_cache_find("iTLB-stores", &config));
	CHECK(!wp_event_cache_find("l1d_cache", &config));
	CHECK(!wp_event_cache_find("LLC-", &config));
	wp_arena_deinit(&arena);
}

static void test_listing(void)
{
	struct event_fixture f;
	wp_autolisting struct wp_event_listing listing = {0};

	struct wp_catalogue *c = fixture_arm(&f);

	CHECK_OK(wp_catalogue_add_events(c, "mine:99"));
	wp_event_listing_fill(c, &listing);
	CHECK_STR(listing.events.v[0].name, "sw_incr");
	CHECK_STR(wp_event_listing_find(&listing, "inst_retired")->text, "Instructions retired");
	CHECK_U64(wp_event_listing_find(&listing, "cpu_cycles")->index, 0x11);
	CHECK_STR(wp_event_listing_find(&listing, "mine")->kind, "[core PMU event*]");
	CHECK_STR(wp_event_listing_find(&listing, "/dsu/l3d_cache")->kind, "[dsu PMU event]");
	CHECK_STR(wp_event_listing_find(&listing, "msr/tsc/")->kind, "[msr PMU event]");
	CHECK_STR(wp_event_listing_find(&listing, "L1-dcache-loads")->kind, "[cache event]");
	CHECK_STR(wp_event_listing_find(&listing, "sched:sched_switch")->kind,
		  "[tracepoint event]");
	fixture_deinit(&f, c);
}

int main(void)
{
	RUN(test_names);
	RUN(test_groups);
	RUN(test_cores);
	RUN(test_no_pmu);
	RUN(test_fixed);
	RUN(test_sampling);
	RUN(test_default_sampling);
	RUN(test_breakpoint);
	RUN(test_flags);
	RUN(test_extra);
	RUN(test_caches);
	RUN(test_generic_names);
	RUN(test_listing);
	return check_done();
}
