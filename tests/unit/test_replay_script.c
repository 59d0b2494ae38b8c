/* SPDX-License-Identifier: BSD-3-Clause */
/* Replay scripts: what each directive becomes, and what is refused. */
#include "check.h"

#include "format/replay/replay_line.h"
#include "format/replay/replay_script.h"

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

static void check_bytes(const uint8_t *got, size_t n, const char *want)
{
	wp_autofree char *text = wp_calloc(n + 1, 3);

	for (size_t i = 0; i < n; i++)
		sprintf(text + 3 * i, "%02x ", got[i]);
	CHECK_STR(text, want);
}

static void check_slot(const struct wp_python_slot *slot, uint64_t addr, int32_t lasti, uint32_t id)
{
	CHECK_U64(slot->addr, addr);
	CHECK_U64((uint32_t)slot->lasti, (uint32_t)lasti);
	CHECK_U64(slot->id, id);
}

static void check_codes(const struct wp_replay_script *s)
{
	const struct wp_record_code *code = &s->entries.v[0].record.code;

	CHECK_U64(code->id, 1);
	CHECK_U64(code->qualname.length, 3);
	CHECK_U64(code->filename.width, 1);
	check_bytes(code->filename.bytes, code->filename.n, "2f fc 2e 70 79 ");
	check_bytes(code->lines, code->lines_len, "ef 00 e9 00 e8 04 f8 ef 07 ef 00 ef 00 ef 00 ");
	code = &s->entries.v[1].record.code;
	CHECK_U64(code->name.width, 2);
	check_bytes(code->name.bytes, code->name.n, "bb 03 ");
	check_bytes(code->lines, code->lines_len, "80 ff ");
	code = &s->entries.v[2].record.code;
	check_bytes(code->name.bytes, code->name.n, "c3 bc "); /* 2.7: as it is */
	CHECK_U64(code->filename.length, 4);
}

static void check_stack(const struct wp_stack_raw *raw)
{
	CHECK_U64(raw->n_walked, 1);
	CHECK_U64(raw->n_python, 6);
	check_slot(&raw->python[0], 0, WP_PYTHON_THREAD,
		   WP_PYTHON_THREAD_ID(0, WP_PYTHON_PARTIAL) | WP_PYTHON_GIL_KNOWN |
			   WP_PYTHON_GIL_HELD);
	check_slot(&raw->python[1], 0x90, 22, 1);
	check_slot(&raw->python[2], 0x78, WP_PYTHON_MARK, 0);
	check_slot(&raw->python[3], 0xa0, -1, 7);
	check_slot(&raw->python[4], 0xc0, 4, 0); /* no such code object */
	check_slot(&raw->python[5], 0, WP_PYTHON_THREAD,
		   WP_PYTHON_THREAD_ID(1, WP_PYTHON_NO_FRAME));
}

static void test_python(void)
{
	struct wp_replay_script s;

	CHECK_OK(parse(
		"python pid=1 version=3.12 start=0x400 len=0x100\n"
		"python pid=1 version=2.7\n"
		"pycode pid=1 addr=0x90 name=f qualname=C.f file=/\xc3\xbc.py line=3"
		" lines=0:3,20:5,22:0,24:2\n"
		"pycode pid=1 addr=0xa0 id=7 name=\xce\xbb file=/x.py line=1 table=80ff\n"
		"pycode pid=1 addr=0xb0 generation=2 name=\xc3\xbc file=\xf0\x9f\x90\x8d line=1\n"
		"sample event=x pid=1 ip=1 stack=0x401/0x70"
		" python=thread/partial/held,C.f+22,mark/0x78,0xa0+-1,0xc0+4,thread/1/no_frame\n"
		"pytext file=/x.py line=1 text=\"def f():\"\n",
		&s));
	CHECK_U64(s.pythons.n, 2);
	CHECK(s.pythons.v[0].flags & WP_PYTHON_ENTRY_FRAMES);
	CHECK_U64(s.pythons.v[0].start, 0x400);
	CHECK_U64(s.pythons.v[1].lines, WP_PYTHON_LNOTAB_UNSIGNED);
	check_codes(&s);
	check_stack(s.entries.v[3].record.sample.stack);
	CHECK_STR(s.pytexts.v[0].text, "def f():");
	wp_replay_script_deinit(&s);
}

static void test_python_refused(void)
{
	refuse("python pid=1 version=3.5", "bad value of 'version'");
	refuse("pycode pid=1 addr=1 name=f file=x line=1", "needs a 'python' line");
	refuse("python pid=1 version=3.11\npycode pid=1 generation=0 addr=1 name=f file=x line=1",
	       "needs a 'python' line");
	refuse("python pid=1 version=3.9\npycode pid=1 addr=1 name=f file=x line=1 lines=0:1",
	       "give 'table'");
	for (int i = 0; i < 4; i++) {
		static const char *const lines[] = {"1:1", "0:1,0:2", "0:1,3:2", "0"};
		wp_autofree char *text =
			wp_asprintf("python pid=1 version=3.11\npycode pid=1 addr=1"
				    " name=f file=x line=1 lines=%s",
				    lines[i]);

		refuse(text, "bad value of 'lines'");
	}
	refuse("sample event=x pid=1 ip=1 python=thread,f+1", "bad value of 'python'");
	refuse("sample event=x pid=1 ip=1 python=0x10+1", "bad value of 'python'");
	refuse("sample event=x pid=1 ip=1 python=thread/held/4", "bad value of 'python'");
	refuse("sample event=x pid=1 ip=1 python=thread,0x10", "bad value of 'python'");
	refuse("sample event=x pid=1 ip=1 python=thread,mark/x", "bad value of 'python'");
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
	RUN(test_python);
	RUN(test_python_refused);
	RUN(test_machine);
	RUN(test_snapshot);
	RUN(test_events);
	RUN(test_refused);
	return check_done();
}
