/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_file: see probe_file.h. */
#include "resolve/probe/probe_file.h"

#include "base/file.h"
#include "base/nearest.h"
#include "base/proc_living.h"
#include "base/str.h"
#include "format/elf/ld_cache.h"
#include "format/maps/proc_maps.h"
#include "resolve/find/mapped_file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAPS_LIMIT  (64u << 20)
#define CACHE_LIMIT (16u << 20)
#define CACHE_FILE  "/etc/ld.so.cache"

static void add_probe_file(struct wp_probe_files *files, int fd, uint32_t pid, const char *path)
{
	wp_vec_push(&files->v, (struct wp_probe_file){fd, wp_strdup(path), pid});
}

static bool try_path(struct wp_probe_files *files, uint32_t pid, const char *path)
{
	int fd = wp_mapped_file_path(pid, path);

	if (fd >= 0)
		add_probe_file(files, fd, pid, path);
	return fd >= 0;
}

/* Scripts are found by $PATH, too, but have nothing to probe. */
static bool try_image(struct wp_probe_files *files, uint32_t pid, const char *path)
{
	char head[4] = "";

	if (!try_path(files, pid, path))
		return false;
	if (pread(files->v.v[files->v.n - 1].fd, head, sizeof(head), 0) == sizeof(head) &&
	    (memcmp(head, "\177ELF", sizeof(head)) == 0 || memcmp(head, "MZ", 2) == 0))
		return true;
	files->v.n--;
	close(files->v.v[files->v.n].fd);
	free(files->v.v[files->v.n].path);
	return false;
}

/* The first of a list of folders that has it. An empty one is the current folder. */
static bool try_folders(struct wp_probe_files *files, uint32_t pid, const char *folders,
			const char *name)
{
	wp_autofree char *copy = wp_strdup(folders ? folders : "");
	char *rest = copy, *folder;
	bool found = false;

	while (!found && *copy && (folder = strsep(&rest, ":"))) {
		wp_autofree char *path = wp_asprintf("%s/%s", *folder ? folder : ".", name);

		found = try_image(files, pid, path);
	}
	return found;
}

static bool is_listed(const struct wp_probe_files *files, const char *path)
{
	wp_vec_each (struct wp_probe_file, file, &files->v)
		if (strcmp(file->path, path) == 0)
			return true;
	return false;
}

/* What the process has mapped: of that base name, or with NULL all of it. */
static void add_mapped(struct wp_probe_files *files, uint32_t pid, const char *name,
		       struct wp_nearest *nearest)
{
	wp_autofree char *maps = wp_asprintf("/proc/%u/maps", wp_proc_living(pid)), *text = NULL;
	wp_autoerr struct wp_err *err = wp_file_read(maps, MAPS_LIMIT, &text, NULL);
	struct wp_record_map map;
	char *at = text;

	while (!err && wp_proc_maps_next(&at, &map)) {
		const char *base = wp_str_basename(map.path), *why;
		struct wp_file_id id = wp_file_id_of(&map);

		if (!wp_mapped_file_has_path(map.path) || is_listed(files, map.path))
			continue;
		if (nearest)
			wp_nearest_try(nearest, base);
		if (name && strcmp(base, name) != 0)
			continue;
		int fd = wp_mapped_file_open(pid, map.path, &id, map.start, &why);
		if (fd >= 0)
			add_probe_file(files, fd, pid, map.path);
		if (fd >= 0 && name)
			return;
	}
}

static bool try_loader_cache(struct wp_probe_files *files, uint32_t pid, const char *name)
{
	wp_autoclose int fd = wp_mapped_file_path(pid, CACHE_FILE);
	wp_autofree char *link = wp_asprintf("/proc/self/fd/%d", fd), *bytes = NULL;
	const char *path;
	size_t size;

	if (fd < 0)
		return false;
	wp_autoerr struct wp_err *err = wp_file_read(link, CACHE_LIMIT, &bytes, &size);
	path = err ? NULL : wp_ld_cache_find(bytes, size, name);
	return path && path[0] == '/' && try_path(files, pid, path);
}

static bool try_name(struct wp_probe_files *files, uint32_t pid, const char *name)
{
	return try_folders(files, pid, getenv("PATH"), name) ||
	       try_folders(files, pid, getenv("LD_LIBRARY_PATH"), name) ||
	       try_loader_cache(files, pid, name) ||
	       try_folders(files, pid, "/lib64:/usr/lib64:/lib:/usr/lib", name);
}

/* The watched process whose root counts; 0: ours. */
static uint32_t rooted_in(const struct wp_target *target)
{
	bool attached = target->kind == WP_TARGET_PROCESSES && !target->launched;

	return attached && target->pids.n ? (uint32_t)target->pids.v[0] : 0;
}

static struct wp_err *find_process_binaries(const char *event, const char *binary,
					    struct wp_probe_files *ret)
{
	uint64_t pid;

	if (!wp_str_to_u64(binary, 10, INT_MAX, &pid) || !pid)
		return wp_err_new(WP_ERR_USAGE, "event '%s': %s is no process", event, binary);
	add_mapped(ret, (uint32_t)pid, NULL, NULL);
	if (ret->v.n)
		return NULL;
	return wp_err_new(WP_ERR_NOT_FOUND,
			  "event '%s': there is no process %s, or what it has mapped may not be "
			  "read (run as its user or as root)",
			  event, binary);
}

static struct wp_err *find_named_binary(const char *event, const char *binary,
					const struct wp_target *target, struct wp_probe_files *ret)
{
	struct wp_nearest nearest = wp_nearest_to(binary);
	uint32_t pid = rooted_in(target);
	struct wp_err *err = NULL;

	for (size_t i = 0; pid && i < target->pids.n && !ret->v.n; i++)
		add_mapped(ret, (uint32_t)target->pids.v[i], binary, &nearest);
	if (!ret->v.n && !try_name(ret, pid, binary))
		err = wp_err_new(WP_ERR_NOT_FOUND,
				 "event '%s': no program or library %s is found (%sPATH, "
				 "LD_LIBRARY_PATH, ld.so.cache)%s%s%s",
				 event, binary, pid ? "what the process has mapped, " : "",
				 nearest.name ? ", did you mean " : "",
				 nearest.name ? nearest.name : "", nearest.name ? "?" : "");
	wp_nearest_deinit(&nearest);
	return err;
}

static struct wp_err *find_binary_path(const char *event, const char *binary, uint32_t pid,
				       struct wp_probe_files *ret)
{
	uint32_t root = binary[0] == '/' ? pid : 0; /* other paths are from where we are */

	if (try_path(ret, root, binary))
		return NULL;
	if (errno == EINVAL)
		return wp_err_new(WP_ERR_NOT_FOUND, "event '%s': %s is no regular file", event,
				  binary);
	return wp_err_new(WP_ERR_NOT_FOUND, "event '%s': %s: %s%s", event, binary, strerror(errno),
			  root ? " (in the process's own root)" : "");
}

struct wp_err *wp_probe_files_find(const char *event, const char *binary,
				   const struct wp_target *target, struct wp_probe_files *ret)
{
	if (!binary[strspn(binary, "0123456789")])
		return find_process_binaries(event, binary, ret);
	if (strchr(binary, '/'))
		return find_binary_path(event, binary, rooted_in(target), ret);
	return find_named_binary(event, binary, target, ret);
}

void wp_probe_files_deinit(struct wp_probe_files *files)
{
	wp_vec_each (struct wp_probe_file, file, &files->v) {
		if (file->fd >= 0)
			close(file->fd);
		free(file->path);
	}
	wp_vec_deinit(&files->v);
}
