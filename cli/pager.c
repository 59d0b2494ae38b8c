/* SPDX-License-Identifier: BSD-3-Clause */
/* pager: see pager.h. */
#include "pager.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What fits on the screen is shown without asking for a key. */
#define LESS_HABITS  "FRX"
#define LESS_CHOPPED "FRSX"

static const char *command(void)
{
	const char *own = getenv("WPERF_PAGER"), *any = getenv("PAGER");
	const char *name = own ? own : any ? any : "less";

	return *name && strcmp(name, "cat") != 0 ? name : NULL;
}

/* In the child: the pager reads what we write. */
static void run_pager(const struct pager *pager, const char *name, const int ends[2])
{
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	close(ends[1]);
	setenv("LESS", pager->chops ? LESS_CHOPPED : LESS_HABITS, 0);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	execl("/bin/sh", "sh", "-c", name, (char *)NULL);
	_exit(127);
}

/* A shell without such a program would swallow the report: look before. */
static int is_there(const char *name)
{
	char look[256];
	size_t n = strcspn(name, " ");

	if (n > 128 || strpbrk(name, "'\"\\`$;&|<>()"))
		return 1; /* a shell's line: the user knows */
	strcpy(look, "command -v ");
	strncat(look, name, n);
	strcat(look, " >/dev/null 2>&1");
	return system(look) == 0;
}

bool pager_is_possible(const struct pager *pager)
{
	return pager->is_wanted && isatty(STDOUT_FILENO) && command();
}

void pager_open(struct pager *pager)
{
	const char *name = command();
	int ends[2];

	if (pager->pid || !pager_is_possible(pager) || !is_there(name) || pipe(ends) < 0)
		return;
	pager->pid = fork();
	if (pager->pid == 0)
		run_pager(pager, name, ends);
	close(ends[0]);
	if (pager->pid < 0) {
		pager->pid = 0;
	} else {
		dup2(ends[1], STDOUT_FILENO);
		signal(SIGINT, SIG_IGN); /* Ctrl-C is the pager's own now */
	}
	close(ends[1]);
}

void pager_close(struct pager *pager)
{
	int status;

	if (!pager->pid)
		return;
	close(STDOUT_FILENO);
	while (waitpid(pager->pid, &status, 0) < 0 && errno == EINTR)
		;
	pager->pid = 0;
}
