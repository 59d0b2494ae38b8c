/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_resolve FILE [SAMPLES]: seconds that the resolver needs for samples at random places in a
 * program's functions, first cold (with opening the file and reading its symbols), then warm.
 */
#include "base/clock.h"
#include "core/symtab.h"
#include "resolve/resolver.h"
#include "resolve/symbols/symfile.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static struct wp_processes processes;

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
	return *state;
}

static void add_maps(const struct wp_symfile *file, const char *path, const struct stat *st)
{
	wp_vec_each (struct wp_elf_segment, s, &file->image.segments) {
		struct wp_record r = {.kind = WP_RECORD_MAP, .pid = (uint32_t)getpid()};
		uint64_t slack = s->offset.v % 4096;

		if (!s->exec)
			continue;
		r.map = (struct wp_record_map){
			.start = {s->start.v - slack + (4ull << 30)},
			.len = s->file_size + slack,
			.pgoff = {s->offset.v - slack},
			.dev_major = major(st->st_dev),
			.dev_minor = minor(st->st_dev),
			.inode = st->st_ino,
			.path = path,
		};
		wp_processes_take(&processes, &r);
	}
}

/* Samples inside of functions, with names in the file's own table. */
static uint64_t *make_ips(const struct wp_symfile *file, size_t n)
{
	uint64_t *ips = wp_calloc(n, sizeof(*ips)), state = 88172645463325252u;
	const struct wp_symtab *t = &file->symbols;

	for (size_t i = 0; i < n; i++) {
		size_t at = next_random(&state) % t->n;

		ips[i] = (4ull << 30) + t->starts[at] + next_random(&state) % t->pieces[at].len;
	}
	return ips;
}

static double run(struct wp_resolver *resolver, const uint64_t *ips, size_t n, size_t *ret_known)
{
	struct wp_record sample = {.kind = WP_RECORD_SAMPLE, .pid = (uint32_t)getpid()};
	uint64_t begin = wp_clock_now_ns();
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		sample.sample.ip.v = ips[i];
		uint32_t id = wp_resolver_symbol(resolver, &sample);
		known += wp_resolver_symbols(resolver)->symbols.v[id].name != NULL;
	}
	*ret_known = known;
	return (double)(wp_clock_now_ns() - begin) / 1e9;
}

int main(int argc, char **argv)
{
	size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000000, known;
	struct wp_resolver_options options = {.processes = &processes};
	wp_autofree char *path = argc > 1 ? realpath(argv[1], NULL) : NULL;
	struct wp_symfile_source source = {.path = path, .fd = path ? open(path, O_RDONLY) : -1};
	struct wp_symfile file;
	struct stat st;

	if (source.fd < 0 || fstat(source.fd, &st) != 0) {
		fprintf(stderr, "usage: bench_resolve FILE [SAMPLES]\n");
		return 2;
	}
	wp_autoerr struct wp_err *err = wp_symfile_load(&source, &file);
	if (err || !file.symbols.n) {
		fprintf(stderr, "%s: %s\n", path, err ? err->text : "no symbols");
		return 1;
	}
	wp_autofree uint64_t *ips = make_ips(&file, n);
	struct wp_resolver *resolver = wp_resolver_new(&options);
	add_maps(&file, path, &st);
	double cold = run(resolver, ips, n, &known), warm = run(resolver, ips, n, &known);
	printf("%.3f %.3f %zu %zu %" PRIu64 "\n", cold, warm, known, file.symbols.n,
	       (uint64_t)st.st_size);
	wp_resolver_free(resolver);
	wp_processes_deinit(&processes);
	wp_symfile_deinit(&file);
	close(source.fd);
	return 0;
}
