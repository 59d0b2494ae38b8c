/* SPDX-License-Identifier: BSD-3-Clause */
/* python_guess: see python_guess.h. */
#include "session/follow/python_guess.h"

#include "base/file.h"
#include "base/str.h"
#include "format/elf/elf_image.h"
#include "format/elf/elf_sections.h"
#include "runtime/python_build.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MAX_SCRIPTS 4	/* of one that is run by another one */
#define LINE_BYTES  256 /* of "#!", as in the kernel */

bool wp_python_guess_by_name(const char *path)
{
	const char *name = wp_str_basename(path);

	return wp_str_has_prefix(name, "python") || wp_str_has_prefix(name, "libpython");
}

int wp_python_guess_open(const char *program)
{
	const char *rest = getenv("PATH");
	int fd = -1;

	if (strchr(program, '/'))
		return open(program, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	while (fd < 0 && rest && *rest) {
		size_t n = strcspn(rest, ":");
		wp_autofree char *path = wp_asprintf("%.*s/%s", (int)n, rest, program);

		if (access(path, X_OK) == 0)
			fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		rest += n + (rest[n] == ':');
	}
	return fd;
}

static bool needs_python(Elf *elf)
{
	GElf_Shdr header;
	const Elf_Data *data = wp_elf_section(elf, ".dynamic", &header);
	GElf_Dyn entry;

	for (int i = 0; data && gelf_getdyn((Elf_Data *)data, i, &entry); i++) {
		const char *name = entry.d_tag == DT_NEEDED
					   ? elf_strptr(elf, header.sh_link, entry.d_un.d_val)
					   : NULL;

		if (name && wp_python_guess_by_name(name))
			return true;
	}
	return false;
}

static bool is_python_file(int fd, const char *path)
{
	struct wp_python_build *build = NULL;
	wp_autoerr struct wp_err *err = wp_python_build_read(fd, path, &build);
	Elf *elf = err || build ? NULL : wp_elf_open(fd);
	GElf_Shdr header;
	/* What PyInstaller makes has its packed Python in a section. */
	bool found =
		build || (elf && (needs_python(elf) || wp_elf_section(elf, "pydata", &header)));

	if (build)
		wp_python_build_free(build);
	if (elf)
		elf_end(elf);
	return found;
}

/* The interpreter in a "#!" line, that behind "env" where it is that; the caller frees. */
static char *interpreter_of(char *line)
{
	char *save, *word = strtok_r(line + 2, " \t\n", &save);

	if (word && strcmp(wp_str_basename(word), "env") == 0)
		do
			word = strtok_r(NULL, " \t\n", &save);
		while (word && (word[0] == '-' || strchr(word, '=')));
	return word ? wp_strdup(word) : NULL;
}

/* What an exec of a program comes to. */
struct outcome {
	bool python;
	bool gains; /* rights that whoever starts it need not have */
};

static bool gains_rights(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && ((st.st_mode & (S_ISUID | S_ISGID)) ||
				       fgetxattr(fd, "security.capability", NULL, 0) > 0);
}

static struct outcome outcome_of(const char *program)
{
	wp_autofree char *path = wp_strdup(program);
	struct outcome ret = {0};

	for (int i = 0; i < MAX_SCRIPTS && path; i++) {
		char line[LINE_BYTES + 1] = "";
		wp_autoclose int fd = wp_python_guess_open(path);

		ret.python = wp_python_guess_by_name(path);
		ret.gains |= fd >= 0 && gains_rights(fd);
		if (ret.python || fd < 0 || pread(fd, line, LINE_BYTES, 0) < 4)
			return ret;
		if (line[0] != '#' || line[1] != '!') {
			ret.python = is_python_file(fd, path);
			return ret;
		}
		char *next = interpreter_of(line);

		free(path);
		path = next;
	}
	return ret;
}

bool wp_python_guess(const char *program)
{
	return outcome_of(program).python;
}

bool wp_python_guess_is_plain(const char *program)
{
	struct outcome outcome = outcome_of(program);

	return outcome.python && !outcome.gains;
}

/* A shell, make or a script: what is run next, a Python perhaps, only it knows. */
static bool runs_others(const char *program)
{
	wp_autoclose int fd = wp_python_guess_open(program);
	const char *name = wp_str_basename(program);
	char head[2];

	if (wp_str_has_suffix(name, "sh") || strcmp(name, "make") == 0)
		return true;
	return fd >= 0 && pread(fd, head, 2, 0) == 2 && memcmp(head, "#!", 2) == 0;
}

bool wp_python_guess_starts_others(const char *program)
{
	static const char *const starters[] = {"chroot", "chrt",    "env",     "ionice",  "nice",
					       "nohup",	 "numactl", "prlimit", "setarch", "setpriv",
					       "stdbuf", "taskset", "unshare"};

	for (size_t i = 0; i < WP_ARRAY_LEN(starters); i++)
		if (strcmp(wp_str_basename(program), starters[i]) == 0)
			return true;
	return runs_others(program);
}

bool wp_python_guess_command(char *const *command)
{
	for (char *const *word = command; *word; word++)
		if (strstr(*word, "python") || wp_str_has_suffix(*word, ".py"))
			return true;
	return runs_others(command[0]) || wp_python_guess(command[0]);
}
