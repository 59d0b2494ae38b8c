/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_set and its parts, as far as they need no kernel: attributes, contexts, ring sizes, counts.
 */
#include "source/perf/perf_counts.h"
#include "source/perf/perf_entry.h"
#include "source/perf/perf_ring_size.h"

#include "check.h"

#include <unistd.h>

static struct wp_event plain(const char *name, enum wp_event_source source)
{
	return (struct wp_event){.name = name, .source = source, .group = WP_EVENT_NO_GROUP};
}

static void test_attr_modes(void)
{
	struct wp_event event = plain("x", WP_EVENT_HW);
	struct wp_perf_mode mode = {.inherit = true};
	struct perf_event_attr attr;

	wp_perf_attr_event(&event, &mode, &attr);
	CHECK(attr.disabled && attr.inherit && !attr.enable_on_exec);
	CHECK(attr.exclude_kernel && attr.exclude_hv && !attr.exclude_user);
	CHECK_U64(attr.sample_type, 0);
	mode.kernel = true;
	wp_perf_attr_event(&event, &mode, &attr);
	CHECK(!attr.exclude_kernel && !attr.exclude_hv);
	event.user_only = true;
	wp_perf_attr_event(&event, &mode, &attr);
	CHECK(attr.exclude_kernel && !attr.exclude_user);
	event.user_only = false;
	event.kernel_only = true;
	mode.kernel = false;
	wp_perf_attr_event(&event, &mode, &attr);
	CHECK(!attr.exclude_kernel && attr.exclude_user);
	event.kernel_only = false;
	event.in_kernel = true;
	wp_perf_attr_event(&event, &mode, &attr);
	CHECK(!attr.exclude_kernel && !attr.exclude_user);
	event.in_kernel = false;
	event.source = WP_EVENT_PMU;
	wp_perf_attr_event(&event, &mode, &attr);
	CHECK(!attr.exclude_kernel && !attr.exclude_user && !attr.exclude_hv);
}

static void test_attr_sampling(void)
{
	struct wp_event event = plain("x", WP_EVENT_SW);
	struct wp_perf_mode mode = {.sampling = true, .has_lost = true};
	struct perf_event_attr attr;

	event.freq_hz = 99;
	event.config = 7;
	wp_perf_attr_event(&event, &mode, &attr);
	CHECK(attr.freq && attr.sample_id_all && attr.use_clockid && !attr.mmap);
	CHECK_U64(attr.sample_freq, 99);
	CHECK_U64(attr.config, 7);
	CHECK(attr.read_format & WP_PERF_READ_LOST);
	event.freq_hz = 0;
	event.period = 1000;
	wp_perf_attr_event(&event, &mode, &attr);
	CHECK(!attr.freq);
	CHECK_U64(attr.sample_period, 1000);
	wp_perf_attr_dummy(&mode, &attr);
	CHECK(attr.mmap && attr.mmap2 && attr.comm && attr.comm_exec && attr.task);
	CHECK(attr.exclude_kernel);
	CHECK_U64(attr.sample_type, WP_PERF_SAMPLE_TYPE);
}

static void test_attr_stacks(void)
{
	struct wp_event event = plain("x", WP_EVENT_SW);
	struct wp_perf_mode mode = {.sampling = true, .stacks = WP_STACKS_FP};
	struct perf_event_attr attr;
	uint64_t chain = WP_PERF_SAMPLE_CALLCHAIN;
	uint64_t copy = WP_PERF_SAMPLE_REGS_USER | WP_PERF_SAMPLE_STACK_USER;

	wp_perf_attr_event(&event, &mode, &attr);
	CHECK_U64(attr.sample_type, WP_PERF_SAMPLE_TYPE | chain);
	CHECK(attr.exclude_callchain_kernel && !attr.exclude_callchain_user);
	mode.stacks = WP_STACKS_DUMP;
	mode.stack_bytes = 4096;
	wp_perf_attr_event(&event, &mode, &attr);
	CHECK_U64(attr.sample_type, WP_PERF_SAMPLE_TYPE | copy);
	CHECK_U64(attr.sample_stack_user, 4096);
	CHECK_U64(attr.sample_regs_user, wp_perf_attr_regs().mask);
	CHECK(wp_perf_attr_sample_bytes(&mode) > 4096 + WP_PERF_SAMPLE_BYTES);
	mode.kernel = true;
	wp_perf_attr_event(&event, &mode, &attr);
	CHECK_U64(attr.sample_type, WP_PERF_SAMPLE_TYPE | copy | chain);
	CHECK(!attr.exclude_callchain_kernel && attr.exclude_callchain_user);
	wp_perf_attr_dummy(&mode, &attr); /* takes no samples */
	CHECK_U64(attr.sample_type, WP_PERF_SAMPLE_TYPE);
	mode.stacks = WP_STACKS_NONE;
	wp_perf_attr_event(&event, &mode, &attr);
	CHECK_U64(attr.sample_type, WP_PERF_SAMPLE_TYPE);
	CHECK(!attr.exclude_callchain_kernel && !attr.exclude_callchain_user);
	CHECK_U64(wp_perf_attr_sample_bytes(&mode), WP_PERF_SAMPLE_BYTES);
}

