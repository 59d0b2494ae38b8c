/* jit_hint: see jit_hint.h. */
#include "session/jit_hint.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Fewer than one sample of so many are no reason to start the program once more. */
#define PART 20

/* Each writes a perf map (/tmp/perf-PID.map) or a jitdump, which are read as they grow. */
static const struct {
	const char *files; /* what is mapped where it runs: patterns of file names */
	const char *name, *remedy;
} runtimes[] = {
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
}

void wp_jit_hint_add(struct wp_jit_hint *hint, const struct wp_resolver *resolver, uint32_t pid,
		     uint32_t symbol)
{
	if (wp_resolver_is_outside(resolver, symbol))
		++*wp_map_put(&hint->samples, (uint64_t)pid << 32 | symbol);
}

/* What a perf map that came at the end has named is none. */
static bool is_unnamed(const struct wp_symbol_set *set, const struct wp_symbol *symbol)
{
	return symbol->reason == WP_SYMBOL_NO_MODULE && symbol->module != WP_NO_MODULE &&
	       strcmp(set->modules.v[symbol->module].name, "[anon]") == 0;
}

/* Samples without a name by process. */
static struct wp_map count_unnamed(const struct wp_jit_hint *hint, const struct wp_symbol_set *set)
{
	struct wp_map by_pid = {0};

	for (size_t i = 0; i < hint->samples.cap; i++) {
		const struct wp_map_slot *slot = &hint->samples.slots[i];

		if (slot->used && is_unnamed(set, &set->symbols.v[(uint32_t)slot->key]))
			*wp_map_put(&by_pid, slot->key >> 32) += slot->value;
	}
	return by_pid;
}

void wp_jit_hint_text(const struct wp_jit_hint *hint, struct wp_resolver *resolver, uint64_t all,
		      struct wp_str *out)
{
	uint64_t samples[WP_ARRAY_LEN(runtimes)] = {0};
	struct wp_map by_pid = count_unnamed(hint, wp_resolver_symbols(resolver));

	for (size_t i = 0; i < by_pid.cap; i++) {
		const struct wp_map_slot *slot = &by_pid.slots[i];
		int runtime = slot->used ? runtime_of(resolver, (uint32_t)slot->key) : -1;

		if (runtime >= 0)
			samples[runtime] += slot->value;
	}
	wp_map_deinit(&by_pid);
	for (size_t i = 0; i < WP_ARRAY_LEN(runtimes); i++)
		if (samples[i] && samples[i] * PART >= all)
			wp_str_printf(out,
				      "note: %" PRIu64 " samples in code that %s made and did not "
				      "name; so that it does: %s\n",
				      samples[i], runtimes[i].name, runtimes[i].remedy);
}
