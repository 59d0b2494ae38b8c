/* The grammars of -e, -m, -E and -C over machines made by hand. */
#include "check.h"

#include "base/str.h"
#include "event/event_listing.h"
#include "event/event_names.h"
#include "event/event_units.h"
#include "event/metric_plan.h"
#include "event/pmu_sysfs.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char last_log[512];

static void keep(void *arg, enum wp_log_level level, const char *line)
{
	(void)arg, (void)level;
	snprintf(last_log, sizeof(last_log), "%s", line);
}

static const struct wp_log logger = {.sink = keep};

static void add_event(struct wp_machine *machine, const char *pmu, const char *name,
		      uint64_t config)
{
	wp_vec_push(&machine->events,
		    (struct wp_machine_event){.pmu = pmu, .name = name, .config = config});
}

static void add_pmu(struct wp_machine *machine, const char *name, uint32_t type, bool core)
{
	wp_vec_push(
		&machine->pmus,
		(struct wp_machine_pmu){.name = name, .dir = "", .type = type, .is_core = core});
}

/* Five counters and the cycle counter, all free. */
static void arm(struct wp_machine *machine)
{
	*machine = (struct wp_machine){
		.root = "/nonexistent",
		.arch = "aarch64",
		.midr = 0x413fd0c1,
		.has_hw_pmu = true,
		.gpc_total = 5,
		.gpc_free = 5,
		.fpc = 1,
	};
	add_pmu(machine, "armv8_pmuv3_0", 8, true);
	add_pmu(machine, "arm_dsu_0", 12, false);
	add_pmu(machine, "msr", 9, false);
	add_event(machine, "armv8_pmuv3_0", "cpu_cycles", 0x11);
	add_event(machine, "armv8_pmuv3_0", "inst_retired", 0x08);
	add_event(machine, "armv8_pmuv3_0", "inst_spec", 0x1b);
	add_event(machine, "armv8_pmuv3_0", "ld_spec", 0x70);
	add_event(machine, "armv8_pmuv3_0", "st_spec", 0x71);
	add_event(machine, "armv8_pmuv3_0", "vfp_spec", 0x75);
	add_event(machine, "armv8_pmuv3_0", "dp_spec", 0x73);
	add_event(machine, "arm_dsu_0", "l3d_cache", 0x2b);
	add_event(machine, "arm_dsu_0", "l3d_cache_refill", 0x2a);
	add_event(machine, "msr", "tsc", 0);
	add_event(machine, "tracepoint", "sched:sched_switch", 314);
}

static void no_pmu(struct wp_machine *machine)
{
	*machine = (struct wp_machine){
		.root = "/nonexistent",
		.arch = "x86_64",
		.hw_pmu_why = "this virtual machine has no virtual PMU",
	};
	add_pmu(machine, "software", 1, false);
	add_event(machine, "tracepoint", "sched:sched_switch", 314);
}

/* One parsed list: its events as "name type:config [g]" words, or the error's text. */
static const char *parsed(struct wp_catalogue *catalogue, const char *list)
{
	static char text[1024];
	struct wp_event_set set = {0};
	struct wp_err *err = wp_event_parse_counting(catalogue, list, &set);
	size_t n = 0;

	text[0] = '\0';
	if (err)
		n += (size_t)snprintf(text, sizeof(text), "%s", err->text);
	else
		wp_vec_each (struct wp_event, event, &set.events) {
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s %u:%llx",
					      n ? "," : "", event->name, event->type,
					      (unsigned long long)event->config);
			if (event->group != WP_EVENT_NO_GROUP)
				n += (size_t)snprintf(text + n, sizeof(text) - n, " g%d",
						      event->group);
		}
	wp_err_free(err);
	wp_event_set_deinit(&set);
	return text;
}

static void test_names(void)
{
	struct wp_machine machine;

	arm(&machine);
	struct wp_catalogue *c = wp_catalogue_new(&machine, &logger);

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
	wp_catalogue_free(c);
	wp_machine_deinit(&machine);
}