/* Where the kernel is not shown, what happens in it is where the program entered it. */
static void test_entries(void)
{
	static struct wp_perf_stack stack;
	const int ip = wp_perf_attr_regs().arm64 ? 32 : 16;
	struct wp_target target = {0};
	struct wp_event_set events = {0};
	const struct wp_source_options options = {
		.events = &events, .target = &target, .sampling = true};
	struct wp_event event = plain("x", WP_EVENT_TRACEPOINT);
	struct wp_perf_mode mode = {.sampling = true, .entries = true};
	struct wp_record r = {.sample = {.ip = {9}, .mode = WP_MODE_KERNEL}};
	struct perf_event_attr attr;

	event.in_kernel = true;
	wp_vec_push(&events.events, event);
	CHECK(wp_perf_entry_wanted(&options));
	target.kernel = true;
	CHECK(!wp_perf_entry_wanted(&options));
	wp_perf_attr_event(&event, &mode, &attr);
	CHECK_U64(attr.sample_type, WP_PERF_SAMPLE_TYPE | WP_PERF_SAMPLE_REGS_USER);
	CHECK(!wp_perf_attr_is_plain(&mode));
	/* a thread of the kernel has no registers */
	r.sample.stack = &stack.raw;
	wp_perf_entry_take(&mode, &event, &stack, &r);
	CHECK(r.sample.ip.v == 9 && r.sample.mode == WP_MODE_KERNEL && !r.sample.stack);
	stack.regs.r[ip] = 0x401000;
	stack.regs.valid = 1ull << ip;
	stack.raw.regs = &stack.regs;
	mode.stacks = WP_STACKS_FP;
	r.sample.stack = &stack.raw;
	wp_perf_entry_take(&mode, &event, &stack, &r);
	CHECK(r.sample.ip.v == 0x401000 && r.sample.mode == WP_MODE_USER);
	CHECK(r.sample.stack && !stack.raw.regs);
	/* what the kernel's own code is asked for stays there, and who unwinds needs registers */
	event.kernel_only = true;
	mode.stacks = WP_STACKS_DUMP;
	stack.raw.regs = &stack.regs;
	r.sample = (struct wp_record_sample){.ip = {9}, .mode = WP_MODE_KERNEL};
	wp_perf_entry_take(&mode, &event, &stack, &r);
	CHECK(r.sample.ip.v == 9 && r.sample.mode == WP_MODE_KERNEL && stack.raw.regs);
	wp_vec_deinit(&events.events);
}

/* What a program may write in the kernel's place has no part that only the kernel knows. */
static void test_attr_plain(void)
{
	const enum wp_stacks stacks[] = {WP_STACKS_NONE, WP_STACKS_BPF, WP_STACKS_FP,
					 WP_STACKS_DUMP};
	struct wp_event event = plain("x", WP_EVENT_SW);
	struct perf_event_attr attr;

	for (size_t i = 0; i < 4 * WP_ARRAY_LEN(stacks); i++) {
		struct wp_perf_mode mode = {.sampling = true,
					    .stacks = stacks[i / 4],
					    .kernel = i & 1,
					    .pinned = i & 2};

		wp_perf_attr_event(&event, &mode, &attr);
		CHECK(wp_perf_attr_is_plain(&mode) == (i < 8 && !mode.pinned));
		if (!wp_perf_attr_is_plain(&mode))
			continue;
		CHECK(attr.exclude_callchain_user || attr.sample_type == WP_PERF_SAMPLE_TYPE);
		CHECK_U64(attr.sample_type & ~(uint64_t)WP_PERF_SAMPLE_CALLCHAIN,
			  WP_PERF_SAMPLE_TYPE);
	}
}

