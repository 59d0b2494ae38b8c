/* SPDX-License-Identifier: BSD-3-Clause */
/* test_resolver: scripted modules, fork and exec, our own process as a live one, JIT code that gets
 * its name late. */
#include "check.h"
#include "resolve/resolver.h"
#include "resolve/resolver_data.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static struct wp_processes processes;

static struct wp_record map_of(uint32_t pid, uint64_t start, uint64_t len, uint64_t pgoff,
			       const char *path)
{
	return (struct wp_record){
		.kind = WP_RECORD_MAP,
		.pid = pid,
		.tid = pid,
		.map = {.start = {start}, .len = len, .pgoff = {pgoff}, .path = path},
	};
}

static uint32_t ask(struct wp_resolver *r, uint32_t pid, uint64_t ip, enum wp_cpumode mode)
{
	struct wp_record s = {
		.kind = WP_RECORD_SAMPLE, .pid = pid, .tid = pid, .time_ns = 1ull << 60};

	s.sample.ip.v = ip;
	s.sample.mode = mode;
	return wp_resolver_symbol(r, &s);
}

/* "name:module reason" */
static const char *say(struct wp_resolver *r, uint32_t id)
{
	static char text[4][256];
	static int turn;
	const struct wp_symbol_set *set = wp_resolver_symbols(r);
	const struct wp_symbol *s = &set->symbols.v[id];

	turn = (turn + 1) % 4;
	snprintf(text[turn], sizeof(text[turn]), "%s:%s %d", s->name ? s->name : "",
		 s->module == WP_NO_MODULE ? "-" : set->modules.v[s->module].name, s->reason);
	return text[turn];
}

static const char *at(struct wp_resolver *r, uint32_t pid, uint64_t ip)
{
	return say(r, ask(r, pid, ip, WP_MODE_USER));
}

static struct wp_resolver *script(void)
{
	struct wp_resolver *r = wp_resolver_new(
		&(struct wp_resolver_options){.processes = &processes, .offline = true});
	struct wp_record m = map_of(10, 0x400000, 0x10000, 0x1000, "/bin/app");

	wp_resolver_add_symbol(r, "/bin/app", (struct wp_rva){0x1000}, 0x100, "main");
	wp_resolver_add_symbol(r, "/bin/app", (struct wp_rva){0x1200}, 0x10, "_ZN1A1fEv");
	wp_resolver_add_symbol(r, "/lib/x.so", (struct wp_rva){0x10}, 0x10, "xfn");
	wp_resolver_add_symbol(r, "[kernel]", (struct wp_rva){0xffffffff81000000u}, 0x100, "do_it");
	wp_processes_take(&processes, &m);
	m = map_of(10, 0x7f0000, 0x1000, 0, "/lib/x.so");
	wp_processes_take(&processes, &m);
	m = map_of(10, 0x800000, 0x1000, 0, "/lib/nothing.so");
	wp_processes_take(&processes, &m);
	m = map_of(10, 0x900000, 0x1000, 0, "//anon");
	wp_processes_take(&processes, &m);
	return r;
}

static void test_script(void)
{
	struct wp_resolver *r = script();

	CHECK_STR(at(r, 10, 0x400000), "main:app 0");
	CHECK_STR(at(r, 10, 0x4000ff), "main:app 0");
	CHECK_STR(at(r, 10, 0x400100), ":app 2");
	CHECK_STR(at(r, 10, 0x400208), "A::f:app 0");
	CHECK_STR(at(r, 10, 0x7f0011), "xfn:x.so 0");
	CHECK_STR(at(r, 10, 0x800011), ":nothing.so 3");
	CHECK_STR(at(r, 10, 0x900011), ":[anon] 1");
	CHECK_STR(at(r, 10, 0x1), ":- 1");
	CHECK_STR(at(r, 11, 0x400000), ":- 1");
	CHECK_STR(say(r, ask(r, 10, 0xffffffff81000004u, WP_MODE_KERNEL)), "do_it:[kernel] 0");
	CHECK_STR(say(r, ask(r, 10, 0xffffffff82000004u, WP_MODE_KERNEL)), ":[kernel] 2");
	CHECK_STR(say(r, ask(r, 10, 0x400000, WP_MODE_OTHER)), ":- 1");
	CHECK(ask(r, 10, 0x400000, WP_MODE_USER) == ask(r, 10, 0x400010, WP_MODE_USER));
	CHECK(ask(r, 10, 0x400100, WP_MODE_USER) == ask(r, 10, 0x400110, WP_MODE_USER));
	wp_resolver_free(r);
	wp_processes_deinit(&processes);
}

