/* SPDX-License-Identifier: BSD-3-Clause */
/* proc_living: see proc_living.h. */
#include "base/proc_living.h"

#include "base/mem.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* Whoever has ended has no program; whoever may not be asked (EACCES) lives. */
static bool has_program(uint32_t tid)
{
	char path[64], target[1];

	snprintf(path, sizeof(path), "/proc/%u/exe", tid);
	return readlink(path, target, sizeof(target)) >= 0 || errno != ENOENT;
}

uint32_t wp_proc_living(uint32_t pid)
{
	uint32_t ret = pid;
	char path[64];
	uint64_t tid;

	if (has_program(pid))
		return pid;
	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	DIR *dir = opendir(path);
	if (!dir)
		return pid;
	for (struct dirent *entry; ret == pid && (entry = readdir(dir));)
		if (wp_str_to_u64(entry->d_name, 10, INT32_MAX, &tid) && tid != pid &&
		    has_program((uint32_t)tid))
			ret = (uint32_t)tid;
	closedir(dir);
	return ret;
}