static void test_groups(void)
{
	struct wp_machine machine;

	arm(&machine);
	struct wp_catalogue *c = wp_catalogue_new(&machine, &logger);

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
	CHECK_STR(parsed(c, "{r1,r2,r3,r4,r5,r6}"),
		  "event group size(6) exceeds number of hardware PMU counters(5)");
	machine.gpc_free = 4;
	CHECK_STR(parsed(c, "{r1,r2,r3,r4,r5}"), "event group size(5) exceeds number of free "
						 "hardware PMU counters(4) out of a total of (5)");
	CHECK_STR(parsed(c, "{cycles,r2,page-faults,r4,r5,r6}"),
		  "cycles 0:0 g0,r2 8:2 g0,page-faults 1:2 g0,r4 8:4 g0,r5 8:5 g0,r6 8:6 g0");
	CHECK_STR(parsed(c, "/dsu/{l3d_cache,/dsu/r2a}"), "l3d_cache 12:2b g0,r2a 12:2a g0");
	CHECK_STR(parsed(c, "{/dsu/l3d_cache,/dsu/r2a}"), "unknown event name: /dsu/l3d_cache");
	wp_catalogue_free(c);
	wp_machine_deinit(&machine);
}

static void test_no_pmu(void)
{
	struct wp_machine machine;
	struct wp_event_set set = {0};

	no_pmu(&machine);
	struct wp_catalogue *c = wp_catalogue_new(&machine, &logger);

	CHECK_STR(parsed(c, "cycles"),
		  "event 'cycles' cannot be counted here: this virtual machine has no virtual PMU; "
		  "software events can: cpu-clock, task-clock, page-faults, context-switches (see "
		  "wperf list)");
	CHECK(strstr(parsed(c, "r11"), "event 'r11' cannot be counted here"));
	CHECK(strstr(parsed(c, "ld_spec"),
		     "unknown event name: ld_spec (there is no hardware PMU"));
	wp_event_add_fixed(c, &set);
	CHECK_U64(set.events.n, 0);
	CHECK_STR(last_log, "no cycle counter: this virtual machine has no virtual PMU");
	CHECK_OK(wp_event_default_sampling(c, 0, &set));
	CHECK_STR(set.events.v[0].name, "cpu-clock");
	CHECK_U64(set.events.v[0].freq_hz, 999);
	CHECK(strstr(last_log, "sampling cpu-clock instead of cycles"));
	wp_event_set_deinit(&set);
	wp_catalogue_free(c);
	wp_machine_deinit(&machine);
}

static void test_fixed(void)
{
	struct wp_machine machine;
	struct wp_event_set set = {0};

	arm(&machine);
	struct wp_catalogue *c = wp_catalogue_new(&machine, &logger);

	CHECK_OK(wp_event_parse_counting(c, "ld_spec,st_spec", &set));
	wp_event_add_fixed(c, &set);
	CHECK_U64(set.events.n, 3);
	CHECK_STR(set.events.v[0].name, "cycle");
	CHECK(set.events.v[0].is_fixed && !set.events.v[1].is_fixed);
	CHECK_STR(set.events.v[2].name, "st_spec");
	wp_event_set_deinit(&set);
	wp_catalogue_free(c);
	wp_machine_deinit(&machine);
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
	struct wp_machine machine;

	arm(&machine);
	struct wp_catalogue *c = wp_catalogue_new(&machine, &logger);

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
	CHECK_STR(sampled(c, "{ld_spec}", 0), "event groups cannot be sampled: {ld_spec}");
	CHECK_STR(sampled(c, "r1,r2,r3,r4,r5,r6", 0),
		  "number of events requested exceeds the number of hardware PMU counters(5)");
	machine.gpc_free = 2;
	CHECK_STR(sampled(c, "r1,r2,r3", 0),
		  "number of events requested exceeds the number of free hardware PMU counters(2) "
		  "out of a total of (5)");
	wp_catalogue_free(c);
	wp_machine_deinit(&machine);
}

static void test_default_sampling(void)
{
	struct wp_machine machine;
	struct wp_event_set set = {0};

	arm(&machine);
	struct wp_catalogue *c = wp_catalogue_new(&machine, &logger);

	CHECK_OK(wp_event_default_sampling(c, 0, &set));
	CHECK_U64(set.events.v[0].period, 0x8000000);
	CHECK_STR(set.events.v[0].name, "cycle");
	wp_event_set_deinit(&set);
	wp_catalogue_free(c);
	wp_machine_deinit(&machine);
}

