/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb_lookup: asks a PDB from a shell; a tool for the tests.
 *
 * PDB RVA...: hexadecimal addresses ("-": one per line from stdin). Prints
 * "name<TAB>decorated<TAB>start<TAB>size<TAB>file:line" for each, and for each inlined call,
 * outermost first, "<TAB>name@file:line" more.
 * -i PDB: its identity: GUID, age, age of the info stream, machine.
 * -f IMAGE PDB GUID AGE: the file that belongs to an image whose RSDS record says so.
 * -u: undecorates names from stdin.
 * -t COUNT FROM TO PDB: milliseconds to the first answer, for functions and lines of COUNT random
 * addresses (and how many are known), and for the calls inlined there (and how many are).
 */
#include "base/clock.h"
#include "format/pdb/pdb.h"
#include "format/pdb/undname.h"
#include "resolve/find/pdb_search.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void log_line(void *arg, enum wp_log_level level, const char *line)
{
	(void)arg, (void)level;
	fprintf(stderr, "%s\n", line);
}

static int find(char **words)
{
	struct wp_log log = {.sink = log_line};
	uint8_t guid[16];
	struct wp_pdb_file *file;

	for (int i = 0; i < 16; i++)
		sscanf(words[2] + 2 * (size_t)i, "%2hhx", &guid[i]);
	struct wp_pdb_search search = {
		.image_path = words[0],
		.rsds_path = words[1],
		.guid = guid,
		.age = (uint32_t)atoi(words[3]),
		.log = &log,
	};
	wp_autoerr struct wp_err *err = wp_pdb_search(&search, &file);
	puts(err ? err->text : file->path);
	if (!err)
		wp_pdb_file_close(file);
	return err != NULL;
}

static int undecorate(void)
{
	char line[65536];

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		wp_autofree char *name = wp_undname(line);
		puts(name ? name : "-");
	}
	return 0;
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

/* Milliseconds for n random addresses between two, and how many were known. */
static double ask_random(struct wp_pdb *pdb, uint64_t n, uint64_t from, uint64_t to, bool inlines,
			 size_t *ret_known)
{
	uint64_t begin = wp_clock_now_ns(), random = 88172645463325252u;
	struct wp_pdb_inline calls[WP_PDB_INLINES_MAX];
	struct wp_pdb_function f;
	struct wp_pdb_line line;
	size_t known = 0;

	for (uint64_t i = 0; i < n; i++) {
		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		struct wp_rva rva = {from + random % (to - from)};
		if (inlines)
			known += wp_pdb_inlines(pdb, rva, calls) > 0;
		else
			known += wp_pdb_function(pdb, rva, &f) && wp_pdb_line(pdb, rva, &line);
	}
	*ret_known = known;
	return (double)(wp_clock_now_ns() - begin) / 1e6;
}

static int measure(char **words)
{
	uint64_t n = strtoull(words[0], NULL, 10), from = strtoull(words[1], NULL, 16);
	uint64_t to = strtoull(words[2], NULL, 16), begin = wp_clock_now_ns();
	struct wp_pdb_file *file;
	size_t known, inlined;

	wp_autoerr struct wp_err *err = wp_pdb_file_open(0, words[3], NULL, &file);
	if (err || to <= from)
		return 1;
	double opened = (double)(wp_clock_now_ns() - begin) / 1e6;
	double first = ask_random(file->pdb, 1, from, to, false, &known);
	double lines = ask_random(file->pdb, n, from, to, false, &known);
	double calls = ask_random(file->pdb, n, from, to, true, &inlined);
	printf("%.3f %.3f %zu %.3f %zu\n", opened + first, lines, known, calls, inlined);
	wp_pdb_file_close(file);
	return 0;
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

static int answer_file(const char *path, char **words)
{
	struct wp_pdb_file *file;
	wp_autoerr struct wp_err *err = wp_pdb_file_open(0, path, NULL, &file);

	if (err) {
		fprintf(stderr, "%s\n", err->text);
		return 1;
	}
	if (words)
		answer(file->pdb, words);
	else
		print_id(file->pdb);
	if (wp_pdb_damage(file->pdb))
		fprintf(stderr, "%" PRIu64 " parts make no sense\n", wp_pdb_damage(file->pdb));
	wp_pdb_file_close(file);
	return 0;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (strcmp(mode, "-f") == 0 && argc == 6 && strlen(argv[4]) == 32)
		return find(argv + 2);
	if (strcmp(mode, "-u") == 0)
		return undecorate();
	if (strcmp(mode, "-t") == 0 && argc == 6)
		return measure(argv + 2);
	if (strcmp(mode, "-i") == 0 && argc == 3)
		return answer_file(argv[2], NULL);
	if (argc > 1 && mode[0] != '-')
		return answer_file(mode, argv + 2);
	fprintf(stderr, "usage: see tests/tools/pdb_lookup.c\n");
	return 2;
}
