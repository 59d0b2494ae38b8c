/* Replay scripts: what each directive becomes, and what is refused. */
#include "check.h"

#include "format/replay_line.h"
#include "format/replay_script.h"

static struct wp_err *parse(const char *text, struct wp_replay_script *ret)
{
	*ret = (struct wp_replay_script){0};
	return wp_replay_script_parse(text, strlen(text), "x.replay", ret);
}

static void refuse(const char *text, const char *words)
{
	struct wp_replay_script s;

	CHECK_ERR(parse(text, &s), words);
	wp_replay_script_deinit(&s);
}

static void test_words(void)
{
	char line[] = "  a=1 name=\"two \\\"words\\\"\"\tb # c";
	char *rest = line;

	CHECK_STR(wp_replay_word(&rest), "a=1");
	CHECK_STR(wp_replay_word(&rest), "name=two \"words\"");
	CHECK_STR(wp_replay_word(&rest), "b");
	CHECK(wp_replay_word(&rest) == NULL);
	CHECK(wp_replay_word(&rest) == NULL);
}

static void test_defaults(void)
{
	struct wp_replay_script s;

	CHECK_OK(parse("", &s));
	CHECK_STR(s.machine.vendor, "Arm Limited");
	CHECK_U64(s.machine.online.cpus.n, 4);
	CHECK_U64(s.machine.gpc_free, 6);
	CHECK(wp_machine_pmu_find(&s.machine, "armv8_pmuv3_0")->is_core);
	CHECK_U64(s.entries.n, 0);
	wp_replay_script_deinit(&s);
}

static void test_stacks(void)
{
	struct wp_replay_script s;
	const struct wp_stack_raw *raw;

	CHECK_OK(parse("sample event=x pid=1 ip=1\n"
		       "sample event=x pid=1 ip=1 stack=0x1,0x2/0x70,3 stack_end=no_rule\n"
		       "sample event=x pid=1 ip=1 mode=kernel kernel_stack=0xf1,0xf2\n",
		       &s));
	CHECK(!s.entries.v[0].record.sample.stack);
	raw = s.entries.v[1].record.sample.stack;
	CHECK_U64(raw->n_walked, 3);
	CHECK_U64(raw->walked[1].ip.v, 2);
	CHECK_U64(raw->walked[1].sp, 0x70);
	CHECK(raw->walked_end == WP_STACK_NO_RULE);
	raw = s.entries.v[2].record.sample.stack;
	CHECK_U64(raw->n_kernel, 2);
	CHECK_U64(raw->kernel_ips[1], 0xf2);
	CHECK_U64(raw->n_walked, 0);
	wp_replay_script_deinit(&s);
	refuse("sample event=x pid=1 ip=1 stack=1,,2", "bad value of 'stack'");
	refuse("sample event=x pid=1 ip=1 stack=1/x", "bad value of 'stack'");
	refuse("sample event=x pid=1 ip=1 stack=1 stack_end=never", "bad value of 'stack_end'");
	refuse("sample event=x pid=1 ip=1 stack_end=cut", "'stack_end' needs 'stack'");
}

static void test_machine(void)
{
	struct wp_replay_script s;

	CHECK_OK(parse("machine vendor=\"Acme Ltd\" cores=2 online=1 gpc=4 free=3 arch=x86_64\n"
		       "limits perf_event_paranoid=-1 euid=1000 cap_bpf=no\n"
		       "pmu name=cpu_core type=4 core cpus=0-1\n"
		       "pmuevent name=inst_spec config=0x1b desc=\"some words\"\n"
		       "pmuevent pmu=tracepoint name=sched:sched_switch config=314\n",
		       &s));
	CHECK_STR(s.machine.vendor, "Acme Ltd");
	CHECK_U64(s.machine.core_count, 2);
	CHECK_U64(s.machine.online.cpus.v[0], 1);
	CHECK_U64(s.machine.gpc_free, 3);
	CHECK_U64(s.machine.limits.euid, 1000);
	CHECK(!s.machine.limits.cap_bpf && s.machine.limits.perf_event_paranoid == -1);
	CHECK_U64(s.machine.pmus.n, 1);
	CHECK_U64(s.machine.pmus.v[0].cpus.cpus.n, 2);
	CHECK_STR(s.machine.events.v[0].pmu, "cpu_core");
	CHECK_STR(s.machine.events.v[0].desc, "some words");
	CHECK_U64(s.machine.events.v[0].config, 0x1b);
	CHECK_STR(s.machine.events.v[1].pmu, "tracepoint");
	wp_replay_script_deinit(&s);
}

