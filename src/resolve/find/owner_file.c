/* SPDX-License-Identifier: BSD-3-Clause */
/* owner_file: see owner_file.h. */
#include "resolve/find/owner_file.h"

#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the thread is to open, and what came of it. */
struct request {
	const struct wp_owner *owner;
	wp_owner_file_opener *opener;
	uint32_t pid;
	const char *path;
	int fd, error;
};

static bool set_id(long call, uint32_t id)
{
	syscall(call, id); /* says what was, and nothing of failures */
	return (uint32_t)syscall(call, -1) == id;
}

/* With some securebits the change of user leaves them. */
static bool reads_everything(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {0};

	return syscall(SYS_capget, &head, data) != 0 ||
	       (data[0].effective & (1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH));
}

/* The bare calls are of one thread; the C library's would change all of them. */
static bool become_owner(const struct wp_owner *owner)
{
	return syscall(SYS_setgroups, owner->groups.n, owner->groups.v) == 0 &&
	       set_id(SYS_setfsgid, owner->gid) && set_id(SYS_setfsuid, owner->uid) &&
	       !reads_everything();
}

/* The thread that opens a file; its rights end with it. */
static void *run_request(void *arg)
{
	struct request *request = arg;

	request->error = EPERM;
	if (!become_owner(request->owner))
		return NULL;
	request->fd = request->opener(request->pid, request->path);
	request->error = errno;
	return NULL;
}

static struct wp_owner_file_found found_as(enum wp_owner_file how, const struct wp_owner *owner)
{
	return (struct wp_owner_file_found){.how = how, .uid = owner ? owner->uid : 0, .fd = -1};
}

static enum wp_owner_file failure(int error)
{
	return error == EACCES || error == EPERM ? WP_OWNER_FILE_FORBIDDEN : WP_OWNER_FILE_NONE;
}

static struct wp_owner_file_found open_as(struct request request)
{
	const struct wp_owner *owner = request.owner;
	pthread_t thread;

	if (geteuid() != 0)
		return found_as(WP_OWNER_FILE_POWERLESS, owner);
	if (pthread_create(&thread, NULL, run_request, &request) != 0)
		return found_as(WP_OWNER_FILE_FORBIDDEN, owner);
	pthread_join(thread, NULL);
	if (request.fd < 0)
		return found_as(failure(request.error), owner);
	return (struct wp_owner_file_found){.how = WP_OWNER_FILE_OPEN, .fd = request.fd};
}

static bool same_file(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

static bool is_trusted(const struct wp_owner *owner)
{
	return owner->uid == 0 || owner->uid == geteuid();
}

static struct wp_owner_file_found open_ours(wp_owner_file_opener *opener, uint32_t pid,
					    const char *path)
{
	int fd = opener(pid, path);

	if (fd < 0)
		return found_as(WP_OWNER_FILE_NONE, NULL);
	return (struct wp_owner_file_found){.how = WP_OWNER_FILE_OPEN, .fd = fd};
}

struct wp_owner_file_found wp_owner_file_open(const struct wp_owners *owners,
					      wp_owner_file_opener *opener, uint32_t pid,
					      const char *path)
{
	struct wp_owner_file_found found = {.how = WP_OWNER_FILE_NONE, .fd = -1};

	if (!owners->all.n || owners->cut)
		return found;
	wp_vec_each (const struct wp_owner, owner, &owners->all) {
		struct wp_owner_file_found next;

		if (is_trusted(owner))
			continue;
		next = open_as((struct request){owner, opener, pid, path, -1, 0});
		if (next.fd >= 0 && found.fd >= 0 && !same_file(next.fd, found.fd)) {
			close(next.fd);
			next = found_as(WP_OWNER_FILE_FORBIDDEN, owner);
		}
		if (found.fd >= 0)
			close(found.fd);
		found = next;
		if (found.fd < 0)
			return found;
	}
	return found.fd >= 0 ? found : open_ours(opener, pid, path);
}