static void test_ring_bytes(void)
{
	struct wp_event_set set = {0};
	struct wp_event event = plain("cpu-clock", WP_EVENT_SW);

	event.is_clock = true;
	event.freq_hz = 999;
	wp_vec_push(&set.events, event);
	CHECK_U64(wp_perf_ring_size(&set, 2, WP_PERF_SAMPLE_BYTES), 512 << 10);
	set.events.v[0].freq_hz = 10000;
	CHECK_U64(wp_perf_ring_size(&set, 2, WP_PERF_SAMPLE_BYTES), 4 << 20);
	set.events.v[0].freq_hz = 0;
	set.events.v[0].period = 1000000; /* a thousand a second */
	CHECK_U64(wp_perf_ring_size(&set, 2, WP_PERF_SAMPLE_BYTES), 512 << 10);
	set.events.v[0].period = 1;
	CHECK_U64(wp_perf_ring_size(&set, 2, WP_PERF_SAMPLE_BYTES), 16 << 20);
	CHECK_U64(wp_perf_ring_size(&set, 256, WP_PERF_SAMPLE_BYTES), 2 << 20);
	wp_event_set_deinit(&set);
}

static struct wp_machine_pmu pmu(const char *name, uint32_t type, bool core, const char *cpus)
{
	struct wp_machine_pmu result = {.name = name, .type = type, .is_core = core};

	wp_cpuset_parse(&result.cpus, cpus);
	return result;
}

static bool wants(const struct wp_perf_contexts *contexts, const struct wp_machine *machine,
		  const struct wp_event *event, int cpu)
{
	struct wp_perf_context context = {.pid = -1, .tid = -1, .cpu = cpu};

	return wp_perf_contexts_wants(contexts, machine, event, &context);
}

/* Four CPUs, two of each kind, and a PMU that CPU 0 reads for all. */
static void test_places(void)
{
	struct wp_machine machine = {0};
	struct wp_target target = {.kind = WP_TARGET_CPUS};
	struct wp_event_set set = {0};
	struct wp_perf_contexts contexts = {0};
	struct wp_event big = plain("big", WP_EVENT_HW), uncore = plain("uncore", WP_EVENT_PMU),
			soft = plain("soft", WP_EVENT_SW);

	wp_cpuset_parse(&machine.online, "0-3");
	wp_vec_push(&machine.pmus, pmu("big", 8, true, "2-3"));
	wp_vec_push(&machine.pmus, pmu("dsu", 9, false, "0"));
	big.type = 8;
	uncore.type = 9;
	wp_vec_push(&set.events, uncore);
	wp_cpuset_parse(&target.cpus, "1,2");
	wp_perf_contexts_list(&contexts, &set, &target, &machine, false);
	CHECK_U64(contexts.v.n, 3); /* 0 only for the shared PMU */
	CHECK(wants(&contexts, &machine, &uncore, 0));
	CHECK(!wants(&contexts, &machine, &uncore, 1));
	CHECK(!wants(&contexts, &machine, &soft, 0));
	CHECK(wants(&contexts, &machine, &soft, 1));
	CHECK(!wants(&contexts, &machine, &big, 1));
	CHECK(wants(&contexts, &machine, &big, 2));
	CHECK(wants(&contexts, &machine, &big, -1));
	wp_perf_contexts_deinit(&contexts);
	wp_event_set_deinit(&set);
	wp_target_deinit(&target);
	wp_vec_each (struct wp_machine_pmu, p, &machine.pmus)
		wp_cpuset_deinit(&p->cpus);
	wp_vec_deinit(&machine.pmus);
	wp_cpuset_deinit(&machine.online);
}

