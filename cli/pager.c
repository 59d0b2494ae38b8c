/* pager: see pager.h. */
#include "pager.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What fits on the screen is shown without asking for a key. */
#define LESS_HABITS "FRSX"

static const char *command(void)
{
	const char *own = getenv("WPERF_PAGER"), *any = getenv("PAGER");
	const char *name = own ? own : any ? any : "less";

	return *name && strcmp(name, "cat") != 0 ? name : NULL;
}

/* In the child: the pager reads what we write. */
static void become(const char *name, const int ends[2])
{
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	close(ends[1]);
	setenv("LESS", LESS_HABITS, 0);
	signal(SIGPIPE, SIG_DFL);
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

void pager_open(struct pager *ret)
{
	const char *name = command();
	int ends[2];

	*ret = (struct pager){.fd = STDOUT_FILENO};
	if (!isatty(STDOUT_FILENO) || !name || !is_there(name) || pipe(ends) < 0)
		return;
	ret->pid = fork();
	if (ret->pid == 0)
		become(name, ends);
	close(ends[0]);
	if (ret->pid < 0) {
		close(ends[1]);
		ret->pid = 0;
		return;
	}
	ret->fd = ends[1];
}

void pager_close(struct pager *pager)
{
	int status;

	if (!pager->pid)
		return;
	close(pager->fd);
	signal(SIGINT, SIG_IGN); /* Ctrl-C is the pager's own now */
	while (waitpid(pager->pid, &status, 0) < 0 && errno == EINTR)
		;
	pager->pid = 0;
}
