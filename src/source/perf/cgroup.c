/* SPDX-License-Identifier: BSD-3-Clause */
/* cgroup: see cgroup.h. */
#include "source/perf/cgroup.h"

#include "base/dir.h"
#include "base/file.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names that are offered: as long a list as somebody reads, of folders as deep as slices are. */
#define LIST_BYTES (64u << 10)
#define LIST_DEPTH 6
/* Cgroups that a recording is told of: as deep as a path can be, and a hundred thousand of them. */
#define TELL_DEPTH 256
#define TELL_MAX   100000

/* Where cgroups are that perf_event_open(2) knows, or NULL. The caller frees. */
static char *find_mount(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	char *first = NULL, *second = NULL, buffer[4096];
	struct mntent entry;

	if (!mounts)
		return NULL;
	while (!first && getmntent_r(mounts, &entry, buffer, sizeof(buffer))) {
		if (strcmp(entry.mnt_type, "cgroup") == 0 && hasmntopt(&entry, "perf_event"))
			first = wp_strdup(entry.mnt_dir);
		else if (strcmp(entry.mnt_type, "cgroup2") == 0 && !second)
			second = wp_strdup(entry.mnt_dir);
	}
	endmntent(mounts);
	if (!first)
		return second;
	free(second);
	return first;
}

/* The name without the mount and without slashes around it; "." for the root. */
static const char *cgroup_path_below(const char *mount, const char *name)
{
	size_t n = strlen(mount);

	if (wp_str_has_prefix(name, mount) && (!name[n] || name[n] == '/'))
		name += n;
	name += strspn(name, "/");
	return *name ? name : ".";
}

static struct wp_err *refuse_cgroup(const char *name, const char *mount, int why)
{
	if (why == EACCES)
		return wp_err_new(WP_ERR_PERMISSION,
				  "cgroup '%s': %s may not be read by this user; run as root", name,
				  mount);
	return wp_err_new(WP_ERR_NOT_FOUND,
			  "no cgroup '%s': %s has none of that name (/proc/PID/cgroup tells that "
			  "of a process)",
			  name, mount);
}

static struct wp_err *open_cgroup(const char *mount, const char *name, struct wp_target *ret)
{
	wp_autoclose int root = open(mount, O_PATH | O_DIRECTORY | O_CLOEXEC);
	const char *path = cgroup_path_below(mount, name);
	wp_autofree char *members = wp_asprintf("%s/cgroup.procs", path);
	int fd = root < 0 ? -1 : openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return refuse_cgroup(name, mount, errno);
	wp_vec_push(&ret->cgroups, fd);
	return faccessat(root, members, F_OK, 0) < 0 ? refuse_cgroup(name, mount, ENOENT) : NULL;
}

struct wp_err *wp_cgroups_open(const char *list, struct wp_target *ret)
{
	wp_autofree char *mount = find_mount();
	wp_autofree char *copy = wp_strdup(list);
	char *rest = copy, *name;

	if (!mount)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "cgroup '%s': no cgroup file system is mounted that events know "
				  "(cgroup2, or the perf_event controller of cgroup)",
				  list);
	while ((name = strsep(&rest, ","))) {
		if (!*name)
			return wp_err_new(WP_ERR_USAGE, "a name is empty in the cgroups '%s'",
					  list);
		TRY(open_cgroup(mount, name, ret));
	}
	return NULL;
}

/* What is below a folder of the mount; `name` is empty, or ends in a slash. */
static void list_below(const char *mount, const char *name, int depth, struct wp_str *ret)
{
	wp_autofree char *path = wp_asprintf("%s/%s", mount, name);
	wp_autodir struct wp_dir dir = {0};

	wp_dir_list(path, &dir);
	wp_vec_each (const char *, entry, &dir.names) {
		wp_autofree char *members = wp_asprintf("%s%s/cgroup.procs", path, *entry);
		wp_autofree char *child = wp_asprintf("%s%s/", name, *entry);

		if (ret->len > LIST_BYTES || !wp_file_exists(members))
			continue;
		wp_str_printf(ret, "%s%s\n", name, *entry);
		if (depth < LIST_DEPTH)
			list_below(mount, child, depth + 1, ret);
	}
}

void wp_cgroups_list(struct wp_str *ret)
{
	wp_autofree char *mount = find_mount();

	if (mount)
		list_below(mount, "", 1, ret);
}

/* On 64 bits the inode of a cgroup's folder is the id that samples have (kernfs_ino(), Linux 5.5).
 */
static void tell_below(const char *mount, const char *name, int depth, struct wp_records *ret)
{
	wp_autofree char *path = wp_asprintf("%s%s", mount, name);
	wp_autofree char *members = wp_asprintf("%s/cgroup.procs", path);
	struct wp_record record = {.kind = WP_RECORD_CGROUP};
	wp_autodir struct wp_dir dir = {0};
	struct stat st;

	if (!wp_file_exists(members) || stat(path, &st) != 0)
		return;
	record.cgroup.id = st.st_ino;
	record.cgroup.path = wp_arena_strdup(&ret->arena, *name ? name : "/");
	wp_vec_push(&ret->records, record);
	wp_dir_list(path, &dir);
	wp_vec_each (const char *, entry, &dir.names) {
		wp_autofree char *child = wp_asprintf("%s/%s", name, *entry);

		if (depth < TELL_DEPTH && ret->records.n < TELL_MAX)
			tell_below(mount, child, depth + 1, ret);
	}
}

void wp_cgroups_tell(struct wp_records *ret)
{
	wp_autofree char *mount = find_mount();

	if (mount)
		tell_below(mount, "", 0, ret);
}
