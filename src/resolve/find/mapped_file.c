/* SPDX-License-Identifier: BSD-3-Clause */
/* mapped_file: see mapped_file.h. */
#include "resolve/find/mapped_file.h"

#include "base/file.h"
#include "base/proc_living.h"
#include "base/str.h"
#include "format/elf/elf_image.h"
#include "format/maps/proc_status.h"
#include "format/textline.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MAPS_LIMIT (64u << 20)
#define VDSO_MAX   (256u << 10)

/* Memory that Wine's processes share: server/mapping.c makes such a file for it and removes it. */
static bool is_wines_memory(const char *path)
{
	const char *server = strstr(path, "/server-");

	return server && wp_str_has_prefix(wp_str_basename(server), "tmpmap-");
}

bool wp_mapped_file_has_path(const char *path)
{
	return path[0] == '/' && path[1] != '/' && !wp_str_has_prefix(path, "/SYSV") &&
	       !wp_str_has_prefix(path, "/anon_hugepage") &&
	       !wp_str_has_prefix(path, "/dev/zero") && !is_wines_memory(path);
}

/*
 * Symbolic links in another root must not lead into ours: openat2 keeps them inside. Kernels before
 * 5.6 get the plain path.
 */
static int open_below(int root_fd, const char *path, int flags)
{
	struct open_how how = {.flags = (uint64_t)flags, .resolve = RESOLVE_IN_ROOT};

	return (int)syscall(__NR_openat2, root_fd, path, &how, sizeof(how));
}

static int open_in_root(uint32_t pid, const char *path, int flags)
{
	char root[64];

	if (!pid)
		return open(path, flags);
	snprintf(root, sizeof(root), "/proc/%u/root", wp_proc_living(pid));
	wp_autoclose int root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root_fd < 0)
		return -1;
	int fd = open_below(root_fd, path, flags);
	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return fd;
	wp_autofree char *whole = wp_asprintf("%s%s", root, path);
	return open(whole, flags);
}