static void test_breakpoint(void)
{
	struct wp_machine machine;
	struct wp_event_set set = {0};

	no_pmu(&machine);
	struct wp_catalogue *c = wp_catalogue_new(&machine, &logger);

	CHECK_OK(wp_event_parse_counting(c, "mem:0x7f00/8:w:u,mem:4096,mem:0x10:x", &set));
	CHECK_U64(set.events.n, 3);
	CHECK_U64(set.events.v[0].bp_addr, 0x7f00);
	CHECK_U64(set.events.v[0].bp_len, 8);
	CHECK_U64(set.events.v[0].bp_type, HW_BREAKPOINT_W);
	CHECK(set.events.v[0].user_only);
	CHECK_U64(set.events.v[1].bp_addr, 4096);
	CHECK_U64(set.events.v[1].bp_len, 4);
	CHECK_U64(set.events.v[1].bp_type, HW_BREAKPOINT_RW);
	CHECK_U64(set.events.v[2].bp_len, 8);
	CHECK_STR(parsed(c, "mem:main"), "'main' in mem:main is not an address (0x...)");
	CHECK_STR(parsed(c, "mem:0x1/3"), "'3' in mem:0x1/3 is not a length: use 1, 2, 4 or 8");
	CHECK_STR(parsed(c, "mem:0x1:q"), "'q' in mem:0x1:q is not an access: use r, w, x or rw");
	wp_event_set_deinit(&set);
	wp_catalogue_free(c);
	wp_machine_deinit(&machine);
}

static void test_flags(void)
{
	struct wp_machine machine;
	struct wp_event_set set = {0};

	arm(&machine);
	struct wp_catalogue *c = wp_catalogue_new(&machine, &logger);

	CHECK_OK(wp_event_parse_counting(c,
					 "cs,migrations,cgroup-switches,bpf-output,"
					 "sched:sched_switch,cpu-clock,task-clock,page-faults,"
					 "cycles:k,cycles:uk",
					 &set));
	for (int i = 0; i < 5; i++)
		CHECK(set.events.v[i].in_kernel);
	for (int i = 5; i < 10; i++)
		CHECK(!set.events.v[i].in_kernel);
	CHECK(set.events.v[5].is_clock && set.events.v[6].is_clock && !set.events.v[7].is_clock);
	CHECK(set.events.v[8].kernel_only && !set.events.v[8].user_only);
	CHECK(!set.events.v[9].kernel_only && !set.events.v[9].user_only);
	wp_event_set_deinit(&set);
	wp_catalogue_free(c);
	wp_machine_deinit(&machine);
}

static void test_extra(void)
{
	struct wp_machine machine;

	arm(&machine);
	struct wp_catalogue *c = wp_catalogue_new(&machine, &logger);

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
	wp_catalogue_free(c);
	wp_machine_deinit(&machine);
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	CHECK(file != NULL);
	if (file) {
		fputs(text, file);
		fclose(file);
	}
}