static void map_data(struct wp_resolver *r, uint64_t start, uint64_t len, const char *path)
{
	struct wp_record m = map_of(10, start, len, 0, path);

	m.map.data = true;
	wp_resolver_map_data(r, &m);
}

static const char *data_at(struct wp_resolver *r, uint64_t va, uint64_t sp, const char *thread)
{
	struct wp_record s = {.kind = WP_RECORD_SAMPLE, .pid = 10, .tid = 10};
	struct wp_data_query query = {&s, {va}, sp, thread};

	return say(r, wp_resolver_data_symbol(r, &query));
}

/* Objects before areas, the last mapping before those in front of it, and no word of what nothing
 * is known of. */
static void test_data_areas(void)
{
	struct wp_resolver *r = script();
	struct wp_record exec_record = {.kind = WP_RECORD_COMM, .pid = 10, .tid = 10};

	CHECK_STR(data_at(r, 0xa00000, 0, NULL), ":- 1");
	CHECK(!wp_resolver_has_areas(r));
	map_data(r, 0xa00000, 0x2000, "[heap]");
	map_data(r, 0xb00000, 0x100000, "//anon");
	map_data(r, 0xd00000, 0x1000, "[anon:a pool]");
	map_data(r, 0xe00000, 0x1000, "/dev/zero (deleted)");
	map_data(r, 0xf00000, 0x1000, "/srv/some.db");
	map_data(r, 0x7ff000000000, 0x1000, "[stack]");
	CHECK(wp_resolver_has_areas(r));
	CHECK_STR(data_at(r, 0x400008, 0, NULL), "main:app 0");
	CHECK_STR(data_at(r, 0xa01fff, 0, NULL), ":[heap] 1");
	CHECK_STR(data_at(r, 0xa02000, 0, NULL), ":- 1");
	CHECK_STR(data_at(r, 0xb00010, 0, NULL), ":[anon] 1");
	CHECK_STR(data_at(r, 0xd00010, 0, NULL), ":[anon:a pool] 1");
	CHECK_STR(data_at(r, 0xe00010, 0, NULL), ":/dev/zero 1");
	CHECK_STR(data_at(r, 0xf00010, 0, NULL), ":some.db 1");
	/* A thread's stack: above its stack pointer, in the same mapping. */
	CHECK_STR(data_at(r, 0xb00f80, 0xb01000, "w"), ":[stack of w] 1");
	CHECK_STR(data_at(r, 0xb00f80, 0xb01000, NULL), ":[stack] 1");
	CHECK_STR(data_at(r, 0xb00f7f, 0xb01000, "w"), ":[anon] 1");
	CHECK_STR(data_at(r, 0xd00010, 0xd00000, "w"), ":[anon:a pool] 1");
	CHECK_STR(data_at(r, 0xb01000, 0x7ff000000800, "w"), ":[anon] 1");
	/* The first thread's, and where it is about to grow. */
	CHECK_STR(data_at(r, 0x7ff000000800, 0, NULL), ":[stack] 1");
	CHECK_STR(data_at(r, 0x7fefffffff00, 0, NULL), ":[stack] 1");
	CHECK_STR(data_at(r, 0x7fefff000000, 0, NULL), ":- 1");
	map_data(r, 0xa00000, 0x1000, "//anon");
	CHECK_STR(data_at(r, 0xa00000, 0, NULL), ":[anon] 1");
	CHECK_STR(data_at(r, 0xa01000, 0, NULL), ":[heap] 1");
	exec_record.comm.name = "other";
	exec_record.comm.exec = true;
	wp_processes_take(&processes, &exec_record);
	CHECK_STR(data_at(r, 0xa01000, 0, NULL), ":- 1");
	wp_resolver_free(r);
	wp_processes_deinit(&processes);
}

static void test_images(void)
{
	struct wp_resolver *r = script();
	struct wp_resolver_image *images;
	struct wp_record s = {.kind = WP_RECORD_SAMPLE, .pid = 10};
	size_t n = wp_resolver_images(r, 10, &images);

	CHECK_U64(n, 4);
	CHECK_STR(wp_resolver_symbols(r)->modules.v[images[0].module].path, "/bin/app");
	CHECK_U64(images[0].start.v, 0x3ff000);
	CHECK_U64(images[0].delta, 0x3ff000);
	free(images);
	CHECK_U64(wp_resolver_images(r, 99, &images), 0);
	free(images);
	s.sample.ip.v = 0x400208;
	CHECK_U64(wp_resolver_rva(r, &s).v, 0x1208);
	s.sample.ip.v = 3;
	CHECK_U64(wp_resolver_rva(r, &s).v, 0);
	wp_resolver_free(r);
	wp_processes_deinit(&processes);
}

