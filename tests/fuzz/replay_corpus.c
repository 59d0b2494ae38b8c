/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay_corpus FOLDER [RUNS]: runs a libFuzzer harness over the files of its corpus folder, then
 * over truncations and deterministic mutations of each, so that the normal test run covers hostile
 * input too: of each file 2000 mutations and every truncation up to 4096, or RUNS of both where a
 * run takes long.
 */
#include "base/file.h"
#include "base/str.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUTATIONS   2000
#define TRUNCATIONS 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t state = 0x9e3779b97f4a7c15u;

static uint64_t next_random(void)
{
	state ^= state << 13, state ^= state >> 7, state ^= state << 17;
	return state;
}

/* On a copy of exactly the right size, so that ASan sees a read past the end. */
static void run(const char *data, size_t size)
{
	wp_autofree char *copy = malloc(size ? size : 1);

	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput((const uint8_t *)copy, size);
}

static void mutate(const char *data, size_t size, size_t times)
{
	static const uint8_t nasty[] = {0, 1, 0x7f, 0x80, 0xff};
	wp_autofree char *copy = malloc(size);

	for (size_t i = 0; size && i < times; i++) {
		memcpy(copy, data, size);
		for (uint64_t n = 1 + next_random() % 4; n > 0; n--) {
			uint64_t r = next_random();

			copy[(r >> 8) % size] = (char)(r & 1 ? nasty[(r >> 1) % 5] : r >> 3);
		}
		run(copy, size);
	}
}

/* To lengths all over the file. */
static void truncate_file(const char *data, size_t size, size_t times)
{
	for (size_t n = 0; n < size; n += size / (times + 1) + 1)
		run(data, n);
}

static int replay_file(const char *path, size_t runs)
{
	wp_autofree char *data = NULL;
	size_t size;
	wp_autoerr struct wp_err *err = wp_file_read(path, 16 << 20, &data, &size);

	if (err) {
		fprintf(stderr, "%s\n", err->text);
		return 1;
	}
	run(data, size);
	truncate_file(data, size, runs ? runs : TRUNCATIONS);
	mutate(data, size, runs ? runs : MUTATIONS);
	return 0;
}

int main(int argc, char **argv)
{
	int files = 0, failed = 0;
	DIR *dir = argc == 2 || argc == 3 ? opendir(argv[1]) : NULL;
	size_t runs = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

	if (!dir) {
		fprintf(stderr, "usage: %s CORPUS_FOLDER [RUNS]\n", argv[0]);
		return 2;
	}
	run("", 0);
	for (struct dirent *entry; (entry = readdir(dir));) {
		wp_autofree char *path = wp_asprintf("%s/%s", argv[1], entry->d_name);

		if (entry->d_name[0] == '.')
			continue;
		files++;
		failed += replay_file(path, runs);
	}
	closedir(dir);
	printf("%d seeds, with truncations and mutations\n", files);
	return failed || !files;
}
