/* SPDX-License-Identifier: BSD-3-Clause */
/* instant_wait: see instant_wait.h. */
#include "source/instant/instant_wait.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "source/proc/process_memory.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define POLLED_MAX  256	 /* entries of an array of poll() that are looked at */
#define SELECT_MAX  1024 /* FD_SETSIZE */
#define INFO_BYTES  (1u << 20)
#define INODE_BYTES 255	     /* of the same file, in which the inode's line is the fourth */
#define WATCHED	    "\ntfd:" /* /proc/PID/fdinfo/FD of an epoll, proc_pid_fdinfo(5) */

static bool read_fd_link(char *path, char ret[WP_INSTANT_PATH])
{
	ssize_t n = readlink(path, ret, WP_INSTANT_PATH - 1);

	free(path);
	ret[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* A thread may have descriptors of its own, and may have ended. */
bool wp_instant_fd_name(uint32_t pid, uint32_t tid, int fd, char ret[WP_INSTANT_PATH])
{
	return read_fd_link(wp_asprintf("/proc/%u/task/%u/fd/%d", pid, tid, fd), ret) ||
	       read_fd_link(wp_asprintf("/proc/%u/fd/%d", pid, fd), ret);
}

/* Of proc_pid_fdinfo(5), since Linux 5.14; 0: not told. */
static uint64_t read_inode(char *path)
{
	wp_autoclose int file = open(path, O_RDONLY | O_CLOEXEC);
	char text[INODE_BYTES + 1];
	ssize_t n = file >= 0 ? read(file, text, INODE_BYTES) : -1;
	const char *line;

	free(path);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	line = strstr(text, "\nino:");
	return line ? strtoull(line + strlen("\nino:"), NULL, 10) : 0;
}

uint64_t wp_instant_fd_inode(uint32_t pid, uint32_t tid, int fd)
{
	uint64_t inode = read_inode(wp_asprintf("/proc/%u/task/%u/fdinfo/%d", pid, tid, fd));

	return inode ? inode : read_inode(wp_asprintf("/proc/%u/fdinfo/%d", pid, fd));
}

static void add_waited_fd(struct wp_instant *at, uint64_t fd)
{
	struct wp_instant_fd *add = &at->fds[at->n_fds];

	if (fd > INT_MAX)
		return;
	if (at->n_fds == WP_INSTANT_FDS) {
		at->more_fds = true;
		return;
	}
	wp_instant_fd_name(at->pid, at->tid, (int)fd, add->name);
	add->fd = (int)fd;
	at->n_fds++;
}

static void read_polled_fds(struct wp_instant *at)
{
	struct wp_memory memory = wp_process_memory(at->tid);
	struct pollfd all[POLLED_MAX];
	size_t n = at->args[1] < POLLED_MAX ? at->args[1] : POLLED_MAX;

	if (!memory.read(memory.arg, at->args[0], all, n * sizeof(*all)))
		return;
	for (size_t i = 0; i < n; i++)
		if (all[i].fd >= 0)
			add_waited_fd(at, (uint64_t)all[i].fd);
	at->more_fds |= n < at->args[1];
}

static void read_selected_fds(struct wp_instant *at)
{
	struct wp_memory memory = wp_process_memory(at->tid);
	size_t n = at->args[0] < SELECT_MAX ? at->args[0] : SELECT_MAX;
	size_t words = (n + 63) / 64;
	uint64_t wanted[SELECT_MAX / 64] = {0}, set[SELECT_MAX / 64];

	for (int i = 1; i <= 3; i++)
		if (at->args[i] && memory.read(memory.arg, at->args[i], set, words * sizeof(*set)))
			for (size_t j = 0; j < words; j++)
				wanted[j] |= set[j];
	for (size_t fd = 0; fd < n; fd++)
		if (wanted[fd / 64] >> (fd % 64) & 1)
			add_waited_fd(at, fd);
}

/* The epoll itself comes first. */
static void read_watched_fds(struct wp_instant *at)
{
	wp_autofree char *path = wp_asprintf("/proc/%u/task/%u/fdinfo/%u", at->pid, at->tid,
					     (unsigned int)at->args[0]);
	char *text = NULL;
	wp_autoerr struct wp_err *err = wp_file_read(path, INFO_BYTES, &text, NULL);

	add_waited_fd(at, at->args[0]);
	if (err) /* it watches more than can be read */
		return;
	for (const char *line = text; !at->more_fds && (line = strstr(line, WATCHED));) {
		char number[16] = "";
		uint64_t fd;

		line += strlen(WATCHED);
		line += strspn(line, " ");
		memcpy(number, line, strnlen(line, sizeof(number) - 1));
		number[strspn(number, "0123456789")] = '\0';
		if (wp_str_to_u64(number, 10, INT_MAX, &fd))
			add_waited_fd(at, fd);
	}
	free(text);
}

void wp_instant_wait_read(const struct wp_syscall *call, struct wp_instant *at)
{
	at->n_fds = 0;
	at->more_fds = false;
	switch (call->kind) {
	case WP_SYSCALL_FD: add_waited_fd(at, at->args[0]); break;
	case WP_SYSCALL_POLL: read_polled_fds(at); break;
	case WP_SYSCALL_SELECT: read_selected_fds(at); break;
	case WP_SYSCALL_EPOLL: read_watched_fds(at); break;
	default: break;
	}
}