static void test_processes(void)
{
	struct wp_resolver *r = script();
	struct wp_record fork_record = {.kind = WP_RECORD_FORK, .pid = 11, .tid = 11};
	struct wp_record exec_record = {.kind = WP_RECORD_COMM, .pid = 10, .tid = 10};
	struct wp_record exit_record = {.kind = WP_RECORD_EXIT, .pid = 11, .tid = 11};

	fork_record.fork.parent_pid = 10;
	exec_record.comm.name = "other";
	wp_processes_take(&processes, &exec_record);
	CHECK_STR(at(r, 10, 0x400000), "main:app 0");
	wp_processes_take(&processes, &fork_record);
	exec_record.comm.exec = true;
	wp_processes_take(&processes, &exec_record);
	CHECK_STR(at(r, 10, 0x400000), ":- 1");
	CHECK_STR(at(r, 11, 0x400000), "main:app 0");
	wp_processes_take(&processes, &exit_record);
	CHECK_STR(at(r, 11, 0x400000), "main:app 0");
	struct wp_record m = map_of(10, 0x400000, 0x1000, 0, "/lib/x.so");
	wp_processes_take(&processes, &m);
	CHECK_STR(at(r, 10, 0x400010), "xfn:x.so 0");
	wp_resolver_free(r);
	wp_processes_deinit(&processes);
}

/* A known place of ours. */
__attribute__((noinline)) static int landmark(int x)
{
	return x * 3 + 1;
}

static void map_ourselves(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	char line[4096], perms[8], path[4096];
	unsigned long start, end, off, inode;
	unsigned int major_nr, minor_nr;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %s", &start, &end, perms, &off,
			   &major_nr, &minor_nr, &inode, path) != 8 ||
		    perms[2] != 'x')
			continue;
		struct wp_record m = map_of((uint32_t)getpid(), start, end - start, off, path);
		m.map.dev_major = major_nr;
		m.map.dev_minor = minor_nr;
		m.map.inode = inode;
		wp_processes_take(&processes, &m);
	}
	if (file)
		fclose(file);
}

static void test_ourselves(void)
{
	struct wp_resolver *r =
		wp_resolver_new(&(struct wp_resolver_options){.processes = &processes});
	uint32_t pid = (uint32_t)getpid(), id;
	uint64_t here = (uintptr_t)landmark;
	struct wp_resolver_line line = {0};
	struct wp_record s = {.kind = WP_RECORD_SAMPLE, .pid = pid};

	map_ourselves();
	CHECK_STR(at(r, pid, here), "landmark:test_resolver 0");
	id = ask(r, pid, here, WP_MODE_USER);
	const struct wp_symbol *symbol = &wp_resolver_symbols(r)->symbols.v[id];
	s.sample.ip.v = here;
	CHECK_U64(wp_resolver_rva(r, &s).v, symbol->start.v);
	if (wp_resolver_line(r, symbol->module, symbol->start, &line)) {
		CHECK(strstr(line.file, "test_resolver.c") != NULL);
		CHECK(line.line > 100 && line.line < 400);
	}
	CHECK_STR(say(r, ask(r, pid, UINT64_MAX - 5, WP_MODE_KERNEL)), ":[kernel] 4");
	CHECK(!wp_resolver_line(r, 4711, (struct wp_rva){0}, &line));
	wp_resolver_free(r);
	wp_processes_deinit(&processes);
	CHECK_U64((unsigned long long)landmark(1), 4);
}

static void test_replaced(void)
{
	struct wp_resolver *r =
		wp_resolver_new(&(struct wp_resolver_options){.processes = &processes});
	struct stat st;

	CHECK(stat("/proc/self/exe", &st) == 0);
	struct wp_record m = map_of(0x7ffffff0, 0x400000, 0x100000, 0, "/bin/sh");
	m.map.dev_major = major(st.st_dev);
	m.map.dev_minor = minor(st.st_dev);
	m.map.inode = 999999999;
	wp_processes_take(&processes, &m);
	CHECK_STR(at(r, 0x7ffffff0, 0x401000), ":sh 3");
	m = map_of(0x7ffffff0, 0x800000, 0x100000, 0, "/no/such/file.so (deleted)");
	wp_processes_take(&processes, &m);
	CHECK_STR(at(r, 0x7ffffff0, 0x801000), ":file.so 3");
	wp_resolver_free(r);
	wp_processes_deinit(&processes);
}

