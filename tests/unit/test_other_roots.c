/* SPDX-License-Identifier: BSD-3-Clause */
/* other_roots: a file of a process with another root is found when the process is gone. */
#include "resolve/find/other_roots.h"

#include "check.h"

#include <sched.h>
#include <signal.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/wp_other_roots_XXXXXX";

static void make_file(struct wp_file_id *ret)
{
	struct stat st;
	char path[128];

	snprintf(path, sizeof(path), "%s/wp_program", folder);
	FILE *out = fopen(path, "w");
	CHECK(out && fputs("program", out) >= 0 && fclose(out) == 0);
	CHECK(stat(path, &st) == 0);
	*ret = (struct wp_file_id){
		.dev_major = major(st.st_dev), .dev_minor = minor(st.st_dev), .inode = st.st_ino};
}

/* A process whose root is the folder, waiting; 0 where nobody may have another root. */
static pid_t start(void)
{
	int ready[2];
	char byte = 0;

	if (pipe(ready) != 0)
		return 0;
	pid_t pid = fork();
	if (pid == 0) {
		if (chroot(folder) != 0 && (unshare(CLONE_NEWUSER) != 0 || chroot(folder) != 0))
			_exit(1);
		if (write(ready[1], "x", 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	if (pid > 0 && read(ready[0], &byte, 1) != 1) {
		waitpid(pid, NULL, 0);
		pid = 0;
	}
	close(ready[0]);
	return pid;
}

static void test_gone(void)
{
	struct wp_other_roots roots = {0};
	struct wp_file_id id, other;
	pid_t pid;

	make_file(&id);
	pid = start();
	if (pid <= 0) {
		printf("SKIP: this user may not have another root\n");
		return;
	}
	wp_other_roots_note(&roots, (uint32_t)getpid());
	wp_other_roots_note(&roots, 0);
	CHECK_U64(roots.n, 0);
	wp_other_roots_note(&roots, (uint32_t)pid);
	wp_other_roots_note(&roots, (uint32_t)pid);
	CHECK_U64(roots.n, 1);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	wp_other_roots_note(&roots, (uint32_t)pid);
	int fd = wp_other_roots_open(&roots, "/wp_program", &id);
	CHECK(fd >= 0);
	close(fd);
	CHECK(wp_other_roots_open(&roots, "/none", &id) < 0);
	other = id;
	other.inode++;
	CHECK(wp_other_roots_open(&roots, "/wp_program", &other) < 0);
	/* nothing is known of it: it could be any */
	CHECK(wp_other_roots_open(&roots, "/wp_program", &(struct wp_file_id){0}) < 0);
	wp_other_roots_deinit(&roots);
}

int main(void)
{
	char path[128];

	if (!mkdtemp(folder))
		return 2;
	RUN(test_gone);
	snprintf(path, sizeof(path), "%s/wp_program", folder);
	unlink(path);
	rmdir(folder);
	return check_done();
}