/* Opening a device or a FIFO can block or do things: look before. */
static int reopen_regular(int path_fd)
{
	struct stat st;
	char self[64];

	if (path_fd < 0 || fstat(path_fd, &st) != 0)
		return -1;
	if (!S_ISREG(st.st_mode)) {
		errno = EINVAL;
		return -1;
	}
	snprintf(self, sizeof(self), "/proc/self/fd/%d", path_fd);
	return open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

int wp_mapped_file_path(uint32_t pid, const char *path)
{
	wp_autoclose int path_fd = open_in_root(pid, path, O_PATH | O_CLOEXEC);

	return reopen_regular(path_fd);
}

int wp_mapped_file_no_link(uint32_t pid, const char *path)
{
	wp_autoclose int path_fd = open_in_root(pid, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	return reopen_regular(path_fd); /* a link itself is no regular file */
}

int wp_mapped_file_in(int root_fd, const char *path)
{
	wp_autoclose int path_fd = open_below(root_fd, path, O_PATH | O_CLOEXEC);

	return reopen_regular(path_fd);
}

static bool same_build_id(int fd, const struct wp_file_id *id)
{
	struct wp_elf_image image;
	Elf *elf = wp_elf_open(fd);
	wp_autoerr struct wp_err *err = wp_elf_image_read(elf, &image);
	bool same = false;

	if (!err) {
		same = image.build_id_len == id->build_id_len &&
		       memcmp(image.build_id, id->build_id, id->build_id_len) == 0;
		wp_elf_image_deinit(&image);
	}
	elf_end(elf);
	return same;
}

bool wp_mapped_file_is(int fd, const struct wp_file_id *id)
{
	struct stat st;

	if (id->build_id_len)
		return same_build_id(fd, id);
	if (!id->inode)
		return true;
	if (fstat(fd, &st) != 0 || (uint64_t)st.st_ino != id->inode)
		return false;
	/*
	 * Overlayfs and btrfs report devices with major 0 that differ between a mapping and
	 * stat(); there the inode has to do.
	 */
	uint32_t st_major = major(st.st_dev);
	return !st_major || !id->dev_major ||
	       (st_major == id->dev_major && minor(st.st_dev) == id->dev_minor);
}

static int keep_if_same_file(int fd, const struct wp_file_id *id, bool *mismatch)
{
	if (fd < 0)
		return -1;
	if (wp_mapped_file_is(fd, id))
		return fd;
	*mismatch = true;
	close(fd);
	return -1;
}

/* The line of /proc/PID/maps that covers va: "START-END perms offset maj:min inode path". */
static bool find_mapped_range(uint32_t pid, struct wp_va va, uint64_t *start, uint64_t *end)
{
	wp_autofree char *text = NULL;
	char path[64];
	size_t size;
	struct wp_textline line;

	snprintf(path, sizeof(path), "/proc/%u/maps", wp_proc_living(pid));
	wp_autoerr struct wp_err *err = wp_file_read(path, MAPS_LIMIT, &text, &size);
	if (err)
		return false;
	struct wp_bytes b = wp_bytes_of(text, size);
	while (wp_textline_next(&b, &line)) {
		if (!wp_textline_hex(&line, start) || !line.len || line.s[0] != '-')
			continue;
		line.s++, line.len--;
		if (wp_textline_hex(&line, end) && va.v >= *start && va.v < *end)
			return true;
	}
	return false;
}

/* Finds a deleted or moved file as long as it is mapped; needs CAP_CHECKPOINT_RESTORE. */
static int open_map_file(uint32_t pid, struct wp_va va)
{
	uint64_t start, end;
	char path[96];

	if (!find_mapped_range(pid, va, &start, &end))
		return -1;
	snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", wp_proc_living(pid),
		 (unsigned long long)start, (unsigned long long)end);
	return wp_mapped_file_path(0, path);
}

static int open_exe(uint32_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/exe", wp_proc_living(pid));
	return wp_mapped_file_path(0, path);
}

int wp_mapped_file_open(uint32_t pid, const char *path, const struct wp_file_id *id,
			struct wp_va va, const char **ret_why)
{
	bool known = id->inode || id->build_id_len, mismatch = false;
	int fd = keep_if_same_file(wp_mapped_file_path(pid, path), id, &mismatch);
	int path_errno = errno;

	if (fd < 0)
		fd = keep_if_same_file(open_map_file(pid, va), id, &mismatch);
	if (fd < 0 && known)
		fd = keep_if_same_file(open_exe(pid), id, &(bool){0});
	if (fd < 0)
		fd = keep_if_same_file(wp_mapped_file_path(0, path), id, &mismatch);
	if (fd < 0 && mismatch)
		*ret_why = "it was replaced since it was mapped";
	else if (fd < 0 && (path_errno == EACCES || path_errno == EPERM))
		*ret_why = "permission denied";
	else if (fd < 0)
		*ret_why = "the file is gone";
	return fd;
}

bool wp_mapped_file_memory(uint32_t pid, struct wp_va va, void *ret, size_t len)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/mem", wp_proc_living(pid));
	wp_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd >= 0 && pread(fd, ret, len, (off_t)va.v) == (ssize_t)len;
}

void *wp_mapped_file_vdso(uint32_t pid, struct wp_va va, size_t len, bool or_ours)
{
	const struct wp_va own = {getauxval(AT_SYSINFO_EHDR)};
	void *copy;

	if (!len || len > VDSO_MAX)
		return NULL;
	copy = wp_calloc(1, len);
	if (wp_mapped_file_memory(pid, va, copy, len))
		return copy;
	if (or_ours && own.v && va.v >> 32 && sizeof(void *) == 8 &&
	    wp_mapped_file_memory((uint32_t)getpid(), own, copy, len))
		return copy;
	free(copy);
	return NULL;
}

uint32_t wp_mapped_file_inner_pid(uint32_t pid)
{
	wp_autofree char *text = NULL;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	wp_autoerr struct wp_err *err = wp_file_read(path, 1 << 20, &text, NULL);
	return err ? pid : wp_proc_status_inner(text, pid);
}
