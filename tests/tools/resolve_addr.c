/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolve_addr: asks the resolver from a shell; a tool for the tests.
 *
 *	resolve_addr PID ADDRESS...      hexadecimal run-time addresses ("-": one per line from
 *stdin) resolve_addr -f FILE RVA...      linked addresses in a file, as if it were mapped
 *	resolve_addr -i PID              the modules of a process
 *
 * Prints "name<TAB>module<TAB>reason<TAB>raw<TAB>start<TAB>size<TAB>file:line" per address. With
 * -k kernel addresses are asked for; -w N waits N milliseconds between asking and printing.
 */
#include "base/str.h"
#include "format/elf/elf_file.h"
#include "resolve/resolver.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static struct wp_processes processes;

static const char *const reasons[] = {"known", "no-module", "stripped", "unreadable", "hidden"};

struct asked {
	uint64_t addr;
	uint32_t symbol, module;
	struct wp_rva rva;
};

struct tool {
	struct wp_resolver *resolver;
	uint32_t pid;
	bool kernel;
	WP_VEC(struct asked) asked;
};

static void log_line(void *arg, enum wp_log_level level, const char *line)
{
	(void)arg, (void)level;
	fprintf(stderr, "%s\n", line);
}

static struct wp_record sample_at(const struct tool *tool, uint64_t addr)
{
	struct wp_record record = {.kind = WP_RECORD_SAMPLE, .pid = tool->pid, .tid = tool->pid};

	record.time_ns = UINT64_MAX / 2;
	record.sample.ip.v = addr;
	record.sample.mode = tool->kernel ? WP_MODE_KERNEL : WP_MODE_USER;
	return record;
}

static void map_process(struct tool *tool)
{
	wp_autofree char *path = wp_asprintf("/proc/%u/maps", tool->pid);
	FILE *file = fopen(path, "r");
	char line[8192];

	while (file && fgets(line, sizeof(line), file)) {
		struct wp_record r = {.kind = WP_RECORD_MAP, .pid = tool->pid, .tid = tool->pid};
		uint64_t end;
		char perms[8];
		int at = 0;

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n",
			   &r.map.start.v, &end, perms, &r.map.pgoff.v, &r.map.dev_major,
			   &r.map.dev_minor, &r.map.inode, &at) < 7 ||
		    perms[2] != 'x')
			continue;
		r.map.len = end - r.map.start.v;
		r.map.path = line[at] ? line + at : "//anon";
		wp_processes_take(&processes, &r);
	}
	if (file)
		fclose(file);
}

/* Maps a file's code at its linked addresses plus 4 GiB. */
static void map_file(struct tool *tool, const char *path)
{
	struct wp_elf_image image;
	struct stat st;
	int fd = open(path, O_RDONLY);
	struct wp_elf_file elf = wp_elf_file_open(fd, false);
	wp_autoerr struct wp_err *err = wp_elf_image_read(elf.elf, &image);

	if (err || fstat(fd, &st) != 0) {
		fprintf(stderr, "%s: %s\n", path, err ? err->text : "stat failed");
		exit(1);
	}
	wp_vec_each (struct wp_elf_segment, s, &image.segments) {
		struct wp_record r = {.kind = WP_RECORD_MAP, .pid = tool->pid, .tid = tool->pid};
		uint64_t slack = s->packed ? 0 : s->offset.v % 4096;

		if (!s->exec)
			continue;
		r.map = (struct wp_record_map){
			.start = {s->start.v - slack + (4ull << 30)},
			.len = s->file_size + slack,
			.pgoff = {s->offset.v - slack},
			.dev_major = major(st.st_dev),
			.dev_minor = minor(st.st_dev),
			.inode = st.st_ino,
			.path = path,
		};
		wp_processes_take(&processes, &r);
	}
	wp_elf_image_deinit(&image);
	wp_elf_file_close(&elf);
	close(fd);
}

static void ask(struct tool *tool, uint64_t addr)
{
	struct wp_record sample = sample_at(tool, addr);
	struct asked asked = {
		.addr = addr,
		.symbol = wp_resolver_symbol(tool->resolver, &sample),
		.rva = wp_resolver_rva(tool->resolver, &sample),
	};

	wp_vec_push(&tool->asked, asked);
}

static void print(struct tool *tool)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(tool->resolver);

	wp_vec_each (struct asked, a, &tool->asked) {
		const struct wp_symbol *s = &set->symbols.v[a->symbol];
		const char *module =
			s->module == WP_NO_MODULE ? "-" : set->modules.v[s->module].name;
		struct wp_resolver_line line = {"-", 0};

		if (s->module != WP_NO_MODULE)
			wp_resolver_line(tool->resolver, s->module, a->rva, &line);
		printf("%s\t%s\t%s\t%s\t%" PRIx64 "\t%" PRIu64 "\t%s:%u\n", s->name ? s->name : "-",
		       module, reasons[s->reason], s->raw ? s->raw : "-", s->start.v, s->size,
		       line.file, line.line);
	}
}

static void print_images(struct tool *tool)
{
	wp_autofree struct wp_resolver_image *images = NULL;
	size_t n = wp_resolver_images(tool->resolver, tool->pid, &images);
	const struct wp_symbol_set *set = wp_resolver_symbols(tool->resolver);

	for (size_t i = 0; i < n; i++)
		printf("%" PRIx64 "\t%" PRIx64 "\t%s\t%s\n", images[i].start.v, images[i].delta,
		       set->modules.v[images[i].module].name,
		       set->modules.v[images[i].module].path);
}

static void ask_all(struct tool *tool, char **words, uint64_t add)
{
	char line[64];

	for (; *words; words++) {
		if (strcmp(*words, "-") != 0)
			ask(tool, strtoull(*words, NULL, 16) + add);
		else
			while (fgets(line, sizeof(line), stdin))
				ask(tool, strtoull(line, NULL, 16) + add);
	}
}

int main(int argc, char **argv)
{
	struct wp_log log = {.sink = log_line};
	struct wp_resolver_options options = {.processes = &processes, .kernel = true, .log = &log};
	struct tool tool = {.resolver = wp_resolver_new(&options)};
	wp_autofree char *file = NULL;
	bool images = false;
	int opt, wait_ms = 0;

	while ((opt = getopt(argc, argv, "f:i:kw:")) != -1) {
		if (opt == 'f')
			file = realpath(optarg, NULL);
		else if (opt == 'i')
			images = true, tool.pid = (uint32_t)atoi(optarg);
		else if (opt == 'k')
			tool.kernel = true;
		else if (opt == 'w')
			wait_ms = atoi(optarg);
	}
	if (file) {
		tool.pid = (uint32_t)getpid();
		map_file(&tool, file);
	} else {
		if (!images && optind < argc)
			tool.pid = (uint32_t)atoi(argv[optind++]);
		map_process(&tool);
	}
	if (images)
		print_images(&tool);
	ask_all(&tool, argv + optind, file ? 4ull << 30 : 0);
	usleep((useconds_t)wait_ms * 1000);
	print(&tool);
	wp_vec_deinit(&tool.asked);
	wp_resolver_free(tool.resolver);
	wp_processes_deinit(&processes);
	return 0;
}
