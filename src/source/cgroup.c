/* cgroup: see cgroup.h. */
#include "source/cgroup.h"

#include "base/file.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
static const char *below(const char *mount, const char *name)
{
	size_t n = strlen(mount);

	if (wp_str_has_prefix(name, mount) && (!name[n] || name[n] == '/'))
		name += n;
	name += strspn(name, "/");
	return *name ? name : ".";
}

static struct wp_err *refuse(const char *name, const char *mount, int why)
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

static struct wp_err *open_one(const char *mount, const char *name, struct wp_target *ret)
{
	wp_autoclose int root = open(mount, O_PATH | O_DIRECTORY | O_CLOEXEC);
	const char *path = below(mount, name);
	wp_autofree char *members = wp_asprintf("%s/cgroup.procs", path);
	int fd = root < 0 ? -1 : openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return refuse(name, mount, errno);
	wp_vec_push(&ret->cgroups, fd);
	return faccessat(root, members, F_OK, 0) < 0 ? refuse(name, mount, ENOENT) : NULL;
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
			return wp_err_new(WP_ERR_USAGE,
					  "a name is empty in the cgroups '%s' of option -G", list);
		TRY(open_one(mount, name, ret));
	}
	return NULL;
}
