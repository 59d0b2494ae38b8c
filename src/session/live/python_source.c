/* SPDX-License-Identifier: BSD-3-Clause */
/* python_source: see python_source.h. */
#include "session/live/python_source.h"

#include "base/proc_living.h"
#include "base/str.h"
#include "source/proc/procfs.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES (8u << 20)
#define LINE_BYTES 1000 /* of one line that is shown */

/* What a link of /proc says, or NULL. pid 0: ours. */
static char *read_link(pid_t pid, const char *name)
{
	wp_autofree char *path =
		pid ? wp_asprintf("/proc/%u/%s", wp_proc_living((uint32_t)pid), name)
		    : wp_asprintf("/proc/self/%s", name);
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	return n > 0 ? wp_strndup(target, (size_t)n) : NULL;
}

/* True when the process surely sees the same files by the same names. */
static bool same_files(pid_t pid)
{
	static const char *const links[] = {"ns/mnt", "root"};

	for (size_t i = 0; i < WP_ARRAY_LEN(links); i++) {
		wp_autofree char *ours = read_link(0, links[i]);
		wp_autofree char *theirs = read_link(pid, links[i]);

		if (!ours || !theirs || strcmp(ours, theirs) != 0)
			return false;
	}
	return true;
}

/* When the first of the processes began: what they have read is not younger. */
static time_t first_began(const struct wp_target *target)
{
	time_t first = time(NULL);

	for (size_t i = 0; !target->launched && i < target->pids.n; i++) {
		time_t began = wp_procfs_began(target->pids.v[i]);

		first = began && began < first ? began : first;
	}
	return first;
}

void wp_python_source_init(struct wp_python_source *source, const struct wp_target *target)
{
	size_t n = target->launched ? 0 : target->pids.n;
	bool same = true;

	if (target->kind != WP_TARGET_PROCESSES)
		return; /* whose files? */
	for (size_t i = 0; i < n; i++)
		same = same && same_files(target->pids.v[i]);
	source->usable = same || n == 1;
	source->pid = same ? 0 : (uint32_t)target->pids.v[0];
	if (n < 2)
		source->cwd = read_link(n ? target->pids.v[0] : 0, "cwd");
	source->began = first_began(target);
}

/* As the users may whose code names it; counts what they may not. */
static int open_source_file(struct wp_python_source *source, const char *path)
{
	struct wp_owner_file_found found =
		wp_owner_file_open(source->owners, wp_mapped_file_path, source->pid, path);

	if (found.how != WP_OWNER_FILE_FORBIDDEN && found.how != WP_OWNER_FILE_POWERLESS)
		return found.fd;
	if (!source->forbidden++)
		source->first = found;
	return -1;
}

/* A whole regular file that has not been touched since; false otherwise. */
static bool read_source_file(struct wp_python_source *source, const char *path,
			     struct wp_python_text *ret)
{
	wp_autoclose int fd = open_source_file(source, path);
	struct stat st;
	size_t n = 0;
	ssize_t got;

	if (fd < 0 || fstat(fd, &st) != 0 || st.st_mtime > source->began || st.st_size <= 0 ||
	    st.st_size > FILE_BYTES ||
	    !wp_budget_take(source->budget, WP_BUDGET_SOURCE, (uint64_t)st.st_size))
		return false;
	ret->text = wp_calloc(1, (size_t)st.st_size + 1);
	while (n < (size_t)st.st_size &&
	       (got = pread(fd, ret->text + n, (size_t)st.st_size - n, (off_t)n)) > 0)
		n += (size_t)got;
	wp_vec_push(&ret->lines, 0);
	for (size_t i = 0; i < n; i++)
		if (ret->text[i] == '\n')
			wp_vec_push(&ret->lines, (uint32_t)i + 1);
	return true;
}

static const struct wp_python_text *source_file_of(struct wp_python_source *source,
						   const char *file)
{
	uint32_t id = wp_strpool_id(&source->paths, file);

	if (id == source->files.n) { /* ids are given in turn */
		struct wp_python_text text = {0};
		wp_autofree char *path = *file == '/' || !source->cwd
						 ? wp_strdup(file)
						 : wp_asprintf("%s/%s", source->cwd, file);

		if (*path == '/')
			(void)read_source_file(source, path, &text);
		wp_vec_push(&source->files, text);
	}
	return &source->files.v[id];
}

const char *wp_python_source_text(struct wp_python_source *source, const char *file, uint32_t line,
				  size_t *ret_n)
{
	const struct wp_python_text *text;
	const char *begin;

	if (!source->usable || !source->owners || !line ||
	    *file == '<') /* <string>, <frozen importlib> */
		return NULL;
	text = source_file_of(source, file);
	if (line > text->lines.n)
		return NULL;
	begin = text->text + text->lines.v[line - 1];
	*ret_n = strcspn(begin, "\r\n");
	return begin;
}

const char *wp_python_source_line(struct wp_python_source *source, const char *file, uint32_t line)
{
	size_t n, indent;
	const char *begin = wp_python_source_text(source, file, line, &n);
	char *copy;

	if (!begin)
		return NULL;
	indent = strspn(begin, " \t\f");
	indent = indent < n ? indent : n;
	begin += indent;
	n -= indent;
	while (n && strchr(" \t", begin[n - 1]))
		n--;
	if (!n)
		return NULL;
	copy = wp_arena_strndup(&source->arena, begin, n < LINE_BYTES ? n : LINE_BYTES);
	for (char *c = copy; (c = strchr(c, '\t'));)
		*c = ' ';
	return copy;
}

char *wp_python_source_note(const struct wp_python_source *source)
{
	bool one = source->forbidden == 1;

	if (!source->forbidden)
		return NULL;
	return wp_asprintf("no source lines of %zu file%s: code of user %u names %s, %s",
			   source->forbidden, one ? "" : "s", source->first.uid,
			   one ? "it" : "them",
			   source->first.how == WP_OWNER_FILE_POWERLESS
				   ? "and only root can read as that user may"
				   : "who may not read it");
}

void wp_python_source_deinit(struct wp_python_source *source)
{
	wp_vec_each (struct wp_python_text, text, &source->files) {
		free(text->text);
		wp_vec_deinit(&text->lines);
	}
	wp_vec_deinit(&source->files);
	wp_strpool_deinit(&source->paths);
	wp_arena_deinit(&source->arena);
	free(source->cwd);
}