/* Each CPU has a context for each cgroup, and none for everything. */
static void test_cgroup_places(void)
{
	struct wp_machine machine = {0};
	struct wp_target target = {.kind = WP_TARGET_CPUS};
	struct wp_event_set set = {0};
	struct wp_perf_contexts contexts = {0};

	wp_cpuset_add(&target.cpus, 1);
	wp_cpuset_add(&target.cpus, 3);
	wp_vec_push(&target.cgroups, -1);
	wp_vec_push(&target.cgroups, -1);
	wp_perf_contexts_list(&contexts, &set, &target, &machine, true);
	CHECK_U64(contexts.v.n, 4);
	for (size_t i = 0; i < contexts.v.n; i++) {
		CHECK_U64(contexts.v.v[i].cgroup, i / 2 + 1);
		CHECK_U64(contexts.v.v[i].cpu, i % 2 ? 3 : 1);
		CHECK_U64(contexts.v.v[i].ring, i % 2);
		CHECK(contexts.v.v[i].tid == -1);
	}
	wp_perf_contexts_deinit(&contexts);
	contexts = (struct wp_perf_contexts){0};
	target.pairs = true;
	wp_perf_contexts_list(&contexts, &set, &target, &machine, false);
	CHECK_U64(contexts.v.n, 6);
	CHECK_U64(contexts.v.v[0].cgroup, 0);
	wp_perf_contexts_deinit(&contexts);
	wp_target_deinit(&target);
}

/* An event of one cgroup is opened in the contexts of that one alone; any other at all. */
static void test_cgroup_events(void)
{
	struct wp_machine machine = {0};
	struct wp_perf_contexts contexts = {0};
	struct wp_event event = {0};
	struct wp_perf_context context = {.pid = -1, .tid = -1, .cpu = -1, .cgroup = 2};

	CHECK(wp_perf_contexts_wants(&contexts, &machine, &event, &context));
	event.cgroup = 2;
	CHECK(wp_perf_contexts_wants(&contexts, &machine, &event, &context));
	event.cgroup = 1;
	CHECK(!wp_perf_contexts_wants(&contexts, &machine, &event, &context));
	contexts.pairs = true; /* then one without a cgroup has contexts of its own */
	event.cgroup = 0;
	CHECK(!wp_perf_contexts_wants(&contexts, &machine, &event, &context));
	context.cgroup = 0;
	CHECK(wp_perf_contexts_wants(&contexts, &machine, &event, &context));
	contexts.pairs = false;
	event.waking_id = 314;
	context.cgroup = 1;
	CHECK(wp_perf_contexts_wants(&contexts, &machine, &event, &context));
	context.cgroup = 2;
	CHECK(!wp_perf_contexts_wants(&contexts, &machine, &event, &context));
}

static void test_process_places(void)
{
	struct wp_machine machine = {0};
	struct wp_target target = {.kind = WP_TARGET_PROCESSES};
	struct wp_event_set set = {0};
	struct wp_perf_contexts contexts = {0};

	wp_cpuset_parse(&machine.online, "0-2");
	wp_vec_push(&target.pids, getpid());
	wp_perf_contexts_list(&contexts, &set, &target, &machine, false);
	CHECK_U64(contexts.v.n, 1);
	CHECK(contexts.v.v[0].cpu == -1 && contexts.v.v[0].tid == getpid());
	CHECK(!wp_perf_contexts_outdated(&contexts, &target));
	contexts.v.n = 0;
	CHECK(wp_perf_contexts_outdated(&contexts, &target));
	wp_perf_contexts_deinit(&contexts);
	contexts = (struct wp_perf_contexts){0};
	wp_perf_contexts_list(&contexts, &set, &target, &machine, true);
	CHECK_U64(contexts.v.n, 3);
	CHECK_U64(contexts.v.v[2].ring, 2);
	wp_perf_contexts_deinit(&contexts);
	wp_target_deinit(&target);
	wp_cpuset_deinit(&machine.online);
}

