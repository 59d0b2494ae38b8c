/*
 * pdb_lookup: asks a PDB from a shell; a tool for the tests.
 *
 *	pdb_lookup PDB RVA...		hexadecimal addresses ("-": one per line from stdin)
 *	pdb_lookup -i PDB		its identity: GUID, age, age of the info stream, machine
 *	pdb_lookup -t COUNT FROM TO PDB	milliseconds to the first answer, then to COUNT random ones
 *
 * Prints "name<TAB>decorated<TAB>start<TAB>size<TAB>file:line" per address, and for each inlined
 * call, outermost first, "<TAB>name@file:line" more.
 */
#include "base/clock.h"
#include "format/pdb.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_file(void *arg, uint64_t offset, void *ret, size_t len)
{
	return pread(*(int *)arg, ret, len, (off_t)offset) == (ssize_t)len;
}

static void print(struct wp_pdb *pdb, struct wp_rva rva)
{
	struct wp_pdb_inline calls[WP_PDB_INLINES_MAX];
	struct wp_pdb_function f = {.name = "-"};
	struct wp_pdb_line line = {"-", 0};
	const char *decorated = wp_pdb_function(pdb, rva, &f) ? wp_pdb_decorated(pdb, &f) : NULL;
	size_t n = wp_pdb_inlines(pdb, rva, calls);

	wp_pdb_line(pdb, rva, &line);
	printf("%s\t%s\t%" PRIx64 "\t%" PRIu64 "\t%s:%u", f.name, decorated ? decorated : "-",
	       f.start.v, f.size, line.file, line.line);
	for (size_t i = 0; i < n; i++)
		printf("\t%s@%s:%u", calls[i].name, calls[i].line.file ? calls[i].line.file : "-",
		       calls[i].line.line);
	putchar('\n');
}

static void print_id(const struct wp_pdb *pdb)
{
	const struct wp_pdb_id *id = wp_pdb_id(pdb);

	for (int i = 0; i < 16; i++)
		printf("%02x", id->guid[i]);
	printf(" %u %u %x\n", id->age, id->info_age, wp_pdb_machine(pdb));
}

static size_t ask_random(struct wp_pdb *pdb, uint64_t n, uint64_t from, uint64_t to, uint64_t seed)
{
	struct wp_pdb_inline calls[WP_PDB_INLINES_MAX];
	struct wp_pdb_function f;
	struct wp_pdb_line line;
	size_t known = 0;

	for (uint64_t i = 0; i < n; i++) {
		seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
		struct wp_rva rva = {from + seed % (to - from)};
		known += wp_pdb_function(pdb, rva, &f) && wp_pdb_line(pdb, rva, &line);
		wp_pdb_inlines(pdb, rva, calls);
	}
	return known;
}

static void measure(const struct wp_pdb_input *input, char **words)
{
	uint64_t n = strtoull(words[0], NULL, 10), from = strtoull(words[1], NULL, 16);
	uint64_t to = strtoull(words[2], NULL, 16), begin = wp_clock_now_ns();
	struct wp_pdb *pdb;

	wp_autoerr struct wp_err *err = wp_pdb_open(input, &pdb);
	if (err || to <= from)
		exit(1);
	ask_random(pdb, 1, from, to, 88172645463325252u);
	uint64_t first = wp_clock_now_ns();
	size_t known = ask_random(pdb, n, from, to, 1234567891011u);
	printf("%.3f %.3f %zu\n", (double)(first - begin) / 1e6,
	       (double)(wp_clock_now_ns() - first) / 1e6, known);
	wp_pdb_close(pdb);
}

static void answer(struct wp_pdb *pdb, char **words)
{
	char line[64];

	for (; *words; words++) {
		if (strcmp(*words, "-") != 0)
			print(pdb, (struct wp_rva){strtoull(*words, NULL, 16)});
		else
			while (fgets(line, sizeof(line), stdin))
				print(pdb, (struct wp_rva){strtoull(line, NULL, 16)});
	}
}

int main(int argc, char **argv)
{
	bool identity = argc > 2 && strcmp(argv[1], "-i") == 0;
	bool times = argc > 5 && strcmp(argv[1], "-t") == 0;
	char **words = argv + 1 + identity + 4 * times;
	const char *path = argc > 1 ? *words : "";
	wp_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct wp_pdb *pdb = NULL;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0) {
		fprintf(stderr, "pdb_lookup: cannot open '%s'\n", path);
		return 2;
	}
	struct wp_pdb_input input = {path, (uint64_t)st.st_size, read_file, &fd};
	if (times) {
		measure(&input, argv + 2);
		return 0;
	}
	wp_autoerr struct wp_err *err = wp_pdb_open(&input, &pdb);
	if (err) {
		fprintf(stderr, "%s\n", err->text);
		return 1;
	}
	if (identity)
		print_id(pdb);
	else
		answer(pdb, words + 1);
	if (wp_pdb_damage(pdb))
		fprintf(stderr, "%" PRIu64 " parts make no sense\n", wp_pdb_damage(pdb));
	wp_pdb_close(pdb);
	return 0;
}