static void test_metrics(void)
{
	char path[] = "/tmp/test_event_XXXXXX";
	struct wp_machine machine;
	struct wp_event_set set = {0};

	close(mkstemp(path));
	arm(&machine);
	struct wp_catalogue *c = wp_catalogue_new(&machine, &logger);

	CHECK_OK(wp_event_parse_metrics(c, "imix", &set));
	CHECK_U64(set.events.n, 5); /* as many as there are counters */
	CHECK_STR(set.events.v[0].name, "inst_spec");
	CHECK_STR(set.events.v[4].metric, "imix");
	CHECK_U64(set.events.v[4].group, 0);
	wp_autoerr struct wp_err *unknown = wp_event_parse_metrics(c, "what", &set);
	CHECK(unknown && wp_str_has_prefix(unknown->text, "metric 'what' not supported\nsupported "
							  "metrics:\n  backend_stalled_cycles"));
	write_text(path, "\n# mine\n ipc : {inst_retired, cpu_cycles} , page-faults\r\n"
			 "big:{r1,r2,r3,r4,r5,r6}\nimix:ld_spec\nbad line\nlate:r1\n");
	CHECK_OK(wp_catalogue_add_metrics(c, path));
	CHECK(strstr(last_log, "unrecognized config component 'badline'"));
	CHECK(wp_catalogue_metric(c, "ipc") != NULL);
	CHECK(wp_catalogue_metric(c, "big") == NULL && wp_catalogue_metric(c, "late") == NULL);
	CHECK_STR(wp_catalogue_metric(c, "imix")->events, "ld_spec");
	CHECK_OK(wp_event_parse_metrics(c, "ipc,imix", &set));
	CHECK_STR(set.events.v[5].name, "inst_retired");
	CHECK_U64(set.events.v[6].group, 1);
	CHECK_U64((unsigned)set.events.v[7].group, (unsigned)WP_EVENT_NO_GROUP);
	CHECK_ERR(wp_catalogue_add_metrics(c, "/nonexistent"),
		  "open config file '/nonexistent' failed");
	write_text(path, "x:0x11\n\nfoo:0x12,bar:13\n");
	CHECK_OK(wp_catalogue_add_events(c, path));
	CHECK_STR(parsed(c, "bar"), "bar 8:13");
	unlink(path);
	wp_event_set_deinit(&set);
	wp_catalogue_free(c);
	wp_machine_deinit(&machine);
	no_pmu(&machine);
	c = wp_catalogue_new(&machine, &logger);
	CHECK_ERR(wp_event_parse_metrics(c, "imix", &set),
		  "metric 'imix' not supported\nno metric registered");
	wp_catalogue_free(c);
	wp_machine_deinit(&machine);
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

/* A PMU folder with formats that split a value over words and ranges. */
static void test_formats(void)
{
	char dir[] = "/tmp/test_pmu_XXXXXX", path[64];
	struct wp_event event = {0};
	static const char *const files[][2] = {
		{"format/event", "config:0-7,32-35\n"}, {"format/umask", "config:8-15\n"},
		{"format/edge", "config:18\n"},		{"format/ldlat", "config1:0-15\n"},
		{"format/odd", "config9:0\n"},		{"events/both", "event=0x1c,umask=0x2\n"},
		{"events/open", "event=0x1,umask=?\n"}, {"events/both.scale", "2.5e-1\n"},
		{"events/both.unit", "Joules\n"},
	};

	CHECK(mkdtemp(dir) != NULL);
	for (const char *const *sub = (const char *const[]){"format", "events", NULL}; *sub;
	     sub++) {
		snprintf(path, sizeof(path), "%s/%s", dir, *sub);
		CHECK_U64(mkdir(path, 0700), 0);
	}
	for (size_t i = 0; i < WP_ARRAY_LEN(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i][0]);
		write_text(path, files[i][1]);
	}
	struct wp_machine_pmu pmu = {.name = "fake", .dir = dir};

	CHECK_OK(
		wp_pmu_encode(NULL, &pmu, "event=0x13c,umask=1,edge,ldlat=30", NULL, &event, NULL));
	CHECK_U64(event.config, 0x3c | 1ull << 32 | 1 << 8 | 1 << 18);
	CHECK_U64(event.config1, 30);
	event = (struct wp_event){0};
	CHECK_OK(wp_pmu_encode(NULL, &pmu, "both,umask=4", NULL, &event, NULL));
	CHECK_U64(event.config, 0x41c);
	CHECK_OK(wp_pmu_encode(NULL, &pmu, "open,umask=4", NULL, &event, NULL));
	CHECK_ERR(wp_pmu_encode(NULL, &pmu, "open", NULL, &event, NULL),
		  "'umask' of PMU fake needs");
	CHECK_ERR(wp_pmu_encode(NULL, &pmu, "umask=256", NULL, &event, NULL),
		  "does not fit in 8 bits");
	CHECK_ERR(
		wp_pmu_encode(NULL, &pmu, "nope=1", NULL, &event, NULL),
		"unknown term 'nope' of PMU fake; it knows edge, event, ldlat, odd, umask, config");
	CHECK_ERR(wp_pmu_encode(NULL, &pmu, "../type", NULL, &event, NULL), "unknown term");
	CHECK_ERR(wp_pmu_encode(NULL, &pmu, "odd=1", NULL, &event, NULL), "unknown kind");
	CHECK_ERR(wp_pmu_encode(NULL, &pmu, "umask=x", NULL, &event, NULL), "not a number");
	struct wp_arena arena = {0};
	const char *measure;
	double scale;

	wp_pmu_event_scale(&pmu, "both", &arena, &scale, &measure);
	CHECK_STR(measure, "Joules");
	CHECK(scale == 0.25);
	wp_arena_deinit(&arena);
	for (size_t i = 0; i < WP_ARRAY_LEN(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i][0]);
		unlink(path);
	}
	for (const char *const *sub = (const char *const[]){"/format", "/events", "", NULL}; *sub;
	     sub++) {
		snprintf(path, sizeof(path), "%s%s", dir, *sub);
		rmdir(path);
	}
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
	struct wp_machine machine;
	struct wp_event_set set = {0};
	struct wp_metric_plan plan;

	arm(&machine);
	struct wp_catalogue *c = wp_catalogue_new(&machine, &logger);
	wp_catalogue_use_cpu(c, &cpu);
	CHECK_ERR(wp_event_parse_metrics(c, "A", &set), "more than 1000 metrics");
	CHECK_OK(wp_event_parse_metrics(c, "m", &set));
	CHECK_ERR(wp_metric_plan_make(c, &set, &plan),
		  "metric 'm': its formula names 'm', which is not among its events");
	wp_metric_plan_deinit(&plan);
	set.events.n = 0;
	CHECK_OK(wp_event_parse_metrics(c, "n", &set));
	CHECK_ERR(wp_metric_plan_make(c, &set, &plan), "its formula names 'vfp_spec'");
	wp_metric_plan_deinit(&plan);
	wp_event_set_deinit(&set);
	wp_catalogue_free(c);
	wp_machine_deinit(&machine);
}