/* A perf map that is written after the samples, as by `java -XX:+DumpPerfMapAtExit`. */
static void test_late_jit(void)
{
	struct wp_resolver *r =
		wp_resolver_new(&(struct wp_resolver_options){.processes = &processes});
	uint32_t pid = (uint32_t)getpid(), early, other, late;
	char path[64];
	struct wp_record m = map_of(pid, 0x500000, 0x10000, 0, "//anon");

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", pid);
	wp_processes_take(&processes, &m);
	early = ask(r, pid, 0x501004, WP_MODE_USER);
	other = ask(r, pid, 0x508000, WP_MODE_USER);
	CHECK_STR(say(r, early), ":[anon] 1");
	FILE *file = fopen(path, "w");
	fprintf(file, "501000 100 LFoo;::bar\n502000 10 baz\n");
	fclose(file);
	CHECK_STR(say(r, early), "LFoo;::bar:[jit] 0");
	CHECK_STR(say(r, other), ":[anon] 1");
	usleep(30000);
	late = ask(r, pid, 0x502004, WP_MODE_USER);
	CHECK_STR(say(r, late), "baz:[jit] 0");
	CHECK_U64(wp_resolver_symbols(r)->symbols.v[late].kind, WP_SYMBOL_JIT);
	/* A fork without exec runs the same code. */
	struct wp_record fork_record = {
		.kind = WP_RECORD_FORK, .pid = 0x7ffffff1, .tid = 0x7ffffff1};
	fork_record.fork.parent_pid = pid;
	wp_processes_take(&processes, &fork_record);
	CHECK_STR(at(r, 0x7ffffff1, 0x502004), "baz:[jit] 0");
	wp_resolver_free(r);
	wp_processes_deinit(&processes);
	unlink(path);
}

/* Python functions: by name, file and first line; nothing of an ELF file is asked of their files.
 */
static void test_python(void)
{
	struct wp_resolver *r = script();
	uint32_t fib = wp_resolver_python_symbol(r, "fib", "/opt/app.py", 3);
	uint32_t other = wp_resolver_python_symbol(r, "fib", "/opt/app.py", 30);
	uint32_t unknown = wp_resolver_python_unknown(r);
	struct wp_resolver_line line;
	struct wp_resolver_inline inlined[WP_RESOLVER_INLINES];
	const struct wp_symbol *symbol;

	CHECK_U64(wp_resolver_python_symbol(r, "fib", "/opt/app.py", 3), fib);
	CHECK(other != fib);
	CHECK(wp_resolver_python_symbol(r, "fib", "/opt/app2.py", 3) != fib);
	CHECK(wp_resolver_python_symbol(r, "fib@x", "/opt/app.py", 3) != fib);
	CHECK_STR(say(r, fib), "fib:app.py 0");
	CHECK_STR(say(r, wp_resolver_python_symbol(r, "_ZN1A1fEv", "<string>", 1)),
		  "_ZN1A1fEv:<string> 0");
	CHECK_STR(say(r, wp_resolver_python_symbol(r, "f", "", 1)), "f:- 0");
	CHECK_U64(wp_resolver_python_unknown(r), unknown);
	CHECK_STR(say(r, wp_resolver_python_symbol(r, "f", "/usr/lib/json/__init__.py", 1)),
		  "f:json/__init__.py 0");
	CHECK_STR(say(r, wp_resolver_python_symbol(r, "f", "json/__main__.py", 1)),
		  "f:json/__main__.py 0");
	CHECK_STR(say(r, wp_resolver_python_symbol(r, "f", "/__init__.py", 1)), "f:__init__.py 0");
	CHECK_STR(say(r, wp_resolver_python_symbol(r, "f", "__init__.py", 1)), "f:__init__.py 0");
	symbol = &wp_resolver_symbols(r)->symbols.v[fib];
	CHECK(symbol->kind == WP_SYMBOL_PYTHON);
	CHECK_U64(symbol->line, 3);
	CHECK(!wp_resolver_line(r, symbol->module, (struct wp_rva){3}, &line));
	CHECK_U64(wp_resolver_inlines(r, symbol->module, (struct wp_rva){3}, inlined), 0);
	wp_resolver_free(r);
	wp_processes_deinit(&processes);
}

int main(void)
{
	RUN(test_python);
	RUN(test_script);
	RUN(test_data_areas);
	RUN(test_images);
	RUN(test_processes);
	RUN(test_ourselves);
	RUN(test_replaced);
	RUN(test_late_jit);
	return check_done();
}