static void test_snapshot(void)
{
	struct wp_replay_script s;

	CHECK_OK(parse("process pid=7 exe=/bin/a\n"
		       "map pid=7 start=0x1000 len=0x2000 off=0x10 path=/bin/a\n"
		       "wait 0.5\n"
		       "map pid=7 start=0x9000 len=0x1000 path=/lib/b\n",
		       &s));
	CHECK_U64(s.snapshot.n, 2);
	CHECK_STR(s.snapshot.v[0].comm.name, "a");
	CHECK_U64(s.snapshot.v[1].map.pgoff.v, 0x10);
	CHECK_U64(s.entries.n, 2);
	CHECK_U64(s.entries.v[0].ns, 500000000);
	CHECK_STR(s.entries.v[1].record.map.path, "/lib/b");
	wp_replay_script_deinit(&s);
}

static void test_events(void)
{
	struct wp_replay_script s;

	CHECK_OK(parse("process pid=7 comm=a launched\n"
		       "sample event=x pid=7 ip=0x10 repeat=3 mode=kernel cpu=1\n"
		       "count event=x value=12 running=0.5\n"
		       "lost 4\n"
		       "code path=a rva=0x10 bytes=90c3\n"
		       "exit pid=7 status=3\n",
		       &s));
	CHECK_U64(s.snapshot.n, 0);
	CHECK_U64(s.entries.v[0].repeat, 3);
	CHECK_U64(s.entries.v[0].record.tid, 7);
	CHECK_U64(s.entries.v[0].record.sample.mode, WP_MODE_KERNEL);
	CHECK(!s.entries.v[0].has_period);
	CHECK_U64(s.entries.v[1].record.cpu, WP_ANY_CPU);
	CHECK(s.entries.v[1].has_running && !s.entries.v[1].has_enabled);
	CHECK_U64(s.entries.v[2].record.lost.count, 4);
	CHECK_U64(s.codes.v[0].n, 2);
	CHECK_U64(s.codes.v[0].bytes[1], 0xc3);
	CHECK_U64(s.exit_status, 3);
	wp_replay_script_deinit(&s);
}

static void test_refused(void)
{
	refuse("# fine\nfoo\n", "x.replay:2: unknown directive 'foo'");
	refuse("wait\n", "x.replay:1: 'wait' needs 'seconds'");
	refuse("wait 1.0000000001\n", "bad value of 'seconds'");
	refuse("wait x\n", "bad value of 'seconds'");
	refuse("sample event=x pid=1\n", "'sample' needs 'ip'");
	refuse("sample event=x pid=1 ip=0 foo=1\n", "unknown word 'foo'");
	refuse("end pid=1\n", "'end' takes no 'pid'");
	refuse("sample event=x pid=1 ip=0 mode=y\n", "bad value of 'mode'");
	refuse("code path=a rva=0 bytes=9x\n", "bad value of 'bytes'");
	refuse("machine cores=0\n", "bad value of 'cores'");
	refuse("machine cores\n", "'cores' needs a value");
	refuse("process pid=1\n", "'process' needs 'comm' or 'exe'");
	refuse("pmu name=x type=1 cpus=0 cpus=1,z\n", "bad value of 'cpus'");
}

int main(void)
{
	RUN(test_words);
	RUN(test_defaults);
	RUN(test_stacks);
	RUN(test_machine);
	RUN(test_snapshot);
	RUN(test_events);
	RUN(test_refused);
	return check_done();
}