/* Units alike have names that differ in the number behind the last underscore. */
static void test_units(void)
{
	static const char *const names[][2] = {
		{"arm_dsu_0", "arm_dsu"},
		{"arm_dmc620_10008c000", "arm_dmc620"},
		{"uncore_imc_free_running_12", "uncore_imc_free_running"},
		{"amd_df", "amd_df"},
		{"power", "power"},
		{"hv_24x7", "hv_24x7"},
		{"x_", "x_"},
	};
	struct wp_machine machine = {0};

	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++)
		CHECK_U64(wp_pmu_stem(names[i][0]), strlen(names[i][1]));
	CHECK(wp_pmu_same_kind("arm_dsu_0", "arm_dsu_11"));
	CHECK(!wp_pmu_same_kind("uncore_imc_0", "uncore_imc_free_running_0"));
	add_pmu(&machine, "uncore_imc_0", 20, false);
	add_pmu(&machine, "uncore_imc_1", 21, false);
	CHECK_STR(wp_pmu_like(&machine, "imc")->name, "uncore_imc_0");
	CHECK_STR(wp_pmu_like(&machine, "uncore_imc")->name, "uncore_imc_0");
	CHECK_STR(wp_pmu_like(&machine, "uncore_imc_1")->name, "uncore_imc_1");
	CHECK(!wp_pmu_like(&machine, "im"));
	wp_machine_deinit(&machine);
}

static void test_listing(void)
{
	struct wp_machine machine;
	wp_autolisting struct wp_event_listing listing = {0};

	arm(&machine);
	struct wp_catalogue *c = wp_catalogue_new(&machine, &logger);

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
	wp_catalogue_free(c);
	wp_machine_deinit(&machine);
}

int main(void)
{
	RUN(test_names);
	RUN(test_groups);
	RUN(test_no_pmu);
	RUN(test_fixed);
	RUN(test_sampling);
	RUN(test_default_sampling);
	RUN(test_breakpoint);
	RUN(test_flags);
	RUN(test_extra);
	RUN(test_metrics);
	RUN(test_caches);
	RUN(test_formats);
	RUN(test_hostile_groups);
	RUN(test_units);
	RUN(test_listing);
	return check_done();
}
