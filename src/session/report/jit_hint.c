/* SPDX-License-Identifier: BSD-3-Clause */
/* jit_hint: see jit_hint.h. */
#include "session/report/jit_hint.h"

#include "core/process.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Fewer than one sample of so many are no reason to start the program once more. */
#define PART 20

#define MANY 4096 /* processes */
#define FEW  100  /* samples of one that has ended */

/*
 * Each writes a perf map (/tmp/perf-PID.map) or a jitdump, which are read as they grow; but for the
 * Pythons that are not CPython, whose profilers are their own.
 */
static const struct {
	const char *files; /* what is mapped where it runs: patterns of file names */
	const char *name, *remedy;
	bool is_python;
} runtimes[] = {
	{"pypy pypy[23]* libpypy*-c.so*", "PyPy", "its own profiler reads them: pypy3 -m vmprof",
	 true},
	{"graalpy* libpythonvm.so", "GraalPy", "its own profiler reads them: graalpy --cpusampler",
	 true},
	{"micropython* pycopy", "MicroPython", "CPython's are: run it there", true},
	{"rustpython", "RustPython", "CPython's are: run it there", true},
	{"node nodejs libnode.so*", "Node.js", "run node --perf-basic-prof"},
	{"deno", "Deno", "run deno with --v8-flags=--perf-basic-prof"},
	{"libjvm.so", "Java",
	 "run java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit (JDK 17 and newer); of "
	 "one that runs: jcmd PID Compiler.perfmap"},
	{"libcoreclr.so", ".NET", "set DOTNET_PerfMapEnabled=1"},
	{"mono mono-sgen", "Mono", "run mono --jitmap"},
	{"ruby ruby[0-9]* libruby*.so*", "Ruby", "run ruby --yjit --yjit-perf (3.3 and newer)"},
	{"beam.smp", "Erlang", "run erl +JPperf true (OTP 24 and newer)"},
	{"wasmtime", "Wasmtime", "run wasmtime --profile=perfmap"},
	{"libjulia*.so*", "Julia",
	 "set ENABLE_JITPROFILING=1 (a julia that was built with USE_PERF_JITEVENTS=1)"},
	{"php php[0-9]* php-fpm*", "PHP", "run php -d opcache.jit_debug=0x10"},
	{"luajit* libluajit*.so*", "LuaJIT", "build it with -DLUAJIT_USE_PERFTOOLS"},
};

static bool is_one_of(const char *patterns, const char *name)
{
	wp_autofree char *copy = wp_strdup(patterns);
	char *rest = copy, *pattern;

	while ((pattern = strsep(&rest, " ")))
		if (fnmatch(pattern, name, 0) == 0)
			return true;
	return false;
}

int wp_jit_hint_runtime(const char *name)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(runtimes); i++)
		if (is_one_of(runtimes[i].files, name))
			return (int)i;
	return -1;
}

static int runtime_of(struct wp_resolver *resolver, uint32_t pid)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(resolver);
	wp_autofree struct wp_resolver_image *images = NULL;
	size_t n = wp_resolver_images(resolver, pid, &images);
	int runtime = -1;

	for (size_t i = 0; i < n && runtime < 0; i++)
		runtime = wp_jit_hint_runtime(set->modules.v[images[i].module].name);
	return runtime;
}

void wp_jit_hint_deinit(struct wp_jit_hint *hint)
{
	wp_map_deinit(&hint->samples);
	wp_map_deinit(&hint->processes);
}

static void hint_sample(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_jit_hint *hint = (struct wp_jit_hint *)sink;
	uint64_t pid = sample->record->pid;

	++*wp_map_put(&hint->processes, pid);
	if (wp_resolver_is_outside(hint->resolver, sample->symbol))
		++*wp_map_put(&hint->samples, pid << 32 | sample->symbol);
}

/* Of a machine that starts hundreds a second, those that did next to nothing are forgotten. */
static void hint_record(struct wp_sink *sink, const struct wp_record *record)
{
	struct wp_map *processes = &((struct wp_jit_hint *)sink)->processes;
	const uint64_t *samples;

	if (wp_process_change_of(record) != WP_THREAD_ENDED || record->pid != record->tid ||
	    processes->n < MANY)
		return;
	samples = wp_map_get(processes, record->pid);
	if (samples && *samples < FEW)
		wp_map_remove(processes, record->pid);
}

struct wp_sink *wp_jit_hint_sink(struct wp_jit_hint *hint)
{
	static const struct wp_sink_ops ops = {.record = hint_record, .sample = hint_sample};

	hint->sink = (struct wp_sink){.ops = &ops};
	return &hint->sink;
}

/* What a perf map that came at the end has named is none. */
static bool is_unnamed(const struct wp_symbol_set *set, const struct wp_symbol *symbol)
{
	return symbol->reason == WP_SYMBOL_NO_MODULE && symbol->module != WP_NO_MODULE &&
	       strcmp(set->modules.v[symbol->module].name, "[anon]") == 0;
}

/* Samples without a name by process. */
static struct wp_map count_unnamed_by_process(const struct wp_jit_hint *hint,
					      const struct wp_symbol_set *set)
{
	struct wp_map by_pid = {0};

	for (size_t i = 0; i < hint->samples.cap; i++) {
		const struct wp_map_slot *slot = &hint->samples.slots[i];

		if (slot->used && is_unnamed(set, &set->symbols.v[(uint32_t)slot->key]))
			*wp_map_put(&by_pid, slot->key >> 32) += slot->value;
	}
	return by_pid;
}

/* Adds the samples of each process to its runtime's, if that is a Python or is none. */
static void add_processes(const struct wp_map *processes, struct wp_resolver *resolver,
			  bool are_pythons, uint64_t least, uint64_t *samples)
{
	for (size_t i = 0; i < processes->cap; i++) {
		const struct wp_map_slot *slot = &processes->slots[i];
		int runtime = slot->used && slot->value >= least
				      ? runtime_of(resolver, (uint32_t)slot->key)
				      : -1;

		if (runtime >= 0 && runtimes[runtime].is_python == are_pythons)
			samples[runtime] += slot->value;
	}
}

void wp_jit_hint_text(const struct wp_jit_hint *hint, uint64_t all, struct wp_str *out)
{
	struct wp_resolver *resolver = hint->resolver;
	uint64_t samples[WP_ARRAY_LEN(runtimes)] = {0};
	struct wp_map unnamed = count_unnamed_by_process(hint, wp_resolver_symbols(resolver));

	add_processes(&unnamed, resolver, false, 0, samples);
	/* Nobody need know what the many processes of a whole system are that did little. */
	add_processes(&hint->processes, resolver, true, all / PART, samples);
	wp_map_deinit(&unnamed);
	for (size_t i = 0; i < WP_ARRAY_LEN(runtimes); i++)
		if (samples[i] && samples[i] * PART >= all)
			wp_str_printf(out,
				      runtimes[i].is_python
					      ? "note: %" PRIu64 " samples of %s, whose Python "
						"frames are not read; %s\n"
					      : "note: %" PRIu64
						" samples in code that %s made and "
						"did not name; to have it named: %s\n",
				      samples[i], runtimes[i].name, runtimes[i].remedy);
}