/* Two clusters of two CPUs, read on the first of each: beside a process they are counted whole. */
static void test_shared_places(void)
{
	struct wp_machine machine = {0};
	struct wp_target target = {.kind = WP_TARGET_PROCESSES};
	struct wp_event_set set = {0};
	struct wp_perf_contexts contexts = {0};
	struct wp_event soft = plain("soft", WP_EVENT_SW), dsu = plain("l3d_cache", WP_EVENT_PMU);

	wp_cpuset_parse(&machine.online, "0-3");
	wp_vec_push(&machine.pmus, pmu("arm_dsu_0", 9, false, "0"));
	wp_vec_push(&machine.pmus, pmu("arm_dsu_1", 10, false, "2"));
	wp_cpuset_parse(&machine.pmus.v[0].shared_by, "0-1");
	wp_cpuset_parse(&machine.pmus.v[1].shared_by, "2-3");
	wp_vec_push(&set.events, soft);
	dsu.unit = "arm_dsu_0";
	dsu.type = 9;
	wp_vec_push(&set.events, dsu);
	dsu.unit = "arm_dsu_1";
	dsu.type = 10;
	wp_vec_push(&set.events, dsu);
	wp_vec_push(&target.pids, getpid());
	wp_perf_contexts_list(&contexts, &set, &target, &machine, false);
	CHECK_U64(contexts.v.n, 3);
	CHECK(contexts.v.v[0].tid == getpid() && contexts.v.v[1].tid == -1 &&
	      contexts.v.v[2].cpu == 2);
	CHECK(wp_perf_contexts_wants(&contexts, &machine, &soft, &contexts.v.v[0]));
	CHECK(!wp_perf_contexts_wants(&contexts, &machine, &soft, &contexts.v.v[1]));
	CHECK(!wp_perf_contexts_wants(&contexts, &machine, &dsu, &contexts.v.v[0]));
	CHECK(!wp_perf_contexts_wants(&contexts, &machine, &dsu, &contexts.v.v[1]));
	CHECK(wp_perf_contexts_wants(&contexts, &machine, &dsu, &contexts.v.v[2]));
	wp_perf_contexts_deinit(&contexts);
	contexts = (struct wp_perf_contexts){0};
	target.kind = WP_TARGET_CPUS; /* one cluster has none of the CPUs asked for */
	wp_cpuset_parse(&target.cpus, "1");
	wp_perf_contexts_list(&contexts, &set, &target, &machine, false);
	CHECK_U64(contexts.v.n, 2);
	CHECK(!wants(&contexts, &machine, &dsu, 2));
	CHECK(wants(&contexts, &machine, &set.events.v[1], 0));
	wp_perf_contexts_deinit(&contexts);
	wp_event_set_deinit(&set);
	wp_target_deinit(&target);
	wp_machine_deinit(&machine);
}

/* A set as if it had been opened for a thread on two CPUs, with readings put in by hand. */
struct counted {
	struct wp_event_set events;
	struct wp_target target;
	struct wp_source_options options;
	struct wp_perf_set set;
	struct wp_perf_count_records records;
};

static void counter(struct counted *c, uint32_t event, uint32_t context, uint64_t value,
		    uint64_t enabled, uint64_t running)
{
	struct wp_perf_counter counter = {.fd = -1, .event = event, .context = context};

	counter.base = (struct wp_perf_reading){0, 1000, 500, 100, 0};
	counter.last = (struct wp_perf_reading){0, 1000 + value, 500 + enabled, 100 + running, 0};
	wp_vec_push(&c->set.counters, counter);
}

static void counted_init(struct counted *c, enum wp_target_kind kind)
{
	*c = (struct counted){.target.kind = kind};
	wp_vec_push(&c->events.events, plain("a", WP_EVENT_HW));
	wp_vec_push(&c->events.events, plain("b", WP_EVENT_HW));
	c->options = (struct wp_source_options){.events = &c->events, .target = &c->target};
	c->set.options = &c->options;
	wp_vec_push(&c->set.contexts.v, (struct wp_perf_context){.tid = 5, .cpu = 0});
	wp_vec_push(&c->set.contexts.v, (struct wp_perf_context){.tid = 5, .cpu = 1});
}

static void counted_deinit(struct counted *c)
{
	wp_vec_deinit(&c->set.counters);
	wp_vec_deinit(&c->set.contexts.v);
	wp_vec_deinit(&c->records.v);
	wp_event_set_deinit(&c->events);
}

static void check_count(const struct wp_record *r, uint32_t cpu, uint64_t value, uint64_t enabled,
			uint64_t running)
{
	CHECK_U64(r->cpu, cpu);
	CHECK_U64(r->count.value, value);
	CHECK_U64(r->count.enabled_ns, enabled);
	CHECK_U64(r->count.running_ns, running);
}

static void test_counts_per_cpu(void)
{
	struct counted c;

	counted_init(&c, WP_TARGET_CPUS);
	counter(&c, 0, 0, 11, 100, 50); /* multiplexed: raw values */
	counter(&c, 1, 0, 12, 100, 0);	/* never ran */
	counter(&c, 0, 1, 13, 90, 90);
	wp_perf_counts_records(&c.set, 7, &c.records);
	CHECK_U64(c.records.v.n, 3);
	check_count(&c.records.v.v[0], 0, 11, 100, 50);
	check_count(&c.records.v.v[1], 0, 12, 100, 0);
	check_count(&c.records.v.v[2], 1, 13, 90, 90);
	CHECK_U64(c.records.v.v[2].time_ns, 7);
	counted_deinit(&c);
}

