/* SPDX-License-Identifier: BSD-3-Clause */
/* python_expect: see python_expect.h. */
#include "session/follow/python_expect.h"

#include "base/file.h"
#include "base/str.h"
#include "format/elf/elf_image.h"
#include "format/elf/elf_sections.h"
#include "resolve/find/mapped_file.h"
#include "session/follow/python_guess.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#define MAX_PROGRAMS 4 /* reading one takes 5 to 20 ms */
#define SEPARATORS   " \t\n'\"`;&|()<>=$"

/* Where the dynamic linker looks besides RUNPATH, in systems that have no libraries per kind. */
static const char *const library_folders[] = {"/usr/local/lib", "/usr/lib64", "/usr/lib", "/lib64"};

/* What a program says of the library that its interpreter is in. */
struct needs {
	char library[PATH_MAX]; /* "": none */
	char path[PATH_MAX];	/* RUNPATH or RPATH */
};

static void copy_fitting_text(char *to, size_t cap, const char *from)
{
	if (from && strlen(from) < cap)
		strcpy(to, from);
}

static void read_needs(int program, struct needs *ret)
{
	Elf *elf = wp_elf_open(program);
	GElf_Shdr header;
	const Elf_Data *data = elf ? wp_elf_section(elf, ".dynamic", &header) : NULL;
	GElf_Dyn entry;

	*ret = (struct needs){0};
	for (int i = 0; data && gelf_getdyn((Elf_Data *)data, i, &entry); i++) {
		const char *text;

		if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_RUNPATH &&
		    entry.d_tag != DT_RPATH)
			continue;
		text = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
		if (entry.d_tag != DT_NEEDED)
			copy_fitting_text(ret->path, sizeof(ret->path), text);
		else if (text && wp_python_guess_by_name(text))
			copy_fitting_text(ret->library, sizeof(ret->library), text);
	}
	if (elf)
		elf_end(elf);
}

/* The folder of an open program, for "$ORIGIN"; false: not known. */
static bool folder_of(int program, char *ret, size_t cap)
{
	wp_autofree char *link = wp_asprintf("/proc/self/fd/%d", program);
	ssize_t n = readlink(link, ret, cap - 1);
	char *slash;

	if (n <= 0)
		return false;
	ret[n] = '\0';
	slash = strrchr(ret, '/');
	if (!slash)
		return false;
	*slash = '\0';
	return true;
}

/* Opens a path in which "$ORIGIN" may be the program's folder. */
static int open_from(const char *origin, const char *folder, const char *name)
{
	bool moves = wp_str_has_prefix(folder, "$ORIGIN");
	wp_autofree char *path = wp_asprintf("%s%s%s", moves ? origin : "",
					     moves ? folder + strlen("$ORIGIN") : folder, name);

	return wp_mapped_file_path(0, path);
}

/* Opens the library in the folders that the program itself names. */
static int open_beside(const char *origin, struct needs *needs)
{
	wp_autofree char *name = wp_asprintf("/%s", needs->library);
	char *save;
	int fd = -1;

	if (strchr(needs->library, '/'))
		return open_from(origin, needs->library, "");
	for (char *folder = strtok_r(needs->path, ":", &save); folder && fd < 0;
	     folder = strtok_r(NULL, ":", &save))
		fd = open_from(origin, folder, name);
	return fd;
}

static int open_library(int program)
{
	char origin[PATH_MAX];
	struct needs needs;
	int fd = -1;

	read_needs(program, &needs);
	if (!needs.library[0])
		return -1;
	if (folder_of(program, origin, sizeof(origin)))
		fd = open_beside(origin, &needs);
	for (size_t i = 0; fd < 0 && i < WP_ARRAY_LEN(library_folders); i++) {
		wp_autofree char *path = wp_asprintf("%s/%s", library_folders[i], needs.library);

		fd = wp_mapped_file_path(0, path);
	}
	return fd;
}

/* The one that we run with. Another one's processes have their slots elsewhere, or in a list. */
static bool find_libc(struct wp_python_libc *ret)
{
	static const char *const folders[] = {"/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu",
					      "/lib64", "/usr/lib"};

	for (size_t i = 0; i < WP_ARRAY_LEN(folders); i++) {
		wp_autofree char *path = wp_asprintf("%s/libc.so.6", folders[i]);
		wp_autoclose int fd = wp_mapped_file_path(0, path);

		if (fd >= 0 && wp_python_libc_read(fd, ret))
			return true;
	}
	return false;
}

/* False: the file is none that can be told of. */
static bool expect_file(struct wp_python_feed *feed, int program, int library)
{
	const struct wp_python_file *file = wp_python_files_expect(&feed->processes.files, library);
	struct wp_python_libc libc;
	struct wp_python_plan plan;
	struct wp_python_like like;
	uint64_t code;
	struct stat st;

	if (!file || !file->build || fstat(program, &st) < 0 ||
	    !wp_python_like_of_files(file->build, program, library, &like, &code) ||
	    !wp_python_processes_expect(&feed->processes, file, find_libc(&libc) ? &libc : NULL,
					&plan))
		return false;
	feed->walker.expect(feed->walker.arg, &st, code, &plan, &like);
	return true;
}

/* The programs that the walker was told of. */
struct expected {
	struct wp_python_feed *feed;
	size_t n;
	struct stat v[MAX_PROGRAMS];
};

static bool is_expected(const struct expected *expected, const struct stat *program)
{
	for (size_t i = 0; i < expected->n; i++)
		if (expected->v[i].st_dev == program->st_dev &&
		    expected->v[i].st_ino == program->st_ino)
			return true;
	return false;
}

static void expect_program(struct expected *expected, int program)
{
	struct stat st;

	if (program < 0 || fstat(program, &st) < 0 || !S_ISREG(st.st_mode) ||
	    expected->n == MAX_PROGRAMS || is_expected(expected, &st))
		return;
	if (!expect_file(expected->feed, program, program)) {
		wp_autoclose int library = open_library(program);

		if (library < 0 || !expect_file(expected->feed, program, library))
			return;
	}
	expected->v[expected->n++] = st;
}

static void expect_named(struct expected *expected, char *const *command)
{
	for (char *const *word = command; *word; word++) {
		wp_autofree char *text = wp_strdup(*word);
		char *save, *part = strtok_r(text, SEPARATORS, &save);

		for (; part; part = strtok_r(NULL, SEPARATORS, &save)) {
			if (!wp_str_has_prefix(wp_str_basename(part), "python"))
				continue;
			wp_autoclose int program = wp_python_guess_open(part);

			expect_program(expected, program);
		}
	}
}

void wp_python_expect(struct wp_python_feed *feed, char *const *command)
{
	struct expected expected = {.feed = feed};

	if (!feed->walker.expect)
		return;
	if (command)
		expect_named(&expected, command);
	if (command && !wp_python_guess_starts_others(command[0]))
		return;
	wp_vec_each (char *, path, &feed->seen.paths) {
		wp_autoclose int program = wp_mapped_file_path(0, *path);

		expect_program(&expected, program);
	}
}
