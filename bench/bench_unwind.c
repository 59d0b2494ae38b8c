/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_unwind FILE...: time and size of the unwind rules of each file, built and read from the
 * cache; then nanoseconds per frame of the offline unwinder on a copy of this program's own stack,
 * deep and shallow. XDG_CACHE_HOME should be a scratch folder.
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"
#include "format/maps/proc_maps.h"
#include "resolve/resolver.h"
#include "resolve/resolver_stack.h"
#include "resolve/unwind/unwind_tables.h"
#include "../tests/unit/own_regs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct wp_processes processes;

#define COPY   (64u << 10)
#define ROUNDS 20000

static struct wp_stack_regs regs;
static uint8_t dump[COPY];
static uint64_t stack_top;
static size_t dump_bytes;

static double ms_since(uint64_t start)
{
	return (double)(wp_clock_now_ns() - start) / 1e6;
}

static double best(const struct wp_symfile_source *source, const struct wp_symfile *file,
		   bool cached, size_t *ret_rows)
{
	double least = 1e9;

	for (int i = 0; i < 4; i++) {
		struct wp_unwind_rows rows = {0};
		struct wp_cfi_stats stats = {0};
		uint64_t start = wp_clock_now_ns();

		if (cached)
			wp_unwind_tables_load(source, file, &rows);
		else
			wp_unwind_tables_compile(source, file, &rows, &stats);
		double ms = ms_since(start);
		least = ms < least ? ms : least;
		*ret_rows = rows.rows.n;
		wp_unwind_rows_deinit(&rows);
	}
	return least;
}

static void bench_file(const char *path)
{
	struct wp_symfile_source source = {.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC)};
	struct wp_symfile file = {0};
	double code = 0;
	size_t rows;

	wp_autoerr struct wp_err *err = source.fd < 0 ? NULL : wp_symfile_load(&source, &file);
	if (source.fd < 0 || err)
		return;
	wp_vec_each (struct wp_elf_range, range, &file.image.code)
		code += (double)(range->end - range->start);
	double built = best(&source, &file, false, &rows), read = best(&source, &file, true, &rows);
	double kb = (double)(rows * sizeof(struct wp_unwind_rule)) / 1024;
	printf("%s: %.1f MB of code, %zu rows, %.0f KB (%.0f KB per MB of code), built in %.1f ms, "
	       "from the cache in %.1f ms\n",
	       wp_str_basename(path), code / 1e6, rows, kb, kb * 1e6 / code, built, read);
	wp_symfile_deinit(&file);
	close(source.fd);
}

static struct wp_resolver *map_self(void)
{
	struct wp_resolver_options options = {.processes = &processes};
	struct wp_resolver *resolver = wp_resolver_new(&options);
	struct wp_record r = {.kind = WP_RECORD_MAP, .pid = (uint32_t)getpid()};
	wp_autofree char *text = NULL;
	wp_autoerr struct wp_err *err = wp_file_read("/proc/self/maps", 1 << 24, &text, NULL);
	const char *line = err ? NULL : strstr(text, "[stack]");

	while (line && line > text && line[-1] != '\n')
		line--;
	stack_top = line ? strtoull(strchr(line, '-') + 1, NULL, 16) : 0;
	for (char *at = text; line && wp_proc_maps_next(&at, &r.map);)
		wp_processes_take(&processes, &r);
	return resolver;
}

static __attribute__((noinline)) int deep(int n)
{
	volatile int keep[8] = {n};
	ucontext_t u;

	if (n)
		return deep(n - 1) + keep[0];
	getcontext(&u);
	uint64_t sp = own_regs(&u, &regs);
	dump_bytes = stack_top - sp < COPY ? stack_top - sp : COPY;
	memcpy(dump, (const void *)sp, dump_bytes);
	return keep[0];
}

static void bench_stack(struct wp_resolver *resolver, int depth)
{
	static struct wp_stack stack;
	struct wp_stack_raw raw = {.regs = &regs, .dump = dump};
	struct wp_record sample = {.kind = WP_RECORD_SAMPLE, .pid = (uint32_t)getpid()};
	size_t frames = 0;

	deep(depth);
	raw.dump_bytes = dump_bytes;
	sample.sample.stack = &raw;
	sample.sample.ip.v = regs.r[regs.valid >> 32 ? 32 : 16];
	wp_resolver_stack(resolver, &sample, &stack);
	uint64_t start = wp_clock_now_ns();
	for (int i = 0; i < ROUNDS; i++) {
		wp_resolver_stack(resolver, &sample, &stack);
		frames += stack.n_user;
	}
	double ns = ms_since(start) * 1e6;
	printf("a stack of %zu frames (%zu KB): %.2f us, %.0f ns per frame%s\n", stack.n_user,
	       dump_bytes >> 10, ns / ROUNDS / 1e3, ns / (double)frames,
	       stack.end == WP_STACK_COMPLETE ? "" : ", not complete");
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		bench_file(argv[i]);
	struct wp_resolver *resolver = map_self();
	bench_stack(resolver, 15);
	bench_stack(resolver, 55);
	bench_stack(resolver, 500);
	wp_resolver_free(resolver);
	wp_processes_deinit(&processes);
	return 0;
}