/* Summed over threads; an event that nobody opened any more still has its record. */
static void test_counts_per_process(void)
{
	struct counted c;

	counted_init(&c, WP_TARGET_PROCESSES);
	counter(&c, 0, 0, 11, 100, 50);
	counter(&c, 0, 1, 13, 100, 100);
	wp_perf_counts_records(&c.set, 7, &c.records);
	CHECK_U64(c.records.v.n, 2);
	check_count(&c.records.v.v[0], WP_ANY_CPU, 24, 200, 150);
	check_count(&c.records.v.v[1], WP_ANY_CPU, 0, 0, 0);
	counted_deinit(&c);
}

/* The thread was on CPU 0 for 70 of 100 ns, and its event ran for 35 of them. */
static void test_residence(void)
{
	struct counted c;

	counted_init(&c, WP_TARGET_PROCESSES);
	counter(&c, WP_PERF_DUMMY, 0, 0, 100, 70);
	c.set.contexts.v.v[0].residence = 1;
	counter(&c, 0, 0, 11, 100, 35);
	counter(&c, 1, 0, 12, 99, 70);
	wp_perf_counts_records(&c.set, 7, &c.records);
	CHECK_U64(c.records.v.n, 2);
	check_count(&c.records.v.v[0], WP_ANY_CPU, 11, 70, 35);
	check_count(&c.records.v.v[1], WP_ANY_CPU, 12, 70, 70);
	counted_deinit(&c);
}

/* What samples carry besides is asked for by each event, not by the dummies. */
static void test_carried(void)
{
	struct wp_perf_mode mode = {.sampling = true,
				    .carried = WP_DATA_ADDR | WP_DATA_WEIGHT | WP_DATA_PAGE};
	struct wp_event event = {.name = "page-faults", .source = WP_EVENT_SW, .period = 1};
	struct perf_event_attr attr;

	wp_perf_attr_event(&event, &mode, &attr);
	CHECK_U64(attr.sample_type, WP_PERF_SAMPLE_TYPE | PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT |
					    PERF_SAMPLE_DATA_PAGE_SIZE);
	CHECK(!wp_perf_attr_is_plain(&mode));
	CHECK_U64(wp_perf_attr_sample_bytes(&mode), WP_PERF_SAMPLE_BYTES + 3 * 8);
	mode.carried = WP_DATA_WEIGHT | WP_DATA_LATENCY | WP_DATA_CGROUP;
	wp_perf_attr_event(&event, &mode, &attr);
	CHECK_U64(attr.sample_type,
		  WP_PERF_SAMPLE_TYPE | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_CGROUP);
	CHECK(!attr.cgroup);
	wp_perf_attr_dummy(&mode, &attr);
	CHECK_U64(attr.sample_type, WP_PERF_SAMPLE_TYPE);
	CHECK(attr.cgroup); /* it tells of cgroups that are made */
	mode.carried = WP_DATA_BRANCHES;
	mode.branch_type = PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_USER;
	wp_perf_attr_event(&event, &mode, &attr);
	CHECK_U64(attr.sample_type, WP_PERF_SAMPLE_TYPE | PERF_SAMPLE_BRANCH_STACK);
	CHECK_U64(attr.branch_sample_type, mode.branch_type);
	CHECK_U64(wp_perf_attr_sample_bytes(&mode), WP_PERF_SAMPLE_BYTES + 8 + 64 * 24);
	mode.carried = WP_DATA_USER_REGS | WP_DATA_INTR_REGS;
	wp_perf_attr_event(&event, &mode, &attr);
	CHECK_U64(attr.sample_type,
		  WP_PERF_SAMPLE_TYPE | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR);
	CHECK(attr.sample_regs_user == wp_perf_attr_regs().mask && attr.sample_regs_intr);
}

int main(void)
{
	RUN(test_attr_modes);
	RUN(test_attr_sampling);
	RUN(test_attr_stacks);
	RUN(test_entries);
	RUN(test_attr_plain);
	RUN(test_ring_bytes);
	RUN(test_places);
	RUN(test_cgroup_places);
	RUN(test_cgroup_events);
	RUN(test_process_places);
	RUN(test_shared_places);
	RUN(test_counts_per_cpu);
	RUN(test_counts_per_process);
	RUN(test_residence);
	RUN(test_carried);
	return check_done();
}
